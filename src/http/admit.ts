import type { Context as HonoContext } from "hono";
import {
  findKeyHash,
  findPrincipal,
  type Principal,
  recordKeyUse,
  selectPrincipal,
} from "../access/authenticate";
import { parseConfig } from "../config";
import { type Context, systemRandom, type Workspace } from "../context";
import { createDatabase } from "../db/client";
import {
  readOnlyKey,
  type ServiceError,
  tooManyAttempts,
  unauthenticated,
  unavailable,
  workspaceNotFound,
} from "../errors";
import { deferAuthorization } from "./deferred-authorization";
import { hasUsedUpTime, takeShare } from "./fair-shares";
import { type KnownKey, knownKeys } from "./known-callers";
import { addressOf, countOne, isRefused } from "./rate-limits";
import { runAfterResponse, type TracedEnv } from "./trace";

const KEY_ACTOR = "key:";

/**
 * Prepares a request. If this instance knows the key, the first D1 call checks it, or `assertAuthorized` before that. Otherwise
 * it is checked at once. A key over a limit is refused before. Only a request that can be dear needs a share.
 */
export async function admit(
  c: HonoContext<TracedEnv>,
  { writes, canBeDear }: { writes: boolean; canBeDear: boolean },
) {
  const { env } = c;
  const { trace } = c.var;
  const hash = await findKeyHash(c.req.header("authorization"));
  const known = hash === undefined ? undefined : knownKeys(env.KV).get(hash);
  if (known !== undefined && hasUsedUpTime(env, payerOf(known))) throw tooManyAttempts();
  if (known === undefined && isRefused(env, "AUTH_FAILURE_RATE", addressOf(c.req.raw)))
    throw tooManyAttempts();
  if (hash === undefined) throw await authenticationFailure(c);
  if (!(await countOne(env, "KEY_RATE", hash))) throw tooManyAttempts();

  const config = parseConfig(env, new URL(c.req.url).origin);
  const backgroundDb = createDatabase(env.DB, trace.background);
  const waitUntil = (work: Promise<unknown>) => runAfterResponse(c, work);
  let key = known;
  let principal: Principal | undefined;

  const { db, assertAuthorized } = deferAuthorization(
    createDatabase(env.DB, trace.d1, undefined, { maxBytes: config.maxDatabaseBytes }),
    {
      statement: selectPrincipal(hash),
      authorize: async (rows) => {
        const found = findPrincipal(rows, Date.now());
        if (found === undefined) {
          knownKeys(env.KV).delete(hash);
          throw await authenticationFailure(c);
        }
        const { keyId, actor, workspace, suspended, readOnly, useIsDue } = found;
        principal = found;
        key = { keyId, publicId: actor.slice(KEY_ACTOR.length), workspaceId: workspace.rowId };
        knownKeys(env.KV).set(hash, key);
        trace.workspace = workspace.id;
        trace.key = actor;
        trace.payer = payerOf(key);
        // A restored database may use other row ids than the batch assumes.
        if (known !== undefined && !isSameKey(known, key)) throw unavailable();
        if (hasUsedUpTime(env, trace.payer)) throw tooManyAttempts();
        if (suspended) throw workspaceNotFound();
        if (writes && readOnly) throw readOnlyKey();
        if (useIsDue) {
          waitUntil(recordKeyUse({ db: backgroundDb, now: Date.now }, keyId).catch(() => undefined));
        }
      },
    },
  );
  if (known === undefined) await assertAuthorized();
  if (key === undefined) throw unauthenticated();
  const payer = payerOf(key);
  if (canBeDear) await takeShare(c, "read", payer);
  const ctx: Context = {
    db,
    backgroundDb,
    meter: trace.background,
    kv: env.KV,
    config,
    actor: KEY_ACTOR + key.publicId,
    workspace: workspaceOfKey(key.workspaceId, () => principal),
    now: Date.now,
    random: systemRandom,
    waitUntil,
    hold: (bytes) => takeShare(c, "long", payer, bytes),
  };
  return { ctx, keyId: key.keyId, assertAuthorized };
}

/** The error for a missing or invalid key: 401, or 429 above the limit of the address. */
async function authenticationFailure(c: HonoContext<TracedEnv>): Promise<ServiceError> {
  const isWithinLimit = await countOne(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw));
  return isWithinLimit ? unauthenticated() : tooManyAttempts();
}

const payerOf = ({ publicId, workspaceId }: KnownKey) => ({ caller: KEY_ACTOR + publicId, workspaceId });

const isSameKey = (one: KnownKey, other: KnownKey): boolean =>
  one.keyId === other.keyId && one.publicId === other.publicId && one.workspaceId === other.workspaceId;

/** The workspace by its row id. Its other properties can change, so they are available only after the check. */
const workspaceOfKey = (rowId: number, principal: () => Principal | undefined): Workspace =>
  new Proxy({ rowId } as Workspace, {
    get(_, name) {
      if (name === "rowId") return rowId;
      const found = principal();
      if (found === undefined) throw new Error("The workspace was read before its key was checked");
      return Reflect.get(found.workspace, name);
    },
  });
