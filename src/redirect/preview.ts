import type { Env } from "../context";
import type { ActiveWindow } from "../lib/active-window";
import { possibleRules } from "../lib/rules";
import { mergeVisitorQuery } from "../lib/target";
import { linkEnded, linkPreview, notOpenYet } from "./answer";
import type { CachedBrand, CacheEntry } from "./slugs/cache";
import { rawQuery, stateAt, visitorOf } from "./visitor";

interface PreviewedLink {
  entry: CacheEntry;
  target: string;
  window: ActiveWindow | undefined;
  slug: string;
  brand: CachedBrand | null;
}

/** Answers `/<slug>+`: where a link leads this visitor, and a way on. No visit is counted. */
export function previewLink(
  request: Request,
  env: Env,
  { entry, target, window, slug, brand }: PreviewedLink,
  now: number,
): Response {
  const state = stateAt(window, now);
  if (state === "early") return notOpenYet(request, brand);
  if (state === "ended") return linkEnded(request, brand, window?.endedUrl || null);
  const query = rawQuery(request.url);
  const possible =
    entry.rules === undefined ? [undefined] : possibleRules(entry.rules, visitorOf(request, env), now);
  const targets = new Set(possible.map((rule) => mergeVisitorQuery(rule?.target ?? target, query)));
  return linkPreview(request, brand, [...targets], `/${slug}${query}`);
}
