import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { fromList, item, type List } from "../../db/list";
import { prepared } from "../../db/prepared";
import { linkTotals, workspaces } from "../../db/schema";
import { addToSlugCount } from "../../slugs/limits";
import type { LinkState } from "../repository";
import { isArchived, type LinkChange } from "./state";

// A workspace, a tag, a group and a channel know how many links they have.

type Key = readonly [kind: "tag" | "group" | "channel", key: string];
type Counts = readonly [active: number, archived: number];
type CountedLink = Pick<LinkState, "archived_at" | "channel"> & {
  group: { id: number | null };
  tags: readonly { id: number }[];
};

const keysOf = ({ tags, group, channel }: CountedLink): Key[] => [
  ...tags.map(({ id }): Key => ["tag", String(id)]),
  ...(group.id === null ? [] : [["group", String(group.id)] as const]),
  ...(channel === null ? [] : [["channel", channel] as const]),
];

const countsOf = (link: CountedLink | undefined): Counts =>
  link === undefined ? [0, 0] : isArchived(link) ? [0, 1] : [1, 0];

const isNothing = ([active, archived]: Counts): boolean => active === 0 && archived === 0;

/** By how much changes move the workspace's own counts, and each total; what stays is left out. */
export function movesOf(changes: readonly { was: CountedLink | undefined; will: CountedLink | undefined }[]) {
  const sums = new Map<string, readonly [Key, Counts]>();
  let workspace: Counts = [0, 0];
  const plus = (old: Counts, [active, archived]: Counts, sign: 1 | -1): Counts => [
    old[0] + sign * active,
    old[1] + sign * archived,
  ];
  const count = (link: CountedLink | undefined, sign: 1 | -1) => {
    if (link === undefined) return;
    const counts = countsOf(link);
    workspace = plus(workspace, counts, sign);
    for (const key of keysOf(link)) {
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

// The columns are never negative, also not in a row that is only proposed: what a change adds, what it subtracts and what it
// moves between active and archived are three statements, each with positive numbers.

const proposing = (workspaceId: number, moves: List): SQL =>
  sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
    select ${workspaceId}, ${item(0)}, ${item(1)}, ${item(2)}, ${item(3)} from ${fromList(moves)} where true
    on conflict do update`;

const add = prepared(
  (workspaceId: number, moves: List): Statement =>
    (orm) =>
      orm.run(sql`${proposing(workspaceId, moves)}
        set active = active + excluded.active, archived = archived + excluded.archived`),
);

const subtract = prepared(
  (workspaceId: number, moves: List): Statement =>
    (orm) =>
      orm.run(sql`${proposing(workspaceId, moves)}
        set active = active - excluded.active, archived = archived - excluded.archived`),
);

/** Where to: active links from archived ones, or the other way round. */
const shift = prepared(
  (workspaceId: number, moves: List): Statement =>
    (orm) =>
      orm.run(sql`${proposing(workspaceId, moves)} set active = active + excluded.active - excluded.archived,
        archived = archived + excluded.archived - excluded.active`),
);

const positive = ([active, archived]: Counts): Counts => [Math.max(0, active), Math.max(0, archived)];

/** A move as what it shifts between the counts, adds and subtracts; each is positive. */
function partsOf([active, archived]: Counts): Record<"shifted" | "added" | "subtracted", Counts> {
  const both = active * archived < 0 ? Math.min(Math.abs(active), Math.abs(archived)) : 0;
  const shifted: Counts = active > 0 ? [both, 0] : [0, both];
  const rest: Counts = [active - Math.sign(active) * both, archived - Math.sign(archived) * both];
  return { shifted, added: positive(rest), subtracted: positive([-rest[0], -rest[1]]) };
}

/**
 * Counts links for what they will be, and no longer for what they were. `newClaims` is how many slugs the batch claims that
 * nobody had: it fails above the workspace's limit.
 */
export function moveTotals(
  workspaceId: number,
  changes: readonly Pick<LinkChange, "was" | "will">[],
  newClaims: number,
): Statement[] {
  const { workspace, totals } = movesOf(changes);
  const moves = (part: keyof ReturnType<typeof partsOf>) =>
    totals
      .map(([key, counts]) => [key, partsOf(counts)[part]] as const)
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

/** The channels that links of the workspace have, in the order of their code points. */
export const channelsInUse =
  (workspaceId: number, most: number): Statement<{ channel: string }[]> =>
  (orm) =>
    orm
      .select({ channel: linkTotals.key })
      .from(linkTotals)
      .where(
        and(
          eq(linkTotals.workspace_id, workspaceId),
          eq(linkTotals.kind, "channel"),
          sql`${linkTotals.active} + ${linkTotals.archived} > 0`,
        ),
      )
      .orderBy(asc(linkTotals.key))
      .limit(most);
