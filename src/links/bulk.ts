import { type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { WANTED, wantedIn } from "../db/json";
import {
  activityGroupItems,
  auditLog,
  links,
  linkTags,
  linkTotals,
  slugs,
  tags,
  workspaces,
} from "../db/schema";
import { indexing } from "./search";
import { keysOf } from "./totals";

// The statements that create or change many links at once. Their number does not grow with the links.

/** A link to be, with the number of its operation and what it belongs to by row ids. */
export interface BulkLink {
  operation_id: string;
  change: object;
  tags: readonly number[];
  old_slug_keys: readonly string[];
  row: {
    public_id: string;
    slug: string;
    slug_key: string;
    destination_url: string;
    destination_key: string;
    destination_host: string;
    title: string | null;
    title_key: string | null;
    channel: string | null;
    utm_source: string | null;
    utm_medium: string | null;
    utm_campaign: string | null;
    utm_campaign_origin: "explicit" | "inherited";
    activity_group_id: number | null;
    archived_at: number | null;
    check_at: number | null;
  };
}

const COLUMNS = [
  "public_id",
  "slug",
  "slug_key",
  "destination_url",
  "destination_key",
  "destination_host",
  "title",
  "title_key",
  "channel",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_campaign_origin",
  "activity_group_id",
  "archived_at",
  "check_at",
] as const satisfies readonly (keyof BulkLink["row"])[];

const names = (columns: readonly string[]): SQL => sql.raw(columns.join(", "));

/** Which of these operations are done, and on which link. */
export const doneOperations =
  (ids: readonly string[]): Statement<{ id: string; link: string }[]> =>
  (orm) =>
    orm
      .select({ id: auditLog.operation_id, link: auditLog.subject })
      .from(wantedIn(JSON.stringify(ids)))
      .crossJoin(auditLog)
      .where(sql`${auditLog.operation_id} = ${WANTED}`);

/** Holds while the workspace has room for so many more links. */
export const hasRoomForLinks = (workspaceId: number, more: number): Guard =>
  sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId} and (${workspaces.link_limit} is null
    or ${workspaces.active_links} + ${workspaces.archived_links} + ${more} <= ${workspaces.link_limit}))`;

/** All slugs that shall open a link. */
export const slugKeysOf = ({ row, old_slug_keys: old }: BulkLink): string[] => [row.slug_key, ...old];

/** Holds while none of the operations is done, and no slug is another workspace's, is taken down or opens a link. */
export const areNew = (workspaceId: number, made: readonly BulkLink[]): Guard =>
  sql`not exists (select 1 from ${wantedIn(JSON.stringify(made.map((link) => link.operation_id)))}
      cross join ${auditLog} where ${auditLog.operation_id} = ${WANTED})
    and not exists (select 1 from ${wantedIn(JSON.stringify(made.flatMap(slugKeysOf)))}
      cross join ${slugs} where ${slugs.key} = ${WANTED}
      and (${slugs.workspace_id} <> ${workspaceId} or ${slugs.taken_down_at} is not null
        or ${slugs.link_id} is not null))`;

const run =
  (query: SQL): Statement =>
  (orm) =>
    orm.run(query);

/** Creates links: what `createLink` writes for one, with an operation of its own each in the audit log. */
export function insertLinks(
  workspaceId: number,
  actor: string,
  made: readonly BulkLink[],
  at: number,
): Statement[] {
  const ids = JSON.stringify(made.map(({ row }) => row.public_id));
  const rows = JSON.stringify(made.map(({ row }) => COLUMNS.map((column) => row[column])));
  const operations = JSON.stringify(
    made.map(({ operation_id, row, change }) => [operation_id, row.public_id, JSON.stringify(change)]),
  );
  const carried = made.flatMap(({ row, tags }) => tags.map((tag) => [row.public_id, tag]));
  const opening = made.map((link) => [link.row.public_id, slugKeysOf(link)]);
  const archived = made.filter(({ row }) => row.archived_at !== null).length;
  const totals = new Map<string, [kind: string, key: string, active: number, archived: number]>();
  for (const { row, tags } of made) {
    const isArchived = row.archived_at !== null;
    const counted = { archived: isArchived, tags, group: row.activity_group_id, channel: row.channel };
    for (const [kind, key] of keysOf(counted)) {
      const name = `${kind} ${key}`;
      const [, , active, ofArchived] = totals.get(name) ?? [kind, key, 0, 0];
      totals.set(name, [kind, key, active + (isArchived ? 0 : 1), ofArchived + (isArchived ? 1 : 0)]);
    }
  }
  const theirs = sql`${wantedIn(ids)} cross join ${links} where ${links.public_id} = ${WANTED}`;
  return [
    run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, change, at)
      select value ->> 0, ${workspaceId}, ${actor}, 'link.create', value ->> 1, value ->> 2, ${at} from json_each(${operations})`),
    run(sql`update ${workspaces} set active_links = active_links + ${made.length - archived},
      archived_links = archived_links + ${archived} where id = ${workspaceId}`),
    run(sql`insert into ${links} (workspace_id, created_at, updated_at, ${names(COLUMNS)})
      select ${workspaceId}, ${at}, ${at}, ${names(COLUMNS.map((_, index) => `value ->> ${index}`))}
      from json_each(${rows})`),
    run(sql`insert into ${slugs} (key, workspace_id, link_id, created_at)
      select opening.value, ${links.workspace_id}, ${links.id}, ${at}
      from ${wantedIn(JSON.stringify(opening))} cross join json_each(wanted.value ->> 1) as opening cross join ${links} where ${links.public_id} = wanted.value ->> 0
      on conflict (key) do update set link_id = excluded.link_id, rev = ${slugs.rev} + 1, push_at = ${at}`),
    run(sql`insert into ${activityGroupItems} (workspace_id, link_id, activity_group_id, role, channel, started_at)
      select ${links.workspace_id}, ${links.id}, ${links.activity_group_id}, 'primary', ${links.channel}, ${at}
      from ${theirs} and ${links.activity_group_id} is not null`),
    run(sql`insert into ${linkTags} (workspace_id, link_id, tag_id, link_archived, link_public_id)
      select ${links.workspace_id}, ${links.id}, wanted.value ->> 1, ${links.archived}, ${links.public_id}
      from ${wantedIn(JSON.stringify(carried))} cross join ${links} where ${links.public_id} = wanted.value ->> 0`),
    run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
      select ${workspaceId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${JSON.stringify([...totals.values()])})
      where true on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
    run(indexing(theirs)),
  ];
}

