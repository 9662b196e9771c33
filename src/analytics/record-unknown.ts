import type { Env } from "../context";
import { perBinding } from "../lib/recent-map";
import { foldSlug } from "../lib/slug-text";
import { recordVisit } from "./record";
import { unknownAddress } from "./unknown-address";

// Visits of addresses that lead nowhere are counted as visits of links are: in the buffer, the queue, and then their table.

const WINDOW_MS = 5_000;
/** Of an instance, so that a scanner takes no visit's place in the buffer. */
const MAX_IN_WINDOW = 100;

const windowOf = perBinding((_: D1Database) => ({ startsAt: 0, visits: 0 }));

/** Records that a visitor asked for a slug of which nothing is known. Never delays the response. */
export function recordUnknown(
  request: Request,
  domain: string,
  slug: string,
  now: number,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): void {
  if (request.method !== "GET") return;
  const current = windowOf(env.DB);
  if (now - current.startsAt >= WINDOW_MS || now < current.startsAt)
    Object.assign(current, { startsAt: now, visits: 0 });
  if (++current.visits > MAX_IN_WINDOW) return;
  const link = unknownAddress(domain, foldSlug(slug));
  recordVisit(request, { link, asset: null }, { isAfterEnd: true, rule: null }, now, env, execution);
}
