import { crc32 } from "../lib/hash";
import { randomText } from "../lib/slug-text";

const PREFIX = "lnk_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const API_KEY = /^lnk_[0-9A-Za-z]{38}$/;

function checksum(secret: string): string {
  let rest = crc32(new TextEncoder().encode(PREFIX + secret));
  let text = "";
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/**
 * A new API key: `lnk_`, 32 random base-62 characters and a checksum of 6. `random` returns the given number of random
 * bytes.
 */
export function makeApiKey(random: (bytes: number) => Uint8Array): string {
  const secret = randomText(ALPHABET, SECRET_LENGTH, random);
  return PREFIX + secret + checksum(secret);
}

/** Whether a text has the form and checksum of an API key. A typo fails here, without a query. */
export function isApiKey(text: string): boolean {
  if (!API_KEY.test(text)) return false;
  const secret = text.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH);
  return checksum(secret) === text.slice(PREFIX.length + SECRET_LENGTH);
}
