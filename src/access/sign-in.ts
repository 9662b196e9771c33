import { auditEntryIn, type ServiceContext } from "../context";
import type { Guard, Statement } from "../db/client";
import { LostRace } from "../errors";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { isoTime } from "../lib/time";
import { type MembershipRow, selectMembershipsOfSession } from "./member-repository";
import { isInScope, type Scope, toScope, workspacesIn } from "./scope";
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

export interface Browser {
  /** The session of the browser so far, if it has one. */
  session?: string | undefined;
  device: string | null;
  country: string | null;
}

/** Reads what the session of the browser so far opens, by its hash. */
export const selectPrevious = (hash: string | undefined, at: number) =>
  [
    hash === undefined ? undefined : selectSession(hash, at),
    hash === undefined ? undefined : selectMembershipsOfSession(hash, at),
  ] as const;

interface NewSession {
  email: string;
  /** What opened it, and what is closed to it. */
  opens: { workspaces: Scope; closed: string };
  browser: Browser;
  /** The session of the browser so far. */
  previous: { hash: string | undefined; row: Previous | undefined; memberships: readonly MembershipRow[] };
  /** What the audit entry says of it. */
  change?: object;
  guards: readonly Guard[];
  /** What is used up with it. */
  uses: readonly Statement[];
}

type Previous = { email: string; workspaces: Scope; closed: string };

/**
 * Creates a session, which replaces that of the browser; returns its token, or undefined if a guard fails. What the previous
 * session opened stays open if it was the same person's.
 */
export async function startSession(
  ctx: ServiceContext,
  { email, opens, browser: { device, country }, previous, change, guards, uses }: NewSession,
): Promise<string | undefined> {
  const at = ctx.now();
  const { workspaces, closed } =
    previous.row?.email === email ? joinScopes(opens, previous.row, previous.memberships) : opens;
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
    closed,
  };
  try {
    await ctx.db.write(
      {
        ...auditEntryIn(null, { actor: actorOf(email) }, "member.sign_in", email, at),
        ...(change === undefined ? {} : { change }),
        // People sign in to delete.
        space: "frees",
        guards,
      },
      [
        ...uses,
        ...(previous.hash === undefined ? [] : [deleteSessions([previous.hash])]),
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

/** Uses a sign-in link and creates a session; returns its token, or undefined if the link is unknown, used or expired. */
export async function signIn(
  ctx: ServiceContext,
  token: string,
  browser: Browser,
): Promise<string | undefined> {
  if (!isToken("sgn", token)) return undefined;
  const at = ctx.now();
  const link = await sha256Hex(token);
  const hash = await findSessionHash(browser.session);
  const [[found], [row], memberships] = await ctx.db.read(
    selectSignInLink(link, at),
    ...selectPrevious(hash, at),
  );
  if (found === undefined) return undefined;
  return startSession(ctx, {
    email: found.email,
    opens: { workspaces: found.workspace === null ? null : toScope([found.workspace]), closed: "" },
    browser,
    previous: { hash, row, memberships },
    guards: [ensureSignInLinkUsable(link, at)],
    uses: [deleteSignInLink(link)],
  });
}

/**
 * What a link or passkey opens, and what the previous session opened. What neither opens stays closed, also if the person is
 * added to it only later.
 */
function joinScopes(
  { workspaces, closed }: NewSession["opens"],
  previous: Previous,
  memberships: readonly MembershipRow[],
): NewSession["opens"] {
  const opened = memberships
    .map(({ workspace }) => workspace.public_id)
    .filter((id) => isInScope(previous.workspaces, id) && !previous.closed.includes(id));
  const stillClosed = toScope(workspacesIn(closed).filter((id) => !opened.includes(id)));
  if (workspaces === null) return { workspaces, closed: stillClosed };
  if (previous.workspaces === null && previous.closed === "")
    return { workspaces: null, closed: stillClosed };
  return {
    workspaces: workspaces + toScope(opened.filter((id) => !workspaces.includes(id))),
    closed: stillClosed,
  };
}
