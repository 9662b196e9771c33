import type { Context, ServiceContext } from "../../context";
import { nearestSlug } from "../../lib/nearest";
import { hostOfDomain } from "../../lib/short-url";
import { domainOfKey, slugKey, slugOfKey } from "../../lib/slug-text";
import { DAY_MS, isoTime, startOfUtcDay } from "../../lib/time";
import {
  type CandidateRow,
  NOBODY,
  selectSlugsIn,
  selectUnknown,
  type UnknownRow,
} from "./unknown-statements";

/** "This week" is today and the six days before, in UTC. */
export const RECENT_DAYS = 7;
export const MAX_SHOWN_UNKNOWN = 25;
const MAX_LISTED = 100;
/** Each is compared with each address of the page that is on its domain. */
const MAX_CANDIDATES = 2_000;
const PREFIX_LENGTH = 3;
/** Sorts behind every letter of a slug, and behind the slash after a host. */
const BEHIND_SLUGS = "{";
const BEHIND_SLASH = "0";

const recentSince = (now: number): number => startOfUtcDay(now) - (RECENT_DAYS - 1) * DAY_MS;

const toUnknown = ({ domain, slug, recent, visits, first_day: first }: UnknownRow) => ({
  domain,
  slug,
  /** People in the last seven days, and in the last thirty. */
  recent,
  visits,
  first_day: isoTime(first).slice(0, 10),
});

/** First what begins as the addresses do, for domains with very many slugs. Then whole domains. */
function rangesOf(rows: readonly UnknownRow[]) {
  const beginnings = rows.map(({ domain, slug }) => {
    const start = slugKey(domain, slug.slice(0, PREFIX_LENGTH));
    return [domain, start, start + BEHIND_SLUGS] as const;
  });
  const whole = [...new Set(rows.map(({ domain }) => domain))].map(
    (domain) => [domain, slugKey(domain, ""), domain + BEHIND_SLASH] as const,
  );
  return [...beginnings, ...whole];
}

/** The links that an unknown address was probably meant for, by its key. */
function toProposal(candidates: readonly CandidateRow[]) {
  const byKey = new Map(candidates.map((row) => [row.key, row]));
  const slugsOf = Map.groupBy(byKey.keys(), domainOfKey);
  return ({ domain, slug }: UnknownRow) => {
    const nearest = nearestSlug(slug, (slugsOf.get(domain) ?? []).map(slugOfKey));
    const found = nearest === undefined ? undefined : byKey.get(slugKey(domain, nearest));
    return found && { link: found.link, slug: nearest ?? found.slug, title: found.title };
  };
}

/** What people asked for most on the workspace's own domains that leads nowhere, each with the link whose slug is nearest. */
export async function listUnknown(ctx: Context) {
  const { rowId } = ctx.workspace;
  const now = ctx.now();
  const [rows] = await ctx.db.read(selectUnknown(rowId, now, recentSince(now), MAX_SHOWN_UNKNOWN + 1));
  const shown = rows.slice(0, MAX_SHOWN_UNKNOWN);
  const [candidates] = await ctx.db.read(
    shown.length === 0 ? undefined : selectSlugsIn(rowId, rangesOf(shown), MAX_CANDIDATES),
  );
  const proposalOf = toProposal(candidates);
  return {
    addresses: shown.map((row) => ({ ...toUnknown(row), proposal: proposalOf(row) })),
    isMore: rows.length > MAX_SHOWN_UNKNOWN,
  };
}

export async function listUnknownOfShortHost({ db, now, config }: ServiceContext) {
  const [rows] = await db.read(selectUnknown(NOBODY, now(), recentSince(now()), MAX_LISTED));
  return rows.map(toUnknown).map(({ domain, slug, ...counts }) => ({
    address: `${hostOfDomain(config, domain)}/${slug}`,
    ...counts,
  }));
}
