import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { links, linkTags, linkTotals, tags, workspaces } from "../db/schema";
import { claimsWith } from "../slugs/limits";
import { type LinkRow, linkRowId, thisLink } from "./repository";

// A workspace, a tag, a group and a channel know how many links they have. The statements that keep these totals go into
// the batch that changes what a link counts for.

/** What a link counts for; its tags and its group by their row ids. */
export interface Counted {
  archived: boolean;
  tags: readonly number[];
  group: number | null;
  channel: string | null;
}

/** What a link counts for, as its row says. */
export const countedFor = (row: LinkRow): Counted => ({
  archived: row.archived_at !== null,
  tags: row.tags.map((tag) => tag.id),
  group: row.group.id,
  channel: row.channel,
});

const step = prepared(
  (workspaceId: number, kind: string, key: string, active: number, archived: number): Statement =>
    (orm) =>
      orm.run(sql`update ${linkTotals} set active = active + ${active}, archived = archived + ${archived}
        where workspace_id = ${workspaceId} and kind = ${kind} and key = ${key}`),
);

/** A step up, of a total that there may not be yet. */
const begin = prepared(
  (workspaceId: number, kind: string, key: string, active: number, archived: number): Statement =>
    (orm) =>
      orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        values (${workspaceId}, ${kind}, ${key}, ${active}, ${archived})
        on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
);

const countsWith = (active: number, archived: number) => ({
  active_links: sql`${workspaces.active_links} + ${active}`,
  archived_links: sql`${workspaces.archived_links} + ${archived}`,
});

const stepOfWorkspace = prepared(
  (workspaceId: number, active: number, archived: number): Statement =>
    (orm) =>
      orm.update(workspaces).set(countsWith(active, archived)).where(eq(workspaces.id, workspaceId)),
);

/** The same with slugs that are claimed. */
const stepWithClaims = prepared(
  (workspaceId: number, active: number, archived: number, claims: number): Statement =>
    (orm) =>
      orm
        .update(workspaces)
        .set({ ...countsWith(active, archived), slug_claims: claimsWith(claims) })
        .where(eq(workspaces.id, workspaceId)),
);

type Key = readonly [kind: "tag" | "group" | "channel", key: string];

/** The totals that a link is part of. */
export const keysOf = ({ tags: carried, group, channel }: Counted): Key[] => [
  ...carried.map((id) => ["tag", String(id)] as const),
  ...(group === null ? [] : [["group", String(group)] as const]),
  ...(channel === null ? [] : [["channel", channel] as const]),
];

const has = (keys: readonly Key[], [kind, key]: Key): boolean =>
  keys.some((other) => other[0] === kind && other[1] === key);

type Place = readonly [active: number, archived: number];

const NOWHERE: Place = [0, 0];

const placeOf = (counted: Counted | undefined): Place =>
  counted === undefined ? NOWHERE : counted.archived ? [0, 1] : [1, 0];

const between = (from: Place, to: Place): Place => [to[0] - from[0], to[1] - from[1]];

interface Moves {
  workspace: Place;
  /** Of totals that there are. */
  steps: (readonly [Key, Place])[];
  /** Of totals that there may not be yet. */
  begun: (readonly [Key, Place])[];
}

function movesOf(was: Counted | undefined, will: Counted | undefined): Moves {
  const old = was === undefined ? [] : keysOf(was);
  const next = will === undefined ? [] : keysOf(will);
  return {
    workspace: between(placeOf(was), placeOf(will)),
    steps: old.map((key) => [key, between(placeOf(was), has(next, key) ? placeOf(will) : NOWHERE)]),
    begun: next.filter((key) => !has(old, key)).map((key) => [key, placeOf(will)]),
  };
}

const isMoved = (place: Place): boolean => place.some((by) => by !== 0);

/** Moves what the workspace itself counts: its links, and the slugs that nobody had. */
function moveWorkspace(workspaceId: number, place: Place, newSlugs: number): Statement[] {
  if (newSlugs > 0) return [stepWithClaims(workspaceId, ...place, newSlugs)];
  return isMoved(place) ? [stepOfWorkspace(workspaceId, ...place)] : [];
}

/** More totals than these are moved together: D1 allows few statements a request. */
const MAX_SINGLE_TOTALS = 8;

/**
 * Counts a link for what it will be, no longer for what it was; undefined is a link that is not there. The batch must
 * find the link as it was. `newSlugs` is how many slugs the batch claims that nobody had; it fails above the limit.
 */
