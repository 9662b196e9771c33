import { and, asc, eq, getTableColumns, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { columnsAs } from "../db/columns";
import { prepared } from "../db/prepared";
import { memberRemovals, members, sessions, workspaces } from "../db/schema";

export type MemberRow = typeof members.$inferSelect;
export type Role = MemberRow["role"];

export const selectMembers =
  (workspaceId: number): Statement<MemberRow[]> =>
  (orm) =>
    orm.select().from(members).where(eq(members.workspace_id, workspaceId)).orderBy(asc(members.email));

/** The first `limit` members by e-mail address. */
export const selectMembersUpTo =
  (workspaceId: number, limit: number): Statement<MemberRow[]> =>
  (orm) =>
    orm
      .select()
      .from(members)
      .where(eq(members.workspace_id, workspaceId))
      .orderBy(asc(members.email))
      .limit(limit);

export const selectMember =
  (workspaceId: number, email: string): Statement<{ id: number }[]> =>
  (orm) =>
    orm
      .select({ id: members.id })
      .from(members)
      .where(and(eq(members.workspace_id, workspaceId), eq(members.email, email)));

export const insertMember = prepared(
  (row: typeof members.$inferInsert): Statement =>
    (orm) =>
      orm.insert(members).values(row),
);

export const updateRole =
  (workspaceId: number, email: string, role: Role): Statement =>
  (orm) =>
    orm
      .update(members)
      .set({ role })
      .where(and(eq(members.workspace_id, workspaceId), eq(members.email, email)));

/** Records when a member opened the workspace, unless that was recorded since `notSince`. */
export const updateLastSeen =
  (workspaceId: number, email: string, at: number, notSince: number): Statement =>
  (orm) =>
    orm
      .update(members)
      .set({ last_seen_at: at })
      .where(
        and(
          eq(members.workspace_id, workspaceId),
          eq(members.email, email),
          or(isNull(members.last_seen_at), lte(members.last_seen_at, notSince)),
        ),
      );

export const deleteMember =
  (workspaceId: number, email: string): Statement =>
  (orm) =>
    orm.delete(members).where(and(eq(members.workspace_id, workspaceId), eq(members.email, email)));

/**
 * Excludes the person's current sessions from the workspace. Clocks of instances may differ, so the time is at least
 * that of their newest session. Without sessions no row is written.
 */
export const upsertRemoval =
  (workspaceId: number, email: string, at: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${memberRemovals} (workspace_id, email, removed_at)
      select ${workspaceId}, ${sessions.email}, max(${at}, max(${sessions.created_at}))
      from ${sessions} where ${sessions.email} = ${email} group by ${sessions.email}
      on conflict (workspace_id, email) do update set removed_at = max(removed_at, excluded.removed_at)`);

/** Deletes up to `limit` removals that are later than the start of no session. */
export const deleteUnneededRemovals =
  (limit: number): Statement =>
  (orm) =>
    orm.delete(memberRemovals).where(
      sql`(${memberRemovals.workspace_id}, ${memberRemovals.email}) in (
        select ${memberRemovals.workspace_id}, ${memberRemovals.email} from ${memberRemovals}
        where not exists (select 1 from ${sessions} where ${sessions.email} = ${memberRemovals.email}
          and ${sessions.created_at} <= ${memberRemovals.removed_at})
        limit ${limit})`,
    );

export const whereMemberHasRole = (workspaceId: number, email: string, role: Role): Guard =>
  sql`exists (select 1 from ${members} where ${members.workspace_id} = ${workspaceId}
    and ${members.email} = ${email} and ${members.role} = ${role})`;

export const whereOtherOwner = (workspaceId: number, email: string): Guard =>
  sql`exists (select 1 from ${members} where ${members.workspace_id} = ${workspaceId}
    and ${members.role} = 'owner' and ${members.email} <> ${email})`;

export interface Membership {
  role: Role;
  member: string;
  last_seen_at: number | null;
  workspace: typeof workspaces.$inferSelect;
}

const membershipColumns = {
  role: members.role,
  member: members.public_id,
  last_seen_at: members.last_seen_at,
  workspace: columnsAs("workspace", getTableColumns(workspaces)),
};

/** A person's memberships by name of the workspace. */
export const selectMemberships = prepared(
  (email: string): Statement<Membership[]> =>
    (orm) =>
      orm
        .select(membershipColumns)
        .from(members)
        .innerJoin(workspaces, eq(workspaces.id, members.workspace_id))
        .where(eq(members.email, email))
        .orderBy(asc(workspaces.name), asc(workspaces.id)),
);

export interface SessionMembership extends Membership {
  /** 1 if the person was removed from the workspace after the session began, and was added again. */
  predates: number;
}

/** The memberships of the person who has a session that has not expired. */
export const selectMembershipsOfSession = prepared(
  (hash: string, at: number): Statement<SessionMembership[]> =>
    (orm) =>
      orm
        .select({
          ...membershipColumns,
          predates: sql<number>`coalesce(${sessions.created_at} <= ${memberRemovals.removed_at}, 0)`.as(
            "predates",
          ),
        })
        .from(sessions)
        .innerJoin(members, eq(members.email, sessions.email))
        .innerJoin(workspaces, eq(workspaces.id, members.workspace_id))
        .leftJoin(
          memberRemovals,
          and(eq(memberRemovals.workspace_id, members.workspace_id), eq(memberRemovals.email, members.email)),
        )
        .where(and(eq(sessions.hash, hash), gt(sessions.expires_at, at)))
        .orderBy(asc(workspaces.name), asc(workspaces.id)),
);
