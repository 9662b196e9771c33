import { parseConfig } from "../../config";
import { type ServiceContext, systemRandom } from "../../context";
import { createDatabase, roomIn } from "../../db/client";
import { runAfterResponse } from "../../http/trace";
import type { PageContext } from "./page-request";

export function serviceContext(c: PageContext): ServiceContext {
  const config = parseConfig(c.env, new URL(c.req.url).origin);
  return {
    db: createDatabase(c.env.DB, c.var.trace.d1, undefined, roomIn(config)),
    backgroundDb: createDatabase(c.env.DB, c.var.trace.background),
    meter: c.var.trace.background,
    kv: c.env.KV,
    config,
    actor: "visitor",
    now: Date.now,
    random: systemRandom,
    waitUntil: (work) => runAfterResponse(c, work),
  };
}
