import type { ServiceContext } from "../context";
import { ServiceError } from "../errors";
import { isoTime } from "../lib/time";
import {
  deleteInvitations,
  deleteSessions,
  deleteSignInLinksOf,
  type SessionRow,
  selectSessionsOf,
} from "./session-repository";
import { actorOf, signInChange } from "./sessions";
import { covers, scopeOf } from "./token";

/** A session of a person, as they see it. */
export interface Session {
  id: string;
  /** Browser and system; null if unknown. */
  device: string | null;
  /** Country code; null if unknown. */
  country: string | null;
  created_at: string;
  last_used_at: string;
  isCurrent: boolean;
}

/** Whose sessions are meant, and by which one they ask: its hash. */
export interface SessionOwner {
  email: string;
  current: string;
}

const toSession = (row: SessionRow, current: string): Session => ({
  id: row.public_id,
  device: row.device,
  country: row.country,
  created_at: isoTime(row.created_at),
  last_used_at: isoTime(row.last_used_at),
  isCurrent: row.hash === current,
});

/** Whether a session sees all sessions of the person. */
export const seesAllSessions = ({ current }: SessionOwner): boolean => scopeOf(current) === "all";

/** A session that an owner's invitation started sees no session that also opens other workspaces. */
async function selectOwn(ctx: ServiceContext, { email, current }: SessionOwner): Promise<SessionRow[]> {
  const [rows] = await ctx.db.read(selectSessionsOf(email, ctx.now()));
  const scope = scopeOf(current);
  return rows.filter(({ hash }) => covers(scope, scopeOf(hash)));
}

/** The person's sessions, the last used first. */
export const listSessions = async (ctx: ServiceContext, owner: SessionOwner): Promise<Session[]> =>
  (await selectOwn(ctx, owner)).map((row) => toSession(row, owner.current));

const ending = (ctx: ServiceContext, email: string, sessions: number) => ({
  ...signInChange(ctx, email, "member.end_session", ctx.now()),
  actor: actorOf(email),
  change: { sessions },
});

/** Ends one of the person's sessions; 404 if they have none with this id. */
export async function endSession(ctx: ServiceContext, owner: SessionOwner, id: string): Promise<Session> {
  const row = (await selectOwn(ctx, owner)).find((one) => one.public_id === id);
  if (row === undefined) throw new ServiceError(404, { message: "Session not found." });
  await ctx.db.write(ending(ctx, owner.email, 1), [deleteSessions([row.hash])]);
  return toSession(row, owner.current);
}

/** Ends all the person's sessions but the current one, and their unused sign-in links. Returns the number of sessions. */
export async function endOtherSessions(ctx: ServiceContext, owner: SessionOwner): Promise<number> {
  const others = (await selectOwn(ctx, owner)).flatMap(({ hash }) => (hash === owner.current ? [] : [hash]));
  const scope = scopeOf(owner.current);
  const links =
    scope === "all"
      ? [deleteSignInLinksOf(owner.email)]
      : scope.map((workspace) => deleteInvitations(workspace, owner.email));
  await ctx.db.write(ending(ctx, owner.email, others.length), [deleteSessions(others), ...links]);
  return others.length;
}
