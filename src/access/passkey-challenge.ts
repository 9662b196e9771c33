import { base64Url, fromBase64Url, sha256Hex } from "../lib/hash";
import { MINUTE_MS } from "../lib/time";

// A challenge says itself until when it is good and is signed, so that nothing is stored of those that nobody answers:
// eight bytes of its end, sixteen random ones, and an HMAC of these and of what it is for.

const CHALLENGE_MS = 5 * MINUTE_MS;
const TIME_BYTES = 8;
const RANDOM_BYTES = 16;
const SIGNED_BYTES = TIME_BYTES + RANDOM_BYTES;
const HMAC = { name: "HMAC", hash: "SHA-256" };

export const SECRET_BYTES = 32;

const importKey = (secret: string) =>
  crypto.subtle.importKey("raw", fromBase64Url(secret), HMAC, false, ["sign", "verify"]);

const joined = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => [...part]));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The HMAC of a text. */
export async function signText(secret: string, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await importKey(secret), joined(utf8(text))));
}

/** A challenge that is good for five minutes, for one purpose. */
export async function makeChallenge(
  secret: string,
  purpose: string,
  { now, random }: { now: () => number; random: (bytes: number) => Uint8Array },
): Promise<string> {
  const time = new Uint8Array(TIME_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(now() + CHALLENGE_MS));
  const start = joined(time, random(RANDOM_BYTES));
  const mac = await crypto.subtle.sign("HMAC", await importKey(secret), joined(start, utf8(purpose)));
  return base64Url(joined(start, new Uint8Array(mac)));
}

export interface Challenge {
  hash: string;
  expiresAt: number;
  isExpired: boolean;
}

/** A challenge that this service made for the purpose; undefined for anything else. */
export async function readChallenge(
  secret: string,
  purpose: string,
  text: string,
  now: number,
): Promise<Challenge | undefined> {
  const bytes = fromBase64Url(text);
  if (bytes.length <= SIGNED_BYTES) return undefined;
  const [start, mac] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)];
  const key = await importKey(secret);
  if (!(await crypto.subtle.verify("HMAC", key, mac, joined(start, utf8(purpose))))) return undefined;
  const expiresAt = Number(new DataView(bytes.buffer).getBigUint64(0));
  return { hash: await sha256Hex(bytes), expiresAt, isExpired: expiresAt <= now };
}
