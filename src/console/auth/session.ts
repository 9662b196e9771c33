import {
  actorOf,
  type DueUse,
  findPersonByEmail,
  findPersonOfSession,
  findSessionHash,
  type Person,
  recordUse,
  SESSION_SECONDS,
  type SignedIn,
} from "../../access/sessions";
import type { Config } from "../../context";
import { type RefusalCode, tooManyAttempts } from "../../errors";
import { hasUsedUpTime } from "../../http/fair-shares";
import { callersOfSessions } from "../../http/known-callers";
import { addressOf, countOne, isRefused } from "../../http/rate-limits";
import { deleteCookie, readCookie, storeCookie } from "../shell/cookies";
import type { PageContext } from "../shell/page-request";
import { serviceContext } from "../shell/service-context";
import { emailOfAccessToken } from "./cloudflare-access";
import { countryCode, deviceInWords } from "./device";

const SESSION_COOKIE = "session";
/** The name of a counter has so many workspaces at most. */
const MAX_COUNTED_WORKSPACES = 20;

export const readSession = (c: PageContext): string | undefined => readCookie(c, SESSION_COOKIE);

export const storeSession = (c: PageContext, session: string): void =>
  storeCookie(c, SESSION_COOKIE, session, SESSION_SECONDS);

export const forgetSession = (c: PageContext): void => deleteCookie(c, SESSION_COOKIE);

export const placeOf = (c: PageContext) => ({
  device: deviceInWords(c.req.header("User-Agent") ?? ""),
  country: countryCode(c.req.raw.cf?.["country"]),
});

/** Records a use that is due, after the response. The cookie lasts as long as the session. A failure is logged. */
function noteUse(c: PageContext, { email, memberships }: Person, due: DueUse): void {
  const slug = /^\/app\/([^/]+)/.exec(c.req.path)?.[1] ?? "";
  const opened = memberships.find(({ workspace, suspended }) => workspace.slug === slug && !suspended);
  const workspace = due.workspaces.has(slug) ? opened?.workspace.rowId : undefined;
  const token = readSession(c);
  if (due.session !== undefined && token !== undefined) storeSession(c, token);
  if (due.session === undefined && workspace === undefined) return;
  const ctx = serviceContext(c);
  const work = recordUse(
    { db: ctx.backgroundDb ?? ctx.db, now: ctx.now },
    { email, session: due.session, workspace, ...placeOf(c) },
  );
  ctx.waitUntil(work);
}

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
  if (email === undefined) return undefined;
  return findKnown(c, `access ${email}`, () => findPersonByEmail(ctx, email));
}

/** A session that this instance does not remember, from an address over the limit, is 429 without a call of D1. */
async function findBySession(c: PageContext, token: string): Promise<SignedIn | undefined> {
  const hash = await findSessionHash(token);
  if (hash === undefined) return undefined;
  if (!callersOfSessions(c.env.KV).has(hash)) assertUnderLimit(c);
  return findKnown(c, hash, () => findPersonOfSession(serviceContext(c), hash));
}

/** 429 without a call of D1 if this instance remembers that the person is over a limit. */
async function findKnown(
  c: PageContext,
  session: string,
  find: () => Promise<SignedIn | undefined>,
): Promise<SignedIn | undefined> {
  const callers = callersOfSessions(c.env.KV);
  const known = callers.get(session);
  if (known !== undefined) assertHasTime(c, known);
  const found = await find();
  if (found === undefined) callers.delete(session);
  else callers.set(session, callerOf(found.person));
  return found;
}

/** Who is counted: a person by what the session opens, so that whoever invites somebody cannot use up that person's limits. */
export const callerOf = ({ email, memberships }: Person): string =>
  [
    actorOf(email),
    ...memberships
      .map(({ workspace }) => workspace.rowId)
      .toSorted((one, other) => one - other)
      .slice(0, MAX_COUNTED_WORKSPACES),
  ].join(" ");

/** 429 if this instance remembers that the address is over the limit. */
export function assertUnderLimit(c: PageContext): void {
  if (isRefused(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw))) throw tooManyAttempts();
}

function assertHasTime(c: PageContext, caller: string): void {
  if (isRefused(c.env, "PERSON_RATE", caller) || hasUsedUpTime(c.env, { caller, workspaceId: undefined }))
    throw tooManyAttempts();
}

/** Counts a failed authentication of the address: 429 above the limit. The log names it by `code`. */
export async function countFailure(c: PageContext, code: RefusalCode = "sign_in_link"): Promise<void> {
  c.var.trace.refusal = code;
  if (!(await countOne(c.env, "AUTH_FAILURE_RATE", addressOf(c.req.raw)))) throw tooManyAttempts();
}
