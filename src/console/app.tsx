import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { notFound, ServiceError, serverError, unavailable } from "../errors";
import { innerTrace } from "../http/trace";
import { logFailure, logMissingVariable } from "../log";
import { registerAudit } from "./audit/list";
import { registerRevert } from "./audit/revert";
import { inWorkspace, signedIn } from "./auth/permissions";
import { registerSignIn } from "./auth/sign-in";
import { registerNewAsset } from "./engagement/create";
import { registerAsset } from "./engagement/detail";
import { registerAssets } from "./engagement/list";
import { showError } from "./error-page";
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
import { registerWorkspaces } from "./overview/workspaces";
import type { ConsoleEnv } from "./shell/request";
import { serviceContext } from "./shell/service-context";
import { registerTag } from "./tags/detail";
import { registerTags } from "./tags/list";
import { registerMembers } from "./workspace/members";
import { registerSettings } from "./workspace/settings";

/** The web application, rendered on the server. Every page works without scripts. */
export const consoleApp = new Hono<ConsoleEnv>();

consoleApp.use(innerTrace);
consoleApp.use(async function pageHeaders(c, next) {
  const nonce = btoa(crypto.randomUUID());
  c.set("nonce", nonce);
  await next();
  const { access } = serviceContext(c).config;
  const { headers } = c.res;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; form-action 'self'${access === null ? "" : ` ${access.issuer}`}; frame-ancestors 'none'; base-uri 'none'`;
  // Files have a stricter policy of their own.
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
  // The error page must not read the form: its origin is checked only below.
  c.set("sentFields", []);
  throw unavailable();
});
consoleApp.use(csrf());

registerSignIn(consoleApp);
consoleApp.use(signedIn);
consoleApp.use(`${paths.workspace}/*`, inWorkspace);
registerWorkspaces(consoleApp);
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

consoleApp.notFound((c) => showError(c, notFound()));
consoleApp.onError((error, c) => {
  if (error instanceof ServiceError) return showError(c, error);
  if (error instanceof HTTPException) {
    const message = "The request did not come from a page of this service.";
    return showError(c, new ServiceError(403, { message }, {}, "form_origin"));
  }
  logFailure(c.var.trace.requestId, error);
  return showError(c, serverError());
});
