import type { Hono } from "hono";
import { ServiceError } from "../errors";
import { signIn, signOut } from "../workspaces/sessions";
import { href } from "./href";
import { showPage } from "./layout";
import { type ConsoleEnv, done, type PageContext, readForm, serviceContext } from "./request";
import { countFailure, findPerson, refuseOverLimit, sessionOf, setSession } from "./session";
import { keepWanted, takeWanted } from "./wanted";

const ACCESS_SIGN_OUT = "/cdn-cgi/access/logout";

/** Those that fetch what is pasted into a chat or a mail, to show a preview. */
const PREVIEWER = /bot\b|preview|facebookexternalhit|whatsapp/i;

const noLink = (c: PageContext, isTried: boolean): Response | Promise<Response> =>
  showPage(
    c,
    { title: isTried ? "This link does not sign in" : "Sign in", status: isTried ? 403 : 200 },
    <div class="narrow">
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
  app.use(href.signIn(), async function withoutAccess(c, next) {
    if (serviceContext(c).config.access === null) return next();
    const message = "Cloudflare Access has let nobody in whom this service knows. Ask an owner to add you.";
    throw new ServiceError(403, { message }, {}, "access");
  });

  app.get(href.signIn(), (c) => {
    const token = c.req.query("token");
    if (token === undefined) {
      keepWanted(c);
      return noLink(c, false);
    }
    // What only looks ahead, for a preview or a scan, must not use the link up.
    const looksAhead =
      c.req.method === "HEAD" ||
      c.req.header("Sec-Purpose") !== undefined ||
      PREVIEWER.test(c.req.header("User-Agent") ?? "");
    // Whoever was sent here by another site shall see as whom that site signs them in.
    const isSent = /^(?:cross|same)-site$/.test(c.req.header("Sec-Fetch-Site") ?? "");
    if (!looksAhead && !isSent) return enter(c, token);
    return showPage(
      c,
      { title: "Sign in" },
      <form method="post" action={href.signIn()} class="narrow">
        <p>A link that works once has brought you here. Sign in only if it was meant for you.</p>
        <input type="hidden" name="token" value={token} />
        <div>
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>,
    );
  });

  app.post(href.signIn(), async (c) => enter(c, (await readForm(c)).fields["token"] ?? ""));

  app.get(href.signOut(), (c) => c.redirect(href.home(), 303));

  app.post(href.signOut(), async (c) => {
    const ctx = serviceContext(c);
    // A session that is none is counted, and asks D1 no more above the limit.
    if ((await findPerson(c)) !== undefined) await signOut(ctx, sessionOf(c));
    setSession(c, undefined);
    return ctx.config.access === null
      ? done(c, href.signIn(), "You are signed out.")
      : c.redirect(ACCESS_SIGN_OUT, 303);
  });
}
