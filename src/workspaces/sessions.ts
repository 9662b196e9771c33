import type { ServiceContext, Workspace } from "../context";
import { type CheckedDatabase, withCheck } from "../db/checked";
import type { Statement } from "../db/client";
import { LostRace, ServiceError } from "../errors";
import { sha256Hex } from "../lib/hash";
import { isoTime, MINUTE_MS } from "../lib/time";
import {
  deleteIdleRemovals,
  deleteLapsedSessions,
  deleteLapsedSignInLinks,
  deleteSession,
  deleteSessionsOf,
  deleteSignInLink,
  deleteSignInLinksOf,
  insertSession,
  insertSignInLink,
  isUsable,
  type Membership as MembershipRow,
  membershipsOf,
  membershipsOfSession,
  type Role,
  type SessionMembership,
  sessionByHash,
  signInLinkByHash,
} from "./repository";
import { toWorkspace } from "./service";
import { isToken, makeToken } from "./token";
import { type NearlyFull, nearlyFull } from "./usage";

export const SESSION_SECONDS = 12 * 60 * 60;
const SIGN_IN_LINK_MS = 15 * MINUTE_MS;

/** A workspace of a person, with what the person may do there. */
export interface Membership {
  role: Role;
  workspace: Workspace;
  suspended: boolean;
  nearlyFull: readonly NearlyFull[];
}

/** Who is signed in, with the workspaces that have the address among their members. */
export interface Person {
  email: string;
  memberships: Membership[];
  /** Slugs of workspaces that the person is a member of, and that the session does not open as it began before a removal. */
  closed: string[];
}

const toMembership = ({ role, workspace }: MembershipRow): Membership => ({
  role,
  workspace: toWorkspace(workspace),
  suspended: workspace.suspended_at !== null,
  nearlyFull: nearlyFull(workspace),
});

const signInChange = (ctx: ServiceContext, email: string, action: string, at: number) => ({
  workspaceId: null,
  actor: ctx.actor,
  action,
  subject: email,
  at,
});

/** A secret that signs a member of any workspace in, once, within 15 minutes; 404 where nobody has the address. */
export async function createSignInLink(
  ctx: ServiceContext,
  email: string,
): Promise<{ token: string; expires_at: string }> {
  const [memberships] = await ctx.db.read(membershipsOf(email));
  if (memberships.length === 0)
    throw new ServiceError(404, { message: `No workspace has the member ${email}.` });
  const at = ctx.now();
  const token = makeToken("sgn", ctx.random);
  const expiresAt = at + SIGN_IN_LINK_MS;
  await ctx.db.write(signInChange(ctx, email, "member.sign_in_link", at), [
    insertSignInLink({ hash: await sha256Hex(token), email, expires_at: expiresAt }),
  ]);
  return { token, expires_at: isoTime(expiresAt) };
}

/** Whom a sign-in link would sign in, without using it up; undefined where it is unknown, used or lapsed. */
export async function emailOfSignInLink(
  ctx: Pick<ServiceContext, "db" | "now">,
  token: string,
): Promise<string | undefined> {
  if (!isToken("sgn", token)) return undefined;
  const [[found]] = await ctx.db.read(signInLinkByHash(await sha256Hex(token), ctx.now()));
  return found?.email;
}

/** Uses a sign-in link up and begins a session: its secret, or undefined where the link is unknown, used or lapsed. */
export async function signIn(ctx: ServiceContext, token: string): Promise<string | undefined> {
  if (!isToken("sgn", token)) return undefined;
  const at = ctx.now();
  const link = await sha256Hex(token);
  const [[found]] = await ctx.db.read(signInLinkByHash(link, at));
  if (found === undefined) return undefined;
  const session = makeToken("ses", ctx.random);
  const { email } = found;
  const row = {
    hash: await sha256Hex(session),
    email,
    created_at: at,
    expires_at: at + SESSION_SECONDS * 1000,
  };
  try {
    await ctx.db.write(
      {
        ...signInChange(ctx, email, "member.sign_in", at),
        actor: actorOf(email),
        guards: [isUsable(link, at)],
      },
      [deleteSignInLink(link), insertSession(row)],
    );
  } catch (error) {
    if (error instanceof LostRace) return undefined;
    throw error;
  }
  return session;
}

const isClosed = ({ predates }: SessionMembership): boolean => predates === 1;

/** The check of a person, and the database whose first call it shares. */
export type CheckedPerson = CheckedDatabase;

type JudgePerson = (person: Person | undefined) => Promise<void>;

/** The hash of a session; undefined for a text that can be none. */
export const hashOfSession = async (session: string | undefined): Promise<string | undefined> =>
  isToken("ses", session) ? sha256Hex(session) : undefined;

/** Checks who has a session, by its hash: undefined if it is unknown, ended or lapsed. */
export const checkSession = (
  ctx: Pick<ServiceContext, "db" | "now">,
  hash: string,
  judge: JudgePerson,
): CheckedPerson =>
  withCheck(ctx.db, {
    statements: [sessionByHash(hash, ctx.now()), membershipsOfSession(hash, ctx.now())] as const,
    judge: ([[found], memberships]) =>
      judge(
        found && {
          email: found.email,
          memberships: memberships.filter((one) => !isClosed(one)).map(toMembership),
          closed: memberships.filter(isClosed).map(({ workspace }) => workspace.slug),
        },
      ),
  });

/** Checks who has an e-mail address, which somebody else has made sure of. */
export const checkEmail = (
  ctx: Pick<ServiceContext, "db">,
  email: string,
  judge: JudgePerson,
): CheckedPerson =>
  withCheck(ctx.db, {
    statements: [membershipsOf(email)] as const,
    judge: ([memberships]) => judge({ email, memberships: memberships.map(toMembership), closed: [] }),
  });

export async function signOut(ctx: Pick<ServiceContext, "db">, session: string | undefined): Promise<void> {
  if (isToken("ses", session)) await ctx.db.writeUnaudited(deleteSession(await sha256Hex(session)));
}

/** Ends every session of a person, and the sign-in links that are not used yet. */
export async function signOutEverywhere(ctx: ServiceContext, email: string): Promise<void> {
  await ctx.db.write(signInChange(ctx, email, "member.sign_out", ctx.now()), [
    deleteSessionsOf(email),
    deleteSignInLinksOf(email),
  ]);
}

/** Removes a portion of the sessions and of the sign-in links that have lapsed. */
export const removeLapsedSignIns = (ctx: Pick<ServiceContext, "now">): Statement[] => [
  deleteLapsedSessions(ctx.now()),
  deleteLapsedSignInLinks(ctx.now()),
];

const MAX_REMOVALS_FORGOTTEN = 1000;

/** Forgets, at most 1,000 at a time, the removals that no session is left to be closed by. */
export const forgetRemovals = (ctx: Pick<ServiceContext, "db">): Promise<void> =>
  ctx.db.writeUnaudited(deleteIdleRemovals(MAX_REMOVALS_FORGOTTEN));

/** A person as the audit trail names one. */
export const actorOf = (email: string): string => `member:${email}`;
