import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { clickDays, clickHours, links } from "../db/schema";

interface FoldedLinks {
  /** Row id of the last of the next links, and how many they are. */
  last_link: number | null;
  links: number;
  /** The links of the next rows of folded days, and how many these are. */
  first: number | null;
  last: number | null;
  rows: number;
}

/** The next links after a row id, and those that have their next folded days. */
export const selectNextFolded =
  (after: number, before: number, limit: { links: number; rows: number }): Statement<FoldedLinks[]> =>
  (orm) =>
    orm.all(sql`with next as materialized (
        select ${links.id} as id from ${links} where ${links.id} > ${after} order by ${links.id} limit ${limit.links})
      select (select max(id) from next) as last_link, (select count(*) from next) as links,
        min(link_id) as first, max(link_id) as last, count(*) as "rows" from (
          select link_id from next cross join ${clickDays} on link_id = next.id and day < ${before} and folded = 1
          order by next.id limit ${limit.rows})`);

/** The links whose row ids are above `after` and up to `to`, and before when their visits are folded. */
interface FoldedPortion {
  after: number;
  to: number;
  before: number;
}

/** Folded rows of links. Looked up by link, since most of a link's rows are not folded. */
const foldedOf = (table: typeof clickHours | typeof clickDays, { after, to, before }: FoldedPortion): SQL =>
  sql`${links} cross join ${table} on link_id = ${links.id} and folded = 1
      and ${sql.raw(table === clickHours ? "hour" : "day")} < ${before}
    where ${links.id} > ${after} and ${links.id} <= ${to}`;

/** The folded hours of links, added up by workspace. */
export const foldedHours = (portion: FoldedPortion): SQL =>
  sql`select ${clickHours.workspace_id}, hour, sum(people), sum(bots), sum(${clickHours.scans}), sum(late)
    from ${foldedOf(clickHours, portion)} group by 1, 2`;

/** The folded days of links, added up by workspace. */
export const foldedDays = (portion: FoldedPortion): SQL =>
  sql`select ${clickDays.workspace_id} as workspace_id, ${clickDays.workspace_id} as owner, day, dimension, value,
      sum(people) as people
    from ${foldedOf(clickDays, portion)} group by 1, 2, 3, 4, 5`;
