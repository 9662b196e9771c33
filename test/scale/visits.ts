import { DAY_MS, HOUR_MS } from "../../src/lib/time";

/** The days that have visits. */
export const VISITED_DAYS = 60;
/** The links that have visits, as far as there are as many. */
export const VISITED_LINKS = 100_000;

/**
 * Fills the hours and days of links up to a UTC day, and what is kept of them, in SQL alone. A fifth of them has visits on
 * each day, and some have many more.
 */
export async function fillVisits(db: D1Database, today: number): Promise<void> {
  const numbers = `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${VISITED_DAYS - 1})`;
  const at = `${today * DAY_MS} - n * ${DAY_MS}`;
  const from = `from numbers cross join links where links.id <= ${VISITED_LINKS} and (links.id + n) % 5 = 0
    and deleted_at is null`;
  const people = "1 + (links.id * 7919 % 1000 = 0) * 500 + links.id % 3";
  const statements = [
    `insert into click_hours (workspace_id, link_id, hour, people, bots, scans, late)
      ${numbers} select workspace_id, id, ${at} + (id + n) % 24 * ${HOUR_MS}, ${people}, 1, id % 2, 0 ${from}`,
    ...[
      ["country", "substr('CHDEATFRITUSGB', 1 + 2 * (id % 7), 2)"],
      ["referrer", "'site' || (id % 300) || '.example'"],
      ["device", "'mobile'"],
    ].map(
      ([dimension, value]) => `insert into click_days (workspace_id, link_id, day, dimension, value, people)
        ${numbers} select workspace_id, id, ${at}, '${dimension}', ${value}, ${people} + id % 2 ${from}`,
    ),
    `insert into link_days (workspace_id, link_id, day, visits)
      select workspace_id, link_id, hour - hour % ${DAY_MS}, sum(people + scans) from click_hours group by 1, 2, 3`,
    `update links set clicks = own.people, scans = own.scans, last_visit_at = own.last
      from (select link_id, sum(people) as people, sum(scans) as scans, max(hour) as last from click_hours group by 1) as own
      where links.id = own.link_id`,
    `insert into workspace_hours (workspace_id, hour, people, bots, scans, late)
      select workspace_id, hour, sum(people), sum(bots), sum(scans), sum(late) from click_hours group by 1, 2`,
    `insert into workspace_days (workspace_id, day, dimension, value, people)
      select workspace_id, day, dimension, case when rank <= 100 then value else 'other' end, sum(people)
      from (select workspace_id, day, dimension, value, sum(people) as people, row_number() over (
          partition by workspace_id, day, dimension order by sum(people) desc) as rank from click_days group by 1, 2, 3, 4)
      group by 1, 2, 3, 4`,
  ];
  for (const statement of statements) await db.prepare(statement).run();
}
