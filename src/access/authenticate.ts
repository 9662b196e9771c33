import type { ServiceContext } from "../context";
import { sha256Hex } from "../lib/hash";
import { MINUTE_MS } from "../lib/time";
import { isApiKey } from "./api-key";
import { type KeyWithWorkspace, selectKeyByHash, updateLastUse } from "./key-repository";
import { toWorkspace } from "./workspace";

const USE_INTERVAL_MS = 10 * MINUTE_MS;

const BEARER = /^Bearer +(\S+)\s*$/i;

/** The hash of the key in an `Authorization` header; undefined if the header has no well-formed key. */
export async function findKeyHash(authorization: string | undefined): Promise<string | undefined> {
  const key = BEARER.exec(authorization ?? "")?.[1];
  return key === undefined || !isApiKey(key) ? undefined : sha256Hex(key);
}

/** The query whose rows `findPrincipal` takes. */
export const selectPrincipal = selectKeyByHash;

/** The principal of the key in these rows; undefined if the key is unknown, expired or revoked. */
export function findPrincipal(rows: readonly KeyWithWorkspace[], now: number) {
  const [found] = rows;
  if (found === undefined || found.key.revoked_at !== null) return undefined;
  if (found.key.expires_at !== null && found.key.expires_at <= now) return undefined;
  return {
    keyId: found.key.id,
    actor: `key:${found.key.public_id}`,
    readOnly: found.key.access !== "full",
    suspended: found.workspace.suspended_at !== null,
    workspace: toWorkspace(found.workspace),
    /** Whether `last_used_at` is old enough to be updated. */
    useIsDue: (found.key.last_used_at ?? 0) < now - USE_INTERVAL_MS,
  };
}

export type Principal = NonNullable<ReturnType<typeof findPrincipal>>;

/** Updates a key's last use. If two instances update it at once, only one writes. */
export const recordKeyUse = (ctx: Pick<ServiceContext, "db" | "now">, keyId: number): Promise<unknown> =>
  ctx.db.writeGuarded([updateLastUse(keyId, ctx.now(), ctx.now() - USE_INTERVAL_MS)]);
