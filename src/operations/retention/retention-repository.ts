import { type SQL, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/bound-list";
import { deleteBelow, MAX_REMOVED_ROWS } from "../../db/chunk";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { sessions, signInLinks } from "../../db/schema/access";
import { visitDays, visitHours } from "../../db/schema/analytics";
import { offlineAssets } from "../../db/schema/engagement";
import { messages } from "../../db/schema/events";
import { idempotencyKeys } from "../../db/schema/idempotency";
import { activityGroupItems, linkRules, links, linkTotals, slugs } from "../../db/schema/links";
import { usedChallenges } from "../../db/schema/passkeys";
import { reports } from "../../db/schema/reports";
import { linkTags } from "../../db/schema/tags";
import { DAY_MS } from "../../lib/time";

const rowid = sql.raw("rowid");

/** Deletes a chunk of the messages of receivers, also those that still wait. */
const deleteOldMessages = (at: number) =>
  orm.run(sql`delete from ${messages} where id in (select id from ${messages}
    where workspace_id is not null and created_at < ${at} order by created_at limit ${MAX_REMOVED_ROWS})`);

/** Deletes a chunk of each table whose rows end by a time in them. */
export const deleteExpired = (now: number): Statement[] => [
  deleteBelow(idempotencyKeys, idempotencyKeys.started_at, now - DAY_MS),
  deleteBelow(sessions, sessions.expires_at, now),
  deleteBelow(signInLinks, signInLinks.expires_at, now),
  deleteBelow(reports, reports.ends_at, now),
  deleteOldMessages(now - 7 * DAY_MS),
  deleteBelow(usedChallenges, usedChallenges.expires_at, now),
];

/** Deletes a chunk of the totals that are zero. Each new tag, group and value creates one. */
export const deleteEmptyTotals = () =>
  orm.run(sql`delete from ${linkTotals} where ${rowid} in (select ${rowid} from ${linkTotals}
    where kind > '' and active = 0 and archived = 0 limit ${MAX_REMOVED_ROWS})`);

/** Row ids of a chunk of the links deleted before a time, the earliest first. */
export const selectLinksDeletedBefore = (at: number) =>
  orm.all<{ id: number }>(sql`select ${links.id} as id from ${links} where ${links.deleted_at} is not null
    and ${links.deleted_at} < ${at} order by ${links.deleted_at} limit ${MAX_REMOVED_ROWS}`);

export const DELETED_WITH_LINK = [activityGroupItems, linkRules, offlineAssets] as const;
/** Tables that a deleted link has no rows in. A link that has some is not deleted permanently. */
export const MUST_BE_EMPTY = [linkTags, slugs] as const;

/** Links by row id, and their assets, as owners of counts. */
function ownersOf(linkRowIds: readonly number[]): SQL {
  const given = fromList(boundList(linkRowIds));
  return sql`select 'link' as kind, ${listed()} as id from ${given}
    union all select 'asset', ${offlineAssets.id} from ${given} cross join ${links} on ${links.id} = ${listed()}
      cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${links.workspace_id}
        and ${offlineAssets.link_id} = ${links.id}`;
}

/** Deletes a chunk of the counts of links and of their assets. */
const deleteCountsOf = (linkRowIds: readonly number[]): Statement[] =>
  ([visitHours, visitDays] as const).map((table) => {
    const key = sql`${table.owner_kind}, ${table.owner_id}, ${"hour" in table ? table.hour : table.day}`;
    return orm.run(sql`delete from ${table} where (${key}) in (select ${key}
        from (${ownersOf(linkRowIds)}) as owner cross join ${table} on ${table.owner_kind} = owner.kind
          and ${table.owner_id} = owner.id limit ${MAX_REMOVED_ROWS})`);
  });

/** Whether an owner has counts. */
const hasCounts = (kind: "link" | "asset", id: SQL): SQL =>
  sql`(exists (select 1 from ${visitHours} where ${visitHours.owner_kind} = ${kind} and ${visitHours.owner_id} = ${id})
    or exists (select 1 from ${visitDays} where ${visitDays.owner_kind} = ${kind} and ${visitDays.owner_id} = ${id}))`;

/** Deletes a chunk of the links' dependent rows, then the links that have none left. */
export function deleteLinksPermanently(linkRowIds: readonly number[]): Statement[] {
  const given = fromList(boundList(linkRowIds));
  const hangsOnLink = (table: (typeof DELETED_WITH_LINK | typeof MUST_BE_EMPTY)[number]): SQL =>
    sql`${table.workspace_id} = ${links.workspace_id} and ${table.link_id} = ${links.id}`;
  const hasAny = [...DELETED_WITH_LINK, ...MUST_BE_EMPTY].map(
    (table) => sql`exists (select 1 from ${table} where ${hangsOnLink(table)})`,
  );
  hasAny.push(hasCounts("link", sql`${links.id}`));
  // An asset is deleted only without counts, which are found by it.
  const canBeDeleted = (table: (typeof DELETED_WITH_LINK)[number]): SQL =>
    table === offlineAssets ? sql`where not ${hasCounts("asset", sql`${offlineAssets.id}`)}` : sql``;
  return [
    ...deleteCountsOf(linkRowIds),
    ...DELETED_WITH_LINK.map((table) =>
      orm.run(sql`delete from ${table} where ${rowid} in (select ${table}.${rowid}
          from ${given} cross join ${links} on ${links.id} = ${listed()} cross join ${table} on ${hangsOnLink(table)}
          ${canBeDeleted(table)} limit ${MAX_REMOVED_ROWS})`),
    ),
    orm.run(sql`delete from ${links} where ${links.id} in (select ${listed()} from ${given})
      and ${links.deleted_at} is not null and not (${sql.join(hasAny, sql` or `)})`),
  ];
}
