import type { ServiceContext, Workspace } from "../context";
import { unauthenticated } from "../errors";
import { sha256Hex } from "../lib/hash";
import { MINUTE_MS } from "../lib/time";
import { isApiKey } from "./api-key";
import { type KeyWithWorkspace, selectKeyByHash, updateLastUse } from "./key-repository";
import { toWorkspace } from "./service";

const USE_INTERVAL_MS = 10 * MINUTE_MS;

export interface Principal {
  keyId: number;
  actor: string;
  readOnly: boolean;
  suspended: boolean;
  workspace: Workspace;
  /** Whether the last use is old enough to be written again. */
  useIsDue: boolean;
}

const BEARER = /^Bearer +(\S+)$/i;

/** The hash of the key in an `Authorization` header; undefined where it has none that can be a key. */
export async function findKeyHash(authorization: string | undefined): Promise<string | undefined> {
  const key = BEARER.exec(authorization ?? "")?.[1];
  return key === undefined || !isApiKey(key) ? undefined : sha256Hex(key);
}

/** Who an `Authorization` header speaks for; 401 alike for a missing, malformed, unknown, expired or revoked key. */
export async function authenticate(
  ctx: Pick<ServiceContext, "db" | "now">,
  authorization: string | undefined,
): Promise<Principal> {
  const hash = await findKeyHash(authorization);
  if (hash === undefined) throw unauthenticated();
  const [rows] = await ctx.db.read(...selectPrincipal(hash));
  const principal = findPrincipal(rows, ctx.now());
  if (principal === undefined) throw unauthenticated();
  return principal;
}

/** What tells whether a key is good, and what it may do: the rows for `findPrincipal`. */
export const selectPrincipal = (hash: string) => [selectKeyByHash(hash)] as const;

/** Who the key in these rows speaks for; undefined if it is unknown, expired or revoked. */
export function findPrincipal(rows: readonly KeyWithWorkspace[], now: number): Principal | undefined {
  const [found] = rows;
  if (found === undefined || found.key.revoked_at !== null) return undefined;
  if (found.key.expires_at !== null && found.key.expires_at <= now) return undefined;
  return {
    keyId: found.key.id,
    actor: `key:${found.key.public_id}`,
    readOnly: found.key.access === "read",
    suspended: found.workspace.suspended_at !== null,
    workspace: toWorkspace(found.workspace),
    useIsDue: (found.key.last_used_at ?? 0) < now - USE_INTERVAL_MS,
  };
}

/** Writes a key's last use; two isolates at once write it once. */
export const recordKeyUse = (ctx: Pick<ServiceContext, "db" | "now">, keyId: number): Promise<void> =>
  ctx.db.note(updateLastUse(keyId, ctx.now(), ctx.now() - USE_INTERVAL_MS));
