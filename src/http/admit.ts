import type { Context as HonoContext } from "hono";
import { type Context, parseConfig, systemRandom, type Workspace } from "../context";
import { withCheck } from "../db/checked";
import { createDatabase, type Database } from "../db/client";
import {
  readOnlyKey,
  type ServiceError,
  tooManyAttempts,
  unauthenticated,
  unavailable,
  workspaceNotFound,
} from "../errors";
import { checkOfKey, findPrincipal, hashOfKey, type Principal, recordKeyUse } from "../workspaces/keys";
import { forgetKey, type KnownKey, knownKey, rememberKey } from "./known-callers";
import { countFailure, countRequest, isOverLimit } from "./rate-limit";
import { logBackground } from "./request-log";
import type { TracedEnv } from "./trace";

/** What stands before a key's public id in its actor. */
const KEY_ACTOR = "key:";

export interface Admission {
  /** The first call of its database also checks the key. */
  ctx: Context;
  keyId: number;
  /** The same database without the check. */
  db: Database;
  /** Checks the key if no call has done so yet: 401, 429, 404 for a suspended workspace, then 403. */
  assertAdmitted: () => Promise<void>;
}

/**
 * Prepares a request. Its first call of D1 also checks the key, if this instance knows the key's row ids. Otherwise the
 * key is checked at once.
 */
export async function admit(c: HonoContext<TracedEnv>, writes: boolean): Promise<Admission> {
  const { env } = c;
  const { trace } = c.var;
  const hash = await hashOfKey(c.req.header("authorization"));
  const known = hash === undefined ? undefined : knownKey(env.KV, hash);
  if (known === undefined && isOverLimit(env, "AUTH_FAILURE_RATE", c.req.raw)) throw tooManyAttempts();
  if (hash === undefined) throw await authenticationFailure(c);

  const counted = known === undefined ? undefined : countRequest(env, known.publicId);
  const backgroundDb = createDatabase(env.DB, trace.background);
  const waitUntil = (work: Promise<unknown>) =>
    c.executionCtx.waitUntil(logBackground(trace, c.req.method, work));
  let key = known;
  let principal: Principal | undefined;

  const db = createDatabase(env.DB, trace.d1);
  const { db: checked, assertChecked } = withCheck(db, {
    statements: checkOfKey(hash),
    judge: async ([rows]) => {
      principal = await identify(c, hash, findPrincipal(rows, Date.now()));
      const { keyId, actor, workspace } = principal;
      key = { keyId, publicId: actor.slice(KEY_ACTOR.length), workspaceId: workspace.rowId };
      rememberKey(env.KV, hash, key);
      trace.workspace = workspace.id;
      trace.key = actor;
      // A restored database may have given the key other row ids than those that the batch was written with.
      if (known !== undefined && !isSameKey(known, key)) throw unavailable();
      if (!(await (counted ?? countRequest(env, key.publicId)))) throw tooManyAttempts();
      if (principal.suspended) throw workspaceNotFound();
      if (writes && principal.readOnly) throw readOnlyKey();
      if (principal.useIsDue) {
        waitUntil(recordKeyUse({ db: backgroundDb, now: Date.now }, keyId).catch(() => undefined));
      }
    },
  });
  if (known === undefined) await assertChecked();
  if (key === undefined) throw unauthenticated();
  const ctx: Context = {
    db: checked,
    backgroundDb,
    kv: env.KV,
    config: parseConfig(env, new URL(c.req.url).origin),
    actor: KEY_ACTOR + key.publicId,
    workspace: workspaceOfKey(key.workspaceId, () => principal),
    now: Date.now,
    random: systemRandom,
    waitUntil,
  };
  return { ctx, keyId: key.keyId, db, assertAdmitted: assertChecked };
}

/** The refusal of a request without a good key: 401, or 429 above the limit of its address. */
async function authenticationFailure(c: HonoContext<TracedEnv>): Promise<ServiceError> {
  const isWithinLimit = await countFailure(c.env, "AUTH_FAILURE_RATE", c.req.raw);
  return isWithinLimit ? unauthenticated() : tooManyAttempts();
}

async function identify(
  c: HonoContext<TracedEnv>,
  hash: string,
  found: Principal | undefined,
): Promise<Principal> {
  if (found !== undefined) return found;
  forgetKey(c.env.KV, hash);
  throw await authenticationFailure(c);
}

const isSameKey = (one: KnownKey, other: KnownKey): boolean =>
  one.keyId === other.keyId && one.publicId === other.publicId && one.workspaceId === other.workspaceId;

/** The workspace by its row id. What else there is of it can change, and is there when the key has been checked. */
function workspaceOfKey(rowId: number, principal: () => Principal | undefined): Workspace {
  function checked(): Workspace {
    const found = principal();
    if (found === undefined) throw new Error("The workspace was read before its key was checked");
    return found.workspace;
  }
  return {
    rowId,
    get id() {
      return checked().id;
    },
    get name() {
      return checked().name;
    },
    get slug() {
      return checked().slug;
    },
  };
}
