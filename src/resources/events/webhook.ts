import { parseRetryAfter } from "../../lib/retry-after";
import { SECOND_MS } from "../../lib/time";
import { askOutside } from "../destinations/outside";

// Messages by Standard Webhooks.

const SECRET_PREFIX = "whsec_";
const MAX_SEND_MS = 10 * SECOND_MS;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const GONE = 410;
const MAX_ANSWER_BYTES = 8 * 1024;
const MAX_KEPT_BYTES = 500;

export interface Webhook {
  url: string;
  key: CryptoKey | null;
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

export const newSecret = (random: (bytes: number) => Uint8Array): string =>
  SECRET_PREFIX + toBase64(random(MIN_SECRET_BYTES));

/** The key of a secret: `whsec_` and base64. Undefined if it is none. */
export async function importSecret(text: string): Promise<CryptoKey | undefined> {
  const base64 = text.replace(/^whsec_/, "");
  const isBase64 = BASE64.test(base64) && base64.length % 4 === 0;
  const bytes = isBase64 ? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) : new Uint8Array(0);
  if (bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES) return undefined;
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

async function headersOf({ key }: Webhook, id: string, body: string, at: number) {
  const timestamp = String(Math.floor(at / SECOND_MS));
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": "Waymark",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
  };
  if (key === null) return headers;
  const signed = await crypto.subtle.sign(
    "HMAC",
    key,
    new TextEncoder().encode(`${id}.${timestamp}.${body}`),
  );
  return { ...headers, "webhook-signature": `v1,${toBase64(new Uint8Array(signed))}` };
}

export interface Sent {
  isDelivered: boolean;
  /** Whether it is not tried again, because the receiver wants no more messages. */
  isFinal?: boolean;
  /** The status, or what went wrong. */
  outcome: string;
  /** The beginning of the answer. */
  answer?: string;
  retryAfterMs?: number | null;
}

/** The beginning of a text, without what a page cannot show. A character that does not fit whole is left out. */
function beginningOf(text: string): string {
  const bytes = new TextEncoder().encode(text.replace(/[\p{Cc}\p{Cs}]+/gu, " ").trim());
  return new TextDecoder().decode(bytes.subarray(0, MAX_KEPT_BYTES), { stream: true });
}

/**
 * Posts a message. Takes at most ten seconds, follows no redirect, never throws. With `keepsAnswer` it reads 8 KB of the answer: who
 * has answered with its status has the message, also if the rest is slow.
 */
export async function send(
  webhook: Webhook,
  id: string,
  body: string,
  at: number,
  keepsAnswer = false,
): Promise<Sent> {
  try {
    const headers = await headersOf(webhook, id, body, at);
    const { response, text } = await askOutside(webhook.url, {
      method: "POST",
      headers,
      body,
      maxMs: MAX_SEND_MS,
      maxBytes: keepsAnswer ? MAX_ANSWER_BYTES : 0,
      allowsPart: true,
    });
    return {
      isDelivered: response.ok,
      isFinal: response.status === GONE,
      outcome: `HTTP ${response.status}`,
      ...(keepsAnswer && { answer: beginningOf(text) }),
      retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), at),
    };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return { isDelivered: false, outcome: isTimeout ? "no answer within ten seconds" : "not reachable" };
  }
}
