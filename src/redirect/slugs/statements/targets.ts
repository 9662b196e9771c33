import { WHERE_SERVED } from "../../../access/served";
import { literal } from "../../../db/literal";
import { UTM_NAMES, type Utm } from "../../../lib/link-target";
import { isSettingsKey, type SlugKey } from "../../../lib/slug-text";
import { whereHostBlocked } from "./blocked-host";
import { MAX_RANK, MAX_WRITES_OF_REQUEST } from "./marks";

export interface SlugTargetRow extends Utm {
  key: SlugKey;
  workspace_id: number;
  rev: number;
  doubt_until: number | null;
  link: string | null;
  /** In the settings of a domain: where `/` leads. */
  destination_url: string | null;
  asset: string | null;
  starts_at: number | null;
  ends_at: number | null;
  /** "" if its host is blocked. */
  ended_url: string | null;
  group: string | null;
  /** The name of the asset whose code the slug is, if the workspace tells it to the destination's analytics. */
  asset_name: string | null;
  rules: string | null;
  /** JSON: the places of the rules that are skipped, because their host is refused. */
  refused_rules: string | null;
  preview_title: string | null;
  preview_text: string | null;
  preview_image_url: string | null;
  /** 1 if the workspace is suspended, the link or slug is taken down, or the destination's host is blocked. */
  taken_down: number;
  /** 0 if its domain is not proved, or removed. */
  is_served: number;
  /** 1 if the workspace has networks whose visits do not count. */
  has_networks: number;
  not_found_url: string | null;
  apple_file: string | null;
  android_file: string | null;
}

/** The domain of a slug. Few workspaces have one, and none is read for the short host. */
const OF_DOMAIN = `from domains where domains.workspace_id = slugs.workspace_id and domains.host = slugs.domain
  and ${WHERE_SERVED}`;

const file = (column: "apple_app_site_association" | "assetlinks"): string =>
  `iif(slugs.slug = '', (select domains.${column} ${OF_DOMAIN}), null)`;

const setting = (name: "root" | "not_found"): string =>
  `(select domains.${name}_url ${OF_DOMAIN} and not ${whereHostBlocked(`domains.${name}_host`)})`;

/** An address afterwards in a table; "" if its host is blocked. */
const endedUrl = (table: "links" | "activity_groups"): string =>
  `iif(${table}.ended_url is not null and ${whereHostBlocked(`${table}.ended_host`)}, '', ${table}.ended_url)`;

/** SQL: whether the end of a link, or what follows its own, is that of its group. */
const ENDS_WITH_GROUP = "iif(links.ends_at is null, activity_groups.ends_links = 1, links.ended_url is null)";

const COLUMNS = `slugs.key, slugs.workspace_id, slugs.rev, slugs.doubt_until,
  coalesce(links.public_id, case when slugs.taken_down_at is not null
    or slugs.slug = '' and workspaces.suspended_at is not null then '' end) as link,
  slugs.asset, links.starts_at, links.ends_at,
  case when ${ENDS_WITH_GROUP} then activity_groups.public_id end as "group",
  workspaces.suspended_at is not null or links.taken_down_at is not null or slugs.taken_down_at is not null
    or ${whereHostBlocked("links.destination_host")} as taken_down,
  slugs.domain = '' or exists (select 1 ${OF_DOMAIN}) as is_served, workspaces.own_networks is not null as has_networks`;

const TEXTS = {
  destination_url: `iif(slugs.slug = '', ${setting("root")}, links.destination_url)`,
  ...Object.fromEntries(
    [...UTM_NAMES, "rules", "preview_title", "preview_text"].map((name) => [name, `links.${name}`]),
  ),
  ended_url: endedUrl("links"),
  asset_name: `case when workspaces.scans_name_asset = 1 and slugs.asset is not null
    then (select offline_assets.name from offline_assets where public_id = slugs.asset) end`,
  refused_rules: `case when links.rules is not null then (select json_group_array(position) from link_rules
    where link_rules.workspace_id = links.workspace_id and link_rules.link_id = links.id
      and (link_rules.host_check = 'blocked' or ${whereHostBlocked("link_rules.destination_host")})) end`,
  preview_image_url: `case when links.preview_image_url is not null
    and not ${whereHostBlocked("links.preview_image_host")} then links.preview_image_url end`,
  not_found_url: `iif(slugs.slug = '', ${setting("not_found")}, null)`,
  apple_file: file("apple_app_site_association"),
  android_file: file("assetlinks"),
};

/** Rows of the slugs in `from`, which may be that table alone. Their texts are null where `isWhole` is false. */
const slugTargets = (from: string, where: string, values: readonly (string | number)[], isWhole = "true") =>
  literal<SlugTargetRow>(
    `select ${COLUMNS}, ${Object.entries(TEXTS).map(([name, text]) => `iif(${isWhole}, ${text}, null) as ${name}`)} from ${from} join workspaces on workspaces.id = slugs.workspace_id
      left join links on links.workspace_id = slugs.workspace_id and links.id = slugs.link_id
      left join activity_groups on activity_groups.workspace_id = links.workspace_id
        and activity_groups.id = links.activity_group_id
      where ${where}`,
    ...values,
  );

