import { auditEntryIn, type ServiceContext } from "../context";
import { LostRace } from "../errors";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { isoTime } from "../lib/time";
import { type MembershipRow, selectMembershipsOfSession } from "./member-repository";
import { isInScope, type Scope, toScope } from "./scope";
import {
  deleteOldSessions,
  deleteSessions,
  deleteSignInLink,
  ensureSignInLinkUsable,
  insertSession,
  selectSession,
  selectSignInLink,
} from "./session-repository";
import { actorOf, findSessionHash, SESSION_MS } from "./sessions";
import { isToken, makeToken } from "./token";

/** For the same workspaces. Signing in once more ends the one that was used longest ago. */
export const MAX_SESSIONS = 50;

/**
 * A sign-in link by its token, which stays valid; undefined if it is unknown, used or expired. `session` is that of the
 * browser.
 */
export async function findSignInLink(
  ctx: Pick<ServiceContext, "db" | "now">,
  token: string,
  session?: string,
) {
  if (!isToken("sgn", token)) return undefined;
  const current = await findSessionHash(session);
  const [[found], [signedIn]] = await ctx.db.read(
    selectSignInLink(await sha256Hex(token), ctx.now()),
    current === undefined ? undefined : selectSession(current, ctx.now()),
  );
  if (found === undefined) return undefined;
  const { email, expires_at: at, workspace } = found;
  return {
    email,
    expires_at: isoTime(at),
    /** Public id of the only workspace that it opens; null for the operator's link. */
    workspace,
    /** Whose session it would end, if that is another person. */
    replaces: signedIn === undefined || signedIn.email === email ? null : signedIn.email,
  };
}

export type SignInLink = NonNullable<Awaited<ReturnType<typeof findSignInLink>>>;

interface Browser {
  /** The session of the browser so far, if it has one. */
  session?: string | undefined;
  device: string | null;
  country: string | null;
}

/**
 * Uses a sign-in link and creates a session, which replaces that of the browser; returns its token, or undefined if the
 * link is unknown, used or expired. What the previous session opened stays open if it was the same person's.
 */
export async function signIn(
  ctx: ServiceContext,
  token: string,
  { session: previous, device, country }: Browser,
): Promise<string | undefined> {
  if (!isToken("sgn", token)) return undefined;
  const at = ctx.now();
  const link = await sha256Hex(token);
  const replaced = await findSessionHash(previous);
  const [[found], [replacedRow], opened] = await ctx.db.read(
    selectSignInLink(link, at),
    replaced === undefined ? undefined : selectSession(replaced, at),
    replaced === undefined ? undefined : selectMembershipsOfSession(replaced, at),
  );
  if (found === undefined) return undefined;
  const { email } = found;
  const ofLink = found.workspace === null ? null : toScope([found.workspace]);
  const workspaces = replacedRow?.email === email ? joinScopes(ofLink, replacedRow, opened) : ofLink;
  const session = makeToken("ses", ctx.random);
  const row = {
    hash: await sha256Hex(session),
    email,
    created_at: at,
    expires_at: at + SESSION_MS,
    public_id: newId(at),
    last_used_at: at,
    device,
    country,
    workspaces,
  };
  try {
    await ctx.db.write(
      {
        ...auditEntryIn(null, { actor: actorOf(email) }, "member.sign_in", email, at),
        // People sign in to delete.
        space: "frees",
        guards: [ensureSignInLinkUsable(link, at)],
      },
      [
        deleteSignInLink(link),
        ...(replaced === undefined ? [] : [deleteSessions([replaced])]),
        deleteOldSessions(email, workspaces, MAX_SESSIONS - 1),
        insertSession(row),
      ],
    );
  } catch (error) {
    if (error instanceof LostRace) return undefined;
    throw error;
  }
  return session;
}

/**
 * The workspaces of a link, and those that the previous session opened. One that it did not open stays closed, also if the
 * person is added to it only later.
 */
function joinScopes(
  ofLink: Scope,
  previous: { workspaces: Scope; closed: string },
  memberships: readonly MembershipRow[],
): Scope {
  if (ofLink === null || (previous.workspaces === null && previous.closed === "")) return null;
  const opened = memberships
    .map(({ workspace }) => workspace.public_id)
    .filter(
      (id) => isInScope(previous.workspaces, id) && !previous.closed.includes(id) && !ofLink.includes(id),
    );
  return ofLink + toScope(opened);
}
