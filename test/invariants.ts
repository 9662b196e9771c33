import { env } from "cloudflare:test";
import { toLiteral } from "../src/db/prepared";
import {
  selectWrongCopies,
  selectWrongTotals,
  selectWrongWorkspaceTotals,
} from "../src/operations/consistency/doctor-statements";

// Conditions that the database must meet at any time.

/** The counts in a table whose owner belongs to another workspace. */
const strayCountsIn = (table: string): string =>
  [
    ["link", "links", "owners.workspace_id"],
    ["group", "activity_groups", "owners.workspace_id"],
    ["asset", "offline_assets", "owners.workspace_id"],
    ["workspace", "workspaces", "owners.id"],
  ]
    .map(
      ([kind, owners, workspace]) => `select counts.owner_id from ${table} as counts
        join ${owners} as owners on owners.id = counts.owner_id
        where counts.owner_kind = '${kind}' and counts.workspace_id <> ${workspace}`,
    )
    .join(" union all ");

const NEVER: Readonly<Record<string, string>> = {
  "an open assignment is not the link's own group": `select items.id from activity_group_items as items
    join links on links.id = items.link_id
    where items.ended_at is null and (links.deleted_at is not null or links.activity_group_id is not items.activity_group_id)`,
  "a link in a group has no open assignment": `select links.id from links
    where deleted_at is null and activity_group_id is not null and not exists (select 1 from activity_group_items as items
      where items.link_id = links.id and items.ended_at is null)`,
  "a link's slug does not open it": `select links.slug_key, slugs.key, slugs.link_id, links.id from links left join slugs on slugs.key = links.slug_key
    where links.deleted_at is null and slugs.link_id is not links.id`,
  "a slug opens a deleted link": `select slugs.key from slugs join links on links.id = slugs.link_id
    where links.deleted_at is not null`,
  "a deleted link carries a tag": `select links.id from links join link_tags on link_tags.link_id = links.id
    where links.deleted_at is not null`,
  "a row spans two workspaces": `select links.id from links join slugs on slugs.link_id = links.id
    where slugs.workspace_id <> links.workspace_id`,
  "hours of visits name another workspace than their owner": strayCountsIn("visit_hours"),
  "days of visits name another workspace than their owner": strayCountsIn("visit_days"),
  "a link has more than fifty tags": "select link_id from link_tags group by link_id having count(*) > 50",
  "a link has more than a hundred slugs":
    "select link_id from slugs where link_id is not null and asset is null group by link_id having count(*) > 100",
  "a link has more than two hundred assets":
    "select link_id from offline_assets group by link_id having count(*) > 200",
  "an asset has more than one code":
    "select asset from slugs where asset is not null group by asset having count(*) > 1",
  "a code does not open its asset's link": `select slugs.key, slugs.link_id, offline_assets.link_id as of_asset from slugs
    join offline_assets on offline_assets.public_id = slugs.asset join links on links.id = offline_assets.link_id
    where slugs.workspace_id <> offline_assets.workspace_id
      or slugs.link_id is not case when links.deleted_at is null then links.id end
        and (slugs.link_id is not null or slugs.domain = '' or exists (select 1 from domains
          where domains.host = slugs.domain and domains.workspace_id = slugs.workspace_id and released_at is null))`,
  "a code whose asset is gone opens a link": `select slugs.key from slugs where asset is not null and link_id is not null
    and not exists (select 1 from offline_assets where offline_assets.public_id = slugs.asset)`,
  "a link has a code as its slug": `select slugs.key from links join slugs on slugs.key = links.slug_key
    where links.deleted_at is null and slugs.asset is not null`,
  "a slug of a link that the operator took down is not marked": `select slugs.key from links
    join slugs on slugs.link_id = links.id where links.taken_down_by = 'operator' and slugs.taken_down_at is null`,
  // Rows that a test inserts directly have the time 0.
  "a workspace has claimed more slugs than it counts": `select id, slug_claims from workspaces where slug_claims <
    (select count(*) from slugs where slugs.workspace_id = workspaces.id and slugs.asset is null and slugs.slug <> ''
      and (slugs.domain = '' or slugs.domain in (select host from domains where domains.workspace_id = workspaces.id
        and domains.state <> 'pending')) and slugs.created_at > 0)`,
  "a link or an asset is on a domain of another workspace": `select slugs.key from slugs where domain <> '' and link_id is not null
    and not exists (select 1 from domains where domains.host = slugs.domain and domains.workspace_id = slugs.workspace_id)`,
  "a workspace has more links than it may": `select id from workspaces
    where link_limit is not null and active_links + archived_links > link_limit`,
};

const ANY_ID = -1;
const STATEMENTS_A_BATCH = 600;

/** The doctor's queries of one workspace. Compiled once, since compiling takes longer than running them. */
const OF_A_WORKSPACE = [selectWrongWorkspaceTotals, selectWrongTotals, selectWrongCopies].map((ask) =>
  toLiteral(ask(ANY_ID)),
);

const askedOf = (id: number): D1PreparedStatement[] =>
  OF_A_WORKSPACE.map(({ sql, params }) =>
    env.DB.prepare(`select * from (${sql}) where kept <> 'slugs'`).bind(
      ...params.map((value) => (value === ANY_ID ? id : value)),
    ),
  );

/** The violated invariants, each with some of the rows. */
export async function brokenInvariants(): Promise<unknown[]> {
  const names = ["orphans", ...Object.keys(NEVER)];
  const [{ results: workspaces } = { results: [] }, ...answers] = await env.DB.batch<{ id: number }>([
    env.DB.prepare("select id from workspaces"),
    env.DB.prepare("pragma foreign_key_check"),
    ...Object.values(NEVER).map((query) => env.DB.prepare(`${query} limit 5`)),
  ]);
  const broken: unknown[] = answers.flatMap(({ results }, index) =>
    results.length === 0 ? [] : [{ [names[index] ?? ""]: results }],
  );
  const statements = workspaces.flatMap(({ id }) => askedOf(id));
  for (let from = 0; from < statements.length; from += STATEMENTS_A_BATCH) {
    const wrong = await env.DB.batch(statements.slice(from, from + STATEMENTS_A_BATCH));
    broken.push(...wrong.flatMap(({ results }) => results));
  }
  return broken;
}