/** A tag as its row says. */
interface TagRef {
  id: number;
  public_id: string;
}

/**
 * Puts a tag on all links that carry another one, in its place where they do not carry both. Every link is named in the
 * audit log, with the tags that it carried.
 */
export function replaceTag(
  workspaceId: number,
  actor: string,
  from: TagRef,
  to: TagRef,
  at: number,
): Statement[] {
  const change = JSON.stringify({ tag_id: from.public_id, into: to.public_id });
  const carriesFrom = sql`own.workspace_id = ${workspaceId} and own.tag_id = ${from.id}`;
  const carriesBoth = (linkId: SQL) =>
    sql`exists (select 1 from ${linkTags} as other where other.link_id = ${linkId} and other.tag_id = ${to.id})`;
  return [
    run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, before, change, at)
      select ${from.public_id} || '.' || ${links.public_id}, ${workspaceId}, ${actor}, 'link.merge_tag', ${links.public_id},
        (select json_object('tag_ids', json_group_array(${tags.public_id})) from ${linkTags} as carried
          join ${tags} on ${tags.id} = carried.tag_id where carried.link_id = ${links.id}), ${change}, ${at}
      from ${linkTags} as own cross join ${links} where ${carriesFrom} and ${links.id} = own.link_id`),
    run(sql`insert into ${linkTotals} (workspace_id, kind, key, active, archived)
      select ${workspaceId}, 'tag', ${String(to.id)}, sum(1 - own.link_archived), sum(own.link_archived)
      from ${linkTags} as own where ${carriesFrom} and not ${carriesBoth(sql`own.link_id`)} having count(*) > 0
      on conflict do update set active = active + excluded.active, archived = archived + excluded.archived`),
    run(sql`update ${links} set version = version + 1
      where id in (select own.link_id from ${linkTags} as own where ${carriesFrom})`),
    run(sql`update ${linkTags} as own set tag_id = ${to.id}
      where ${carriesFrom} and not ${carriesBoth(sql`own.link_id`)}`),
  ];
}
