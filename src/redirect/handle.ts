import { type Env, parseConfig } from "../context";
import { createDatabase } from "../db/client";
import { isSlugShaped, slugKey } from "../lib/slug-text";
import { passes } from "../rate-limit";
import { type CacheEntry, readEntry, STALE_SECONDS, writeEntry } from "../slugs/cache";
import { findTarget } from "../slugs/claim";
import { redirectTo, takenDown, tooManyUnknown, unavailable, unknownLink, wrongMethod } from "./answer";
import { mergeVisitorQuery } from "./target";

/** Answers `/<slug>`: the shape of the slug first, then KV within the lease, then D1. */
export async function handleVisit(
  request: Request,
  url: URL,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<Response> {
  const slug = url.pathname.slice(1);
  if (!isSlugShaped(slug)) return unknownLink(request);
  if (request.method !== "GET" && request.method !== "HEAD") return wrongMethod(request);

  const key = slugKey(slug);
  const now = Date.now();
  const cached = await readEntry(env.KV, key).catch(() => undefined);
  if (cached !== undefined && now < cached.expiresAt) {
    if (now >= cached.refreshAt) execution.waitUntil(fill(env, key).catch(() => undefined));
    return answerWith(cached, "hit");
  }
  try {
    const { entry, written } = await fillLater(env, key);
    execution.waitUntil(written);
    return answerWith(entry, "miss");
  } catch {
    const stale = cached !== undefined && now < cached.expiresAt + STALE_SECONDS * 1000;
    return stale ? answerWith(cached, "stale") : unavailable(request);
  }

  async function answerWith(entry: CacheEntry | undefined, cache: string): Promise<Response> {
    if (entry?.target != null)
      return redirectTo(mergeVisitorQuery(entry.target, rawQuery(request.url)), cache);
    const isTakenDown = entry?.link != null;
    const response = isTakenDown ? takenDown(request, parseConfig(env, url.origin)) : await unknown();
    response.headers.set("X-Cache", cache);
    return response;
  }

  async function unknown(): Promise<Response> {
    const address = request.headers.get("cf-connecting-ip");
    return (await passes(env.UNKNOWN_SLUG_RATE, address)) ? unknownLink(request) : tooManyUnknown(request);
  }
}

/** The query as the visitor sent it: a parsed URL would encode some of its characters. */
function rawQuery(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const end = url.indexOf("#", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** Reads D1; what it says goes to KV behind the answer. A slug that nobody ever claimed never enters KV. */
async function fillLater(
  env: Env,
  key: string,
): Promise<{ entry: CacheEntry | undefined; written: Promise<void> }> {
  const entry = await findTarget(createDatabase(env.DB), key, Date.now);
  const written = entry === undefined ? Promise.resolve() : writeEntry(env.KV, key, entry);
  return { entry, written: written.catch(() => undefined) };
}

async function fill(env: Env, key: string): Promise<void> {
  await (await fillLater(env, key)).written;
}
