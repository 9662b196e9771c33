import { auditEntryIn, type ServiceContext } from "../context";
import { ServiceError } from "../errors";
import { sha256Hex } from "../lib/hash";
import { knownValue } from "../lib/known-value";
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from "../lib/time";
import { ROLES } from "./access-schema";
import {
  type MembershipRow,
  selectMemberships,
  selectMembershipsOfSession,
  updateLastSeen,
} from "./member-repository";
import { deletePasskeysOf } from "./passkey-repository";
import { isInScope } from "./scope";
import {
  deleteSessions,
  deleteSessionsOf,
  deleteSignInLinksOf,
  insertSignInLink,
  selectSession,
  selectSessionsOf,
  updateSessionUse,
} from "./session-repository";
import { isToken, makeToken } from "./token";
import { nearlyFull, toWorkspace } from "./workspace";

/** Since the last use. */
export const SESSION_MS = 30 * DAY_MS;
export const SESSION_SECONDS = SESSION_MS / SECOND_MS;
/** A use is recorded at most this often. */
const USE_INTERVAL_MS = HOUR_MS;
const SIGN_IN_LINK_MS = 15 * MINUTE_MS;

export interface Person {
  email: string;
  memberships: Membership[];
  /** Slugs of workspaces that the session cannot open: the person was removed and added again after it began. */
  closed: string[];
}

const toMembership = ({ role, workspace }: MembershipRow) => ({
  /** A role of a later release may only look. */
  role: knownValue(ROLES, role, "viewer"),
  workspace: toWorkspace(workspace),
  suspended: workspace.suspended_at !== null,
  nearlyFull: nearlyFull(workspace),
});

export type Membership = ReturnType<typeof toMembership>;

const noMember = (email: string) =>
  new ServiceError(404, { message: `No workspace has the member ${email}.` });

/** Creates a token that signs a member in once, within 15 minutes; 404 if no workspace has the e-mail address. */
export async function createSignInLink(ctx: ServiceContext, email: string) {
  const [memberships] = await ctx.db.read(selectMemberships(email));
  if (memberships.length === 0) throw noMember(email);
  const at = ctx.now();
  const token = makeToken("sgn", ctx.random);
  const expiresAt = at + SIGN_IN_LINK_MS;
  await ctx.db.write(auditEntryIn(null, ctx, "member.sign_in_link", email, at), [
    insertSignInLink({ hash: await sha256Hex(token), email, expires_at: expiresAt }),
  ]);
  return { token, expires_at: isoTime(expiresAt) };
}

export interface DueUse {
  /** The session, by its hash. */
  session?: string | undefined;
  /** Slugs of workspaces. */
  workspaces: ReadonlySet<string>;
}

const isDue = (lastAt: number | null, now: number): boolean =>
  lastAt === null || lastAt <= now - USE_INTERVAL_MS;

const dueIn = (memberships: readonly MembershipRow[], now: number): ReadonlySet<string> =>
  new Set(memberships.filter((one) => isDue(one.last_seen_at, now)).map(({ workspace }) => workspace.slug));

/** A use that is to be recorded: of a session, by its hash, and of a workspace, by its row id. */
interface Use {
  email: string;
  session: string | undefined;
  workspace: number | undefined;
  device: string | null;
  country: string | null;
}

/** Records a person's use, and extends their session. Writes nothing if another request did so within the hour. */
export async function recordUse(
  ctx: Pick<ServiceContext, "db" | "now">,
  { email, session, workspace, device, country }: Use,
): Promise<void> {
  const at = ctx.now();
  const notSince = at - USE_INTERVAL_MS;
  const use = { last_used_at: at, expires_at: at + SESSION_MS, device, country };
  await ctx.db.writeGuarded([
    ...(session === undefined ? [] : [updateSessionUse(session, use, notSince)]),
    ...(workspace === undefined ? [] : [updateLastSeen(workspace, email, at, notSince)]),
  ]);
}

/** The hash of a session token; undefined if the text is not well-formed. */
export const findSessionHash = async (session: string | undefined): Promise<string | undefined> =>
  isToken("ses", session) ? sha256Hex(session) : undefined;

export interface SignedIn {
  person: Person;
  due: DueUse;
}

/** The person of a session, by its hash; undefined if the session is unknown, ended or expired. */
export async function findPersonOfSession(ctx: Pick<ServiceContext, "db" | "now">, hash: string) {
  const now = ctx.now();
  const [[found], all] = await ctx.db.read(selectSession(hash, now), selectMembershipsOfSession(hash, now));
  if (found === undefined) return undefined;
  const rows = all.filter(({ workspace }) => isInScope(found.workspaces, workspace.public_id));
  const isClosed = ({ workspace }: MembershipRow) => found.closed.includes(workspace.public_id);
  const open = rows.filter((one) => !isClosed(one));
  const closed = rows.filter(isClosed).map(({ workspace }) => workspace.slug);
  return {
    person: { email: found.email, memberships: open.map(toMembership), closed },
    due: { session: isDue(found.last_used_at, now) ? hash : undefined, workspaces: dueIn(open, now) },
  };
}

/** The person with an e-mail address that the caller has verified. */
export async function findPersonByEmail(ctx: Pick<ServiceContext, "db" | "now">, email: string) {
  const [memberships] = await ctx.db.read(selectMemberships(email));
  return {
    person: { email, memberships: memberships.map(toMembership), closed: [] },
    due: { workspaces: dueIn(memberships, ctx.now()) },
  };
}

export async function signOut(ctx: Pick<ServiceContext, "db">, session: string | undefined): Promise<void> {
  if (isToken("ses", session)) await ctx.db.writeGuarded([deleteSessions([await sha256Hex(session)])]);
}

/** Deletes all sessions, passkeys and unused sign-in links of a person. Throws 404 for an address that is no member's and not signed in. */
export async function signOutEverywhere(ctx: ServiceContext, email: string): Promise<void> {
  const [members, open] = await ctx.db.read(selectMemberships(email), selectSessionsOf(email, ctx.now()));
  if (members.length + open.length === 0) throw noMember(email);
  const entry = auditEntryIn(null, ctx, "member.sign_out", email, ctx.now());
  await ctx.db.write({ ...entry, space: "frees" }, [
    deleteSessionsOf(email),
    deletePasskeysOf(email),
    deleteSignInLinksOf(email),
  ]);
}

export const actorOf = (email: string): string => `member:${email}`;
