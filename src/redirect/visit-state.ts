import { allowsOwnPreviews } from "../config";
import type { Env } from "../context";
import { type ActiveWindow, type WindowState, windowStateAt } from "../lib/active-window";
import { type SlugKey, settingsKey } from "../lib/slug-text";
import { deviceClassOf, isPreviewBot, preferredLanguage, visitorCountry } from "../lib/visitor";
import type { Visitor } from "../lib/visitor-rules";
import type { CacheEntry } from "./slugs/cache";

/** The settings of a group that a visit needs. Of a link with an own end they only say what follows it. */
export const groupKeyOf = ({ group, active_window: window }: CacheEntry, now: number): SlugKey | undefined =>
  group !== undefined && (window?.endsAt == null || now >= window.endsAt)
    ? settingsKey("group", group)
    : undefined;

/** When a link is open, by its own entry and the settings of the group that it names. Most have neither a start nor an end. */
export function windowOf(entry: CacheEntry, settings: CacheEntry | undefined): ActiveWindow | undefined {
  const { active_window: own, group } = entry;
  if (group === undefined) return own;
  const ofGroup = settings?.active_window;
  return {
    startsAt: own?.startsAt ?? null,
    endsAt: own?.endsAt ?? ofGroup?.endsAt ?? null,
    endedUrl: own?.endedUrl ?? ofGroup?.endedUrl ?? null,
  };
}

export const stateAt = (window: ActiveWindow | undefined, now: number): WindowState =>
  window === undefined ? "open" : windowStateAt(window, now);

export interface VisitedLink {
  entry: CacheEntry;
  target: string;
  window: ActiveWindow | undefined;
  cache: string;
  now: number;
}

/** Whether visitors see a page, which shows the brand of the workspace. */
export function showsPage(window: ActiveWindow | undefined, now: number): boolean {
  const state = stateAt(window, now);
  return state === "early" || (state === "ended" && !window?.endedUrl);
}

/** What rules may ask of a visitor. Without a main address the service is local, where wrangler invents a country. */
export const visitorOf = ({ headers, cf }: Request, env: Env): Visitor => ({
  country: visitorCountry(headers, cf, env.BASE_URL) ?? null,
  device: deviceClassOf(headers.get("user-agent")),
  language: preferredLanguage(headers.get("accept-language")),
});

/** Whether a chat or a network asks, and the operator lets links say what it shows. */
export const getsPreview = ({ headers }: Request, env: Env): boolean =>
  allowsOwnPreviews(env) && isPreviewBot(headers.get("user-agent"));

/** The visitor's query as sent. A parsed URL would encode some characters. */
export function rawQuery(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const end = url.indexOf("#", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}
