import { recordVisit } from "../analytics/record";
import { parseConfig } from "../config";
import type { Env } from "../context";
import { domainAt } from "../http/host";
import { addressOf, countOne } from "../http/rate-limits";
import { mergeVisitorQuery } from "../lib/link-target";
import { isSlugShaped, SHORT_HOST, settingsKey, slugKey } from "../lib/slug-text";
import { chooseRule, NO_RULE, possibleRules } from "../lib/visitor-rules";
import {
  linkEnded,
  linkPreview,
  notOpenYet,
  ownPreview,
  redirectTo,
  takenDown,
  tooManyUnknown,
  unavailable,
  unknownLink,
  wantsJson,
  wrongMethod,
} from "./answer";
import { findEntry, type SlugRequest } from "./find-entry";
import type { CachedBrand } from "./slugs/cache";
import { findRemembered, slugMemoryOf } from "./slugs/slug-memory";
import {
  getsPreview,
  groupKeyOf,
  rawQuery,
  showsPage,
  stateAt,
  type VisitedLink,
  visitorOf,
  windowOf,
} from "./visit-state";

/**
 * The redirect of a remembered slug. Returns undefined for everything else, which `answerSlug` answers. Synchronous for speed.
 */
export function answerFromMemory(
  request: Request,
  path: string,
  env: Env,
  execution: SlugRequest["execution"],
) {
  // Memory holds nothing but valid slugs, so of the shape only the key's own separator needs a check.
  if (path.length === 1 || path.includes("/", 1)) return undefined;
  const now = Date.now();
  const memory = slugMemoryOf(env.KV);
  const key = slugKey(domainAt(request.url, env), path.slice(1));
  const remembered = findRemembered(memory, key, now);
  if (remembered?.target == null) return undefined;
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  const groupKey = groupKeyOf(remembered, now);
  const settings = groupKey && findRemembered(memory, groupKey, now);
  if (groupKey && settings === undefined) return undefined;
  const window = windowOf(remembered, settings);
  if (showsPage(window, now)) return undefined;
  const link = { entry: remembered, target: remembered.target, window, cache: "hit", now };
  return answerVisitor({ request, env, execution }, link);
}

/** The slug of `/<slug>`, `/<slug>/` or `/<slug>+`; undefined for any other path. People type a slash at the end. */
export function slugOfPath(path: string): string | undefined {
  const slug = /[+/]$/.test(path) ? path.slice(1, -1) : path.slice(1);
  return isSlugShaped(slug) ? slug : undefined;
}

/** Answers a visit of a slug. Checks memory, then KV unless the slug is in doubt, then D1. */
export async function answerSlug(asked: SlugRequest, path: string, slug: string): Promise<Response> {
  const { request, env, trace } = asked;
  const isPreview = path.endsWith("+");
  trace.route = path.endsWith("/") ? "/{slug}/" : "/{slug}";
  if (request.method !== "GET" && request.method !== "HEAD") return wrongMethod(request);
  const now = Date.now();
  const domain = domainAt(request.url, env);
  const found = await findEntry(asked, slugKey(domain, slug), now).catch((error) =>
    unavailable(request, error),
  );
  if (found instanceof Response) return found;
  const { entry, cache } = found;
  if (entry?.target != null) {
    const { target } = entry;
    return answerLink(asked, { entry, target, cache, now }, isPreview ? slug : undefined);
  }
  if (entry?.link != null) return withCache(takenDown(request, configOf(asked)), cache);
  return withCache(await answerUnknown(asked, isPreview ? undefined : domain), cache);
}

/** Answers a visit of a link, or a preview of `slug`. Reads the settings of its group, and for a page those of its workspace. */
async function answerLink(asked: SlugRequest, found: Omit<VisitedLink, "window">, slug: string | undefined) {
  const { request, env } = asked;
  const { entry, cache, now } = found;
  const groupKey = groupKeyOf(entry, now);
  const settings =
    groupKey &&
    (await findEntry(asked, groupKey, now).catch((error) => {
      // In an outage a link whose group KV does not have goes on working.
      if (slugMemoryOf(env.KV).doubts.has(groupKey)) return unavailable(request, error);
    }));
  if (settings instanceof Response) return settings;
  const link = { ...found, window: windowOf(entry, settings?.entry) };
  if (slug !== undefined)
    return withCache(previewLink(asked, link, slug, await findBrand(asked, entry.workspace)), cache);
  const brand = showsPage(link.window, now) ? await findBrand(asked, entry.workspace) : null;
  return answerVisitor(asked, link, brand);
}

