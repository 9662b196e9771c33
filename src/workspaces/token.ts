import { hex } from "../lib/hash";

const TOKEN_BYTES = 32;

/** What a token is for: to sign in once, or to stay signed in. */
export type TokenKind = "sgn" | "ses";

/** A new secret of 256 random bits: its kind, `_`, and 64 hexadecimal digits. `random` gives that many random bytes. */
export const makeToken = (kind: TokenKind, random: (bytes: number) => Uint8Array): string =>
  `${kind}_${hex(random(TOKEN_BYTES))}`;

/** Whether a text can be such a secret at all. */
export const isToken = (kind: TokenKind, text: string | undefined): text is string =>
  text?.startsWith(`${kind}_`) === true && /^[0-9a-f]{64}$/.test(text.slice(4));