export function moveTotals(
  workspaceId: number,
  was: Counted | undefined,
  will: Counted | undefined,
  newSlugs = 0,
): Statement[] {
  const { workspace, steps, begun } = movesOf(was, will);
  const moved = steps.filter(([, by]) => isMoved(by));
  if (moved.length + begun.length > MAX_SINGLE_TOTALS)
    return moveTotalsOfMany(workspaceId, [[was, will]], newSlugs);
  return [
    ...moveWorkspace(workspaceId, workspace, newSlugs),
    ...moved.map(([key, by]) => step(workspaceId, ...key, ...by)),
    ...begun.map(([key, by]) => begin(workspaceId, ...key, ...by)),
  ];
}

/** What many links move of each total, as one JSON list. */
function summed(moves: readonly (readonly [Key, Place])[]): string {
  const sums = new Map<string, [...Key, ...Place]>();
  for (const [[kind, key], [active, archived]] of moves) {
    const [, , before, beforeArchived] = sums.get(`${kind} ${key}`) ?? [kind, key, 0, 0];
    sums.set(`${kind} ${key}`, [kind, key, before + active, beforeArchived + archived]);
  }
  return JSON.stringify([...sums.values()].filter(([, , ...place]) => isMoved(place)));
}

/** By how much such a list moves the total that a query is at; `place` is that of the number in an entry. */
const movedBy = (moves: string, place: 2 | 3): SQL =>
  sql`(select value ->> ${sql.raw(String(place))} from json_each(${moves})
    where value ->> 0 = ${linkTotals}.kind and value ->> 1 = ${linkTotals}.key)`;

/** The same of many links, each as it was and as it will be, in statements whose number does not grow with them. */
export function moveTotalsOfMany(
  workspaceId: number,
  links: readonly (readonly [was: Counted | undefined, will: Counted | undefined])[],
  newSlugs = 0,
): Statement[] {
  const moves = links.map(([was, will]) => movesOf(was, will));
  const active = moves.reduce((sum, { workspace }) => sum + workspace[0], 0);
  const archived = moves.reduce((sum, { workspace }) => sum + workspace[1], 0);
  const steps = summed(moves.flatMap((move) => move.steps));
  const begun = summed(moves.flatMap((move) => move.begun));
  return [
    ...moveWorkspace(workspaceId, [active, archived], newSlugs),
    (orm) =>
      orm.run(sql`update ${linkTotals} set active = active + ${movedBy(steps, 2)}, archived = archived + ${movedBy(steps, 3)}
        where workspace_id = ${workspaceId} and (kind, key) in (select value ->> 0, value ->> 1 from json_each(${steps}))`),
    (orm) =>
      orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        select ${workspaceId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${begun})
        where true on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
  ];
}

/** Counts a link for those of the tags that it does not carry yet. */
export const joinTotalsOfTags = (workspaceId: number, id: string, tagIds: readonly string[]): Statement =>
  joinNewTags(workspaceId, id, JSON.stringify(tagIds));

const joinNewTags = prepared(
  (workspaceId: number, id: string, tagIds: string): Statement =>
    (orm) =>
      orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        select ${workspaceId}, 'tag', cast(${tags.id} as text), 1 - own.archived, own.archived
        from (select id, archived from ${links} where ${thisLink(workspaceId, id)}) as own
          cross join json_each(${tagIds}) as wanted cross join ${tags}
        where ${tags.public_id} = wanted.value and +${tags.workspace_id} = ${workspaceId} and not exists
          (select 1 from ${linkTags} where ${linkTags.link_id} = own.id and ${linkTags.tag_id} = ${tags.id})
        on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
);

/** Takes a link out of the total of one of its tags. */
export const leaveTotalOfTag = prepared(
  (workspaceId: number, id: string, tagId: string): Statement =>
    (orm) =>
      orm.run(sql`update ${linkTotals} set active = active - 1 + was, archived = archived - was
        from (select cast(${tags.id} as text) as own, ${linkTags.link_archived} as was from ${tags} cross join ${linkTags}
          where ${tags.public_id} = ${tagId} and +${tags.workspace_id} = ${workspaceId}
            and ${linkTags.tag_id} = ${tags.id} and ${linkTags.link_id} = ${linkRowId(workspaceId, id)})
        where workspace_id = ${workspaceId} and kind = 'tag' and key = own`),
);

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
