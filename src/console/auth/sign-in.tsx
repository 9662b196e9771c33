import type { Hono } from "hono";
import { ServiceError } from "../../errors";
import { findEmailOfSignInLink, signIn, signOut } from "../../workspaces/sessions";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type ConsoleEnv, type PageContext, readForm } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { rememberReturnUrl, takeReturnUrl } from "./return-url";
import {
  assertUnderLimit,
  countFailure,
  findPerson,
  forgetSession,
  readSession,
  storeSession,
} from "./session";

const ACCESS_SIGN_OUT = "/cdn-cgi/access/logout";

/** More than a form with a token needs in either encoding. */
const MAX_SIGN_IN_BYTES = 1024;

const showSignInHelp = (c: PageContext, isRefused: boolean): Response | Promise<Response> =>
  showPage(
    c,
    { title: isRefused ? "This link does not sign in" : "Sign in", status: isRefused ? 403 : 200 },
    <div class="narrow" data-forgets-query={isRefused}>
      {isRefused && (
        <p>
          It has been used already, or is older than 15 minutes. Nothing is lost: a new one takes a moment.
        </p>
      )}
      <p>The operator of this service makes a sign-in link for a member with</p>
      <pre tabindex={0}>npm run admin -- member sign-in --email you@example.com</pre>
      <p>It works once, within 15 minutes.</p>
    </div>,
  );

/** Asks before the token is used: mail scanners and link previews open the link as well. */
async function showConfirmation(c: PageContext, token: string): Promise<Response> {
  assertUnderLimit(c);
  const email = await findEmailOfSignInLink(serviceContext(c), token);
  if (email === undefined) {
    await countFailure(c);
    return showSignInHelp(c, true);
  }
  return showPage(
    c,
    { title: "Sign in" },
    <form method="post" action={href.signIn()} class="narrow" data-forgets-query>
      <p>
        This link signs you in as{" "}
        <strong>
          <bdi>{email}</bdi>
        </strong>
        . It works once, so sign in only if it was meant for you.
      </p>
      <input type="hidden" name="token" value={token} />
      <div>
        <button type="submit" class="primary">
          Sign in
        </button>
      </div>
    </form>,
  );
}

/** Replaces the current session, if there is one. */
async function signInWithToken(c: PageContext, token: string): Promise<Response> {
  assertUnderLimit(c);
  const ctx = serviceContext(c);
  const session = await signIn(ctx, token);
  if (session === undefined) {
    await countFailure(c);
    return showSignInHelp(c, true);
  }
  await signOut(ctx, readSession(c));
  storeSession(c, session);
  return c.redirect(takeReturnUrl(c), 303);
}

/** The only pages for people without a session. */
export function registerSignIn(app: Hono<ConsoleEnv>): void {
  app.use(paths.signIn, async function withoutAccess(c, next) {
    if (serviceContext(c).config.access === null) return next();
    const message =
      "This service does not know the person whom Cloudflare Access has let in. Ask an owner to add you.";
    throw new ServiceError(403, { message }, {}, "access");
  });

  app.get(paths.signIn, async (c) => {
    const token = c.req.query("token");
    if (token !== undefined) return showConfirmation(c, token);
    rememberReturnUrl(c);
    return showSignInHelp(c, false);
  });

  app.post(paths.signIn, async (c) => {
    const { fields } = await readForm(c, MAX_SIGN_IN_BYTES);
    return signInWithToken(c, fields["token"] ?? "");
  });

  app.get(paths.signOut, (c) => c.redirect(href.home(), 303));

  app.post(paths.signOut, async (c) => {
    const ctx = serviceContext(c);
    // An invalid session counts as a failure, so a flood of them stops at the rate limit.
    if ((await findPerson(c)) !== undefined) await signOut(ctx, readSession(c));
    forgetSession(c);
    return ctx.config.access === null
      ? redirectWithNotice(c, href.signIn(), "You are signed out.")
      : c.redirect(ACCESS_SIGN_OUT, 303);
  });
}
