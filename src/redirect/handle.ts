import { recordVisit } from "../analytics/record";
import { parseConfig } from "../config";
import type { Env } from "../context";
import { domainAt, serviceAt } from "../http/host";
import { addressOf, countOne } from "../http/rate-limits";
import { mergeVisitorQuery } from "../lib/link-target";
import { isSlugShaped, SHORT_HOST, settingsKey, slugKey } from "../lib/slug-text";
import { chooseRule, NO_RULE, possibleRules } from "../lib/visitor-rules";
import { ownPreview, redirectTo, tooManyUnknown, unavailable, wantsJson, wrongMethod } from "./answer";
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

/** Pages for visitors, which no redirect needs. */
const loadPages = () => import("./page-answers");

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
  if (entry?.link != null) return withCache(await answerTakenDown(asked), cache);
  return withCache(await answerUnknown(asked, isPreview ? undefined : { domain, slug }), cache);
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
  const answered = slug === undefined ? answerVisitor(asked, link) : undefined;
  if (answered !== undefined) return answered;
  const [pages, { brand, zone }] = await Promise.all([loadPages(), findBrand(asked, entry.workspace)]);
  const state = stateAt(link.window, now);
  const next = (slug !== undefined && link.window?.endedUrl) || null;
  if (state === "early") {
    const at = link.window?.startsAt ?? null;
    const opening = at === null || zone === undefined ? undefined : { at, zone };
    return withCache(pages.notOpenYet(request, brand, opening), cache);
  }
  if (state === "ended") return withCache(pages.linkEnded(request, brand, next), cache);
  const { targets, way } = previewOf(asked, link, slug ?? "");
  return withCache(pages.linkPreview(request, brand, targets, way), cache);
}

/** What pages for visitors show of a workspace, null if that is nothing, and its time zone. Neither if nothing can be read. */
async function findBrand(
  asked: SlugRequest,
  workspace: number,
): Promise<{ brand: CachedBrand | null; zone: string | undefined }> {
  const found = await findEntry(asked, settingsKey("workspace", workspace), Date.now()).catch(
    () => undefined,
  );
  const brand = found?.entry?.brand ?? null;
  // A former host opens slugs and nothing else, so it has no logo.
  const lacksFiles = brand !== null && serviceAt(asked.request.url, asked.env) === "former";
  return { brand: lacksFiles ? { ...brand, logo: undefined } : brand, zone: found?.entry?.zone };
}

const configOf = ({ request, env }: SlugRequest) => parseConfig(env, new URL(request.url).origin);

async function answerTakenDown(asked: SlugRequest): Promise<Response> {
  const { takenDown } = await loadPages();
  return takenDown(asked.request, configOf(asked).abuseContact);
}

export async function unknownLink(request: Request, brand: CachedBrand | null = null): Promise<Response> {
  const pages = await loadPages();
  return pages.unknownLink(request, brand);
}

/** A page, or the not-found address of a domain; 429 for an address that asks for too many. What is `wanted` is counted. */
export async function answerUnknown(
  asked: SlugRequest,
  wanted?: { domain: string; slug: string },
): Promise<Response> {
  const { request, env, execution } = asked;
  const isCounted = await countOne(env, "UNKNOWN_SLUG_RATE", addressOf(request));
  if (!isCounted) return tooManyUnknown(request);
  if (wanted === undefined) return unknownLink(request);
  const { domain, slug } = wanted;
  const found = domain === SHORT_HOST ? undefined : await findSettings(asked, domain).catch(() => undefined);
  const settings = found?.entry;
  const isServed = settings !== undefined && settings.link === null;
  // What was cleaned is no slug as it was typed.
  if ((isServed || domain === SHORT_HOST) && asked.query === undefined) {
    const { recordUnknown } = await import("../analytics/record-unknown");
    recordUnknown(request, domain, slug, Date.now(), env, execution);
  }
  const address = domain === SHORT_HOST ? configOf(asked).notFoundRedirectUrl : settings?.not_found;
  if (address != null && !wantsJson(request)) return redirectTo(address);
  return unknownLink(request, isServed ? (await findBrand(asked, settings.workspace)).brand : null);
}

/** The settings of a domain, which are read as slugs are. Throws while D1 does not answer. */
export const findSettings = (asked: SlugRequest, domain: string) =>
  findEntry(asked, slugKey(domain, ""), Date.now());

/** Answers `/`: where the host's owner or the operator leads it, or a short page. */
export async function handleRoot(asked: SlugRequest): Promise<Response> {
  const { request, env } = asked;
  const domain = domainAt(request.url, env);
  const found =
    domain === SHORT_HOST
      ? { entry: { target: configOf(asked).rootRedirectUrl, link: null } }
      : await findSettings(asked, domain).catch((error) => unavailable(request, error));
  if (found instanceof Response) return found;
  const settings = found.entry;
  if (settings === undefined) return unknownLink(request);
  if (settings.target !== null) return redirectTo(settings.target);
  if (settings.link !== null) return answerTakenDown(asked);
  const { shortHost } = await loadPages();
  return shortHost(request);
}

function withCache(response: Response, cache: string): Response {
  response.headers.set("X-Cache", cache);
  return response;
}

/** Records a visit behind its answer, unless it comes from the workspace's own networks. */
async function unlessOwn(asked: Omit<SlugRequest, "trace">, workspace: number, record: () => void) {
  const { isOwnVisit } = await import("./own-networks");
  if (!(await isOwnVisit(asked, workspace))) record();
}

/** Redirects, or shows a chat the link's own preview. Undefined if visitors see a page: before the start, and after the end. */
function answerVisitor(
  { request, env, execution, query }: Omit<SlugRequest, "trace">,
  { entry, target, window, cache, now }: VisitedLink,
): Response | undefined {
  const state = stateAt(window, now);
  const isOpen = state === "open";
  if (state === "early") return undefined;
  const { rules, preview } = entry;
  const rule =
    rules === undefined || !isOpen ? undefined : chooseRule(rules, visitorOf(request, env), now, Math.random);
  const counted = rules === undefined || !isOpen ? null : (rule?.key ?? NO_RULE);
  const record = () =>
    recordVisit(
      request,
      { link: entry.link, asset: entry.asset ?? null },
      { isAfterEnd: !isOpen, rule: counted },
      now,
      env,
      execution,
    );
  if (entry.own_networks)
    execution.waitUntil(unlessOwn({ request, env, execution }, entry.workspace, record));
  else record();
  if (preview !== undefined && isOpen && getsPreview(request, env))
    return withCache(ownPreview(request, preview), cache);
  if (isOpen)
    return redirectTo(mergeVisitorQuery(rule?.target ?? target, query ?? rawQuery(request.url)), cache);
  return window?.endedUrl ? redirectTo(window.endedUrl, cache) : undefined;
}

/** What `/<slug>+` shows: where a link leads this visitor, and a way on. */
function previewOf(
  { request, env, query = rawQuery(request.url) }: SlugRequest,
  { entry, target, now }: VisitedLink,
  slug: string,
) {
  const possible =
    entry.rules === undefined ? [undefined] : possibleRules(entry.rules, visitorOf(request, env), now);
  const targets = new Set(possible.map((rule) => mergeVisitorQuery(rule?.target ?? target, query)));
  return { targets: [...targets], way: `/${slug}${query}` };
}
