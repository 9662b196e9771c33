import { type SQL, sql } from "drizzle-orm";
import { links, offlineAssets, workspaces } from "../db/schema";

/** The most links of one destination that are read to find one that is served, or on a live asset. */
const MAX_LINKS_OF_DESTINATION = 10_000;

/** The first links with a destination, in the index's order. */
const linksOf = (url: SQL): SQL => sql`(select ${links.id} as link_id, ${links.workspace_id} as workspace,
  ${links.taken_down_at} as taken_down_at from ${links}
  where ${links.destination_url} = ${url} and ${links.deleted_at} is null limit ${MAX_LINKS_OF_DESTINATION})`;

/** True if a link leads visitors to the destination: neither it nor its workspace is stopped. */
export const whereServed = (url: SQL): SQL => sql`exists (select 1 from ${linksOf(url)} as own
  cross join ${workspaces} on ${workspaces.id} = own.workspace
  where own.taken_down_at is null and ${workspaces.suspended_at} is null)`;

export const whereOnLiveAsset = (url: SQL): SQL => sql`exists (select 1 from ${linksOf(url)} as own
  cross join ${offlineAssets} on ${offlineAssets.workspace_id} = own.workspace
    and ${offlineAssets.link_id} = own.link_id and ${offlineAssets.status} = 'live')`;
