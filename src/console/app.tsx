import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { notFound, ServiceError, serverError, unavailable } from "../errors";
import { innerTrace } from "../http/trace";
import { logFailure, logMissingVariable } from "../log";
import { registerAudit } from "./audit/list";
import { registerRevert } from "./audit/revert";
import { inWorkspace, signedIn } from "./auth/permissions";
import { registerSessions } from "./auth/sessions";
import { registerSignIn } from "./auth/sign-in";
import { registerDomain } from "./domains/detail";
import { registerDomains } from "./domains/list";
import { registerNewAsset } from "./engagement/create";
import { registerAsset } from "./engagement/detail";
import { registerAssetFiles } from "./engagement/files";
import { registerAssetList } from "./engagement/list";
import { registerAssetPrint } from "./engagement/print";
import { registerNewAssets } from "./engagement/several";
import { showError } from "./error-page";
import { registerFormRedirects } from "./form-redirects";
import { registerGroup } from "./groups/detail";
import { registerGroupForms } from "./groups/edit";
import { registerGroupFiles } from "./groups/files";
import { registerGroupList } from "./groups/list";
import { registerMoveToGroup } from "./groups/move";
import { registerGroupPrint } from "./groups/print";
import { paths } from "./href";
import { registerImportActions } from "./imports/actions";
import { registerImport } from "./imports/detail";
import { registerExport } from "./imports/export";
import { registerUpload } from "./imports/upload";
import { registerKeyList } from "./keys/list";
import { registerKeyActions } from "./keys/rotate";
import { registerBulkChange } from "./links/bulk-change";
import { registerNewLink } from "./links/create";
import { registerLink } from "./links/detail";
import { registerEditLink } from "./links/edit";
import { registerFind } from "./links/find-results";
import { registerLinkList } from "./links/list";
import { registerLinkPreview } from "./links/preview";
import { registerQrFile } from "./links/qr-card";
import { registerNewSlug } from "./links/slug-field";
import { registerUndo } from "./links/undo";
import { registerOverview } from "./overview/page";
import { registerWorkspaces } from "./overview/workspaces";
import type { ConsoleEnv } from "./shell/request";
import { serviceContext } from "./shell/service-context";
import { registerTag } from "./tags/detail";
import { registerTagList } from "./tags/list";
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
registerSessions(consoleApp);
consoleApp.use(`${paths.workspace}/*`, inWorkspace);

// The first path that matches answers, so fixed paths come before those with a parameter.
for (const register of [
  registerWorkspaces,
  registerOverview,
  registerFormRedirects,
  registerLinkList,
  registerBulkChange,
  registerFind,
  registerNewLink,
  registerLinkPreview,
  registerNewSlug,
  registerEditLink,
  registerQrFile,
  registerLink,
  registerGroupList,
  registerGroupForms,
  registerGroup,
  registerGroupPrint,
  registerGroupFiles,
  registerMoveToGroup,
  registerExport,
  registerUpload,
  registerImport,
  registerImportActions,
  registerTagList,
  registerTag,
  registerAssetList,
  registerNewAsset,
  registerNewAssets,
  registerAssetPrint,
  registerAssetFiles,
  registerAsset,
  registerKeyList,
  registerKeyActions,
  registerDomains,
  registerDomain,
  registerSettings,
  registerMembers,
  registerAudit,
  registerRevert,
  registerUndo,
]) {
  register(consoleApp);
}

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
