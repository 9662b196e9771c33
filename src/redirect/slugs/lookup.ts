import type { LiteralDatabase } from "../../db/send";
import type { ActiveWindow } from "../../lib/active-window";
import { conditionsOf, readRules, ruleKey } from "../../lib/rules";
import { type SlugKey, slugFromName, slugOfKey } from "../../lib/slug-text";
import { composeTarget, mergeVisitorQuery, UTM_NAMES, type Utm } from "../../lib/target";
import { type CachedPreview, type CachedRule, type CacheEntry, EMPTY_ENTRY } from "./cache";
import { type SettingsRow, type SlugTargetRow, selectTargets } from "./statements/targets";

const MAX_CONTENT_CHARACTERS = 100;
const NO_UTM = Object.fromEntries(UTM_NAMES.map((name) => [name, null])) as Utm;

/** An address that nothing is added to. It stays "" if its host is blocked. */
const plainTarget = (url: string | null): string | null => (url ? composeTarget(url, NO_UTM) : url);

function windowOf(row: SlugTargetRow): ActiveWindow | null {
  const { starts_at: startsAt, ends_at: endsAt, ended_url: endedUrl, group } = row;
  if (startsAt === null && endsAt === null && group === null) return null;
  return { startsAt, endsAt, endedUrl: plainTarget(endedUrl) };
}

/** A destination of a link with its parameters, and for the code of an asset its name, unless the destination has content. */
function targetOf(destination: string, row: SlugTargetRow): string {
  const target = composeTarget(destination, row);
  if (row.asset_name === null) return target;
  const content = slugFromName(row.asset_name, MAX_CONTENT_CHARACTERS) || slugOfKey(row.key);
  return mergeVisitorQuery(target, `utm_content=${content}`);
}

/** The rules with their targets, without those that are skipped; null for none. */
function rulesOf(row: SlugTargetRow): CachedRule[] | null {
  const refused = new Set<number>(JSON.parse(row.refused_rules ?? "[]"));
  const rules = readRules(row.rules).filter((_, position) => !refused.has(position));
  return rules.length === 0
    ? null
    : rules.map((rule) => ({
        key: ruleKey(rule),
        target: targetOf(rule.destination_url, row),
        ...conditionsOf(rule),
      }));
}

const previewOf = (row: SlugTargetRow): CachedPreview | null => {
  const { preview_title: title, preview_text: text, preview_image_url: url } = row;
  const image = plainTarget(url);
  return (title ?? text ?? image) === null ? null : { title, text, image };
};

/** The KV entry of a row. `readAt` is a time before the row was read. */
export function toCacheEntry(row: SlugTargetRow | SettingsRow, readAt: number): CacheEntry {
  const { rev, workspace_id: workspace } = row;
  const common = { ...EMPTY_ENTRY, rev, readAt, workspace };
  if (!("is_served" in row)) {
    const { ends_at: endsAt, ended_url: endedUrl, brand_name: name, brand_colour: colour } = row;
    const hasWindow = (endsAt ?? endedUrl) !== null;
    return {
      ...common,
      activeWindow: hasWindow ? { startsAt: null, endsAt, endedUrl: plainTarget(endedUrl) } : null,
      brand: (name ?? colour) === null ? null : { name, colour },
    };
  }
  const isOpen = row.is_served === 1 && row.taken_down === 0;
  const entry = {
    ...common,
    asset: row.asset,
    link: row.is_served === 1 ? row.link : null,
    notFound: isOpen ? plainTarget(row.not_found_url) : null,
  };
  if (row.destination_url === null || !isOpen) return entry;
  const target = targetOf(row.destination_url, row);
  const { group } = row;
  return {
    ...entry,
    target,
    activeWindow: windowOf(row),
    group,
    rules: rulesOf(row),
    preview: previewOf(row),
  };
}

/** A slug as D1 has it. */
interface Target {
  entry: CacheEntry;
  doubtUntil: number;
}

/** Reads a slug from D1 after `readAt`. Returns undefined if no workspace owns it, or its domain is not served. */
export async function findTarget(
  db: LiteralDatabase,
  key: SlugKey,
  readAt: number,
): Promise<Target | undefined> {
  const [[row] = []] = await db.read(...selectTargets([key]));
  if (row === undefined || ("is_served" in row && row.is_served === 0)) return undefined;
  return { entry: toCacheEntry(row, readAt), doubtUntil: row.doubt_until ?? 0 };
}
