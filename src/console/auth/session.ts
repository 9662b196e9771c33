import { getCookie, setCookie } from "hono/cookie";
import type { Config, ServiceContext } from "../../context";
import { type RefusalCode, tooManyAttempts } from "../../errors";
import { sha256Hex } from "../../lib/hash";
import * as limits from "../../rate-limit";
import { type Person, personOfEmail, personOfSession, SESSION_SECONDS } from "../../workspaces/sessions";
import { COOKIE_OPTIONS, deleteCookie } from "../shell/cookies";
import type { PageContext } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { emailOfAccessToken } from "./cloudflare-access";

const SESSION_COOKIE = "__Host-session";

export const readSession = (c: PageContext): string | undefined => getCookie(c, SESSION_COOKIE);

export const storeSession = (c: PageContext, session: string): void =>
  setCookie(c, SESSION_COOKIE, session, { ...COOKIE_OPTIONS, maxAge: SESSION_SECONDS });

export const forgetSession = (c: PageContext): void => deleteCookie(c, SESSION_COOKIE);

/** The person of the request: by the token of Cloudflare Access if that is configured, else by the session. */
export async function findPerson(c: PageContext): Promise<Person | undefined> {
  const ctx = serviceContext(c);
  const { access } = ctx.config;
  const secret = access === null ? readSession(c) : c.req.header("Cf-Access-Jwt-Assertion");
  if (secret === undefined) return undefined;
  const person =
    access === null
      ? await findPersonOfSession(c, ctx, secret)
      : await findPersonOfToken(ctx, access, secret);
  if (person === undefined) await countFailure(c, "signed_out");
  return person;
}

/** A session that this instance has not seen, from an address over the limit, is 429 without a call of D1. */
async function findPersonOfSession(
  c: PageContext,
  ctx: ServiceContext,
  session: string,
): Promise<Person | undefined> {
  const hash = await sha256Hex(session);
  if (!limits.hasSeen(c.env, hash)) assertUnderLimit(c);
  const person = await personOfSession(ctx, session);
  limits.rememberSecret(c.env, hash, person !== undefined);
  return person;
}

async function findPersonOfToken(
  ctx: ServiceContext,
  access: NonNullable<Config["access"]>,
  token: string,
): Promise<Person | undefined> {
  const email = await emailOfAccessToken(token, access, ctx.now());
  return email === undefined ? undefined : personOfEmail(ctx, email);
}

/** 429 if this instance remembers that the address is over the limit. */
export function assertUnderLimit(c: PageContext): void {
  if (limits.isOverLimit(c.env, "AUTH_FAILURE_RATE", c.req.raw)) throw tooManyAttempts();
}

/** Counts a failed authentication of the address: 429 above the limit. The log names it by `code`. */
export async function countFailure(c: PageContext, code: RefusalCode = "sign_in_link"): Promise<void> {
  c.var.trace.refusal = code;
  if (!(await limits.countFailure(c.env, "AUTH_FAILURE_RATE", c.req.raw))) throw tooManyAttempts();
}
