import { createMiddleware } from "hono/factory";
import { newMember } from "../../access/access-schema";
import { mailSignInLink } from "../../access/mail";
import { askToSignIn, signInWithPasskey } from "../../access/passkey-sign-in";
import { signOut } from "../../access/sessions";
import { findSignInLink, signIn } from "../../access/sign-in";
import { noPage, ServiceError, tooManyAttempts } from "../../errors";
import { addressOf, countOne } from "../../http/rate-limits";
import { keepsCookies } from "../shell/cookies";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { type ConsoleEnv, checked, type Form, type PageContext, readForm } from "../shell/page-request";
import { Field, PostForm, Submit } from "../shell/post-form";
import { serviceContext } from "../shell/service-context";
import { PasskeyForm, takeAnswer } from "./passkey-form";
import { rememberReturnUrl, takeReturnUrl } from "./return-url";
import {
  assertUnderLimit,
  countFailure,
  findPerson,
  forgetSession,
  placeOf,
  readSession,
  storeSession,
} from "./session";

/** Cloudflare answers this path itself where Access is in front. */
export const ACCESS_SIGN_OUT = "/cdn-cgi/access/logout";

/** More than a form with a token or an address needs in either encoding. */
const MAX_SIGN_IN_BYTES = 1024;

export const readSignInForm = (c: PageContext): Promise<Form> => readForm(c, MAX_SIGN_IN_BYTES);

const SignInMailForm = ({ isAgain }: { isAgain: boolean }) => (
  <PostForm action={href.mailSignIn()} class="stack">
    <Field
      name="email"
      label="Your e-mail address"
      type="email"
      required
      attributes={{ autocomplete: "email" }}
    />
    <Submit label={isAgain ? "Send me a new link" : "Send me a sign-in link"} />
  </PostForm>
);

function showSignInHelp(c: PageContext, isRefused: boolean): Response | Promise<Response> {
  const { config } = serviceContext(c);
  if (isRefused) c.status(403);
  return c.render(
    <Page title={isRefused ? "This link does not sign in" : "Sign in"}>
      <div class="card entrance" data-forgets-query={isRefused}>
        {isRefused ? (
          <p>
            It has been used already, has been replaced by a newer one, or is too old. Nothing is lost: a new
            one takes a moment.
          </p>
        ) : (
          <p>With a passkey, or with a link that is sent to you. There is no password.</p>
        )}
        <PasskeyForm action={href.passkeySignIn()} asks={href.askPasskey()} label="Sign in with a passkey" />
        {config.mail !== null && <SignInMailForm isAgain={isRefused} />}
        {config.signInHelp === null ? (
          <p>
            <strong>Ask an owner of your workspace for {isRefused ? "a new link" : "a link"}.</strong> They
            open “People”, and press “New sign-in link” beside your address.
          </p>
        ) : (
          <p>{config.signInHelp}</p>
        )}
        <p class="hint">
          A link works once: an owner’s for seven days, others for 15 minutes. You stay signed in for 30 days
          after your last visit.
        </p>
      </div>
    </Page>,
  );
}

/** Asks before the token is used: mail scanners and link previews open the link as well. */
async function showConfirmation(c: PageContext, token: string): Promise<Response> {
  assertUnderLimit(c);
  // A good link counts too: it can be opened any number of times, and each reads D1.
  if (!(await countOne(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw)))) throw tooManyAttempts();
  const link = await findSignInLink(serviceContext(c), token, readSession(c));
  if (link === undefined) {
    c.var.trace.refusal = "sign_in_link";
    return showSignInHelp(c, true);
  }
  return c.render(
    <Page title="Sign in">
      <form method="post" action={href.signIn()} class="card entrance" data-forgets-query>
        <p>
          This link signs you in as{" "}
          <strong>
            <bdi>{link.email}</bdi>
          </strong>
          . It works once, so sign in only if it was meant for you.
        </p>
        {link.replaces !== null && (
          <p class="warning">
            In this browser you are signed in as <bdi>{link.replaces}</bdi>, and would be signed out. If the
            link is for somebody else, send it to them instead.
          </p>
        )}
        <input type="hidden" name="token" value={token} />
        <Submit label="Sign in" />
      </form>
    </Page>,
  );
}

/** Refuses the pages of sign-in links where Cloudflare Access lets people in. */
export const withoutAccess = createMiddleware<ConsoleEnv>(async function withoutAccess(c, next) {
  if (serviceContext(c).config.access === null) return next();
  const message =
    "This service does not know the person whom Cloudflare Access has let in. Ask an owner to invite you.";
  throw new ServiceError(403, { message }, {}, "access");
});

export function showSignIn(c: PageContext): Response | Promise<Response> {
  const token = c.req.query("token");
  if (token !== undefined) return showConfirmation(c, token);
  rememberReturnUrl(c);
  return showSignInHelp(c, false);
}

function assertKeepsCookies(c: PageContext): void {
  if (keepsCookies(c)) return;
  const message = "Nobody can sign in over http here: open the link over https, or on localhost.";
  throw new ServiceError(403, { message }, {}, "sign_in_link");
}

/** Replaces the current session, if there is one. Where no session would be kept, the link stays good. */
export async function signInWithToken(c: PageContext): Promise<Response> {
  assertKeepsCookies(c);
  const { fields } = await readSignInForm(c);
  assertUnderLimit(c);
  const session = await signIn(serviceContext(c), fields["token"] ?? "", {
    session: readSession(c),
    ...placeOf(c),
  });
  if (session === undefined) {
    await countFailure(c);
    return showSignInHelp(c, true);
  }
  storeSession(c, session);
  return c.redirect(takeReturnUrl(c), 303);
}

/** Each reads D1, so it counts as a failed authentication. */
export async function sendChallenge(c: PageContext): Promise<Response> {
  assertUnderLimit(c);
  if (!(await countOne(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw)))) throw tooManyAttempts();
  return c.json(await askToSignIn(serviceContext(c)));
}

export function signInByPasskey(c: PageContext, { fields }: Form): Promise<Response> {
  assertKeepsCookies(c);
  const run = async () => {
    const browser = { session: readSession(c), ...placeOf(c) };
    storeSession(c, await signInWithPasskey(serviceContext(c), fields, browser));
    return c.redirect(takeReturnUrl(c), 303);
  };
  return takeAnswer(c, run, showSignIn);
}

const MAIL_NOTICE =
  "If somebody has this address here, a sign-in link is on its way. It works for 15 minutes. An address gets at most five mails an hour.";

/** Answers alike for every address: whether it is a member's is looked up behind the answer. */
export async function sendSignInLink(c: PageContext, { fields }: Form): Promise<Response> {
  const ctx = serviceContext(c);
  if (ctx.config.mail === null) throw noPage();
  const { email } = checked(newMember.pick({ email: true }), fields);
  assertUnderLimit(c);
  if (!(await countOne(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw)))) throw tooManyAttempts();
  ctx.waitUntil(mailSignInLink({ ...ctx, db: ctx.backgroundDb ?? ctx.db }, email));
  return redirectWithNotice(c, href.signIn(), MAIL_NOTICE);
}

export async function endOwnSession(c: PageContext): Promise<Response> {
  const ctx = serviceContext(c);
  // An invalid session counts as a failure, so a flood of them stops at the rate limit.
  if ((await findPerson(c)) !== undefined) await signOut(ctx, readSession(c));
  forgetSession(c);
  return ctx.config.access === null
    ? redirectWithNotice(c, href.signIn(), "You are signed out.")
    : c.redirect(ACCESS_SIGN_OUT, 303);
}
