import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { notFound, ServiceError, serverError, unavailable } from "../errors";
import { innerTrace } from "../http/trace";
import { logFailure, logMissingVariable } from "../log";
import { registerAudit } from "./audit/list";
import { registerRevert } from "./audit/revert";
import { inWorkspace, signedIn } from "./auth/session";
import { registerSignIn } from "./auth/sign-in";
import { registerNewAsset } from "./engagement/create";
import { registerAsset } from "./engagement/detail";
import { registerAssets } from "./engagement/list";
import { registerFormRedirects } from "./form-redirects";
import { registerGroupClicks } from "./groups/clicks-csv";
import { registerGroup } from "./groups/detail";
import { registerGroupForm } from "./groups/form";
import { registerGroups } from "./groups/list";
import { registerGroupPrint } from "./groups/print";
import { paths } from "./href";
import { registerOneImport } from "./imports/detail";
import { registerExport } from "./imports/export";
import { registerImport } from "./imports/upload";
import { registerKeys } from "./keys/list";
import { registerKey } from "./keys/rotate";
import { registerLink } from "./links/detail";
import { registerLinkForm } from "./links/form";
import { registerLinks } from "./links/list";
import { registerQr } from "./links/qr-file";
import { registerHome } from "./overview/workspaces";
import { postedIn, SendAgain } from "./resend-form";
import { showPage } from "./shell/layout";
import { type ConsoleEnv, type PageContext, serviceContext } from "./shell/request";
import { registerTag } from "./tags/detail";
import { registerTags } from "./tags/list";
import { registerMembers } from "./workspace/members";
import { registerSettings } from "./workspace/settings";

/** Everything under /app: pages, made here, that need no script. */
export const consoleApp = new Hono<ConsoleEnv>();

consoleApp.use(innerTrace);
consoleApp.use(async function pageHeaders(c, next) {
  const nonce = btoa(crypto.randomUUID());
  c.set("nonce", nonce);
  await next();
  const { access } = serviceContext(c).config;
  const { headers } = c.res;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; form-action 'self'${access === null ? "" : ` ${access.issuer}`}; frame-ancestors 'none'; base-uri 'none'`;
  // A file has a stricter one of its own.
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", policy);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "same-origin");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
});
consoleApp.use(async function accessConfigured(c, next) {
  const { missingAccessVariable } = serviceContext(c).config;
  if (missingAccessVariable === null) return next();
  logMissingVariable(c.var.trace.requestId, missingAccessVariable);
  // No form is read before it is known that it comes from a page of this service.
  c.set("posted", []);
  throw unavailable();
});
consoleApp.use(csrf());

registerSignIn(consoleApp);
consoleApp.use(signedIn);
consoleApp.use(`${paths.workspace}/*`, inWorkspace);
registerHome(consoleApp);
registerFormRedirects(consoleApp);
registerLinks(consoleApp);
registerLinkForm(consoleApp);
registerQr(consoleApp);
registerLink(consoleApp);
registerGroups(consoleApp);
registerGroupForm(consoleApp);
registerGroup(consoleApp);
registerGroupPrint(consoleApp);
registerGroupClicks(consoleApp);
registerExport(consoleApp);
registerImport(consoleApp);
registerOneImport(consoleApp);
registerTags(consoleApp);
registerTag(consoleApp);
registerAssets(consoleApp);
registerNewAsset(consoleApp);
registerAsset(consoleApp);
registerKeys(consoleApp);
registerKey(consoleApp);
registerSettings(consoleApp);
registerMembers(consoleApp);
registerAudit(consoleApp);
registerRevert(consoleApp);

const TITLES: Readonly<Record<number, string>> = {
  401: "Signed out",
  403: "Not allowed",
  404: "Not found",
  413: "Too large",
  422: "That does not work",
  429: "Too many attempts",
  503: "Please try again",
};

async function refusal(c: PageContext, error: ServiceError): Promise<Response> {
  c.var.trace.refusal = error.code;
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  const posted = await postedIn(c, error.status);
  const { pathname, search } = new URL(c.req.url);
  return showPage(
    c,
    { title: TITLES[error.status] ?? "Something went wrong", status: error.status as ContentfulStatusCode },
    <div class="narrow">
      <p>{error.body.message}</p>
      {posted && <SendAgain to={pathname + search} posted={posted} signedOut={error.status === 401} />}
    </div>,
  );
}

consoleApp.notFound((c) => refusal(c, notFound()));
consoleApp.onError((error, c) => {
  if (error instanceof ServiceError) return refusal(c, error);
  if (error instanceof HTTPException) {
    const message = "The request did not come from a page of this service.";
    return refusal(c, new ServiceError(403, { message }, {}, "form_origin"));
  }
  logFailure(c.var.trace.requestId, error);
  return refusal(c, serverError());
});
