import { getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { type RefusalCode, ServiceError, tooManyAttempts } from "../errors";
import { forgetPerson, knownPerson, rememberPerson } from "../known-callers";
import * as limits from "../rate-limit";
import {
  actorOf,
  checkEmail,
  checkSession,
  hashOfSession,
  type Person,
  SESSION_SECONDS,
} from "../workspaces/sessions";
import { emailOfAccess } from "./access";
import { href } from "./href";
import { type Proof, showAsKnown } from "./known-person";
import { COOKIE, type ConsoleEnv, type PageContext, serviceContext } from "./request";
import { doorTo } from "./wanted";

const SESSION = "__Host-session";

export const sessionOf = (c: PageContext): string | undefined => getCookie(c, SESSION);

export function setSession(c: PageContext, session: string | undefined): void {
  setCookie(c, SESSION, session ?? "", { ...COOKIE, maxAge: session === undefined ? 0 : SESSION_SECONDS });
}

/** By Cloudflare Access where it stands in front, else by the session of a sign-in link. */
const tokenOf = (c: PageContext): string | undefined =>
  serviceContext(c).config.access === null ? sessionOf(c) : c.req.header("Cf-Access-Jwt-Assertion");

/** What a token proves; undefined if it proves nothing. Asks nothing of D1. */
async function proofIn(c: PageContext, token: string): Promise<Proof | undefined> {
  const ctx = serviceContext(c);
  const { access } = ctx.config;
  if (access !== null) {
    const email = await emailOfAccess(token, access, ctx.now());
    return email === undefined ? undefined : { name: email, check: (judge) => checkEmail(ctx, email, judge) };
  }
  const hash = await hashOfSession(token);
  return hash === undefined ? undefined : { name: hash, check: (judge) => checkSession(ctx, hash, judge) };
}

/** Who sends the request. */
export async function findPerson(c: PageContext): Promise<Person | undefined> {
  const token = tokenOf(c);
  return token === undefined ? undefined : personOf(c, await proofIn(c, token));
}

/** From an address over the limit, a session that this instance has not seen is 429 without D1. */
async function personOf(c: PageContext, proof: Proof | undefined): Promise<Person | undefined> {
  let person: Person | undefined;
  if (proof !== undefined) {
    const { name, check } = proof;
    const isSession = serviceContext(c).config.access === null;
    if (isSession && knownPerson(c.env.KV, name) === undefined) refuseOverLimit(c);
    await check(async (found) => {
      person = found;
    }).assertChecked();
    if (person === undefined) forgetPerson(c.env.KV, name);
    else rememberPerson(c.env.KV, name, person);
  }
  if (person === undefined) await countFailure(c, "signed_out");
  return person;
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
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  const token = tokenOf(c);
  const proof = token === undefined ? undefined : await proofIn(c, token);
  // A form has effects, so its sender is checked first.
  const known = reads && proof !== undefined ? knownPerson(c.env.KV, proof.name) : undefined;
  if (proof !== undefined && known !== undefined) return showAsKnown(c, next, proof, known);

  const person = token === undefined ? undefined : await personOf(c, proof);
  if (person === undefined) {
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
  const ctx = serviceContext(c);
  const { db } = c.var.checked ?? ctx;
  c.set("ctx", { ...ctx, db, actor: actorOf(email), workspace: membership.workspace });
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
