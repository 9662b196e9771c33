import { parseConfig, type ServiceContext, systemRandom } from "../../context";
import { createDatabase } from "../../db/client";
import { runAfterResponse } from "../../http/trace";
import type { PageContext } from "./request";

export const serviceContext = (c: PageContext): ServiceContext => ({
  db: createDatabase(c.env.DB, c.var.trace.d1),
  backgroundDb: createDatabase(c.env.DB, c.var.trace.background),
  meter: c.var.trace.background,
  kv: c.env.KV,
  config: parseConfig(c.env, new URL(c.req.url).origin),
  actor: "visitor",
  now: Date.now,
  random: systemRandom,
  waitUntil: (work) => runAfterResponse(c, work),
});
