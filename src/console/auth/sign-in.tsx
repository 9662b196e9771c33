import type { Hono } from "hono";
import { ServiceError } from "../../errors";
import { emailOfSignInLink, signIn, signOut } from "../../workspaces/sessions";
import { href, paths } from "../href";
import { showPage } from "../shell/layout";
import { type ConsoleEnv, done, type PageContext, readForm, serviceContext } from "../shell/request";
import { keepWanted, takeWanted } from "./return-url";
import { countFailure, findPerson, refuseOverLimit, sessionOf, setSession } from "./session";

const ACCESS_SIGN_OUT = "/cdn-cgi/access/logout";

/** More than a form with a token takes, however it is encoded. */
const MAX_SIGN_IN_BYTES = 1024;

const noLink = (c: PageContext, isTried: boolean): Response | Promise<Response> =>
  showPage(
    c,
    { title: isTried ? "This link does not sign in" : "Sign in", status: isTried ? 403 : 200 },
    <div class="narrow" data-forgets-query={isTried}>
      {isTried && (
        <p>
          It has been used already, or is older than 15 minutes. Nothing is lost: a new one takes a moment.
        </p>
      )}
      <p>Whoever operates this service makes a sign-in link for a member with</p>
      <pre tabindex={0}>npm run admin -- member sign-in --email you@example.com</pre>
      <p>It works once, within 15 minutes.</p>
    </div>,
  );

/** Asks who has opened a sign-in link: programs that scan mail and previews open it too, so opening it changes nothing. */
async function showSignIn(c: PageContext, token: string): Promise<Response> {
  refuseOverLimit(c);
  const email = await emailOfSignInLink(serviceContext(c), token);
  if (email === undefined) {
    await countFailure(c);
    return noLink(c, true);
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

/** Begins the session of a sign-in link, in place of the one that was there. */
async function enter(c: PageContext, token: string): Promise<Response> {
  refuseOverLimit(c);
  const ctx = serviceContext(c);
  const session = await signIn(ctx, token);
  if (session === undefined) {
    await countFailure(c);
    return noLink(c, true);
  }
  await signOut(ctx, sessionOf(c));
  setSession(c, session);
  return c.redirect(takeWanted(c), 303);
}

/** The door: a sign-in link begins a session, and signing out ends it. */
export function registerSignIn(app: Hono<ConsoleEnv>): void {
  app.use(paths.signIn, async function withoutAccess(c, next) {
    if (serviceContext(c).config.access === null) return next();
    const message = "Cloudflare Access has let nobody in whom this service knows. Ask an owner to add you.";
    throw new ServiceError(403, { message }, {}, "access");
  });

  app.get(paths.signIn, async (c) => {
    const token = c.req.query("token");
    if (token !== undefined) return showSignIn(c, token);
    keepWanted(c);
    return noLink(c, false);
  });

  app.post(paths.signIn, async (c) => {
    const { fields } = await readForm(c, MAX_SIGN_IN_BYTES);
    return enter(c, fields["token"] ?? "");
  });

  app.get(paths.signOut, (c) => c.redirect(href.home(), 303));

  app.post(paths.signOut, async (c) => {
    const ctx = serviceContext(c);
    // A session that is none is counted, and asks D1 no more above the limit.
    if ((await findPerson(c)) !== undefined) await signOut(ctx, sessionOf(c));
    setSession(c, undefined);
    return ctx.config.access === null
      ? done(c, href.signIn(), "You are signed out.")
      : c.redirect(ACCESS_SIGN_OUT, 303);
  });
}
