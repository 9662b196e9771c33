import type { Context as HonoContext } from "hono";
import { type Context, type Env, parseConfig, systemRandom } from "../context";
import { createDatabase } from "../db/client";
import { readOnlyKey, ServiceError, tooManyAttempts, workspaceNotFound } from "../errors";
import type { Trace } from "../log";
import { passes } from "../rate-limit";
import { authenticate, type Principal, recordKeyUse } from "../workspaces/keys";

export interface ApiEnv {
  Bindings: Env & { TRACE: Trace };
}

/** Who asks; a failed authentication is counted for its address, and 429 above the limit. */
async function identify(c: HonoContext<ApiEnv>, ctx: Pick<Context, "db" | "now">): Promise<Principal> {
  try {
    return await authenticate(ctx, c.req.header("authorization"));
  } catch (error) {
    const failed = error instanceof ServiceError && error.status === 401;
    if (failed && !(await passes(c.env.AUTH_FAILURE_RATE, c.req.header("cf-connecting-ip")))) {
      throw tooManyAttempts();
    }
    throw error;
  }
}

/** Lets a request in, in the documented order: 401, 429, a suspended workspace, 403. */
export async function admit(
  c: HonoContext<ApiEnv>,
  writes: boolean,
): Promise<{ ctx: Context; keyId: number }> {
  const base = {
    db: createDatabase(c.env.DB, c.env.TRACE.d1),
    kv: c.env.KV,
    config: parseConfig(c.env, new URL(c.req.url).origin),
    now: Date.now,
    random: systemRandom,
    later: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
  };
  const principal = await identify(c, base);
  c.env.TRACE.workspace = principal.workspace.id;
  c.env.TRACE.key = principal.actor;
  if (!(await passes(c.env.KEY_RATE, String(principal.keyId)))) throw tooManyAttempts();
  if (principal.suspended) throw workspaceNotFound();
  if (writes && principal.readOnly) throw readOnlyKey();
  if (principal.useIsDue) base.later(recordKeyUse(base, principal.keyId).catch(() => undefined));
  return { ctx: { ...base, actor: principal.actor, workspace: principal.workspace }, keyId: principal.keyId };
}
