import type { Env } from "../context";
import { sleep } from "../lib/sleep";
import type { Gathering } from "./gathering";

// A visit leaves a few words in the instance's memory and goes on; they are counted and written later, in packs.

const DEFAULT_PACK_SECONDS = 5;
/** Cloudflare cancels what a request leaves behind 30 s after its answer, so the write must begin well before. */
const MAX_PACK_SECONDS = 20;
/** So long after its time a pack counts as abandoned: the next visit writes it. */
const GRACE_MS = 2_000;
/** What an instance gathers at most between two packs; beyond it, visits go on and are not counted. */
const MAX_VISITS = 20_000;
/** What is kept of a header's text at most, in bytes. */
const MAX_HEADER_BYTES = 512;
/** What a unit of a text takes at most in UTF-8. */
const MAX_BYTES_A_UNIT = 3;
/** The length of "https://", behind which the host begins. */
const SCHEME_LENGTH = 8;

const gatherings = new WeakMap<D1Database, Gathering>();

/** What the instance has gathered for a database. */
export function gatheringOf(db: D1Database): Gathering {
  const known = gatherings.get(db);
  if (known !== undefined) return known;
  const fresh: Gathering = { visits: [], abandonedAt: 0, packs: new Map() };
  gatherings.set(db, fresh);
  return fresh;
}

/** For how long visits are gathered, in milliseconds; 0 where none are. */
function gatheringMs(variable: string | undefined): number {
  const seconds = Number(variable || DEFAULT_PACK_SECONDS);
  if (Number.isNaN(seconds)) return DEFAULT_PACK_SECONDS * 1000;
  return Math.max(0, Math.min(seconds, MAX_PACK_SECONDS)) * 1000;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const buffer = new Uint8Array(MAX_HEADER_BYTES);

/** A header's beginning. A slice of a long text would keep all of it in memory, so its bytes are copied. */
function beginningOf(header: string | null): string | null {
  if (header === null || header.length * MAX_BYTES_A_UNIT <= MAX_HEADER_BYTES) return header;
  const { read, written } = encoder.encodeInto(header.slice(0, MAX_HEADER_BYTES), buffer);
  return read === header.length ? header : decoder.decode(buffer.subarray(0, written));
}

function withoutPath(url: string | null): string | null {
  const end = url === null ? -1 : url.indexOf("/", SCHEME_LENGTH);
  return url === null || end === -1 ? url : url.slice(0, end);
}

/** Notes a visit of a link, and sees to it that a pack is written soon; never in the visitor's way. */
export function recordVisit(
  request: Request,
  link: string,
  now: number,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): void {
  const ms = gatheringMs(env.CLICK_PACK_SECONDS);
  if (ms === 0) return;
  const gathering = gatheringOf(env.DB);
  const { visits } = gathering;
  if (visits.length === 0 || now >= gathering.abandonedAt) {
    const wait = visits.length === 0 ? ms : 0;
    gathering.abandonedAt = now + wait + GRACE_MS;
    execution.waitUntil(writeAfter(wait, gathering, env.DB));
  }
  if (visits.length >= MAX_VISITS) return;
  const { headers } = request;
  const purpose = headers.get("sec-purpose");
  visits.push({
    link,
    at: now,
    follows: request.method === "GET" && (purpose === null || !purpose.includes("prefetch")),
    agent: beginningOf(headers.get("user-agent")),
    referrer: withoutPath(beginningOf(headers.get("referer"))),
    country: request.cf?.country as string | undefined,
  });
}

async function writeAfter(ms: number, gathering: Gathering, db: D1Database): Promise<void> {
  if (ms > 0) await sleep(ms);
  const { writePacks } = await import("./pack");
  await writePacks(gathering, db);
}
