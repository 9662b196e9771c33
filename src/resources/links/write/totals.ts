import { eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { fromList, item, type List } from "../../../db/list";
import { prepared } from "../../../db/prepared";
import { workspaces } from "../../../db/schema/access";
import { linkTotals } from "../../../db/schema/links";
import { addToSlugCount } from "../../../redirect/slugs/limits";
import type { LinkState } from "../repository";
import { isArchived, type LinkChange } from "./state";

// Stored numbers of active and archived links, by workspace, tag, group and channel.

type Key = readonly [kind: "tag" | "group" | "channel", key: string];
type Counts = readonly [active: number, archived: number];
type CountedLink = Pick<LinkState, "archived_at" | "channel"> & {
  group: { id: number | null };
  tags: readonly { id: number }[];
};

const toTotalKeys = ({ tags, group, channel }: CountedLink): Key[] => [
  ...tags.map(({ id }): Key => ["tag", String(id)]),
  ...(group.id === null ? [] : [["group", String(group.id)] as const]),
  ...(channel === null ? [] : [["channel", channel] as const]),
];

const toCounts = (link: CountedLink): Counts => (isArchived(link) ? [0, 1] : [1, 0]);

const isNothing = ([active, archived]: Counts): boolean => active === 0 && archived === 0;

/** The differences in the workspace's counts and in each total, without those that are zero. */
export function totalMoves(
  changes: readonly { was: CountedLink | undefined; will: CountedLink | undefined }[],
) {
  const sums = new Map<string, readonly [Key, Counts]>();
  let workspace: Counts = [0, 0];
  const plus = (old: Counts, [active, archived]: Counts, sign: 1 | -1): Counts => [
    old[0] + sign * active,
    old[1] + sign * archived,
  ];
  const count = (link: CountedLink | undefined, sign: 1 | -1) => {
    if (link === undefined) return;
    const counts = toCounts(link);
    workspace = plus(workspace, counts, sign);
    for (const key of toTotalKeys(link)) {
      const name = key.join(" ");
      sums.set(name, [key, plus(sums.get(name)?.[1] ?? [0, 0], counts, sign)]);
    }
  };
  for (const { was, will } of changes) {
    count(was, -1);
    count(will, 1);
  }
  return { workspace, totals: [...sums.values()].filter(([, counts]) => !isNothing(counts)) };
}

const countLinks = prepared(
  (workspaceId: number, active: number, archived: number): Statement =>
    (orm) =>
      orm.update(workspaces).set(countsWith(active, archived)).where(eq(workspaces.id, workspaceId)),
);

const countLinksAndClaims = prepared(
  (workspaceId: number, active: number, archived: number, claims: number): Statement =>
    (orm) =>
      orm
        .update(workspaces)
        .set({ ...countsWith(active, archived), slug_claims: addToSlugCount(claims) })
        .where(eq(workspaces.id, workspaceId)),
);

const countsWith = (active: number, archived: number) => ({
  active_links: sql`${workspaces.active_links} + ${active}`,
  archived_links: sql`${workspaces.archived_links} + ${archived}`,
});

// A check keeps the columns non-negative, even in a row that is only proposed by an upsert. So additions, subtractions
// and moves between active and archived are three statements with positive numbers.

const prepareUpsert = (assignments: SQL) =>
  prepared(
    (workspaceId: number, moves: List): Statement =>
      (orm) =>
        orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
          select ${workspaceId}, ${item(0)}, ${item(1)}, ${item(2)}, ${item(3)} from ${fromList(moves)} where true
          on conflict do update set ${assignments}`),
  );

const add = prepareUpsert(sql`active = active + excluded.active, archived = archived + excluded.archived`);

const subtract = prepareUpsert(
  sql`active = active - excluded.active, archived = archived - excluded.archived`,
);

/** Moves links between active and archived; the counts are those that gain. */
const shift = prepareUpsert(
  sql`active = active + excluded.active - excluded.archived,
    archived = archived + excluded.archived - excluded.active`,
);

const positive = ([active, archived]: Counts): Counts => [Math.max(0, active), Math.max(0, archived)];

/** Splits a difference into a shift, an addition and a subtraction, all positive. */
function splitDifference([active, archived]: Counts): Record<"shifted" | "added" | "subtracted", Counts> {
  const shifted = positive([Math.min(active, -archived), Math.min(-active, archived)]);
  const [toActive, toArchived] = shifted;
  const rest: Counts = [active - toActive + toArchived, archived - toArchived + toActive];
  return { shifted, added: positive(rest), subtracted: positive([-rest[0], -rest[1]]) };
}

/**
 * Updates the totals. `newClaims` is the number of slugs that the batch claims; the batch fails if the workspace's slug
 * limit is exceeded.
 */
export function moveTotals(
  workspaceId: number,
  changes: readonly Pick<LinkChange, "was" | "will">[],
  newClaims: number,
): Statement[] {
  const { workspace, totals } = totalMoves(changes);
  const moves = (part: keyof ReturnType<typeof splitDifference>) =>
    totals
      .map(([key, counts]) => [key, splitDifference(counts)[part]] as const)
      .filter(([, counts]) => !isNothing(counts))
      .map(([key, counts]) => [...key, ...counts]);
  const shifted = moves("shifted");
  const subtracted = moves("subtracted");
  const added = moves("added");
  return [
    ...(newClaims > 0 ? [countLinksAndClaims(workspaceId, ...workspace, newClaims)] : []),
    ...(newClaims === 0 && !isNothing(workspace) ? [countLinks(workspaceId, ...workspace)] : []),
    ...(shifted.length === 0 ? [] : [shift(workspaceId, shifted)]),
    ...(subtracted.length === 0 ? [] : [subtract(workspaceId, subtracted)]),
    ...(added.length === 0 ? [] : [add(workspaceId, added)]),
  ];
}
