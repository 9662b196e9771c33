import { OpenAPIHono } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { parseConfig } from "../config";
import { notFound, methodNotAllowed as refusedMethod, ServiceError, sentUnencrypted } from "../errors";
import { encryptedUrl } from "../http/host";
import { refusal, toResponse } from "../http/problem";
import { prefersStrict } from "../http/request-body";
import { serverTiming } from "../http/request-log";
import { innerTrace, type TracedEnv } from "../http/trace";
import { openApiText } from "./document";
import { registerActivityGroups } from "./group-operations";
import { registerLinks } from "./link-operations";
import { registerQr } from "./qr-operations";
import { registerTags } from "./tag-operations";

const RATE_LIMIT_POLICY = '"key";q=3000;w=60';

/** Everything under `/api/`: 13 operations and the OpenAPI document. */
export const api = new OpenAPIHono<TracedEnv>();

api.use(innerTrace);
api.use(async function commonHeaders(c, next) {
  await next();
  if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  // Errors carry no timing, so a foreign resource cannot be told from a missing one.
  if (c.res.ok) c.res.headers.set("Server-Timing", serverTiming(c.var.trace));
  c.res.headers.set("RateLimit-Policy", RATE_LIMIT_POLICY);
  if (prefersStrict(c.req.header("prefer"))) c.res.headers.set("Preference-Applied", "handling=strict");
});
api.use(methodNotAllowed({ app: api, onMethodNotAllowed: (_, allowed) => refusal(refusedMethod(allowed)) }));
api.use(function assertEncrypted(c, next) {
  const isSent = c.req.header("authorization") !== undefined;
  // Paths and methods that are not there have no route.
  if (isSent && c.var.trace.route !== null && encryptedUrl(c.req.url, c.env) !== undefined)
    throw sentUnencrypted();
  return next();
});
api.notFound(() => refusal(notFound()));
api.onError((error, c) => {
  if (error instanceof ServiceError) c.var.trace.refusal = error.code;
  return toResponse(error, c.var.trace.requestId, prefersStrict(c.req.header("prefer")));
});

registerActivityGroups(api);
registerLinks(api);
registerQr(api);
registerTags(api);

api.get("/api/v1/openapi.json", (c) => {
  const text = openApiText(api, parseConfig(c.env, new URL(c.req.url).origin));
  return c.body(text, 200, { "Content-Type": "application/json" });
});
