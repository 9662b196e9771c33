import type { Context as HonoContext } from "hono";
import { type Context, parseConfig, systemRandom } from "../context";
import { createDatabase } from "../db/client";
import { readOnlyKey, ServiceError, tooManyAttempts, workspaceNotFound } from "../errors";
import type { TracedEnv } from "../http/trace";
import { logBehind } from "../log";
import { countFailure, countRequest, hasSeen, isOverLimit, rememberSecret } from "../rate-limit";
import { authenticateHash, hashOfKey, type Principal, recordKeyUse } from "../workspaces/keys";

/** What stands before a key's public id in its actor. */
const KEY_ACTOR = "key:";

/**
 * Who asks. A failed authentication is counted for its address, and 429 above the limit; from then on a key that this
 * instance has not seen is refused without D1.
 */
async function identify(c: HonoContext<TracedEnv>, ctx: Pick<Context, "db" | "now">): Promise<Principal> {
  const { env } = c;
  const request = c.req.raw;
  const hash = await hashOfKey(c.req.header("authorization"));
  const isKnown = hash !== undefined && hasSeen(env, hash);
  if (!isKnown && isOverLimit(env, "AUTH_FAILURE_RATE", request)) throw tooManyAttempts();
  try {
    const principal = await authenticateHash(ctx, hash);
    if (hash !== undefined) rememberSecret(env, hash, true);
    return principal;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 401) throw error;
    if (hash !== undefined) rememberSecret(env, hash, false);
    throw (await countFailure(env, "AUTH_FAILURE_RATE", request)) ? error : tooManyAttempts();
  }
}

/** Lets a request in, in the documented order: 401, 429, a suspended workspace, 403. */
export async function admit(
  c: HonoContext<TracedEnv>,
  writes: boolean,
): Promise<{ ctx: Context; keyId: number }> {
  const base = {
    db: createDatabase(c.env.DB, c.var.trace.d1),
    kv: c.env.KV,
    config: parseConfig(c.env, new URL(c.req.url).origin),
    now: Date.now,
    random: systemRandom,
    later: (work: Promise<unknown>) => c.executionCtx.waitUntil(logBehind(c.var.trace, c.req.method, work)),
  };
  const principal = await identify(c, base);
  c.var.trace.workspace = principal.workspace.id;
  c.var.trace.key = principal.actor;
  if (!(await countRequest(c.env, principal.actor.slice(KEY_ACTOR.length)))) throw tooManyAttempts();
  if (principal.suspended) throw workspaceNotFound();
  if (writes && principal.readOnly) throw readOnlyKey();
  if (principal.useIsDue) base.later(recordKeyUse(base, principal.keyId).catch(() => undefined));
  return { ctx: { ...base, actor: principal.actor, workspace: principal.workspace }, keyId: principal.keyId };
}
