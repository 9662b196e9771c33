import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { links, linkTags, linkTotals, tags } from "../db/schema";
import { linkRowId, thisLink } from "./repository";

// A tag, a group and a channel know how many links they have. The statements that keep these totals go into the batch
// that changes what a link counts for, in front of the change unless they say otherwise.

const ownArchived = (workspaceId: number, id: string): SQL =>
  sql`(select archived as was from ${links} where ${thisLink(workspaceId, id)})`;

const tagsOf = (workspaceId: number, id: string): SQL =>
  sql`(select cast(tag_id as text) as own, link_archived as was from ${linkTags}
    where link_id = ${linkRowId(workspaceId, id)})`;

/** Takes the link out of the totals of its tags. */
const leaveTags = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm.run(sql`update ${linkTotals} set active = active - 1 + was, archived = archived - was
        from ${tagsOf(workspaceId, id)} where workspace_id = ${workspaceId} and kind = 'tag' and key = own`),
);

const leave = (kind: "group" | "channel", column: SQL) =>
  prepared(
    (workspaceId: number, id: string): Statement =>
      (orm) =>
        orm.run(sql`update ${linkTotals} set active = active - 1 + was, archived = archived - was
          from ${ownArchived(workspaceId, id)} where workspace_id = ${workspaceId} and kind = ${sql.raw(`'${kind}'`)}
            and key = (select ${column} from ${links} where ${thisLink(workspaceId, id)})`),
  );

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

/** Which totals an update moves a link between. */
export interface Moves {
  status: boolean;
  group: boolean;
  channel: boolean;
}

/** What goes in front of an update, and what behind it. */
export function moveTotals(
  workspaceId: number,
  id: string,
  { status, group, channel }: Moves,
): { before: Statement[]; behind: Statement[] } {
  return {
    before: [
      ...(status ? [leaveTags(workspaceId, id)] : []),
      ...(status || group ? [leaveGroup(workspaceId, id)] : []),
      ...(status || channel ? [leaveChannel(workspaceId, id)] : []),
    ],
    behind: [
      ...(status ? [setStatusOfTags(workspaceId, id), joinTags(workspaceId, id)] : []),
      ...(status || group ? [joinGroup(workspaceId, id)] : []),
      ...(status || channel ? [joinChannel(workspaceId, id)] : []),
    ],
  };
}

/** Brings a link's status to its tags' lists. */
const setStatusOfTags = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm.run(sql`update ${linkTags} set link_archived = own.archived
        from (select id as own_id, archived from ${links} where ${thisLink(workspaceId, id)}) as own
        where link_id = own_id`),
);

const joinTags = prepared(
  (workspaceId: number, id: string): Statement =>
    (orm) =>
      orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        select ${workspaceId}, 'tag', own, 1 - was, was from ${tagsOf(workspaceId, id)} where true
        on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
);

/** Counts a new, active link for its tags, its group and its channel, of which the row ids are known. */
export function joinFirstTotals(
  workspaceId: number,
  of: { tags: readonly number[]; group: number | undefined; channel: string | null },
): Statement[] {
  const counted = [
    ...of.tags.map((id) => ({ kind: "tag", key: String(id) })),
    ...(of.group === undefined ? [] : [{ kind: "group", key: String(of.group) }]),
    ...(of.channel === null ? [] : [{ kind: "channel", key: of.channel }]),
  ];
  return counted.length === 0 ? [] : [joinKnown(workspaceId, JSON.stringify(counted))];
}

const joinKnown = prepared(
  (workspaceId: number, counted: string): Statement =>
    (orm) =>
      orm.run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
        select ${workspaceId}, value ->> 'kind', value ->> 'key', 1, 0 from json_each(${counted}) where true
        on conflict do update set active = active + 1`),
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
