import { type Context, type Handler, Hono, type Next } from "hono";
import { createMiddleware } from "hono/factory";
import { TrieRouter } from "hono/router/trie-router";
import { parseConfig } from "./config";
import { methodNotAllowed } from "./errors";
import { hasHealthToken } from "./http/health-token";
import { domainAt, encryptedUrl, pathOf, serviceAt } from "./http/host";
import { toResponse } from "./http/problem";
import { icon, llms, mark, robots, securityText } from "./http/site/site-files";
import { staticFile } from "./http/site/static-files";
import { innerTrace, requestLog, type TracedEnv } from "./http/trace";
import { unavailable } from "./redirect/answer";
import {
  answerSlug,
  answerUnknown,
  findSettings,
  handleRoot,
  slugOfPath,
  unknownLink,
} from "./redirect/handle";
import { rawQuery } from "./redirect/visit-state";

type AppContext = Context<TracedEnv>;

/** Hides the route on every host but the main one. */
const mainHost = createMiddleware<TracedEnv>(async function mainHost(c, next) {
  return serviceAt(c.req.url, c.env) === "main" ? next() : unknownPath(c);
});

/** Sends a request that came over http to the https address. No cache keeps it, since a URL can hold a token. */
const encrypted = createMiddleware<TracedEnv>(async function encrypted(c, next) {
  const url = encryptedUrl(c.req.url, c.env);
  if (url === undefined) return next();
  return new Response(null, { status: 301, headers: { Location: url, "Cache-Control": "no-store" } });
});

/** Hides the route on a former host, and on a host that is no domain of a workspace. */
const ownFiles = createMiddleware<TracedEnv>(async function ownFiles(c, next) {
  const service = serviceAt(c.req.url, c.env);
  if (service !== undefined) return service === "former" ? answerUnknown(slugRequestOf(c)) : next();
  const found = await findSettings(slugRequestOf(c), domainAt(c.req.url, c.env)).catch((error) =>
    unavailable(c.req.raw, error),
  );
  if (found instanceof Response) return found;
  return found.entry === undefined ? answerUnknown(slugRequestOf(c)) : next();
});

const readOnly = createMiddleware<TracedEnv>(async function readOnly(c, next) {
  assertReads(c);
  return next();
});

/** The route table of everything but slugs. Dynamic imports in handlers load on first use. */
export const app = new Hono<TracedEnv>({
  getPath: (request) => pathOf(request.url),
  // The only router of Hono that distinguishes `/foo/` from `/foo`.
  router: new TrieRouter(),
});

app.use(innerTrace);

app.all("/", ownFiles, readOnly, (c) => handleRoot(slugRequestOf(c)));
app.all("/robots.txt", ownFiles, readOnly, robots);
app.all("/favicon.ico", ownFiles, readOnly, icon);
app.all("/.well-known/security.txt", ownFiles, file(securityContact));
app.all("/.well-known/waymark", ownFiles, readOnly, (c) => mark(configOf(c)));
app.all("/.well-known/apple-app-site-association", ownFiles, readOnly, (c) => appFile(c, "apple"));
app.all("/.well-known/assetlinks.json", ownFiles, readOnly, (c) => appFile(c, "android"));
app.all("/.well-known/waymark-logo/:id", ownFiles, readOnly, logo);
app.all("/llms.txt", mainHost, readOnly, (c) => llms(configOf(c)));
app.all("/health", mainHost, readOnly, health);
app.all("/docs/*", mainHost, encrypted, file(asset));
app.get("/app/console.css", mainHost, encrypted, consoleFile);
app.get("/app/console.js", mainHost, encrypted, consoleFile);
app.get("/app/app.webmanifest", mainHost, encrypted, consoleFile);
app.all("/app/*", mainHost, encrypted, requestLog, webApplication);
app.all("/reports/:token", mainHost, encrypted, readOnly, requestLog, webApplication);
app.on(
  ["GET", "POST"],
  ["/reports/start/:token", "/reports/stop/:token"],
  mainHost,
  encrypted,
  requestLog,
  webApplication,
);
// `/api/*` would also match `/api`, which is not part of the API.
app.all("/api/:path{.*}", mainHost, requestLog, publicInterface);

app.notFound(unknownPath);
app.onError((error, c) => toResponse(error, c.var.trace.requestId));

/** A path without a route may be a slug once it is cleaned. */
async function unknownPath(c: AppContext): Promise<Response> {
  const { url } = c.req.raw;
  const { cleanAddress } = await import("./lib/typed-address");
  const { path, query } = cleanAddress(pathOf(url), rawQuery(url));
  const slug = slugOfPath(path);
  if (slug === undefined) return unknownLink(c.req.raw);
  return answerSlug({ ...slugRequestOf(c), query }, path, slug);
}

const configOf = (c: AppContext) => parseConfig(c.env, new URL(c.req.url).origin);

function assertReads(c: AppContext): void {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
}

type FindFile = (c: AppContext) => Response | undefined | Promise<Response | undefined>;

/** Serves a file that may be missing. A missing file is 404 for all methods; else GET and HEAD only (405). */
function file(find: FindFile): Handler<TracedEnv> {
  return async (c) => {
    const found = await find(c);
    if (found === undefined) return c.notFound();
    assertReads(c);
    return found;
  };
}

function securityContact(c: AppContext): Response | undefined {
  return securityText(configOf(c), Date.now());
}

function asset(c: AppContext): Promise<Response | undefined> {
  return staticFile(c.req.raw, c.req.path, c.env);
}

async function consoleFile(c: AppContext, next: Next): Promise<Response | undefined> {
  const found = await asset(c);
  if (found === undefined) await next();
  return found;
}

async function appFile(c: AppContext, kind: "apple" | "android"): Promise<Response> {
  const { answerAppFile } = await import("./redirect/app-file");
  return answerAppFile(slugRequestOf(c), kind);
}

async function logo(c: AppContext): Promise<Response> {
  const { answerLogo } = await import("./redirect/logo");
  return answerLogo(slugRequestOf(c), c.req.param("id") ?? "");
}

async function health(c: AppContext): Promise<Response> {
  const isOperator = await hasHealthToken(c);
  const { handleHealth } = await import("./operations/health-endpoint");
  return handleHealth(c.env, isOperator, (work) => c.executionCtx.waitUntil(work));
}

async function webApplication(c: AppContext): Promise<Response> {
  const { consoleApp } = await import("./console/app");
  return consoleApp.fetch(c.req.raw, c.env, c.executionCtx);
}

async function publicInterface(c: AppContext): Promise<Response> {
  const { api } = await import("./api/api-app");
  return api.fetch(c.req.raw, c.env, c.executionCtx);
}

const slugRequestOf = (c: AppContext) => ({
  request: c.req.raw,
  env: c.env,
  execution: c.executionCtx,
  trace: c.var.trace,
});
