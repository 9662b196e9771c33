import { getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { Config, ServiceContext } from "../../context";
import { type RefusalCode, ServiceError, tooManyAttempts } from "../../errors";
import { sha256Hex } from "../../lib/hash";
import * as limits from "../../rate-limit";
import {
  actorOf,
  type Person,
  personOfEmail,
  personOfSession,
  SESSION_SECONDS,
} from "../../workspaces/sessions";
import { href } from "../href";
import { COOKIE, type ConsoleEnv, type PageContext, serviceContext } from "../shell/request";
import { emailOfAccess } from "./access";
import { doorTo } from "./return-url";

const SESSION = "__Host-session";

export const sessionOf = (c: PageContext): string | undefined => getCookie(c, SESSION);

export function setSession(c: PageContext, session: string | undefined): void {
  setCookie(c, SESSION, session ?? "", { ...COOKIE, maxAge: session === undefined ? 0 : SESSION_SECONDS });
}

/** Who asks: by Cloudflare Access where it stands in front, else by the session of a sign-in link. */
export async function findPerson(c: PageContext): Promise<Person | undefined> {
  const ctx = serviceContext(c);
  const { access } = ctx.config;
  const token = access === null ? sessionOf(c) : c.req.header("Cf-Access-Jwt-Assertion");
  if (token === undefined) return undefined;
  const person =
    access === null ? await personOfKnownSession(c, ctx, token) : await personOfToken(ctx, access, token);
  if (person === undefined) await countFailure(c, "signed_out");
  return person;
}

/** Who has this session. From an address over the limit, one that this instance has not seen is 429 without D1. */
async function personOfKnownSession(
  c: PageContext,
  ctx: ServiceContext,
  session: string,
): Promise<Person | undefined> {
  const hash = await sha256Hex(session);
  if (!limits.hasSeen(c.env, hash)) refuseOverLimit(c);
  const person = await personOfSession(ctx, session);
  limits.rememberSecret(c.env, hash, person !== undefined);
  return person;
}

async function personOfToken(
  ctx: ServiceContext,
  access: NonNullable<Config["access"]>,
  token: string,
): Promise<Person | undefined> {
  const email = await emailOfAccess(token, access, ctx.now());
  return email === undefined ? undefined : personOfEmail(ctx, email);
}

/** Refuses, without D1, a secret from an address that this instance remembers as over the limit: 429. */
export function refuseOverLimit(c: PageContext): void {
  if (limits.isOverLimit(c.env, "AUTH_FAILURE_RATE", c.req.raw)) throw tooManyAttempts();
}

/** Counts a secret that opened nothing, for the address that it came from: 429 above the limit, in the log `code`. */
export async function countFailure(c: PageContext, code: RefusalCode = "sign_in_link"): Promise<void> {
  c.var.trace.refusal = code;
  if (!(await limits.countFailure(c.env, "AUTH_FAILURE_RATE", c.req.raw))) throw tooManyAttempts();
}

/** Lets members in; everybody else is shown how to sign in. */
export const signedIn = createMiddleware<ConsoleEnv>(async function signedIn(c, next) {
  const person = await findPerson(c);
  if (person === undefined) {
    const reads = c.req.method === "GET" || c.req.method === "HEAD";
    const isOpenedByLinks = serviceContext(c).config.access === null;
    if (reads) return c.redirect(isOpenedByLinks ? doorTo(c) : href.signIn(), 303);
    throw new ServiceError(
      401,
      { message: "You are signed out. Sign in, and do it again." },
      {},
      "signed_out",
    );
  }
  c.set("person", person);
  return next();
});

/** Said to members alone, so it tells nobody else that there is a workspace. */
export const SIGN_IN_AGAIN =
  "You have been removed and added again since you signed in: sign out, and sign in again.";

/** Opens the workspace of the path to its members; to others there is none. */
export const inWorkspace = createMiddleware<ConsoleEnv>(async function inWorkspace(c, next) {
  const { email, memberships, closed } = c.var.person;
  const slug = c.req.param("workspace");
  const membership = memberships.find(({ workspace }) => workspace.slug === slug);
  if (membership === undefined || membership.suspended) {
    const hint = slug !== undefined && closed.includes(slug) ? ` ${SIGN_IN_AGAIN}` : "";
    throw new ServiceError(404, { message: `Workspace not found.${hint}` });
  }
  c.set("membership", membership);
  c.set("ctx", { ...serviceContext(c), actor: actorOf(email), workspace: membership.workspace });
  c.var.trace.workspace = membership.workspace.id;
  return next();
});

const roleOnly = (may: (role: string) => boolean, rest: string) =>
  createMiddleware<ConsoleEnv>(async function roleOnly(c, next) {
    const { role } = c.var.membership;
    if (!may(role)) {
      throw new ServiceError(403, { message: `As ${role} of this workspace you ${rest}` }, {}, "role");
    }
    return next();
  });

/** For whatever changes links, tags, groups and assets. */
export const editorsOnly = roleOnly(
  (role) => role !== "viewer",
  "can look at everything, but not change it.",
);
/** For keys, members and the workspace itself. */
export const ownersOnly = roleOnly((role) => role === "owner", "cannot do this: an owner can.");
