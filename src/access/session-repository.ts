import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import { abortUnless, ensureRow } from "../db/audit";
import { deleteBelow } from "../db/chunk";
import type { Guard } from "../db/client";
import { orm, prepared } from "../db/prepared";
import { members, sentMails, sessions, signInLinks } from "../db/schema/access";

export type SessionRow = typeof sessions.$inferSelect;

export const selectSession = prepared((hash: string, at: number) =>
  orm
    .select({
      email: sessions.email,
      last_used_at: sessions.last_used_at,
      workspaces: sessions.workspaces,
      closed: sessions.closed,
    })
    .from(sessions)
    .where(and(eq(sessions.hash, hash), gt(sessions.expires_at, at))),
);

export const selectSessionsOf = (email: string, at: number) =>
  orm
    .select()
    .from(sessions)
    .where(and(eq(sessions.email, email), gt(sessions.expires_at, at)))
    .orderBy(desc(sessions.last_used_at), desc(sessions.hash));

export const ensureSessionExists = (hash: string) => ensureRow(sessions, { hash });

export const insertSession = (row: typeof sessions.$inferInsert) => orm.insert(sessions).values(row);

type SessionUse = Pick<SessionRow, "last_used_at" | "expires_at" | "device" | "country">;

/** Records the use of a session and extends it, unless a use was recorded since `notSince`. */
export const updateSessionUse = (hash: string, use: SessionUse, notSince: number) =>
  orm
    .update(sessions)
    .set(use)
    .where(
      and(
        eq(sessions.hash, hash),
        gt(sessions.expires_at, use.last_used_at),
        lte(sessions.last_used_at, notSince),
      ),
    );

/** Closes a workspace to the person's sessions so far, also if the person is added again. */
export const closeToSessions = (workspace: string, email: string) =>
  orm
    .update(sessions)
    .set({ closed: sql`${sessions.closed} || ${`${workspace}.`}` })
    .where(and(eq(sessions.email, email), sql`instr(${sessions.closed}, ${workspace}) = 0`));

export const deleteSessions = (hashes: readonly string[]) =>
  orm
    .delete(sessions)
    .where(sql`${sessions.hash} in (select value from json_each(${JSON.stringify(hashes)}))`);

export const deleteSessionsOf = (email: string) => orm.delete(sessions).where(eq(sessions.email, email));

/** Deletes the person's sessions for the same workspaces, all but the `kept` that were used last. */
export const deleteOldSessions = (email: string, workspaces: string | null, kept: number) =>
  orm.delete(sessions).where(
    sql`${sessions.hash} in (select ${sessions.hash} from ${sessions} where ${sessions.email} = ${email}
        and ${sessions.workspaces} is ${workspaces}
        order by ${sessions.last_used_at} desc limit -1 offset ${kept})`,
  );

export const insertSignInLink = (row: typeof signInLinks.$inferInsert) => orm.insert(signInLinks).values(row);

export const selectSignInLink = (hash: string, at: number) =>
  orm
    .select({
      email: signInLinks.email,
      expires_at: signInLinks.expires_at,
      workspace: signInLinks.workspace,
    })
    .from(signInLinks)
    .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expires_at, at)));

export const ensureSignInLinkUsable = (hash: string, at: number): Guard =>
  abortUnless(
    sql`exists (select 1 from ${signInLinks} where ${signInLinks.hash} = ${hash} and ${signInLinks.expires_at} > ${at})`,
  );

export const deleteSignInLink = (hash: string) => orm.delete(signInLinks).where(eq(signInLinks.hash, hash));

/** Deletes the person's unused links, invitations too. */
export const deleteSignInLinksOf = (email: string) =>
  orm.delete(signInLinks).where(eq(signInLinks.email, email));

export const selectInvitations = (workspace: string, at: number) =>
  orm
    .select({ email: signInLinks.email, expires_at: signInLinks.expires_at })
    .from(signInLinks)
    .where(and(eq(signInLinks.workspace, workspace), gt(signInLinks.expires_at, at)));

export const deleteInvitations = (workspace: string, email: string) =>
  orm.delete(signInLinks).where(and(eq(signInLinks.workspace, workspace), eq(signInLinks.email, email)));

/** Records a mail to a member, if fewer than `max` were sent to the address since a time. */
export const insertSentMail = (id: number, email: string, at: number, since: number, max: number) =>
  orm.run(sql`insert into ${sentMails} (id, email, sent_at) select cast(${id} as integer), ${email}, ${at}
    where exists (select 1 from ${members} where ${members.email} = ${email})
      and (select count(*) from ${sentMails}
        where ${sentMails.email} = ${email} and ${sentMails.sent_at} > ${since}) < ${max} on conflict do nothing`);

export const selectSentMail = (id: number) =>
  orm.select({ id: sentMails.id }).from(sentMails).where(eq(sentMails.id, id));

export const deleteSentMailsBefore = (at: number) => deleteBelow(sentMails, sentMails.sent_at, at);
