import type { LiteralDatabase } from "../../db/send";
import type { ActiveWindow } from "../../lib/active-window";
import { composeTarget, mergeVisitorQuery, UTM_NAMES, type Utm } from "../../lib/link-target";
import { type SlugKey, slugFromName, slugOfKey } from "../../lib/slug-text";
import { conditionsOf, readRules, ruleKey } from "../../lib/visitor-rules";
import type { CachedBrand, CachedPreview, CachedRule, CacheEntry } from "./cache";
import { type SettingsRow, type SlugTargetRow, selectTargets } from "./statements/targets";

const MAX_CONTENT_CHARACTERS = 100;
const NO_UTM = Object.fromEntries(UTM_NAMES.map((name) => [name, null])) as Utm;

/** An address that nothing is added to. It stays "" if its host is blocked. */
const plainTarget = (url: string | null): string | null => (url ? composeTarget(url, NO_UTM) : url);

function windowOf(row: SlugTargetRow): ActiveWindow | undefined {
  const { starts_at: startsAt, ends_at: endsAt, ended_url: endedUrl, group } = row;
  if (startsAt === null && endsAt === null && group === null) return undefined;
  return { startsAt, endsAt, endedUrl: plainTarget(endedUrl) };
}

/** A destination of a link with its parameters, and for the code of an asset its name, unless the destination has content. */
function targetOf(destination: string, row: SlugTargetRow): string {
  const target = composeTarget(destination, row);
  if (row.asset_name === null) return target;
  const content = slugFromName(row.asset_name, MAX_CONTENT_CHARACTERS) || slugOfKey(row.key);
  return mergeVisitorQuery(target, `utm_content=${content}`);
}

function rulesOf(row: SlugTargetRow): CachedRule[] | undefined {
  const refused = new Set<number>(JSON.parse(row.refused_rules ?? "[]"));
  const rules = readRules(row.rules).filter((_, position) => !refused.has(position));
  if (rules.length === 0) return undefined;
  return rules.map((rule) => ({
    key: ruleKey(rule),
    target: targetOf(rule.destination_url, row),
    ...conditionsOf(rule),
  }));
}

function previewOf(row: SlugTargetRow): CachedPreview | undefined {
  const { preview_title: title, preview_text: text, preview_image_url: url } = row;
  const image = plainTarget(url);
  return (title ?? text ?? image) === null ? undefined : { title, text, image };
}

function appFilesOf({ apple_file: apple, android_file: android }: SlugTargetRow): CacheEntry["app_files"] {
  if ((apple ?? android) === null) return undefined;
  return { apple: apple ?? undefined, android: android ?? undefined };
}

function brandOf(row: SettingsRow): CachedBrand | undefined {
  const { brand_name: name, brand_colour: colour, page_texts: texts, button_label: label, logo } = row;
  const url = plainTarget(row.button_url);
  if ((name ?? colour ?? texts ?? url ?? logo) === null) return undefined;
  return {
    name,
    colour,
    texts: texts === null ? undefined : JSON.parse(texts),
    button: label === null || url === null ? undefined : { label, url },
    logo: logo === null || row.logo_id === null ? undefined : { id: row.logo_id, image: logo },
  };
}

function toSettings(row: SettingsRow): Pick<CacheEntry, "active_window" | "brand" | "networks" | "zone"> {
  const { ends_at: endsAt, ended_url: url } = row;
  const endedUrl = plainTarget(url);
  return {
    active_window: (endsAt ?? endedUrl) === null ? undefined : { startsAt: null, endsAt, endedUrl },
    brand: brandOf(row),
    zone: row.time_zone ?? undefined,
    networks: row.networks === null ? undefined : JSON.parse(row.networks),
  };
}

/** The KV entry of a row. `readAt` is a time before the row was read. */
export function toCacheEntry(row: SlugTargetRow | SettingsRow, readAt: number): CacheEntry {
  const { rev, workspace_id: workspace } = row;
  const common = { rev, read_at: readAt, target: null, workspace, link: null };
  if (!("is_served" in row)) return { ...common, ...toSettings(row) };
  const isOpen = row.is_served === 1 && row.taken_down === 0;
  const entry = {
    ...common,
    link: row.is_served === 1 ? row.link : null,
    asset: row.asset ?? undefined,
    not_found: (isOpen && plainTarget(row.not_found_url)) || undefined,
    app_files: isOpen ? appFilesOf(row) : undefined,
  };
  if (row.destination_url === null || !isOpen) return entry;
  return {
    ...entry,
    target: targetOf(row.destination_url, row),
    own_networks: row.has_networks === 1 || undefined,
    active_window: windowOf(row),
    group: row.group ?? undefined,
    rules: rulesOf(row),
    preview: previewOf(row),
  };
}

/** Reads a slug from D1 after `readAt`. Returns undefined if no workspace owns it, or its domain is not served. */
export async function findTarget(db: LiteralDatabase, key: SlugKey, readAt: number) {
  const [[row] = []] = await db.read(...selectTargets([key]));
  if (row === undefined || ("is_served" in row && row.is_served === 0)) return undefined;
  return { entry: toCacheEntry(row, readAt), doubtUntil: row.doubt_until ?? 0 };
}
