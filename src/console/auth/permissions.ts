import { createMiddleware } from "hono/factory";
import { actorOf } from "../../access/sessions";
import { ServiceError, tooManyAttempts } from "../../errors";
import { takeShare } from "../../http/fair-shares";
import { countOne } from "../../http/rate-limits";
import { href } from "../shell/href";
import { type ConsoleEnv, takeOwnShare } from "../shell/page-request";
import { serviceContext } from "../shell/service-context";
import { signInUrl } from "./return-url";
import { callerOf, findPerson } from "./session";

/** A page can show many of them, so they are counted apart. */
const QR_FILE = /\/qr\/?$/;

/** Sets `person`. Redirects everybody else to the sign-in page; a form is 401. */
export const signedIn = createMiddleware<ConsoleEnv>(async function signedIn(c, next) {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  const person = await findPerson(c);
  if (person === undefined) {
    const usesSignInLinks = serviceContext(c).config.access === null;
    if (isRead) return c.redirect(usesSignInLinks ? signInUrl(c) : href.signIn(), 303);
    throw new ServiceError(
      401,
      { message: "You are signed out. Sign in, and do it again." },
      {},
      "signed_out",
    );
  }
  c.set("person", person);
  const caller = callerOf(person);
  c.var.trace.payer = { caller, workspaceId: undefined };
  const limit = QR_FILE.test(c.req.path) ? "KEY_RATE" : "PERSON_RATE";
  if (!(await countOne(c.env, limit, caller))) throw tooManyAttempts();
  return next();
});

/** Only shown to members, so it does not reveal to others that the workspace exists. */
export const SIGN_IN_AGAIN =
  "You have been removed and added again since you signed in: sign out, and sign in again.";

/** Sets `membership` and `ctx`. 404 for everybody who is no member of the workspace of the path. */
export const inWorkspace = createMiddleware<ConsoleEnv>(async function inWorkspace(c, next) {
  const { email, memberships, closed } = c.var.person;
  const slug = c.req.param("workspace");
  const membership = memberships.find(({ workspace }) => workspace.slug === slug);
  if (membership === undefined || membership.suspended) {
    const hint = slug !== undefined && closed.includes(slug) ? ` ${SIGN_IN_AGAIN}` : "";
    throw new ServiceError(404, { message: `Workspace not found.${hint}` });
  }
  const { workspace } = membership;
  const payer = { caller: callerOf(c.var.person), workspaceId: workspace.rowId };
  c.set("payer", payer);
  // A form takes it when its body is read: a slow sender would keep it from others.
  if (c.req.method !== "POST") await takeOwnShare(c);
  c.var.trace.payer = payer;
  c.set("membership", membership);
  c.set("workspace", workspace.slug);
  c.set("isEditor", membership.role !== "viewer");
  const hold = (bytes: number) => takeShare(c, "long", payer, bytes);
  c.set("ctx", { ...serviceContext(c), actor: actorOf(email), workspace, hold });
  c.var.trace.workspace = workspace.id;
  return next();
});

/** For what reads or writes megabytes at once. */
export const fewAtOnce = createMiddleware<ConsoleEnv>(function fewAtOnce(c, next) {
  c.set("share", "import");
  return next();
});

const roleOnly = (isAllowed: (role: string) => boolean, reason: string) =>
  createMiddleware<ConsoleEnv>(async function roleOnly(c, next) {
    const { role } = c.var.membership;
    if (!isAllowed(role)) {
      throw new ServiceError(403, { message: `As ${role} of this workspace you ${reason}` }, {}, "role");
    }
    return next();
  });

export const editorsOnly = roleOnly(
  (role) => role !== "viewer",
  "can look at everything, but not change it.",
);

export const ownersOnly = roleOnly((role) => role === "owner", "cannot do this. Ask an owner.");
