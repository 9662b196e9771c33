import { recordVisit } from "../analytics/record";
import { parseConfig } from "../config";
import type { Env } from "../context";
import { domainAt } from "../http/host";
import { addressOf, countOne, mayLookUp } from "../http/limits";
import { backgroundTrace, logBackground, type Trace } from "../http/request-log";
import { chooseRule, NO_RULE } from "../lib/rules";
import { sleep } from "../lib/sleep";
import { isSlugShaped, SHORT_HOST, type SlugKey, slugKey } from "../lib/slug-text";
import { mergeVisitorQuery } from "../lib/target";
import { withTimeout } from "../lib/with-timeout";
import {
  linkEnded,
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
import { previewLink } from "./preview";
import { type CacheEntry, readEntry, STALE_SECONDS, writeEntry } from "./slugs/cache";
import { findRemembered, isInDoubt, isKvOutdated, remember, slugMemoryOf } from "./slugs/memory";
import { getsPreview, rawQuery, stateOf, visitorOf } from "./visitor";

const KV_TIMEOUT_MS = 3_000;
const D1_TIMEOUT_MS = 5_000;

type Execution = Pick<ExecutionContext, "waitUntil">;

/** The answer for a remembered slug. Returns undefined for everything else, which `handleVisit` answers. Synchronous for speed. */
export function visitFromMemory(
  request: Request,
  path: string,
  env: Env,
  execution: Execution,
): Response | undefined {
  // Memory holds nothing but valid slugs, so of the shape only the key's own separator needs a check.
  if (path.length === 1 || path.includes("/", 1)) return undefined;
  const now = Date.now();
  const key = slugKey(domainAt(request.url, env), path.slice(1));
  const remembered = findRemembered(slugMemoryOf(env.KV), key, now);
  if (remembered?.target == null) return undefined;
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return undefined;
  return answerVisitor({ request, env, execution }, remembered, remembered.target, "hit", now);
}

interface Visit {
  request: Request;
  env: Env;
  execution: Execution;
  trace: Trace;
}

/** The slug of `/<slug>`, `/<slug>/` or `/<slug>+`; undefined for any other path. People type a slash at the end. */
export function slugOfPath(path: string): string | undefined {
  const slug = /[+/]$/.test(path) ? path.slice(1, -1) : path.slice(1);
  return isSlugShaped(slug) ? slug : undefined;
}

/** Answers a visit of a slug. Checks memory, then KV within the lease, then D1. */
export async function handleVisit(visit: Visit, path: string, slug: string): Promise<Response> {
  const { request, env, trace } = visit;
  const isPreview = path.endsWith("+");
  trace.route = path.endsWith("/") ? "/{slug}/" : "/{slug}";
  if (request.method !== "GET" && request.method !== "HEAD") return wrongMethod(request);
  const now = Date.now();
  const domain = domainAt(request.url, env);
  const found = await findEntry(visit, slugKey(domain, slug), now);
  if (found === undefined) return unavailable(request);
  const { entry, cache } = found;
  if (entry?.target != null && isPreview)
    return withCache(previewLink(request, env, entry, entry.target, slug, now), cache);
  if (entry?.target != null) return answerVisitor(visit, entry, entry.target, cache, now);
  if (entry?.link != null) return withCache(takenDown(request, configOf(visit)), cache);
  return withCache(await answerUnknown(visit, isPreview ? undefined : domain), cache);
}

const configOf = ({ request, env }: Visit) => parseConfig(env, new URL(request.url).origin);

/** A page, or the not-found address of a domain; 429 for an address that asks for too many. */
export async function answerUnknown(visit: Visit, domain?: string): Promise<Response> {
  const { request, env } = visit;
  const isCounted = await countOne(env, "UNKNOWN_SLUG_RATE", addressOf(request));
  if (!isCounted) return tooManyUnknown(request);
  if (domain === undefined) return unknownLink(request);
  const settings = domain === SHORT_HOST ? undefined : await findSettings(visit, domain);
  const address = domain === SHORT_HOST ? configOf(visit).notFoundRedirectUrl : settings?.notFound;
  return address == null || wantsJson(request) ? unknownLink(request, settings?.brand) : redirectTo(address);
}

/**
 * The settings of a domain, which are read as slugs are; undefined for a host that is no domain of a workspace, and while D1
 * does not answer.
 */
export async function findSettings(visit: Visit, domain: string): Promise<CacheEntry | undefined> {
  return (await findEntry(visit, slugKey(domain, ""), Date.now()))?.entry;
}

/** Answers `/` on a domain: its own address, or a short page. */
export async function handleRoot(visit: Visit): Promise<Response> {
  const { request, env } = visit;
  const settings = await findSettings(visit, domainAt(request.url, env));
  if (settings === undefined) return unknownLink(request);
  if (settings.target !== null) return redirectTo(settings.target);
  if (settings.link !== null) return takenDown(request, configOf(visit));
  const { root } = await import("../http/site/files");
  return root({ rootRedirectUrl: null });
}

/** Reads an entry from memory, then from KV within the lease, then from D1. Undefined if D1 fails and no entry is left. */
async function findEntry(
  visit: Visit,
  key: SlugKey,
  now: number,
): Promise<{ entry: CacheEntry | undefined; cache: string } | undefined> {
  const { request, env, execution, trace } = visit;
  const memory = slugMemoryOf(env.KV);
  const remembered = findRemembered(memory, key, now);
  if (remembered !== undefined) return { entry: remembered, cache: "hit" };

  const { changes } = memory;
  const canReadKv = !isKvOutdated(memory, key, now);
  // null if KV was skipped or failed, so it may still hold the slug.
  const found = canReadKv ? await withTimeout(readEntry(env.KV, key), KV_TIMEOUT_MS).catch(() => null) : null;
  const cached = found ?? undefined;
  if (cached !== undefined && now < cached.expiresAt && !isInDoubt(memory, cached.workspace, now)) {
    remember(memory, key, cached, now, changes);
    if (now >= cached.refreshAt) refresh(cached);
    return { entry: cached, cache: "hit" };
  }
  if (found === undefined && !mayLookUp(env, addressOf(request))) return { entry: undefined, cache: "miss" };
  try {
    return { entry: await withTimeout(lookUp(visit, key), D1_TIMEOUT_MS), cache: "miss" };
  } catch {
    const stale = cached !== undefined && now < cached.expiresAt + STALE_SECONDS * 1000;
    return stale ? { entry: cached, cache: "stale" } : undefined;
  }

  function refresh(before: CacheEntry): void {
    const own = backgroundTrace(trace);
    const work = withTimeout(lookUp({ ...visit, trace: own }, key, before), D1_TIMEOUT_MS);
    execution.waitUntil(logBackground(own, request.method, work));
  }
}

function withCache(response: Response, cache: string): Response {
  response.headers.set("X-Cache", cache);
  return response;
}

/** Redirects to `target` while the link is open. Before its start and after its end it has other answers. */
function answerVisitor(
  { request, env, execution }: Omit<Visit, "trace">,
  entry: CacheEntry,
  target: string,
  cache: string,
  now: number,
): Response {
  const { activeWindow } = entry;
  const windowState = stateOf(entry, now);
  if (windowState === "early") return withCache(notOpenYet(request, entry.brand), cache);
  const isOpen = windowState === "open";
  const { rules, preview } = entry;
  const rule =
    rules === null || !isOpen ? undefined : chooseRule(rules, visitorOf(request, env), now, Math.random);
  const counted = rules === null || !isOpen ? null : (rule?.key ?? NO_RULE);
  recordVisit(request, entry, { isAfterEnd: !isOpen, rule: counted }, now, env, execution);
  if (preview !== null && isOpen && getsPreview(request, env))
    return withCache(ownPreview(request, preview), cache);
  if (isOpen) return redirectTo(mergeVisitorQuery(rule?.target ?? target, rawQuery(request.url)), cache);
  return activeWindow?.endedUrl == null
    ? withCache(linkEnded(request, entry.brand), cache)
    : redirectTo(activeWindow.endedUrl, cache);
}

const SHARED_LOOKUP_WAIT_MS = 2_000;

/**
 * Reads a slug from D1, or waits for a pending lookup of it. An entry goes to memory at once and to KV in the background.
 * `before` is the entry to refresh. Throws if D1 fails.
 */
async function lookUp(visit: Visit, key: SlugKey, before?: CacheEntry): Promise<CacheEntry | undefined> {
  const { request, execution, trace } = visit;
  const { pendingLookups } = slugMemoryOf(visit.env.KV);
  const pending = pendingLookups.get(key);
  if (pending !== undefined) {
    // If the first request is cancelled its promise may never settle, so waiters then read D1 themselves.
    const settled = await Promise.race([pending.then((entry) => ({ entry })), sleep(SHARED_LOOKUP_WAIT_MS)]);
    if (settled) return settled.entry;
  }
  const lookup = readTarget(visit, key, before);
  pendingLookups.set(key, lookup);
  execution.waitUntil(logBackground(trace, request.method, lookup));
  try {
    return await lookup;
  } finally {
    if (pendingLookups.get(key) === lookup) pendingLookups.delete(key);
  }
}

async function readTarget(
  { env, execution, trace }: Visit,
  key: SlugKey,
  before: CacheEntry | undefined,
): Promise<CacheEntry | undefined> {
  const readAt = Date.now();
  const memory = slugMemoryOf(env.KV);
  const { changes } = memory;
  const [{ createLiteralDatabase }, { findTarget }] = await Promise.all([
    import("../db/send"),
    import("./slugs/lookup"),
  ]);
  const entry = await findTarget(createLiteralDatabase(env.DB, trace.d1), key, readAt, before);
  if (entry !== undefined) {
    remember(memory, key, entry, readAt, changes);
    execution.waitUntil(writeEntry(env.KV, key, entry).catch(() => undefined));
  }
  return entry;
}
