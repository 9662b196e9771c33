import type { ServiceContext, Workspace } from "../context";
import { type CheckedDatabase, withCheck } from "../db/checked";
import type { Statement } from "../db/client";
import { LostRace, ServiceError } from "../errors";
import { sha256Hex } from "../lib/hash";
import { isoTime, MINUTE_MS } from "../lib/time";
import {
  deleteExpiredSessions,
  deleteExpiredSignInLinks,
  deleteSession,
  deleteSessionsOf,
  deleteSignInLink,
  deleteSignInLinksOf,
  deleteUnneededRemovals,
  insertSession,
  insertSignInLink,
  type Membership as MembershipRow,
  type Role,
  type SessionMembership,
  selectMemberships,
  selectMembershipsOfSession,
  selectSession,
  selectSignInLink,
  whereSignInLinkUsable,
} from "./member-repository";
import { toWorkspace } from "./service";
import { isToken, makeToken } from "./token";
import { type NearlyFull, nearlyFull } from "./usage";

export const SESSION_SECONDS = 12 * 60 * 60;
const SIGN_IN_LINK_MS = 15 * MINUTE_MS;

/** A person's membership, with the usage of the workspace. */
export interface Membership {
  role: Role;
  workspace: Workspace;
  suspended: boolean;
  nearlyFull: readonly NearlyFull[];
}

export interface Person {
  email: string;
  memberships: Membership[];
  /** Slugs of workspaces that the session cannot open: the person was removed and added again after it began. */
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

/** Creates a token that signs a member in once, within 15 minutes; 404 if no workspace has the e-mail address. */
export async function createSignInLink(
  ctx: ServiceContext,
  email: string,
): Promise<{ token: string; expires_at: string }> {
  const [memberships] = await ctx.db.read(selectMemberships(email));
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

/** The e-mail address of a sign-in link, which stays valid; undefined if the link is unknown, used or expired. */
export async function findEmailOfSignInLink(
  ctx: Pick<ServiceContext, "db" | "now">,
  token: string,
): Promise<string | undefined> {
  if (!isToken("sgn", token)) return undefined;
  const [[found]] = await ctx.db.read(selectSignInLink(await sha256Hex(token), ctx.now()));
  return found?.email;
}

/**
 * Uses a sign-in link and creates a session; returns its token, or undefined if the link is unknown, used or expired.
 */
export async function signIn(ctx: ServiceContext, token: string): Promise<string | undefined> {
  if (!isToken("sgn", token)) return undefined;
  const at = ctx.now();
  const link = await sha256Hex(token);
  const [[found]] = await ctx.db.read(selectSignInLink(link, at));
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
        guards: [whereSignInLinkUsable(link, at)],
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

/** A database whose first call includes the check of a person. */
export type CheckedPerson = CheckedDatabase;

type JudgePerson = (person: Person | undefined) => Promise<void>;

/** The hash of a session token; undefined if the text is not well-formed. */
export const findSessionHash = async (session: string | undefined): Promise<string | undefined> =>
  isToken("ses", session) ? sha256Hex(session) : undefined;

/** Checks a session by its hash. The person is undefined if the session is unknown, ended or expired. */
export const checkSession = (
  ctx: Pick<ServiceContext, "db" | "now">,
  hash: string,
  judge: JudgePerson,
): CheckedPerson =>
  withCheck(ctx.db, {
    statements: [selectSession(hash, ctx.now()), selectMembershipsOfSession(hash, ctx.now())] as const,
    judge: ([[found], memberships]) =>
      judge(
        found && {
          email: found.email,
          memberships: memberships.filter((one) => !isClosed(one)).map(toMembership),
          closed: memberships.filter(isClosed).map(({ workspace }) => workspace.slug),
        },
      ),
  });

/** Checks a person by an e-mail address that the caller has verified. */
export const checkEmail = (
  ctx: Pick<ServiceContext, "db">,
  email: string,
  judge: JudgePerson,
): CheckedPerson =>
  withCheck(ctx.db, {
    statements: [selectMemberships(email)] as const,
    judge: ([memberships]) => judge({ email, memberships: memberships.map(toMembership), closed: [] }),
  });

export async function signOut(ctx: Pick<ServiceContext, "db">, session: string | undefined): Promise<void> {
  if (isToken("ses", session)) await ctx.db.writeUnaudited(deleteSession(await sha256Hex(session)));
}

/** Deletes all sessions and unused sign-in links of a person. */
export async function signOutEverywhere(ctx: ServiceContext, email: string): Promise<void> {
  await ctx.db.write(signInChange(ctx, email, "member.sign_out", ctx.now()), [
    deleteSessionsOf(email),
    deleteSignInLinksOf(email),
  ]);
}

/** Deletes a portion of the expired sessions and sign-in links. */
export const deleteExpiredSignIns = (ctx: Pick<ServiceContext, "now">): Statement[] => [
  deleteExpiredSessions(ctx.now()),
  deleteExpiredSignInLinks(ctx.now()),
];

const MAX_DELETED_REMOVALS = 1000;

/** Deletes up to 1,000 removals that no longer exclude any session. */
export const forgetRemovals = (ctx: Pick<ServiceContext, "db">): Promise<void> =>
  ctx.db.writeUnaudited(deleteUnneededRemovals(MAX_DELETED_REMOVALS));

export const actorOf = (email: string): string => `member:${email}`;
