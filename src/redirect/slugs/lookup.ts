import type { LiteralDatabase } from "../../db/send";
import type { ActiveWindow } from "../../lib/active-window";
import { conditionsOf, readRules, ruleKey } from "../../lib/rules";
import { type SlugKey, slugFromName, slugOfKey } from "../../lib/slug-text";
import { composeTarget, mergeVisitorQuery, UTM_NAMES, type Utm } from "../../lib/target";
import { type CachedBrand, type CachedPreview, type CachedRule, type CacheEntry, leased } from "./cache";
import { type SlugTargetRow, selectTargetOfSlug } from "./statements/targets";

const MAX_CONTENT_CHARACTERS = 100;
const NO_UTM = Object.fromEntries(UTM_NAMES.map((name) => [name, null])) as Utm;

function windowOf(row: SlugTargetRow): ActiveWindow | null {
  const { starts_at: startsAt, ends_at: endsAt, ended_url: url } = row;
  if (startsAt === null && endsAt === null) return null;
  return { startsAt, endsAt, endedUrl: url === null ? null : composeTarget(url, NO_UTM) };
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
  const image = url === null ? null : composeTarget(url, NO_UTM);
  return (title ?? text ?? image) === null ? null : { title, text, image };
};

const brandOf = ({ brand_name: name, brand_colour: colour }: SlugTargetRow): CachedBrand | null =>
  (name ?? colour) === null ? null : { name, colour };

/** The KV entry of a row. `readAt` is a time before the row was read; `before` is the entry to refresh. */
export function toCacheEntry(row: SlugTargetRow, readAt: number, before?: CacheEntry): CacheEntry {
  const isOpen = row.is_served === 1 && row.taken_down === 0;
  const target = row.destination_url === null || !isOpen ? null : targetOf(row.destination_url, row);
  const { rev, workspace_id: workspace, asset } = row;
  const link = row.is_served === 1 ? row.link : null;
  const notFound = row.not_found_url === null || !isOpen ? null : composeTarget(row.not_found_url, NO_UTM);
  const activeWindow = target === null ? null : windowOf(row);
  const rules = target === null ? null : rulesOf(row);
  const preview = target === null ? null : previewOf(row);
  // The settings of a domain, which have no slug, are for the page of an unknown one.
  const brand = target !== null || (isOpen && slugOfKey(row.key) === "") ? brandOf(row) : null;
  return leased(
    { rev, workspace, target, link, asset, activeWindow, rules, preview, brand, notFound },
    readAt,
    before,
  );
}

/** Reads a slug from D1 after `readAt`. Returns undefined if no workspace owns it, or its domain is not served. */
export async function findTarget(
  db: LiteralDatabase,
  key: SlugKey,
  readAt: number,
  before?: CacheEntry,
): Promise<CacheEntry | undefined> {
  const [rows] = await db.read(selectTargetOfSlug(key));
  const row = rows[0];
  return row?.is_served === 1 ? toCacheEntry(row, readAt, before) : undefined;
}
