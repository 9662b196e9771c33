import { hex, sha256Hex } from "../lib/hash";

const TOKEN_BYTES = 32;

/** `sgn` signs in once, `ses` is a session. */
type TokenKind = "sgn" | "ses";

/**
 * The workspaces that a token is for. `all` for one that the operator has made. An owner vouches for a person in their own
 * workspace only: otherwise they could use an invitation themselves, and open the person's other workspaces.
 */
export type Scope = readonly string[] | "all";

const BODY = /^[0-9a-f]{64}(?:\.[0-9A-Z]{26}){0,20}$/;

/** The largest number of workspaces in a token, which must fit into a cookie. */
export const MAX_SCOPE = 20;

/**
 * A new secret: its kind, `_`, and 64 hexadecimal digits. The ids of its workspaces follow, each after a dot. `random`
 * returns the given number of random bytes.
 */
export const makeToken = (kind: TokenKind, random: (bytes: number) => Uint8Array, scope: Scope): string =>
  [`${kind}_${hex(random(TOKEN_BYTES))}`, ...(scope === "all" ? [] : scope)].join(".");

export const isToken = (kind: TokenKind, text: string | undefined): text is string =>
  text?.startsWith(`${kind}_`) === true && BODY.test(text.slice(4));

/** What is stored of a token: the ids of its workspaces, each followed by a dot, and the SHA-256 of the whole token. */
export async function hashToken(token: string): Promise<string> {
  const [, ...workspaces] = token.split(".");
  return [...workspaces, await sha256Hex(token)].join(".");
}

/** The workspaces of a stored token. */
export function scopeOf(hash: string): Scope {
  const workspaces = hash.split(".").slice(0, -1);
  return workspaces.length === 0 ? "all" : workspaces;
}

/** What precedes the SHA-256 in a stored token for these workspaces. */
export const scopePrefix = (scope: Scope): string =>
  scope === "all" ? "" : scope.map((id) => `${id}.`).join("");

export const isInScope = (scope: Scope, workspace: string): boolean =>
  scope === "all" || scope.includes(workspace);

/** Whether one scope covers another. */
export const covers = (scope: Scope, other: Scope): boolean =>
  scope === "all" || (other !== "all" && other.every((workspace) => scope.includes(workspace)));

/** Whether the text has the form of an invitation to a workspace. */
export const isInvitationTo = (workspace: string, text: string): boolean =>
  isToken("sgn", text) && text.endsWith(`.${workspace}`);
