import { hex } from "../lib/hash";

const TOKEN_BYTES = 32;

/** `sgn` signs in once, `ses` is a session. */
type TokenKind = "sgn" | "ses";

const BODY = /^[0-9a-f]{64}$/;

/** A new secret: its kind, `_`, and 64 hexadecimal digits. `random` returns the given number of random bytes. */
export const makeToken = (kind: TokenKind, random: (bytes: number) => Uint8Array): string =>
  `${kind}_${hex(random(TOKEN_BYTES))}`;

export const isToken = (kind: TokenKind, text: string | undefined): text is string =>
  text?.startsWith(`${kind}_`) === true && BODY.test(text.slice(4));

export const signInUrl = (baseUrl: string, token: string): string => `${baseUrl}/app/sign-in?token=${token}`;
