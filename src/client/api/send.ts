import { sleep } from "../../lib/sleep";
import { SECOND_MS } from "../../lib/time";
import { readWhole, toError, UnreadableAnswer, WaymarkError } from "./error";
import type { WaymarkOptions } from "./wire-types";

const MAX_TRIES = 5;
const TIMEOUT_MS = 30_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** With a longer `Retry-After` the call fails at once. */
const MAX_RETRY_AFTER_SECONDS = 120;
const MAX_AT_ONCE = 8;
/** The service allows 3,000 requests a minute for a key, which is 50 a second. */
const MAX_PER_SECOND = 40;

/** Errors of calls with an earlier try that may have taken effect. */
const unsure = new WeakSet<WaymarkError>();

/** True if the precondition of a call failed of which an earlier try may have taken effect. */
export const isAfterLostAnswer = (error: WaymarkError): boolean => error.status === 412 && unsure.has(error);

/** True if the link or tag is gone. After a lost response, the earlier try of a DELETE succeeded. */
const isGone = ({ status, message }: WaymarkError): boolean =>
  status === 404 && /^(?:Link|Tag) not found\.$/.test(message);

/** Requests are safe to repeat: each POST has an `Idempotency-Key`, and the others are idempotent. */
const isWorthRetrying = (error: WaymarkError): boolean =>
  [0, 409, 429].includes(error.status) || error.status >= 500 || error instanceof UnreadableAnswer;

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  // If several addresses refuse the connection, the error has a code and no message.
  const inner = cause.message || ("code" in cause ? String(cause.code) : cause.name);
  return `${message}: ${inner}`;
}

function delayOf({ retryAfter }: WaymarkError, tries: number): number {
  if (retryAfter !== undefined) return retryAfter * SECOND_MS + Math.random() * FIRST_DELAY_MS;
  const longest = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return (longest * (1 + Math.random())) / 2;
}

/** Starts at most 40 tasks in any second, and runs at most 8 at once, in the order of the calls. */
export function createPace() {
  const waiting: (() => void)[] = [];
  /** The latest 40 starts. */
  const starts: number[] = Array(MAX_PER_SECOND).fill(Number.NEGATIVE_INFINITY);
  let left = MAX_AT_ONCE;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const missingMs = () => Math.max(pausedUntil, (starts[0] ?? 0) + SECOND_MS) - performance.now();

  return {
    /** Runs the task as soon as the limits allow it. */
    async run<T>(task: () => Promise<T>): Promise<T> {
      // A task that ends hands its place to the next in line.
      if (left === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else left--;
      try {
        for (let ms = missingMs(); ms > 0; ms = missingMs()) await sleep(ms);
        starts.shift();
        starts.push(performance.now());
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) left++;
        else next();
      }
    },
    /** Starts no task during this time. */
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
    },
  };
}

/** Sends requests within the limits of one key, with retries. Throws a `WaymarkError` unless the response is 2xx. */
export function createSend(fetchNow: typeof fetch, onWait: WaymarkOptions["onWait"]) {
  const pace = createPace();

  async function attempt({ url, method, headers }: Request, body: string | null) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      // Following a redirect could send the key to another host. Workers do not support `redirect: "error"`.
      const response = await fetchNow(url, { method, headers, body, signal, redirect: "manual" });
      return response.ok ? await readWhole(response) : await toError(response);
    } catch (cause) {
      if (cause instanceof WaymarkError) return cause;
      const message = `No response from ${new URL(url).origin}: ${reasonOf(cause)}`;
      return new WaymarkError(message, { status: 0 }, { cause });
    }
  }

  return async (request: Request): Promise<Response> => {
    // All tries of a call send the same key.
    if (request.method === "POST") request.headers.set("Idempotency-Key", crypto.randomUUID());
    const body = (await request.text()) || null;
    let isUnsure = false;
    const begun = performance.now();
    for (let tries = 1; ; tries++) {
      const result = await pace.run(() => attempt(request, body));
      if (!(result instanceof WaymarkError)) return result;
      if (isUnsure && request.method === "DELETE" && isGone(result))
        return new Response(null, { status: 204 });
      if (isUnsure) unsure.add(result);
      const isLast = tries === MAX_TRIES || (result.retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS;
      if (isLast || !isWorthRetrying(result)) throw result;
      // After a 4xx response the service did nothing.
      isUnsure ||= result.status < 400 || result.status >= 500;
      const delay = delayOf(result, tries);
      // The limit applies to the key, so all other calls wait too.
      if (result.status === 429) pace.pause(delay);
      if (performance.now() - begun + delay >= SECOND_MS) {
        onWait?.({ seconds: Math.max(1, Math.round(delay / SECOND_MS)), error: result });
      }
      await sleep(delay);
    }
  };
}
