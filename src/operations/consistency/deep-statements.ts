// What a sound database never has. Each statement reads whole tables, and names what it finds.

import { type SQL, sql } from "drizzle-orm";
import { orm } from "../../db/prepared";
import type { Difference } from "./doctor-statements";

export interface StoredObject {
  type: string;
  name: string;
  sql: string;
}

export const selectSchema = () =>
  orm.all<StoredObject>(sql`select type, name, sql from sqlite_master where sql is not null`);

export const checkForeignKeys = (table: string) =>
  orm.all<{ parent: string }>(sql.raw(`pragma foreign_key_check("${table}")`));

const OWNERS = { workspace: "workspaces", group: "activity_groups", link: "links", asset: "offline_assets" };

const ownersGone = (counts: string): string =>
  Object.entries(OWNERS)
    .map(
      ([kind, table]) => `select '${kind} ' || owner_id as "of" from ${counts} where owner_kind = '${kind}'
        and not exists (select 1 from ${table} where id = owner_id)`,
    )
    .join(" union all ");

const DAY = 86_400_000;
/** Hours are kept for 25 months. What began since has all of its hours. */
const KEPT_MS = 700 * DAY;

/** The places that a code may have: its asset's link, or none on a domain that is released. */
const CODE_IS_RIGHT = `slugs.workspace_id = offline_assets.workspace_id and (slugs.link_id is iif(links.deleted_at is null, links.id, null)
  or slugs.link_id is null and slugs.domain in (select host from domains where released_at is not null))`;

/** By what is wrong: the query of its rows. `?1` is the time. */
const DAMAGE = {
  "links whose slug has no row": `select public_id as "of" from links where deleted_at is null
    and not exists (select 1 from slugs where key = slug_key)`,
  "links whose slug opens something else, or belongs to others": `select public_id as "of" from links join slugs on key = slug_key
    where deleted_at is null and (link_id is not links.id or asset is not null or slugs.workspace_id <> links.workspace_id)`,
  "slugs that open a deleted link": `select key as "of" from slugs join links on links.id = slugs.link_id where deleted_at is not null`,
  "slugs of a link that the operator took down, without the mark": `select key as "of" from links
    join slugs on slugs.link_id = links.id where taken_down_by = 'operator' and slugs.taken_down_at is null`,
  "assets whose code has no row": `select public_id as "of" from offline_assets
    where not exists (select 1 from slugs where asset = public_id)`,
  "codes that open something else than the link of their asset": `select key as "of" from slugs
    join offline_assets on offline_assets.public_id = slugs.asset join links on links.id = offline_assets.link_id
    where not (${CODE_IS_RIGHT})`,
  "codes without an asset that open a link": `select key as "of" from slugs where asset is not null and link_id is not null
    and not exists (select 1 from offline_assets where public_id = asset)`,
  "links whose rules are no JSON": `select public_id as "of" from links where rules is not null and json_valid(rules) = 0`,
  "links whose rules are not the rows of their destinations": `select public_id as "of" from links where deleted_at is null
    and case when json_valid(coalesce(rules, '[]')) then
      (select json_group_array(value ->> 'destination_url') from json_each(coalesce(links.rules, '[]'))) is not
      (select json_group_array(destination_url) from
        (select destination_url from link_rules where link_id = links.id order by position)) end`,
  "links whose group is not that of their open assignment": `select links.public_id as "of" from links
    left join activity_group_items as items on items.link_id = links.id and items.ended_at is null
    where iif(deleted_at is null, links.activity_group_id, null) is not items.activity_group_id`,
  "deleted links with tags": `select distinct public_id as "of" from links join link_tags on link_tags.link_id = links.id
    where deleted_at is not null`,
  "hours of visits of nobody": ownersGone("visit_hours"),
  "days of visits of nobody": ownersGone("visit_days"),
  // A day follows the zone that the workspace had then, so only the sums of days and hours are equal.
  "owners whose days of visits do not add up to their hours": `select owner_kind || ' ' || owner_id as "of" from (
      select owner_kind, owner_id, day as at, visits from visit_days union all
      select owner_kind, owner_id, hour, -(clicks + scans) from visit_hours)
    group by owner_kind, owner_id having sum(visits) <> 0 and min(at) > ?1 - ${KEPT_MS}`,
  ...Object.fromEntries(
    Object.entries(OWNERS).map(([kind, table]) => [
      `totals of clicks of a ${kind} that are above its hours`,
      `select public_id as "of" from ${table} as owners where created_at > ?1 - ${KEPT_MS}
        and ${kind === "asset" ? "" : "clicks + "} scans > ${inHours(kind, kind === "asset" ? "scans" : "clicks + scans")}`,
    ]),
  ),
} as Readonly<Record<string, string>>;

