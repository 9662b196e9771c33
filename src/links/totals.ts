import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { links, linkTags, linkTotals, tags } from "../db/schema";
import { linkRowId, thisLink } from "./repository";

// A tag, a group and a channel know how many links they have. The statements that keep these totals go into the batch
// that changes what a link counts for, in front of the change unless they say otherwise.

/** The tags of a link as keys of totals. */
const tagKeys = (workspaceId: number, id: string): SQL =>
  sql`(select cast(tag_id as text) from ${linkTags} where link_id = ${linkRowId(workspaceId, id)})`;

const archivedOf = (workspaceId: number, id: string): SQL =>
  sql`(select archived from ${links} where ${thisLink(workspaceId, id)})`;

const outOf = (
  workspaceId: number,
  id: string,
): SQL => sql`active = active - 1 + ${archivedOf(workspaceId, id)},
  archived = archived - ${archivedOf(workspaceId, id)}`;

/** Takes the link out of the totals of its tags. */
const leaveTags = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm.run(sql`update ${linkTotals} set ${outOf(workspaceId, id)}
        where workspace_id = ${workspaceId} and kind = 'tag' and key in ${tagKeys(workspaceId, id)}`),
);

const leave = (kind: "group" | "channel", column: SQL) =>
  prepared(
    (workspaceId: number, id: string): Statement =>
      (orm) =>
        orm.run(sql`update ${linkTotals} set ${outOf(workspaceId, id)}
          where workspace_id = ${workspaceId} and kind = ${sql.raw(`'${kind}'`)}
            and key = (select ${column} from ${links} where ${thisLink(workspaceId, id)})`),
  );

/** Moves a link from the one status to the other in a total, unless it is in that status already. */
const shift = (kind: "tag" | "group" | "channel", keys: (own: SQL) => SQL) =>
  prepared(
    (workspaceId: number, id: string, archived: number): Statement =>
      (orm) =>
        orm.run(sql`update ${linkTotals} set active = active + 1 - 2 * ${archived}, archived = archived - 1 + 2 * ${archived}
          where workspace_id = ${workspaceId} and kind = ${sql.raw(`'${kind}'`)}
            and key in ${keys(sql`${thisLink(workspaceId, id)} and ${links.archived} <> ${archived}`)}`),
  );

const shiftTags = shift(
  "tag",
  (own) => sql`(select cast(tag_id as text) from ${linkTags}
    where link_id = (select ${links.id} from ${links} where ${own}))`,
);
const shiftGroup = shift(
  "group",
  (own) => sql`(select cast(activity_group_id as text) from ${links} where ${own})`,
);
const shiftChannel = shift("channel", (own) => sql`(select channel from ${links} where ${own})`);

const join = (kind: "group" | "channel", column: SQL) =>
  prepared(
    (workspaceId: number, id: string): Statement =>
      (orm) =>
        orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
          select ${workspaceId}, ${sql.raw(`'${kind}'`)}, ${column}, 1 - archived, archived from ${links}
            where ${thisLink(workspaceId, id)} and ${column} is not null
          on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
  );

const GROUP = sql`cast(${links.activity_group_id} as text)`;
const CHANNEL = sql`${links.channel}`;
const leaveGroup = leave("group", GROUP);
const leaveChannel = leave("channel", CHANNEL);
const joinGroup = join("group", GROUP);
const joinChannel = join("channel", CHANNEL);

/** Takes a link out of every total, before it is deleted. */
export const leaveTotals = (workspaceId: number, id: string): Statement[] => [
  leaveTags(workspaceId, id),
  leaveGroup(workspaceId, id),
  leaveChannel(workspaceId, id),
];

/** What an update may change of that which a link counts for; undefined is left alone. */
interface Moves {
  archived: boolean | undefined;
  group: boolean;
  channel: boolean;
}

/** What goes in front of an update, and what behind it. */
export function moveTotals(
  workspaceId: number,
  id: string,
  { archived, group, channel }: Moves,
): { before: Statement[]; behind: Statement[] } {
  const flag = archived ? 1 : 0;
  const stays = archived === undefined;
  return {
    before: [
      ...(stays ? [] : [shiftTags(workspaceId, id, flag), setStatusOfTags(workspaceId, id, flag)]),
      ...(group ? [leaveGroup(workspaceId, id)] : stays ? [] : [shiftGroup(workspaceId, id, flag)]),
      ...(channel ? [leaveChannel(workspaceId, id)] : stays ? [] : [shiftChannel(workspaceId, id, flag)]),
    ],
    behind: [
      ...(group ? [joinGroup(workspaceId, id)] : []),
      ...(channel ? [joinChannel(workspaceId, id)] : []),
    ],
  };
}

/** Brings a link's status to its tags' lists. */
const setStatusOfTags = prepared(
  (workspaceId: number, id: string, archived: number): Statement =>
    (orm) =>
      orm.run(sql`update ${linkTags} set link_archived = ${archived}
        where link_id = ${linkRowId(workspaceId, id)} and link_archived <> ${archived}`),
);

/** Counts a new, active link for its tags, its group and its channel, of which the row ids are known. */
export const joinFirstTotals = (
  workspaceId: number,
  of: { tags: readonly number[]; group: number | undefined; channel: string | null },
): Statement[] => [
  ...of.tags.map((id) => joinFirst(workspaceId, "tag", String(id))),
  ...(of.group === undefined ? [] : [joinFirst(workspaceId, "group", String(of.group))]),
  ...(of.channel === null ? [] : [joinFirst(workspaceId, "channel", of.channel)]),
];

const joinFirst = prepared(
  (workspaceId: number, kind: string, key: string): Statement =>
    (orm) =>
      orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        values (${workspaceId}, ${kind}, ${key}, 1, 0) on conflict do update set active = active + 1`),
);

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
