import type { Config } from "../../context";
import { parseRetryAfter } from "../../lib/retry-after";
import { SECOND_MS } from "../../lib/time";
import { askOutside, isLoopback } from "../../outside";

const MAX_SEND_MS = 10 * SECOND_MS;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const GONE = 410;

export interface Webhook {
  url: URL;
  key: CryptoKey | null;
}

/** The URL in a variable. Throws what is wrong with it, without its value. */
export function parseSecretUrl(variable: "ALERT_WEBHOOK" | "HEARTBEAT_URL", text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && isLoopback(url.hostname);
  if (url === undefined || (url.protocol !== "https:" && !isLocal)) {
    throw new Error(`${variable} is not a URL that begins with https://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error(`${variable} contains a user name or a password, which cannot be sent.`);
  }
  return url;
}

function parseSecret(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replace(/^whsec_/, "");
  const isBase64 = BASE64.test(base64) && base64.length % 4 === 0;
  const bytes = isBase64 ? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) : new Uint8Array(0);
  if (bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES) {
    throw new Error(
      `ALERT_SECRET is not "whsec_" and the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes.`,
    );
  }
  return bytes;
}

/** Parses the variables. Throws what is wrong with one, without its value. */
export async function openWebhook(address: string, secret: Config["alertSecret"]): Promise<Webhook> {
  const url = parseSecretUrl("ALERT_WEBHOOK", address);
  if (secret === null) return { url, key: null };
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return { url, key: await crypto.subtle.importKey("raw", parseSecret(secret), algorithm, false, ["sign"]) };
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
  return { ...headers, "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}` };
}

export interface Sent {
  isDelivered: boolean;
  /** Whether it is not tried again, because the receiver wants no more messages. */
  isFinal?: boolean;
  /** The status, or what went wrong. */
  outcome: string;
  retryAfterMs?: number | null;
}

/** Posts a message. Takes at most ten seconds, does not read the answer's body, never throws. */
export async function send(webhook: Webhook, id: string, body: string, at: number): Promise<Sent> {
  try {
    const headers = await headersOf(webhook, id, body, at);
    const { response } = await askOutside(webhook.url.href, {
      method: "POST",
      headers,
      body,
      maxMs: MAX_SEND_MS,
    });
    return {
      isDelivered: response.ok,
      isFinal: response.status === GONE,
      outcome: `HTTP ${response.status}`,
      retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), at),
    };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return { isDelivered: false, outcome: isTimeout ? "no answer within ten seconds" : "not reachable" };
  }
}
