import { eq, sql } from "drizzle-orm";
import { type BoundList, fromList, listedAs } from "../../../db/bound-list";
import type { Statement } from "../../../db/client";
import { orm, prepared } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { linkTotals } from "../../../db/schema/links";
import { VALUE_FIELD_NAMES, type ValueFieldName } from "../../../lib/link-fields";
import { SHORT_HOST } from "../../../lib/slug-text";
import type { LinkState } from "../link-repository";
import { isArchived, type LinkChange } from "./link-state";

// Stored numbers of active and archived links, by workspace, tag, group, value and domain.

type Key = readonly [kind: (typeof linkTotals.$inferSelect)["kind"], key: string];
type Counts = [active: number, archived: number];
type CountedLink = Pick<LinkState, "archived_at" | ValueFieldName | "domain"> & {
  group: { id: number | null };
  tags: readonly { id: number }[];
};

const toTotalKeys = (link: CountedLink): Key[] => [
  ...link.tags.map(({ id }): Key => ["tag", String(id)]),
  ...(link.group.id === null ? [] : [["group", String(link.group.id)] as const]),
  ...VALUE_FIELD_NAMES.flatMap((name) => (link[name] === null ? [] : [[name, link[name]] as const])),
  ...(link.domain === SHORT_HOST ? [] : [["domain", link.domain] as const]),
];

const isNothing = ([active, archived]: Counts): boolean => active === 0 && archived === 0;

/** The differences in the workspace's counts and in each total, without those that are zero. */
export function totalDifferences(
  changes: readonly { was: CountedLink | undefined; will: CountedLink | undefined }[],
) {
  const differences = new Map<string, readonly [Key, Counts]>();
  const workspace: Counts = [0, 0];
  const count = (link: CountedLink | undefined, sign: 1 | -1) => {
    if (link === undefined) return;
    const place = isArchived(link) ? 1 : 0;
    workspace[place] += sign;
    for (const key of toTotalKeys(link)) {
      const name = key.join(" ");
      const [, counts] = differences.get(name) ?? [key, [0, 0]];
      counts[place] += sign;
      differences.set(name, [key, counts]);
    }
  };
  for (const { was, will } of changes) {
    count(was, -1);
    count(will, 1);
  }
  return { workspace, totals: [...differences.values()].filter(([, counts]) => !isNothing(counts)) };
}

const addToWorkspace = prepared((workspaceId: number, active: number, archived: number, claims: number) =>
  orm
    .update(workspaces)
    .set({
      active_links: sql`${workspaces.active_links} + ${active}`,
      archived_links: sql`${workspaces.archived_links} + ${archived}`,
      slug_claims: sql`${workspaces.slug_claims} + ${claims}`,
    })
    .where(eq(workspaces.id, workspaceId)),
);

/** The workspace is in each row because SQLite then reads the list first, and each total by its key. */
const listedTotal = () => listedAs("workspace", "kind", "key", "active", "archived");

/** Creates those that are missing. */
const addToTotals = prepared((totals: BoundList) => {
  const total = listedTotal();
  return orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        select ${total.workspace}, ${total.kind}, ${total.key}, ${total.active}, ${total.archived} from ${fromList(totals)} where true
        on conflict do update set active = ${linkTotals}.active + excluded.active, archived = ${linkTotals}.archived + excluded.archived`);
});

/** A link that a total loses is counted in it, so its row exists. */
const subtractFromTotals = prepared((totals: BoundList) => {
  const total = listedTotal();
  return orm.run(sql`update ${linkTotals} set active = active + ${total.active}, archived = archived + ${total.archived}
        from ${fromList(totals)} where workspace_id = ${total.workspace} and kind = ${total.kind} and ${linkTotals.key} = ${total.key}`);
});

/** Updates the totals. `newClaims` is the number of slugs that the batch claims. */
export function totalsStatements(
  workspaceId: number,
  changes: readonly Pick<LinkChange, "was" | "will">[],
  newClaims: number,
): Statement[] {
  const { workspace, totals } = totalDifferences(changes);
  const rowsOf = (areLess: boolean) =>
    totals
      .filter(([, counts]) => counts.some((count) => count < 0) === areLess)
      .map(([key, counts]) => [workspaceId, ...key, ...counts]);
  const less = rowsOf(true);
  const more = rowsOf(false);
  return [
    ...(newClaims === 0 && isNothing(workspace)
      ? []
      : [addToWorkspace(workspaceId, ...workspace, newClaims)]),
    ...(less.length === 0 ? [] : [subtractFromTotals(less)]),
    ...(more.length === 0 ? [] : [addToTotals(more)]),
  ];
}
