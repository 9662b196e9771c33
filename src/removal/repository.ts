import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import { MAX_REMOVED_ROWS } from "../db/portion";
import {
  activityGroupItems,
  clickDays,
  clickHours,
  links,
  linkTags,
  linkTotals,
  offlineAssets,
  slugs,
} from "../db/schema";

const rowid = sql.raw("rowid");

/** Forgets a portion of the totals that count no link: every new channel, tag and group begins one. */
export const deleteEmptyTotals = (): Statement => (orm) =>
  orm.run(sql`delete from ${linkTotals} where ${rowid} in (select ${rowid} from ${linkTotals}
    where kind in ('tag', 'group', 'channel') and active = 0 and archived = 0 limit ${MAX_REMOVED_ROWS})`);

/** Links that were deleted before a moment, the earliest first: a portion of them, by their row ids. */
export const linksDeletedBefore =
  (at: number): Statement<{ id: number }[]> =>
  (orm) =>
    orm.all(sql`select ${links.id} as id from ${links} where ${links.deleted_at} is not null
      and ${links.deleted_at} < ${at} order by ${links.deleted_at} limit ${MAX_REMOVED_ROWS}`);

/** What hangs on a deleted link and goes with it. */
export const REMOVED_WITH_LINK = [clickDays, clickHours, activityGroupItems, offlineAssets] as const;
/** What a deleted link has no more; one that has is left alone. */
export const EMPTIED = [linkTags, slugs] as const;

/** Removes a portion of what hangs on links, then those links on which nothing hangs any more. */
export function deleteLinksForGood(linkRowIds: readonly number[]): Statement[] {
  const given = fromList(toList(linkRowIds));
  const hangsOnLink = (table: (typeof REMOVED_WITH_LINK | typeof EMPTIED)[number]): SQL =>
    sql`${table.workspace_id} = ${links.workspace_id} and ${table.link_id} = ${links.id}`;
  const hasAny = [...REMOVED_WITH_LINK, ...EMPTIED].map(
    (table) => sql`exists (select 1 from ${table} where ${hangsOnLink(table)})`,
  );
  return [
    ...REMOVED_WITH_LINK.map(
      (table): Statement =>
        (orm) =>
          orm.run(sql`delete from ${table} where ${rowid} in (select ${table}.${rowid}
            from ${given} cross join ${links} on ${links.id} = ${item()} cross join ${table} on ${hangsOnLink(table)}
            limit ${MAX_REMOVED_ROWS})`),
    ),
    (orm) =>
      orm.run(sql`delete from ${links} where ${links.id} in (select ${item()} from ${given})
        and ${links.deleted_at} is not null and not (${sql.join(hasAny, sql` or `)})`),
  ];
}
