import { auditEntryIn, type ServiceContext } from "../context";
import { notFound, retryLostRaces } from "../errors";
import { isoTime } from "../lib/time";
import { covers, workspacesIn } from "./scope";
import {
  deleteInvitations,
  deleteSessions,
  deleteSignInLinksOf,
  ensureSessionExists,
  type SessionRow,
  selectSessionsOf,
} from "./session-repository";
import { actorOf } from "./sessions";

/** Whose sessions are meant, and by which one they ask: its hash. */
export interface SessionOwner {
  email: string;
  current: string;
}

const toSession = (row: SessionRow, current: string) => ({
  id: row.public_id,
  device: row.device,
  country: row.country,
  created_at: isoTime(row.created_at),
  last_used_at: isoTime(row.last_used_at),
  isCurrent: row.hash === current,
});

export type Session = ReturnType<typeof toSession>;

/** A session that an owner's invitation started sees no session that also opens other workspaces. */
async function readOwn(ctx: ServiceContext, { email, current }: SessionOwner) {
  const [rows] = await ctx.db.read(selectSessionsOf(email, ctx.now()));
  const own = rows.find(({ hash }) => hash === current);
  const scope = own === undefined ? "" : own.workspaces;
  return { rows: rows.filter(({ workspaces }) => covers(scope, workspaces)), scope };
}

/** The person's sessions, the last used first, and whether they are all. */
export async function listSessions(ctx: ServiceContext, owner: SessionOwner) {
  const { rows, scope } = await readOwn(ctx, owner);
  return { sessions: rows.map((row) => toSession(row, owner.current)), isAll: scope === null };
}

const ending = (ctx: ServiceContext, email: string, sessions: number) => ({
  ...auditEntryIn(null, { actor: actorOf(email) }, "member.end_session", email, ctx.now()),
  change: { sessions },
  space: "frees" as const,
});

/** Ends one of the person's sessions; 404 if they have none with this id. */
export const endSession = (ctx: ServiceContext, owner: SessionOwner, id: string): Promise<Session> =>
  retryLostRaces(async () => {
    const row = (await readOwn(ctx, owner)).rows.find((one) => one.public_id === id);
    if (row === undefined) throw notFound("Session");
    const change = { ...ending(ctx, owner.email, 1), guards: [ensureSessionExists(row.hash)] };
    await ctx.db.write(change, [deleteSessions([row.hash])]);
    return toSession(row, owner.current);
  });

/** Ends all the person's sessions but the current one, and their unused sign-in links. Returns the number of sessions. */
export async function endOtherSessions(ctx: ServiceContext, owner: SessionOwner): Promise<number> {
  const { rows, scope } = await readOwn(ctx, owner);
  const others = rows.flatMap(({ hash }) => (hash === owner.current ? [] : [hash]));
  const links =
    scope === null
      ? [deleteSignInLinksOf(owner.email)]
      : workspacesIn(scope).map((workspace) => deleteInvitations(workspace, owner.email));
  await ctx.db.write(ending(ctx, owner.email, others.length), [deleteSessions(others), ...links]);
  return others.length;
}