/** The same in the order in which a request writes them. Those that it does not write have no texts: 300 rows of long rules are 7 MB. */
const slugsToWrite = (from: string, where: string, ...values: readonly (string | number)[]) =>
  slugTargets(
    `(select slugs.*, row_number() over (order by slugs.asset is not null) as place from ${from} where ${where}) as slugs`,
    "true order by place",
    values,
    `place <= ${MAX_WRITES_OF_REQUEST}`,
  );

// In a cross join SQLite reads the list first.
const LISTED = "json_each(?1) as listed cross join slugs";

/** The settings of a group or workspace. They have a row of `slugs` once they have changed. */
export interface SettingsRow extends Pick<SlugTargetRow, "key" | "workspace_id" | "rev" | "doubt_until"> {
  ends_at: number | null;
  ended_url: string | null;
  brand_name: string | null;
  brand_colour: string | null;
  page_texts: string | null;
  button_label: string | null;
  /** Null if its host is blocked. */
  button_url: string | null;
  networks: string | null;
  /** Null for a group. */
  time_zone: string | null;
  logo: string | null;
  logo_id: string | null;
}

const selectSettings = (keys: string) =>
  literal<SettingsRow>(
    `select listed.value as key, coalesce(activity_groups.workspace_id, workspaces.id) as workspace_id,
      coalesce(slugs.rev, 0) as rev, slugs.doubt_until,
      iif(activity_groups.ends_links = 1, activity_groups.ends_at, null) as ends_at, ${endedUrl("activity_groups")} as ended_url,
      iif(workspaces.shows_name = 1, workspaces.name, null) as brand_name, workspaces.colour as brand_colour,
      workspaces.own_networks as networks, workspaces.time_zone, workspaces.page_texts, workspaces.button_label,
      iif(${whereHostBlocked("workspaces.button_host")}, null, workspaces.button_url) as button_url,
      iif(workspaces.suspended_at is null, workspaces.logo, null) as logo, workspaces.public_id as logo_id
    from json_each(?1) as listed
      left join activity_groups on activity_groups.public_id = iif(listed.value like 'group:%', substr(listed.value, 7, 26), null)
      left join workspaces on workspaces.id = iif(listed.value like 'workspace:%', cast(substr(listed.value, 11) as integer), null)
      left join slugs on slugs.key = listed.value
    where coalesce(activity_groups.id, workspaces.id) is not null`,
    keys,
  );

export const selectWorkspaceRow = (publicId: string) =>
  literal<{ id: number }>("select id from workspaces where public_id = ?1", publicId);

/** Slugs and settings by their keys, a statement each. Not limited to a workspace, because a visit names none. */
export const selectTargets = (keys: readonly SlugKey[]) =>
  [...Map.groupBy(keys, isSettingsKey)].map(([isSettings, own]) => {
    const json = JSON.stringify(own);
    return isSettings ? selectSettings(json) : slugTargets(LISTED, "slugs.key = listed.value", [json]);
  });

export const selectTarget = (key: SlugKey) => selectTargets([key])[0];

/** The codes of assets that KV has to be told of. Each has one. */
export const selectTargetsOfCodes = (workspaceId: number, assets: readonly string[]) =>
  slugsToWrite(
    "slugs",
    `slugs.asset in (select value from json_each(?1)) and +slugs.workspace_id = ?2 and +slugs.push_at < ${MAX_RANK}`,
    JSON.stringify(assets),
    workspaceId,
  );

/** Those of the given slugs that have no link. */
export const selectTombstones = (workspaceId: number, keys: readonly string[]) =>
  // A unary plus stops SQLite from using an index on the column. The key finds the few slugs of a link.
  slugsToWrite(
    LISTED,
    "slugs.key = listed.value and +slugs.workspace_id = ?2 and +slugs.link_id is null",
    JSON.stringify(keys),
    workspaceId,
  );

/** The links' slugs and codes with an outdated KV entry. `publicIds` are of links. */
export const selectSlugsToWrite = (workspaceId: number, publicIds: readonly string[]) =>
  slugsToWrite(
    "slugs",
    `slugs.workspace_id = ?2 and slugs.link_id in (select opened.id from links as opened
      where opened.public_id in (select value from json_each(?1)) and +opened.workspace_id = ?2)
      and +slugs.push_at < ${MAX_RANK}`,
    JSON.stringify(publicIds),
    workspaceId,
  );

export const selectKeysOfLink = (workspaceId: number, linkId: string) =>
  literal<{ key: SlugKey; asset: string | null }>(
    `select key, asset from slugs where workspace_id = ?1
      and link_id = (select id from links where links.workspace_id = ?1 and public_id = ?2)`,
    ...[workspaceId, linkId],
  );
