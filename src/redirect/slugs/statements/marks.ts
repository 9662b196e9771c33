// Which slugs a change touches, and their marks in the outbox. A test changes each column that a value is made of.

import { literal } from "../../../db/literal";
import type { SlugKey } from "../../../lib/slug-text";

/** The order of the first writes: single takedowns and deletions, single edits, then what is changed in bulk. */
export const RANKS = { takedown: 0, edit: 1, bulkTakedown: 2, bulkEdit: 3 } as const;
type Rank = (typeof RANKS)[keyof typeof RANKS];

/** A request writes this many slugs to KV. What it changes beyond them is a change in bulk. */
export const MAX_WRITES_OF_REQUEST = 20;

export const rankOf = (changed: number, isTakedown = false): Rank =>
  ((changed > MAX_WRITES_OF_REQUEST ? RANKS.bulkTakedown : RANKS.takedown) + (isTakedown ? 0 : 1)) as Rank;

/** Above every rank. A `push_at` below it is one. */
export const MAX_RANK = 4;
/** What `doubt_until` is after its change while the doubt is open. */
export const OPEN_DOUBT_MS = 1e14;

/** A first write that is due and no later in the order stays due since its own change, so that no edit hides a late takedown. */
export const marked = (rank: string, at: string): string =>
  `rev = slugs.rev + 1, push_at = iif(slugs.push_at < ${rank}, slugs.push_at, ${rank}),
    doubt_until = iif(slugs.push_at <= ${rank}, slugs.doubt_until, ${at} + ${OPEN_DOUBT_MS})`;

/** SQL: the slugs that a change of rows touches. `?1` is their workspace, `?2` a list of their ids. */
const TOUCHED = {
  /** Row ids. */
  links: "slugs.workspace_id = ?1 and slugs.link_id in (select value from json_each(?2))",
  /** Pairs of a start and an end, days or null, of links that have one. */
  dated_links: `slugs.workspace_id = ?1 and slugs.link_id in (select links.id from json_each(?2) as days
    cross join links on links.workspace_id = ?1 and (links.starts_on is not null or links.ends_on is not null)
      and links.starts_on is days.value ->> 0 and links.ends_on is days.value ->> 1)`,
  /** Row ids of groups with which links begin to end. */
  activity_groups: `slugs.workspace_id = ?1 and slugs.link_id in (select id from links where workspace_id = ?1
    and activity_group_id in (select value from json_each(?2)) and ends_at is null and deleted_at is null)`,
  /** Pairs of a workspace and a link, of any workspace. */
  link_rules: `(slugs.workspace_id, slugs.link_id) in (select value ->> 0, value ->> 1 from json_each(?2))
    and ?1 is null`,
  /** Public ids. */
  offline_assets: "slugs.asset in (select value from json_each(?2)) and +slugs.workspace_id = ?1",
  /** The same, of a workspace whose scans tell the destination's analytics the name. */
  asset_names: `slugs.asset in (select value from json_each(?2)) and +slugs.workspace_id = ?1
    and exists (select 1 from workspaces where id = ?1 and scans_name_asset = 1)`,
  /** The codes of the workspace, whatever the list is. */
  workspaces: `slugs.asset in (select public_id from offline_assets where workspace_id = ?1) and +slugs.workspace_id = ?1
    and ?2 is not null`,
  /** Keys. */
  slugs: "slugs.key in (select value from json_each(?2)) and +slugs.workspace_id = ?1",
};

export const markSlugs = (
  table: keyof typeof TOUCHED,
  workspaceId: number | null,
  ids: readonly (number | string | readonly (number | string | null)[])[],
  { at, rank, set = "" }: { at: number; rank: Rank; set?: string },
) =>
  literal(
    `update slugs set ${set} ${marked("?3", "?4")} where ${TOUCHED[table]}`,
    ...[workspaceId, JSON.stringify(ids), rank, at],
  );

export const DETACHED = "link_id = null,";

/** The link of a slug. A domain that is being released takes the links from its addresses. */
export const leadsTo = (linkId: string): string =>
  `link_id = iif(slugs.domain in (select host from domains where released_at is not null), null, ${linkId}),`;

/** Makes slugs open links. `pairs` are slug keys and public ids. KV has nothing of a new slug. */
export const upsertSlugs = (workspaceId: number, pairs: readonly string[][], at: number, rank: Rank) =>
  literal(
    `insert into slugs (key, workspace_id, link_id, created_at)
      select listed.value ->> 0, links.workspace_id, links.id, ?3 from json_each(?2) as listed cross join links
      where links.public_id = listed.value ->> 1 and +links.workspace_id = ?1
      on conflict (key) do update set workspace_id = excluded.workspace_id, link_id = excluded.link_id, ${marked("?4", "?3")}
        where slugs.link_id is not excluded.link_id`,
    ...[workspaceId, JSON.stringify(pairs), at, rank],
  );

/** Puts settings into the outbox, also those that have no row yet. `rows` selects their keys and workspaces. */
const upsertSettings = (rows: string, at: number, ...values: readonly (string | number)[]) =>
  literal(
    `insert into slugs (key, workspace_id, push_at, doubt_until, created_at)
      select key, workspace_id, ${RANKS.edit}, ?1 + ${OPEN_DOUBT_MS}, ?1 from (${rows}) where true
      on conflict (key) do update set workspace_id = excluded.workspace_id, ${marked(`${RANKS.edit}`, "?1")}`,
    ...[at, ...values],
  );

export const markSettings = (key: SlugKey, workspaceId: number, at: number) =>
  upsertSettings("select ?2 as key, ?3 as workspace_id", at, key, workspaceId);

export const markGroupSettings = (ids: readonly number[], workspaceId: number, at: number) =>
  upsertSettings(
    `select 'group:' || public_id || '/' as key, workspace_id from activity_groups
      where id in (select value from json_each(?2)) and +workspace_id = ?3`,
    ...([at, JSON.stringify(ids), workspaceId] as const),
  );

const DOMAINS = "select host || '/' as key, workspace_id from domains where state <> 'pending'";

export const markDomainSettings = (workspaceId: number, at: number) =>
  upsertSettings(`${DOMAINS} and workspace_id = ?2`, at, workspaceId);

export const markSettingsTo = (host: string, at: number) =>
  upsertSettings(
    `select 'group:' || public_id || '/' as key, workspace_id from activity_groups where ${isBelow("ended_host", "?2")}
      union all ${DOMAINS} and (${isBelow("root_host", "?2")} or ${isBelow("not_found_host", "?2")})
      union all select 'workspace:' || id || '/' as key, id as workspace_id from workspaces where ${isBelow("button_host", "?2")}`,
    ...([at, host] as const),
  );

/** SQL: whether the host in `column` is another or below it. */
export function isBelow(column: string, host: string): string {
  return `(${column} = ${host} or substr(${column}, -length(${host}) - 1) = '.' || ${host})`;
}
