import {
  findPersonByEmail,
  findPersonOfSession,
  findSessionHash,
  type Person,
  type SignedIn,
} from "../../access/sessions";
import type { Config } from "../../context";
import { type RefusalCode, tooManyAttempts } from "../../errors";
import { isKnownSession, rememberSession } from "../../http/known-callers";
import * as limits from "../../http/rate-limit";
import type { PageContext } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { emailOfAccessToken } from "./cloudflare-access";
import { readSession } from "./session-cookie";
import { noteUse } from "./use";

/** The person of the request, by the token of Cloudflare Access if that is configured, else by the session. One call of D1. */
export async function findPerson(c: PageContext): Promise<Person | undefined> {
  const { access } = serviceContext(c).config;
  const token = access === null ? readSession(c) : c.req.header("Cf-Access-Jwt-Assertion");
  if (token === undefined) return undefined;
  const found = await (access === null ? findBySession(c, token) : findByAccessToken(c, token, access));
  if (found === undefined) {
    await countFailure(c, "signed_out");
    return undefined;
  }
  noteUse(c, found.person, found.due);
  return found.person;
}

async function findByAccessToken(
  c: PageContext,
  token: string,
  access: NonNullable<Config["access"]>,
): Promise<SignedIn | undefined> {
  const ctx = serviceContext(c);
  const email = await emailOfAccessToken(token, access, ctx.now());
  return email === undefined ? undefined : findPersonByEmail(ctx, email);
}

/** A session that this instance does not remember, from an address over the limit, is 429 without a call of D1. */
async function findBySession(c: PageContext, token: string): Promise<SignedIn | undefined> {
  const hash = await findSessionHash(token);
  if (hash === undefined) return undefined;
  if (!isKnownSession(c.env.KV, hash)) assertUnderLimit(c);
  const found = await findPersonOfSession(serviceContext(c), hash);
  rememberSession(c.env.KV, hash, found !== undefined);
  return found;
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
