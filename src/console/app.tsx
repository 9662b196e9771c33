import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { noPage, ServiceError, serverError, unavailable } from "../errors";
import { innerTrace } from "../http/trace";
import { logFailure, logLine } from "../log";
import { readPasskeyForm } from "./auth/passkey-form";
import { changePasskey, endPasskey, makePasskey, sendNewChallenge, showPasskeys } from "./auth/passkeys";
import { inWorkspace, signedIn } from "./auth/permissions";
import { endOne, endOthers, showSessions } from "./auth/sessions";
import {
  endOwnSession,
  readSignInForm,
  sendChallenge,
  sendSignInLink,
  showSignIn,
  signInByPasskey,
  signInWithToken,
  withoutAccess,
} from "./auth/sign-in";
import { showError } from "./error-page";
import { takeShared } from "./overview/share-target";
import { showWorkspaces } from "./overview/workspaces";
import {
  showSharedReport,
  showStartReport,
  showStopReport,
  startReport,
  stopReport,
} from "./report-page/shared-report-page";
import { registerForm, registerPages } from "./routes";
import { answerForm } from "./shell/answer-form";
import { sendSearchDescription } from "./shell/browser-search";
import { href, paths } from "./shell/href";
import { renderPart, takeNotice } from "./shell/layout";
import { type ConsoleEnv, NO_FORM } from "./shell/page-request";
import { serviceContext } from "./shell/service-context";

/** The web application, rendered on the server. Every page works without scripts. */
export const consoleApp = new Hono<ConsoleEnv>();

consoleApp.use(innerTrace);
// `<Page>` has the doctype.
consoleApp.use(function pageRenderer(c, next) {
  c.setRenderer((content) => {
    takeNotice(c);
    return renderPart(c, content);
  });
  return next();
});
consoleApp.use(async function pageHeaders(c, next) {
  const nonce = btoa(crypto.randomUUID());
  c.set("nonce", nonce);
  await next();
  const { access } = serviceContext(c).config;
  const { headers } = c.res;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'${access === null ? "" : ` ${access.issuer}`}; frame-ancestors 'none'; base-uri 'none'`;
  // Files have a stricter policy of their own.
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", policy);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "same-origin");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
});
// Read by people without an account, with Cloudflare Access or without.
consoleApp.get(paths.sharedReport, showSharedReport);
consoleApp.get(paths.startReport, showStartReport);
consoleApp.get(paths.stopReport, showStopReport);
// Programs that read mail send this form too, so its origin is not checked: the token is what counts.
consoleApp.post(paths.startReport, startReport);
consoleApp.post(paths.stopReport, stopReport);
// A browser may ask for it without cookies.
consoleApp.get(paths.searchDescription, sendSearchDescription);
consoleApp.use(async function accessConfigured(c, next) {
  const { missingAccessVariable } = serviceContext(c).config;
  if (missingAccessVariable === null) return next();
  logLine("misconfigured", { request_id: c.var.trace.requestId, missing: missingAccessVariable });
  // The error page must not read the form: its origin is checked only below.
  c.set("form", NO_FORM);
  throw unavailable();
});
consoleApp.use(csrf());

// The only pages for people without a session.
consoleApp.use(paths.signIn, withoutAccess);
consoleApp.get(paths.signIn, showSignIn);
consoleApp.post(paths.signIn, signInWithToken);
consoleApp.use(paths.mailSignIn, withoutAccess);
registerForm(
  consoleApp,
  paths.mailSignIn,
  answerForm(sendSignInLink, { show: showSignIn, read: readSignInForm }),
);
consoleApp.use(paths.passkeySignIn, withoutAccess);
registerForm(
  consoleApp,
  paths.passkeySignIn,
  answerForm(signInByPasskey, { show: showSignIn, read: readPasskeyForm }),
);
consoleApp.use(paths.askPasskey, withoutAccess);
registerForm(consoleApp, paths.askPasskey, sendChallenge);
consoleApp.get(paths.signOut, (c) => c.redirect(href.home(), 303));
consoleApp.post(paths.signOut, endOwnSession);

consoleApp.use(signedIn);
consoleApp.get(paths.home, showWorkspaces);
consoleApp.get(paths.share, takeShared);
consoleApp.get(paths.sessions, showSessions);
registerForm(consoleApp, paths.endOtherSessions, endOthers);
registerForm(consoleApp, paths.endSession, endOne);
consoleApp.get(paths.passkeys, showPasskeys);
consoleApp.post(paths.passkeys, answerForm(makePasskey, { show: showPasskeys, read: readPasskeyForm }));
registerForm(consoleApp, paths.newPasskey, sendNewChallenge);
registerForm(consoleApp, paths.passkey, answerForm(changePasskey, { show: showPasskeys }));
registerForm(consoleApp, paths.removePasskey, endPasskey);

consoleApp.use(`${paths.workspace}/*`, inWorkspace);
registerPages(consoleApp);

consoleApp.notFound((c) => showError(c, noPage()));
consoleApp.onError((error, c) => {
  if (error instanceof ServiceError) return showError(c, error);
  if (error instanceof HTTPException) {
    const message = "The request did not come from a page of this service.";
    return showError(c, new ServiceError(403, { message }, {}, "form_origin"));
  }
  logFailure(c.var.trace.requestId, error);
  return showError(c, serverError());
});
