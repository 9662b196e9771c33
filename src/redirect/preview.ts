import { possibleRules } from "../lib/rules";
import { mergeVisitorQuery } from "../lib/target";
import { linkEnded, linkPreview, notOpenYet } from "./answer";
import type { Visit } from "./find";
import type { CachedBrand } from "./slugs/cache";
import { rawQuery, stateAt, type VisitedLink, visitorOf } from "./visitor";

/** Answers `/<slug>+`: where a link leads this visitor, and a way on. No visit is counted. */
export function previewLink(
  { request, env }: Visit,
  { entry, target, window, now }: VisitedLink,
  slug: string,
  brand: CachedBrand | null,
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
