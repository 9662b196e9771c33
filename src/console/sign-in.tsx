import type { Hono } from "hono";
import { ServiceError } from "../errors";
import { signIn, signOut } from "../workspaces/sessions";
import { href } from "./href";
import { showPage } from "./layout";
import { type ConsoleEnv, serviceContext } from "./request";
import { sessionOf, setSession } from "./session";

const ACCESS_SIGN_OUT = "/cdn-cgi/access/logout";

/** The door: a sign-in link begins a session, and signing out ends it. */
export function registerSignIn(app: Hono<ConsoleEnv>): void {
  app.get(href.signIn(), async (c) => {
    const ctx = serviceContext(c);
    if (ctx.config.access !== null) {
      throw new ServiceError(403, {
        message: "Cloudflare Access has let nobody in whom this service knows. Ask an owner to add you.",
      });
    }
    const token = c.req.query("token");
    // What only looks ahead, for a preview or a scan, must not use the link up.
    const looksAhead = c.req.method === "HEAD" || c.req.header("Sec-Purpose") !== undefined;
    const session = token === undefined || looksAhead ? undefined : await signIn(ctx, token);
    if (session === undefined) {
      return showPage(
        c,
        {
          title: token === undefined ? "Sign in" : "This link does not sign in",
          status: token === undefined ? 200 : 403,
        },
        <div class="narrow">
          {token !== undefined && (
            <p>
              It has been used already, or is older than 15 minutes. Nothing is lost: a new one takes a
              moment.
            </p>
          )}
          <p>Whoever operates this service makes a sign-in link for a member with</p>
          <pre tabindex={0}>npm run admin -- member sign-in --email you@example.com</pre>
          <p>It works once, within 15 minutes.</p>
        </div>,
      );
    }
    setSession(c, session);
    return c.redirect(href.home(), 303);
  });

  app.post(href.signOut(), async (c) => {
    const ctx = serviceContext(c);
    await signOut(ctx, sessionOf(c));
    setSession(c, undefined);
    return c.redirect(ctx.config.access === null ? href.signIn() : ACCESS_SIGN_OUT, 303);
  });
}
