import { WHERE_SERVED } from "../../../access/served";
import { literal } from "../../../db/literal";
import type { SlugKey } from "../../../lib/slug-text";
import { UTM_NAMES, type Utm } from "../../../lib/target";
import { ENDED_HOST, whereHostBlocked } from "./blocked-host";

/** A slug with everything that its redirect depends on. */
export interface SlugTargetRow extends Utm {
  key: SlugKey;
  workspace_id: number;
  /** 1 for a slug that its link had before. */
  is_old: number;
  rev: number;
  /** Public id of the link, or "" for a taken-down slug whose link is deleted. */
  link: string | null;
  /** In the settings of a domain: where `/` leads. */
  destination_url: string | null;
  /** Public id of the asset whose code the slug is. */
  asset: string | null;
  starts_at: number | null;
  /** The link's own end, or that of its group. */
  ends_at: number | null;
  /** The link's own, or that of its group; null if its host is blocked. */
  ended_url: string | null;
  /** The name of the asset whose code the slug is, if the workspace tells it to the destination's analytics. */
  asset_name: string | null;
  rules: string | null;
  /** JSON: the places of the rules that are skipped, because their host is refused. */
  refused_rules: string | null;
  preview_title: string | null;
  preview_text: string | null;
  /** A picture on a blocked host is left out. */
  preview_image_url: string | null;
  /** What pages for visitors show of the workspace. */
  brand_name: string | null;
  brand_colour: string | null;
  /** 1 if the workspace is suspended, the link or slug is taken down, or the destination's host is blocked. */
  taken_down: number;
  /** 0 if its domain is not proved, or removed. */
  is_served: number;
  /** In the settings of a domain: where unknown slugs lead. */
  not_found_url: string | null;
}

/** The domain of a slug. Few workspaces have one, and none is read for the short host. */
const OF_DOMAIN = `from domains where domains.workspace_id = slugs.workspace_id and domains.host = slugs.domain
  and ${WHERE_SERVED}`;

/** An address in the settings of a domain, unless its host is blocked. */
const setting = (name: "root" | "not_found"): string =>
  `(select ${name}_url ${OF_DOMAIN} and not ${whereHostBlocked(`${name}_host`)})`;

const COLUMNS = `slugs.key, slugs.workspace_id, coalesce(slugs.asset is null and slugs.key <> links.slug_key, 0) as is_old,
  slugs.rev, coalesce(links.public_id, case when slugs.taken_down_at is not null
    or slugs.slug = '' and workspaces.suspended_at is not null then '' end) as link,
  iif(slugs.slug = '', ${setting("root")}, links.destination_url) as destination_url,
  ${UTM_NAMES.map((name) => `links.${name}`).join(", ")}, slugs.asset, links.starts_at,
  coalesce(links.ends_at, iif(activity_groups.ends_links = 1, activity_groups.ends_at, null)) as ends_at,
  case when coalesce(links.ended_url, activity_groups.ended_url) is not null
    and not ${whereHostBlocked(ENDED_HOST)}
    then coalesce(links.ended_url, activity_groups.ended_url) end as ended_url,
  case when workspaces.scans_name_asset = 1 and slugs.asset is not null
    then (select name from offline_assets where public_id = slugs.asset) end as asset_name,
  links.rules, case when links.rules is not null then (select json_group_array(position) from link_rules
    where link_rules.workspace_id = links.workspace_id and link_rules.link_id = links.id
      and (host_check = 'blocked' or ${whereHostBlocked("link_rules.destination_host")})) end as refused_rules,
  links.preview_title, links.preview_text, case when links.preview_image_url is not null
    and not ${whereHostBlocked("links.preview_image_host")} then links.preview_image_url end as preview_image_url,
  iif(workspaces.shows_name = 1, workspaces.name, null) as brand_name, workspaces.colour as brand_colour,
  workspaces.suspended_at is not null or links.taken_down_at is not null or slugs.taken_down_at is not null
    or ${whereHostBlocked("links.destination_host")} as taken_down,
  slugs.domain = '' or exists (select 1 ${OF_DOMAIN}) as is_served,
  iif(slugs.slug = '', ${setting("not_found")}, null) as not_found_url`;

/** Rows of the slugs in `from`, which may be that table alone. */
const slugTargets = (from: string, where: string, ...values: readonly (string | number)[]) =>
  literal<SlugTargetRow>(
    `select ${COLUMNS} from ${from} join workspaces on workspaces.id = slugs.workspace_id
      left join links on links.workspace_id = slugs.workspace_id and links.id = slugs.link_id
      left join activity_groups on activity_groups.workspace_id = links.workspace_id
        and activity_groups.id = links.activity_group_id
      where ${where}`,
    ...values,
  );

/** Not limited to a workspace, because a visit names none. */
export const selectTargetOfSlug = (key: SlugKey) => slugTargets("slugs", "slugs.key = ?1", key);

// In a cross join SQLite reads the list first.
const LISTED = "json_each(?1) as listed cross join slugs";

/** Not limited to a workspace, because the sweep is not. */
export const selectTargetsOfSlugs = (keys: readonly string[]) =>
  slugTargets(LISTED, "slugs.key = listed.value", JSON.stringify(keys));

/** The codes of assets. Each has one. */
export const selectTargetsOfCodes = (workspaceId: number, assets: readonly string[]) =>
  slugTargets(
    "slugs",
    "slugs.asset in (select value from json_each(?1)) and +slugs.workspace_id = ?2",
    JSON.stringify(assets),
    workspaceId,
  );

/** Those of the given slugs that have no link. */
export const selectTombstones = (workspaceId: number, keys: readonly string[]) =>
  // A unary plus stops SQLite from using an index on the column. The key finds the few slugs of a link.
  slugTargets(
    LISTED,
    "slugs.key = listed.value and +slugs.workspace_id = ?2 and +slugs.link_id is null",
    JSON.stringify(keys),
    workspaceId,
  );

/** The links' slugs and codes with an outdated KV entry. `publicIds` are of links. */
export const selectSlugsToPush = (workspaceId: number, publicIds: readonly string[]) =>
  slugTargets(
    "slugs",
    `slugs.workspace_id = ?2 and slugs.link_id in (select opened.id from links as opened
      where opened.public_id in (select value from json_each(?1)) and +opened.workspace_id = ?2)
      and +slugs.push_at is not null and slugs.pushed_rev <> slugs.rev`,
    JSON.stringify(publicIds),
    workspaceId,
  );

const keysOfLink = (workspaceId: number, linkId: string, condition = "") =>
  literal<{ key: SlugKey }>(
    `select key from slugs where workspace_id = ?1
      and link_id = (select id from links where links.workspace_id = ?1 and public_id = ?2) ${condition}`,
    workspaceId,
    linkId,
  );

/** The keys of everything that opens a link: its slugs and the codes of its assets. */
export const selectKeysOfLink = (workspaceId: number, linkId: string) => keysOfLink(workspaceId, linkId);

/** The link's slugs without the codes of its assets. */
export const selectSlugsOfLink = (workspaceId: number, linkId: string) =>
  keysOfLink(workspaceId, linkId, "and asset is null");
