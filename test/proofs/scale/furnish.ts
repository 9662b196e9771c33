import { DAY_MS, HOUR_MS } from "../../../src/lib/time";

/** Rows of one kind, in a workspace with enough links. Most are more than a page looks at. */
export const MANY = 3_000;
const MAX_IMPORTED = 10_000;
const MAX_ASSETS_OF_LINK = 200;
const ABOUT = JSON.stringify({
  ignored: [],
  tags: [],
  reading: { heading: ["destination_url"], delimiter: ",", matched: [], hosts: [], zone: "UTC" },
  encoding: "UTF-8",
});
const PEOPLE = 300;
const ACTIVE_KEYS = 90;
/** Ids that a test asks for. They sort after the ids of all links. */
const idOf = (kind: string, number = 0): string =>
  `7${kind.padEnd(5, "0")}${String(number).padStart(20, "0")}`;
export const IDS = {
  import: idOf("1"),
  batch: idOf("2"),
  asset: idOf("3"),
  key: idOf("4"),
  member: "member-1@people.example",
  domain: "go.acme.example",
};

const numbers = (last: number): string =>
  `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${last})`;
const numbered = (id: string, n: string): string => `substr('${id}', 1, 6) || printf('%020d', ${n})`;
const OWN_LINKS = "links where workspace_id = 1 and deleted_at is null";

/** The link that has as many slugs, assets and tags as one may have, and its row id. */
export async function dearestLink(db: D1Database): Promise<{ id: number; public_id: string }> {
  const row = await db
    .prepare(
      `select id, public_id from ${OWN_LINKS} and archived = 0 and activity_group_id = 1 and domain is null limit 1 offset 5`,
    )
    .first<{ id: number; public_id: string }>();
  if (row === null) throw new Error("The workspace has no such link");
  return row;
}

/** Adds to the first workspace what its pages show besides links and visits. */
export async function furnish(db: D1Database, now: number): Promise<void> {
  const past = now - 100 * DAY_MS;
  const { id: dearest } = await dearestLink(db);
  for (const statement of [
    // Broken destinations of others come before those of the workspace's oldest links.
    `insert into destination_health (url, host, domain, due_at, state) ${numbers(MANY)}
      select 'https://broken-' || n || '.example/', 'broken-' || n || '.example', 'broken.example', 0, 'broken' from numbers`,
    `insert into destination_health (url, host, domain, due_at, state, asked_at, failing_since, reason)
      select distinct destination_url, destination_host, destination_host, 0, 'broken', ${past}, ${past}, 'dns' from ${OWN_LINKS}
      order by public_id limit 5`,
    `update links set taken_down_at = ${past}, taken_down_by = 'check' where id in
      (select id from ${OWN_LINKS} and id % 4 = 0 order by public_id limit ${MANY})`,
    `insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, place, live_at, created_at, updated_at)
      select ${numbered(IDS.asset, "row_number() over (order by id) - 1")}, 1, id, 'Poster ' || id, 'poster', 'live',
        'Place ' || id % 500, ${past}, ${past}, ${past} from ${OWN_LINKS} order by id limit ${MANY}`,
    `insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, created_at, updated_at)
      ${numbers(MAX_ASSETS_OF_LINK)} select ${numbered(IDS.asset, `${2 * MANY} + n`)}, 1, ${dearest}, 'Flyer ' || n, 'flyer',
        'draft', ${past}, ${past} from numbers`,
    `insert into slugs (key, workspace_id, link_id, asset, created_at)
      select 'code-' || id, 1, link_id, public_id, ${past} from offline_assets`,
    `insert into slugs (key, workspace_id, link_id, created_at) ${numbers(99)}
      select 'old-' || n, 1, ${dearest}, ${past} from numbers`,
    `insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end) ${numbers(60)}
      select 1, 'asset', offline_assets.id, ${now - (now % HOUR_MS)} - n * ${DAY_MS}, 0, 1, 0, 0 from numbers cross join offline_assets
      where offline_assets.id % 5 = 0`,
    `insert or ignore into link_tags (workspace_id, link_id, tag_id, link_public_id) ${numbers(50)}
      select 1, ${dearest}, n, (select public_id from links where id = ${dearest}) from numbers`,
    `insert into link_totals (workspace_id, kind, key, active, archived)
      select 1, 'tag', tag_id, sum(1 - link_archived), sum(link_archived) from link_tags
      where workspace_id = 1 and tag_id <= 50 group by tag_id
      on conflict do update set active = excluded.active, archived = excluded.archived`,
    `insert into imports (public_id, workspace_id, name, row_count, digest, about, created_at, started_at, finished_at)
      select '${IDS.import}', 1, 'large.csv', ${MAX_IMPORTED}, 'd', '${ABOUT}', ${past}, ${past}, ${past}`,
    `insert into import_rows (workspace_id, import_id, number, input, link)
      select 1, 1, 1 + row_number() over (order by id), '["https://www.example.com/"]', public_id
      from ${OWN_LINKS} order by id limit ${MAX_IMPORTED}`,
    `insert into audit_log (operation_id, workspace_id, actor, action, subject, before, change, at, batch) ${numbers(MANY)}
      select ${numbered(IDS.batch, "n - 1")}, 1, 'member-1@people.example', 'link.update', (select public_id from links
        where id = ${dearest}), '{"archived_at":null}', '{"status":"archived"}', ${past}, '${IDS.batch}' from numbers`,
    `insert into active_link_days (workspace_id, day, active_links) ${numbers(400)}
      select workspaces.id, ${now - (now % DAY_MS)} - n * ${DAY_MS}, n from numbers cross join workspaces`,
    `insert into api_keys (public_id, workspace_id, hash, last4, name, access, created_at, revoked_at) ${numbers(PEOPLE)}
      select ${numbered(IDS.key, "n - 1")}, 1, 'hash-' || n, 'abcd', 'Key ' || n, 'full', ${past},
        iif(n <= ${ACTIVE_KEYS}, null, ${past}) from numbers`,
    `insert into domains (public_id, workspace_id, host, state, token, created_at)
      values ('${idOf("5")}', 1, '${IDS.domain}', 'active', 't', ${past})`,
    `insert into members (public_id, workspace_id, email, role, created_at) ${numbers(PEOPLE)}
      select ${numbered(IDS.member.slice(0, 6), "n")}, 1, 'member-' || n || '@people.example', 'viewer', ${past} from numbers`,
  ])
    await db.prepare(statement).run();
}
