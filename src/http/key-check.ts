import type { Context as HonoContext } from "hono";
import {
  findKeyHash,
  findPrincipal,
  type Principal,
  recordKeyUse,
  selectPrincipal,
} from "../access/authenticate";
import { parseConfig } from "../config";
import { type Context, systemRandom } from "../context";
import { createDatabase, type Database, type ReadStatement, type Results, roomIn } from "../db/client";
import {
  readOnlyKey,
  type ServiceError,
  tooManyAttempts,
  unauthenticated,
  unavailable,
  workspaceNotFound,
} from "../errors";
import { hasUsedUpTime, takeShare } from "./fair-shares";
import { type KnownKey, knownKeys } from "./known-callers";
import { addressOf, countOne, isRefused } from "./rate-limits";
import { runAfterResponse, type TracedEnv } from "./trace";

const KEY_ACTOR = "key:";

type Check = (rows: Parameters<typeof findPrincipal>[0]) => Promise<Principal>;

/**
 * Asks nothing of D1: 429 for a sender that this instance remembers over a limit, 401 for a text that cannot be a key, 429 for a
 * key that asks too often. Returns the key's hash.
 */
export async function identifyKey(c: HonoContext<TracedEnv>): Promise<string> {
  const { env } = c;
  const hash = await findKeyHash(c.req.header("authorization"));
  const known = hash === undefined ? undefined : knownKeys(env.KV).get(hash);
  const isOverLimit =
    known === undefined
      ? isRefused(env, "AUTH_FAILURE_RATE", addressOf(c.req.raw))
      : hasUsedUpTime(env, payerOf(known));
  if (isOverLimit) throw tooManyAttempts();
  if (hash === undefined) throw await authenticationFailure(c);
  if (!(await countOne(env, "KEY_RATE", hash))) throw tooManyAttempts();
  return hash;
}

/**
 * The context of a request. The check of its key is sent with its first read and judged before the other results: 401, 429, 404
 * of a suspended workspace, 403. A key that this instance does not know is checked at once, since only D1 has its workspace.
 */
export async function openContext(c: HonoContext<TracedEnv>, hash: string, { writes }: { writes: boolean }) {
  const { env } = c;
  const { trace } = c.var;
  const config = parseConfig(env, new URL(c.req.url).origin);
  const backgroundDb = createDatabase(env.DB, trace.background);
  const waitUntil = (work: Promise<unknown>) => runAfterResponse(c, work);
  const known = knownKeys(env.KV).get(hash);

  const { db, checkKey } = checkWithFirstRead(
    createDatabase(env.DB, trace.d1, undefined, roomIn(config)),
    hash,
    async (rows) => {
      const principal = findPrincipal(rows, Date.now());
      if (principal === undefined) {
        knownKeys(env.KV).delete(hash);
        throw await authenticationFailure(c);
      }
      const key = keyOf(principal);
      knownKeys(env.KV).set(hash, key);
      trace.workspace = principal.workspace.id;
      trace.key = principal.actor;
      trace.payer = payerOf(key);
      // A restored database may use other row ids than the batch assumes.
      if (known !== undefined && !isSameKey(known, key)) throw unavailable();
      if (hasUsedUpTime(env, trace.payer)) throw tooManyAttempts();
      if (principal.suspended) throw workspaceNotFound();
      if (writes && principal.readOnly) throw readOnlyKey();
      if (principal.useIsDue)
        waitUntil(recordKeyUse({ db: backgroundDb, now: Date.now }, key.keyId).catch(() => undefined));
      return principal;
    },
  );
  const { keyId, publicId, workspaceId } = known ?? keyOf(await checkKey());
  const payer = { caller: KEY_ACTOR + publicId, workspaceId };
  const ctx: Context = {
    db,
    backgroundDb,
    meter: trace.background,
    kv: env.KV,
    config,
    actor: payer.caller,
    workspace: { rowId: workspaceId },
    now: Date.now,
    random: systemRandom,
    waitUntil,
    hold: (bytes) => takeShare(c, "long", payer, bytes),
  };
  return { ctx, keyId, payer, checkKey };
}

/** Nothing is read or written before the key is checked. `checkKey` checks it now if no read has done so. */
function checkWithFirstRead(
  db: Database,
  hash: string,
  judge: Check,
): { db: Database; checkKey: () => Promise<Principal> } {
  let checked: Promise<Principal> | undefined;

  async function read<R extends readonly ReadStatement[]>(...reads: R): Promise<Results<R>> {
    if (checked !== undefined) {
      await checked;
      return db.read(...reads);
    }
    const batch = db.read(selectPrincipal(hash), ...reads);
    checked = batch.then(([rows]) => judge(rows));
    // The verb may ask again, so a call that failed in D1 has checked nothing.
    batch.catch(() => {
      checked = undefined;
    });
    await checked;
    const [, ...results] = await batch;
    return results as Results<R>;
  }

  function checkKey(): Promise<Principal> {
    return checked ?? read().then(() => checked as Promise<Principal>);
  }

  return {
    checkKey,
    db: {
      ...db,
      read,
      async write(change, writes, ...reads) {
        await checkKey();
        return db.write(change, writes, ...reads);
      },
      async writeGuarded(writes, ...reads) {
        await checkKey();
        return db.writeGuarded(writes, ...reads);
      },
      async writeOnce(...writes) {
        await checkKey();
        return db.writeOnce(...writes);
      },
    },
  };
}

async function authenticationFailure(c: HonoContext<TracedEnv>): Promise<ServiceError> {
  const isWithinLimit = await countOne(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw));
  return isWithinLimit ? unauthenticated() : tooManyAttempts();
}

const keyOf = ({ keyId, actor, workspace }: Principal): KnownKey => ({
  keyId,
  publicId: actor.slice(KEY_ACTOR.length),
  workspaceId: workspace.rowId,
});

const payerOf = ({ publicId, workspaceId }: KnownKey) => ({ caller: KEY_ACTOR + publicId, workspaceId });

const isSameKey = (one: KnownKey, other: KnownKey): boolean =>
  one.keyId === other.keyId && one.publicId === other.publicId && one.workspaceId === other.workspaceId;
