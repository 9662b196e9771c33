import { type RefusalCode, tooManyAttempts } from "../../errors";
import { forgetPerson, knownPerson, rememberPerson } from "../../http/known-callers";
import * as limits from "../../http/rate-limit";
import { checkEmail, checkSession, findSessionHash, type Person } from "../../workspaces/sessions";
import type { PageContext } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { emailOfAccessToken } from "./cloudflare-access";
import type { Proof } from "./known-person";
import { readSession } from "./session-cookie";
import { noteUse } from "./use";

/** The token of Cloudflare Access if that is configured, else the session. */
export const readToken = (c: PageContext): string | undefined =>
  serviceContext(c).config.access === null ? readSession(c) : c.req.header("Cf-Access-Jwt-Assertion");

/** What a token proves; undefined if it proves nothing. Makes no call of D1. */
export async function proofIn(c: PageContext, token: string): Promise<Proof | undefined> {
  const ctx = serviceContext(c);
  const { access } = ctx.config;
  if (access !== null) {
    const email = await emailOfAccessToken(token, access, ctx.now());
    return email === undefined ? undefined : { name: email, check: (judge) => checkEmail(ctx, email, judge) };
  }
  const hash = await findSessionHash(token);
  return hash === undefined ? undefined : { name: hash, check: (judge) => checkSession(ctx, hash, judge) };
}

/** The person of the request. */
export async function findPerson(c: PageContext): Promise<Person | undefined> {
  const token = readToken(c);
  return token === undefined ? undefined : findPersonOf(c, await proofIn(c, token));
}

/** A session that this instance does not remember, from an address over the limit, is 429 without a call of D1. */
export async function findPersonOf(c: PageContext, proof: Proof | undefined): Promise<Person | undefined> {
  let person: Person | undefined;
  if (proof !== undefined) {
    const { name, check } = proof;
    const isSession = serviceContext(c).config.access === null;
    if (isSession && knownPerson(c.env.KV, name) === undefined) assertUnderLimit(c);
    await check(async (found, due) => {
      person = found;
      if (found !== undefined) noteUse(c, found, due);
    }).assertChecked();
    if (person === undefined) forgetPerson(c.env.KV, name);
    else rememberPerson(c.env.KV, name, person);
  }
  if (person === undefined) await countFailure(c, "signed_out");
  return person;
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