export const DAMAGES = Object.keys(DAMAGE);

function inHours(kind: string, counted: string): string {
  return `(select coalesce(sum(${counted}), 0) from visit_hours where owner_kind = '${kind}' and owner_id = owners.id)`;
}

export const selectDamage = (damage: string, at: number, limit: number) => {
  const text = (DAMAGE[damage] ?? "").split("?1");
  const query = sql.join(
    text.map((part) => sql.raw(part)),
    sql`${at}`,
  );
  return orm.all<{ of: string; rows: number }>(
    sql`select "of", count(*) over () as rows from (${query}) limit ${limit}`,
  );
};

const totalsOf = (kind: string): string[] => (kind === "asset" ? ["scans"] : ["clicks", "scans"]);

/** Whether an owner of the workspace has a total below the sum of its hours. */
const isBelow = (kind: string, column: string, workspaceId: number): SQL =>
  sql`${sql.raw(kind === "workspace" ? "id" : "workspace_id")} = ${workspaceId}
    and ${sql.raw(`${column} < ${inHours(kind, column)}`)}`;

/** Totals of visits that are below their hours. */
export const selectLowTotals = (workspaceId: number) =>
  Object.entries(OWNERS).map(([kind, table]) =>
    orm.all<Difference>(
      sql.join(
        totalsOf(kind).map(
          (
            column,
          ) => sql`select ${`${column} of a ${kind}`} as kept, public_id as "of", ${sql.raw(column)} as "is",
            ${sql.raw(inHours(kind, column))} as should_be from ${sql.raw(table)} as owners
            where ${isBelow(kind, column, workspaceId)}`,
        ),
        sql` union all `,
      ),
    ),
  );

/** Raises them. The hours are what was counted, so no total is lowered: then hours are missing. */
export const raiseTotals = (workspaceId: number) =>
  Object.entries(OWNERS).flatMap(([kind, table]) =>
    totalsOf(kind).map((column) =>
      orm.run(sql`update ${sql.raw(table)} as owners set ${sql.raw(column)} = ${sql.raw(inHours(kind, column))}
        where ${isBelow(kind, column, workspaceId)}`),
    ),
  );

export interface Addresses {
  id: number;
  of: string;
  host: string | null;
  urls: string;
  rules: string | null;
}

/** Where links lead, then groups and domains: a page of one table after a row id. */
export const ADDRESS_TABLES = {
  links: `public_id as "of", destination_host as host, json_array(destination_url, ended_url, preview_image_url) as urls, rules
    from links where deleted_at is null`,
  activity_groups: `public_id as "of", null as host, json_array(ended_url) as urls, null as rules from activity_groups where true`,
  domains: `host as "of", null as host, json_array(root_url, not_found_url) as urls, null as rules from domains where true`,
  workspaces: `slug as "of", button_host as host, json_array(button_url) as urls, null as rules from workspaces where true`,
} as const;

export const selectAddresses = (table: keyof typeof ADDRESS_TABLES, after: number, limit: number) =>
  orm.all<Addresses>(
    sql`select id, ${sql.raw(ADDRESS_TABLES[table])} and id > ${after} order by id limit ${limit}`,
  );
