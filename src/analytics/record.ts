import type { Env } from "../context";
import { perBinding } from "../lib/recent-map";
import { sleep } from "../lib/sleep";
import { visitorCountry } from "../lib/visitor";
import type { Visit, VisitBuffer } from "./visit-buffer";

// Visits are buffered in memory, and counted and written later in batches.

const DEFAULT_BUFFER_SECONDS = 5;
/** Cloudflare cancels background work 30 s after the response, so the write must start well before. */
const MAX_BUFFER_SECONDS = 20;
/** A flush that is this late is abandoned, and the next visit does it. */
const GRACE_MS = 2_000;
/** Visits after which a flush begins early. */
const EARLY_FLUSH_VISITS = 10_000;
/** Visits between two flushes. Further visits are redirected but not counted. */
const MAX_VISITS = 20_000;
const MAX_HEADER_BYTES = 512;
const MAX_BYTES_PER_CODE_UNIT = 3;
const SCHEME_LENGTH = "https://".length;

export const bufferOf = perBinding((_: D1Database): VisitBuffer => {
  return { visits: [], abandonedAt: 0, batches: new Map() };
});

/** How long visits are buffered, in milliseconds. 0 turns counting off. */
function bufferMs(variable: string | undefined): number {
  const seconds = Number(variable || DEFAULT_BUFFER_SECONDS);
  if (Number.isNaN(seconds)) return DEFAULT_BUFFER_SECONDS * 1000;
  return Math.max(0, Math.min(seconds, MAX_BUFFER_SECONDS)) * 1000;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const headerBytes = new Uint8Array(MAX_HEADER_BYTES);

/** The first bytes of a header. A slice would keep the whole text in memory, so the bytes are copied. */
function beginningOf(header: string | null): string | null {
  if (header === null || header.length * MAX_BYTES_PER_CODE_UNIT <= MAX_HEADER_BYTES) return header;
  const { read, written } = encoder.encodeInto(header.slice(0, MAX_HEADER_BYTES), headerBytes);
  return read === header.length ? header : decoder.decode(headerBytes.subarray(0, written));
}

function withoutPath(url: string | null): string | null {
  const end = url === null ? -1 : url.indexOf("/", SCHEME_LENGTH);
  return url === null || end === -1 ? url : url.slice(0, end);
}

/** Browsers say so of a page that nobody has asked for yet. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

const isPrefetch = (headers: Headers): boolean =>
  PURPOSES.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ""));

/**
 * Records a visit of a link, by the code of an asset or by a slug (null), in memory and schedules the next flush. Never
 * delays the response.
 */
export function recordVisit(
  request: Request,
  { link, asset }: { link: string | null; asset: string | null },
  { isAfterEnd, rule }: Pick<Visit, "isAfterEnd" | "rule">,
  now: number,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): void {
  const ms = bufferMs(env.CLICK_PACK_SECONDS);
  if (ms === 0 || link === null) return;
  const buffer = bufferOf(env.DB);
  const { visits } = buffer;
  if (visits.length === 0 || now >= buffer.abandonedAt) {
    const wait = visits.length === 0 ? ms : 0;
    buffer.abandonedAt = now + wait + GRACE_MS;
    execution.waitUntil(flushAfter(wait, buffer, env));
  }
  if (visits.length === EARLY_FLUSH_VISITS) execution.waitUntil(flushAfter(0, buffer, env));
  if (visits.length >= MAX_VISITS) return;
  const { headers } = request;
  visits.push({
    link,
    asset,
    isAfterEnd,
    rule,
    at: now,
    follows: request.method === "GET" && !isPrefetch(headers),
    agent: beginningOf(headers.get("user-agent")),
    referrer: withoutPath(beginningOf(headers.get("referer"))),
    country: visitorCountry(headers, request.cf, env.BASE_URL),
  });
}

async function flushAfter(ms: number, buffer: VisitBuffer, env: Env): Promise<void> {
  if (ms > 0) await sleep(ms);
  const { flush } = await import("./flush");
  await flush(buffer, env);
}