/** What pages for visitors show of a workspace; null if that is nothing, or nothing can be read. */
async function findBrand(asked: SlugRequest, workspace: number): Promise<CachedBrand | null> {
  const found = await findEntry(asked, settingsKey("workspace", workspace), Date.now()).catch(
    () => undefined,
  );
  return found?.entry?.brand ?? null;
}

const configOf = ({ request, env }: SlugRequest) => parseConfig(env, new URL(request.url).origin);

/** A page, or the not-found address of a domain; 429 for an address that asks for too many. */
export async function answerUnknown(asked: SlugRequest, domain?: string): Promise<Response> {
  const { request, env } = asked;
  const isCounted = await countOne(env, "UNKNOWN_SLUG_RATE", addressOf(request));
  if (!isCounted) return tooManyUnknown(request);
  if (domain === undefined) return unknownLink(request);
  const found = domain === SHORT_HOST ? undefined : await findSettings(asked, domain).catch(() => undefined);
  const settings = found?.entry;
  const address = domain === SHORT_HOST ? configOf(asked).notFoundRedirectUrl : settings?.not_found;
  if (address != null && !wantsJson(request)) return redirectTo(address);
  const isBranded = settings !== undefined && settings.link === null;
  return unknownLink(request, isBranded ? await findBrand(asked, settings.workspace) : null);
}

/** The settings of a domain, which are read as slugs are. Throws while D1 does not answer. */
export const findSettings = (asked: SlugRequest, domain: string) =>
  findEntry(asked, slugKey(domain, ""), Date.now());

/** Answers `/` on a domain: its own address, or a short page. */
export async function handleRoot(asked: SlugRequest): Promise<Response> {
  const { request, env } = asked;
  const found = await findSettings(asked, domainAt(request.url, env)).catch((error) =>
    unavailable(request, error),
  );
  if (found instanceof Response) return found;
  const settings = found.entry;
  if (settings === undefined) return unknownLink(request);
  if (settings.target !== null) return redirectTo(settings.target);
  if (settings.link !== null) return takenDown(request, configOf(asked));
  const { root } = await import("../http/site/site-files");
  return root({ rootRedirectUrl: null });
}

function withCache(response: Response, cache: string): Response {
  response.headers.set("X-Cache", cache);
  return response;
}

/** Redirects while the link is open. Before its start and after its end it has other answers. */
function answerVisitor(
  { request, env, execution, query }: Omit<SlugRequest, "trace">,
  { entry, target, window, cache, now }: VisitedLink,
  brand: CachedBrand | null = null,
): Response {
  const state = stateAt(window, now);
  const isOpen = state === "open";
  if (state === "early") return withCache(notOpenYet(request, brand), cache);
  const { rules, preview } = entry;
  const rule =
    rules === undefined || !isOpen ? undefined : chooseRule(rules, visitorOf(request, env), now, Math.random);
  const counted = rules === undefined || !isOpen ? null : (rule?.key ?? NO_RULE);
  recordVisit(
    request,
    { link: entry.link, asset: entry.asset ?? null },
    { isAfterEnd: !isOpen, rule: counted },
    now,
    env,
    execution,
  );
  if (preview !== undefined && isOpen && getsPreview(request, env))
    return withCache(ownPreview(request, preview), cache);
  if (isOpen)
    return redirectTo(mergeVisitorQuery(rule?.target ?? target, query ?? rawQuery(request.url)), cache);
  if (window?.endedUrl) return redirectTo(window.endedUrl, cache);
  return withCache(linkEnded(request, brand), cache);
}

/** Answers `/<slug>+`: where a link leads this visitor, and a way on. No visit is counted. */
function previewLink(
  { request, env, query = rawQuery(request.url) }: SlugRequest,
  { entry, target, window, now }: VisitedLink,
  slug: string,
  brand: CachedBrand | null,
): Response {
  const state = stateAt(window, now);
  if (state === "early") return notOpenYet(request, brand);
  if (state === "ended") return linkEnded(request, brand, window?.endedUrl || null);
  const possible =
    entry.rules === undefined ? [undefined] : possibleRules(entry.rules, visitorOf(request, env), now);
  const targets = new Set(possible.map((rule) => mergeVisitorQuery(rule?.target ?? target, query)));
  return linkPreview(request, brand, [...targets], `/${slug}${query}`);
}
