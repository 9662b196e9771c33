import { OpenAPIHono } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { routePath } from "hono/route";
import { registerActivityGroups } from "../activity-groups/routes";
import { parseConfig } from "../context";
import { notFound, methodNotAllowed as refusedMethod } from "../errors";
import { registerLinks } from "../links/routes";
import { serverTiming } from "../log";
import { registerQr } from "../qr/routes";
import { registerTags } from "../tags/routes";
import type { ApiEnv } from "./auth";
import { openApiDocument } from "./document";
import { refusal, toResponse } from "./problem";

const RATE_LIMIT_POLICY = '"key";q=3000;w=60';

/** Everything under /api/: the 13 operations and the document that describes them. */
export const api = new OpenAPIHono<ApiEnv>();

api.use(async function commonHeaders(c, next) {
  await next();
  c.env.TRACE.route = routePath(c, -1);
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  c.res.headers.set("Server-Timing", serverTiming(c.env.TRACE));
  c.res.headers.set("RateLimit-Policy", RATE_LIMIT_POLICY);
});
api.use(methodNotAllowed({ app: api, onMethodNotAllowed: (_, allowed) => refusal(refusedMethod(allowed)) }));
api.notFound(() => refusal(notFound()));
api.onError((error, c) => toResponse(error, c.env.TRACE.requestId));

registerActivityGroups(api);
registerLinks(api);
registerQr(api);
registerTags(api);

api.get("/api/v1/openapi.json", (c) =>
  c.json(openApiDocument(api, parseConfig(c.env, new URL(c.req.url).origin))),
);
