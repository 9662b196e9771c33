import type { Env } from "../context";
import { possibleRules } from "../lib/rules";
import { mergeVisitorQuery } from "../lib/target";
import { linkEnded, linkPreview, notOpenYet } from "./answer";
import type { CacheEntry } from "./slugs/cache";
import { rawQuery, stateOf, visitorOf } from "./visitor";

/** Answers `/<slug>+`: where a link leads this visitor, and a way on. No visit is counted. */
export function previewLink(
  request: Request,
  env: Env,
  entry: CacheEntry,
  target: string,
  slug: string,
  now: number,
): Response {
  const state = stateOf(entry, now);
  if (state === "early") return notOpenYet(request, entry.brand);
  if (state === "ended") return linkEnded(request, entry.brand, entry.activeWindow?.endedUrl);
  const query = rawQuery(request.url);
  const possible =
    entry.rules === null ? [undefined] : possibleRules(entry.rules, visitorOf(request, env), now);
  const targets = new Set(possible.map((rule) => mergeVisitorQuery(rule?.target ?? target, query)));
  return linkPreview(request, entry.brand, [...targets], `/${slug}${query}`);
}
