import { and, asc, eq, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { abortUnless, ensureRow } from "../db/audit";
import type { Guard } from "../db/client";
import { columnsAs } from "../db/columns";
import { orm, prepared } from "../db/prepared";
import { members, sessions, workspaces } from "../db/schema/access";
import { WORKSPACE_COLUMNS } from "./workspace-statements";

export type MemberRow = typeof members.$inferSelect;
export type Role = MemberRow["role"];

const whereMember = (workspaceId: number, email: string) =>
  and(eq(members.workspace_id, workspaceId), eq(members.email, email));

export const selectMembers = (workspaceId: number) =>
  orm.select().from(members).where(eq(members.workspace_id, workspaceId)).orderBy(asc(members.email));

export const selectMember = (workspaceId: number, email: string) =>
  orm
    .select({ id: members.id, report_token: members.report_token })
    .from(members)
    .where(whereMember(workspaceId, email));

export const insertMember = prepared((row: typeof members.$inferInsert) => orm.insert(members).values(row));

export const updateRole = (workspaceId: number, email: string, role: Role) =>
  orm.update(members).set({ role }).where(whereMember(workspaceId, email));

export const updateMemberName = (workspaceId: number, email: string, name: string | null) =>
  orm.update(members).set({ name }).where(whereMember(workspaceId, email));

/** Records when a member opened the workspace, unless that was recorded since `notSince`. */
export const updateLastSeen = (workspaceId: number, email: string, at: number, notSince: number) =>
  orm
    .update(members)
    .set({ last_seen_at: at })
    .where(
      and(
        whereMember(workspaceId, email),
        or(isNull(members.last_seen_at), lte(members.last_seen_at, notSince)),
      ),
    );

export const deleteMember = (workspaceId: number, email: string) =>
  orm.delete(members).where(whereMember(workspaceId, email));

export const ensureMemberHasRole = (workspaceId: number, email: string, role: Role) =>
  ensureRow(members, { workspace_id: workspaceId, email, role });

export const ensureMember = (workspaceId: number, email: string, name: string | null) =>
  ensureRow(members, { workspace_id: workspaceId, email, name });

export const ensureOtherOwner = (workspaceId: number, email: string): Guard =>
  abortUnless(sql`exists (select 1 from ${members} where ${members.workspace_id} = ${workspaceId}
    and ${members.role} = 'owner' and ${members.email} <> ${email})`);

const selectMembershipsWhere = (where: SQL) =>
  orm
    .select({
      role: members.role,
      member: members.public_id,
      last_seen_at: members.last_seen_at,
      workspace: columnsAs(WORKSPACE_COLUMNS),
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspace_id))
    .where(where)
    .orderBy(asc(workspaces.name), asc(workspaces.id));

/** A person's memberships by name of the workspace. */
export const selectMemberships = prepared((email: string) =>
  selectMembershipsWhere(eq(members.email, email)),
);

export type MembershipRow = ReturnType<typeof selectMemberships>["rows"][number];

/** The memberships of the person who has a session that has not expired. */
export const selectMembershipsOfSession = prepared((hash: string, at: number) =>
  selectMembershipsWhere(
    sql`${members.email} = (select ${sessions.email} from ${sessions}
      where ${sessions.hash} = ${hash} and ${sessions.expires_at} > ${at})`,
  ),
);

/** The members whose weekly report is due, in turns of workspaces, the longest due first. Nobody of a suspended workspace. */
export const selectDueReports = (at: number, limit: number) =>
  orm
    .select({
      email: members.email,
      token: sql<string>`${members.report_token}`.as("token"),
      workspace: columnsAs(WORKSPACE_COLUMNS),
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspace_id))
    .where(
      and(
        isNotNull(members.report_token),
        sql`${members.report_token} not glob ${`${ASKED}*`}`,
        lte(members.report_due_at, at),
        isNull(workspaces.suspended_at),
      ),
    )
    .orderBy(
      sql`row_number() over (partition by ${members.workspace_id} order by ${members.report_due_at}, ${members.id})`,
      asc(members.report_due_at),
      asc(members.id),
    )
    .limit(limit);

/** Stands before the token while the address has not confirmed that it wants the report. */
export const ASKED = "ask:";

export const askForReport = (workspaceId: number, email: string, token: string) =>
  orm
    .update(members)
    .set({ report_token: ASKED + token })
    .where(and(whereMember(workspaceId, email), isNull(members.report_token)));

/** Starts a report that was asked for. It comes no sooner than it would have if it had stayed on. */
export const startReport = (token: string, dueAt: number) =>
  orm
    .update(members)
    .set({
      report_token: token,
      report_due_at: sql`max(coalesce(${members.report_due_at}, 0), ${dueAt})`,
    })
    .where(eq(members.report_token, ASKED + token));

export const endReport = (workspaceId: number, email: string) =>
  orm.update(members).set({ report_token: null }).where(whereMember(workspaceId, email));

/** The token of a weekly report, if somebody gets it, and it is due at this time. */
export const selectReportToken = (token: string, dueAt?: number) =>
  orm
    .select({ token: members.report_token })
    .from(members)
    .where(
      and(
        eq(members.report_token, token),
        dueAt === undefined ? undefined : sql`+${members.report_due_at} = ${dueAt}`,
      ),
    );

export const stopReport = (token: string) =>
  orm.update(members).set({ report_token: null }).where(eq(members.report_token, token));

/** Sets when the next report is due, if this one is due still. */
export const updateReportDue = (token: string, now: number, nextAt: number) =>
  orm
    .update(members)
    .set({ report_due_at: nextAt })
    .where(and(eq(members.report_token, token), lte(members.report_due_at, now)));
