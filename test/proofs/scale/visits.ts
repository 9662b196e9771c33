import { DAY_MS, HOUR_MS } from "../../../src/lib/time";

/** The days that have visits. */
export const VISITED_DAYS = 60;
/** The links that have visits, as far as there are as many. */
export const VISITED_LINKS = 100_000;

/**
 * Fills the hours and days of links up to a local day, and what is kept of them, in SQL alone. A fifth of them has visits on
 * each day, and some have many more. `offset` is that of the workspaces' zone, in milliseconds.
 */
export async function fillVisits(db: D1Database, today: number, offset = 0): Promise<void> {
  const numbers = `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${VISITED_DAYS - 1})`;
  const at = `${today * DAY_MS - offset} - n * ${DAY_MS}`;
  const from = `from numbers cross join links where links.id <= ${VISITED_LINKS} and (links.id + n) % 5 = 0
    and deleted_at is null`;
  const clicks = "1 + (links.id * 7919 % 1000 = 0) * 500 + links.id % 3";
  const ofOwners = (owner: string) => `sum(clicks), sum(scans), sum(bots), 0 from visit_hours ${owner}`;
  const statements = [
    `insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
      ${numbers} select workspace_id, 'link', id, ${at} + (id + n) % 24 * ${HOUR_MS}, ${clicks}, id % 2, 1, 0 ${from}`,
    `insert into visit_days (workspace_id, owner_kind, owner_id, day, visits, origins)
      ${numbers} select workspace_id, 'link', id, ${at}, ${clicks} + id % 2, json_object(
        'country', json_object(substr('CHDEATFRITUSGB', 1 + 2 * (id % 7), 2), ${clicks} + id % 2),
        'referrer', json_object('site' || (id % 300) || '.example', ${clicks} + id % 2),
        'device', json_object('mobile', ${clicks} + id % 2)) ${from}`,
    `update links set clicks = own.clicks, scans = own.scans, last_visit_at = own.last, last_counted_day = own.last - (own.last + ${offset}) % ${DAY_MS}
      from (select owner_id, sum(clicks) as clicks, sum(scans) as scans, max(hour) as last from visit_hours group by 1) as own
      where links.id = own.owner_id`,
    `insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
      select visit_hours.workspace_id, 'group', activity_group_id, hour, sum(visit_hours.clicks), sum(visit_hours.scans), sum(bots), 0
      from visit_hours join links on links.id = owner_id where owner_kind = 'link' and activity_group_id is not null
      group by 1, 3, 4`,
    `insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end)
      select workspace_id, 'workspace', workspace_id, hour, ${ofOwners("where owner_kind = 'link'")} group by 1, 4`,
    ...[
      ["group", "activity_group_id", "and activity_group_id is not null"],
      ["workspace", "visit_days.workspace_id", ""],
    ].map(
      ([
        kind,
        owner,
        where,
      ]) => `insert into visit_days (workspace_id, owner_kind, owner_id, day, visits, origins)
        select workspace_id, '${kind}', owner_id, day, max(visits), json_group_object(dimension, json(named))
        from (select workspace_id, owner_id, day, dimension, sum(visits) as visits, json_group_object(value, visits) as named
          from (select workspace_id, owner_id, day, dimension, case when rank <= 100 then value else 'other' end as value,
              sum(visits) as visits
            from (select visit_days.workspace_id as workspace_id, ${owner} as owner_id, day, dimension.key as dimension,
                origin.key as value, sum(origin.value) as visits, row_number() over (partition by visit_days.workspace_id,
                  ${owner}, day, dimension.key order by sum(origin.value) desc) as rank
              from visit_days join links on links.id = owner_id join json_each(origins) as dimension
                join json_each(dimension.value) as origin
              where owner_kind = 'link' ${where} group by 1, 2, 3, 4, 5)
            group by 1, 2, 3, 4, 5) group by 1, 2, 3, 4) group by 1, 3, 4`,
    ),
  ];
  for (const statement of statements) await db.prepare(statement).run();
}
