import { and, asc, eq, getTableColumns, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Guard, Statement } from "../db/client";
import { columnsAs } from "../db/columns";
import { deleteBelow } from "../db/portion";
import { prepared } from "../db/prepared";
import {
  activityGroups,
  apiKeys,
  links,
  memberRemovals,
  members,
  sessions,
  signInLinks,
  workspaces,
} from "../db/schema";

export type WorkspaceRow = typeof workspaces.$inferSelect;
export type ApiKeyRow = typeof apiKeys.$inferSelect;
export type MemberRow = typeof members.$inferSelect;
export type Role = MemberRow["role"];

const apiKeyColumns = columnsAs("key", getTableColumns(apiKeys));
const workspaceColumns = columnsAs("workspace", getTableColumns(workspaces));

export interface KeyWithWorkspace {
  key: ApiKeyRow;
  workspace: WorkspaceRow;
}

export const keyByHash = prepared(
  (hash: string): Statement<KeyWithWorkspace[]> =>
    (orm) =>
      orm
        .select({ key: apiKeyColumns, workspace: workspaceColumns })
        .from(apiKeys)
        .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspace_id))
        .where(eq(apiKeys.hash, hash)),
);

/** Moves a key's last use forward, at most once in the interval that ends at `notSince`. */
export const recordUse = prepared(
  (keyId: number, at: number, notSince: number): Statement =>
    (orm) =>
      orm
        .update(apiKeys)
        .set({ last_used_at: at })
        .where(
          and(eq(apiKeys.id, keyId), or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, notSince))),
        ),
);

export const workspaceBySlug = prepared(
  (slug: string): Statement<WorkspaceRow[]> =>
    (orm) =>
      orm.select().from(workspaces).where(eq(workspaces.slug, slug)),
);

const OWNED = { group: activityGroups, link: links };

/** What has a workspace and a public id. */
export type Owned = keyof typeof OWNED;

/** The workspace that has a thing, deleted or not. */
export const workspaceOf =
  (kind: Owned, id: string): Statement<WorkspaceRow[]> =>
  (orm) => {
    const thing = OWNED[kind];
    const owner = orm.select({ id: thing.workspace_id }).from(thing).where(eq(thing.public_id, id));
    return orm.select().from(workspaces).where(eq(workspaces.id, owner));
  };

export const allWorkspaces = (): Statement<WorkspaceRow[]> => (orm) =>
  orm.select().from(workspaces).orderBy(asc(workspaces.slug));

export const insertWorkspace = prepared(
  (row: typeof workspaces.$inferInsert): Statement =>
    (orm) =>
      orm.insert(workspaces).values(row),
);

export const setSuspended =
  (workspaceId: number, suspendedAt: number | null, at: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ suspended_at: suspendedAt, updated_at: at })
      .where(eq(workspaces.id, workspaceId));

export const setName =
  (workspaceId: number, name: string, at: number): Statement =>
  (orm) =>
    orm.update(workspaces).set({ name, updated_at: at }).where(eq(workspaces.id, workspaceId));

/** What of a workspace its owners change, for the audit log. */
export const workspaceSnapshot = (workspaceId: number): SQL =>
  sql`(select json_object('name', ${workspaces.name}) from ${workspaces} where ${workspaces.id} = ${workspaceId})`;

/** Holds while the workspace has room for one more tag. */
export const hasRoomForTag = (workspaceId: number, limit: number): Guard =>
  sql`exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId} and ${workspaces.tag_count} < ${limit})`;

export interface Usage {
  link_limit: number | null;
  active_links: number;
  archived_links: number;
  tag_count: number;
  /** The slugs that the workspace has claimed, tombstones included. */
  slug_claims: number;
}

export const usage = prepared(
  (workspaceId: number): Statement<Usage[]> =>
    (orm) =>
      orm
        .select({
          link_limit: workspaces.link_limit,
          active_links: workspaces.active_links,
          archived_links: workspaces.archived_links,
          tag_count: workspaces.tag_count,
          slug_claims: workspaces.slug_claims,
        })
        .from(workspaces)
        .where(eq(workspaces.id, workspaceId)),
);

/** How many links of a status the workspace has, deleted ones never counted. */
export const linkTotal =
  (workspaceId: number, status: "active" | "archived" | "all"): Statement<{ total: number }[]> =>
  (orm) => {
    const { active_links: active, archived_links: archived } = workspaces;
    const total = {
      active: sql<number>`${active}`,
      archived: sql<number>`${archived}`,
      all: sql<number>`${active} + ${archived}`,
    };
    return orm.select({ total: total[status] }).from(workspaces).where(eq(workspaces.id, workspaceId));
  };

export const countTags =
  (workspaceId: number, difference: number): Statement =>
  (orm) =>
    orm
      .update(workspaces)
      .set({ tag_count: sql`${workspaces.tag_count} + ${difference}` })
      .where(eq(workspaces.id, workspaceId));

export const insertApiKey = prepared(
  (row: typeof apiKeys.$inferInsert): Statement =>
    (orm) =>
      orm.insert(apiKeys).values(row),
);

export const keysOfWorkspace =
  (workspaceId: number): Statement<ApiKeyRow[]> =>
  (orm) =>
    orm.select().from(apiKeys).where(eq(apiKeys.workspace_id, workspaceId)).orderBy(asc(apiKeys.id));

export const keyInWorkspace =
  (workspaceId: number, id: string): Statement<KeyWithWorkspace[]> =>
  (orm) =>
    orm
      .select({ key: apiKeyColumns, workspace: workspaceColumns })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspace_id))
      .where(and(eq(apiKeys.workspace_id, workspaceId), eq(apiKeys.public_id, id)));

/** The key with this public id in whatever workspace: the operator's own look-up. */
export const keyById =
  (id: string): Statement<KeyWithWorkspace[]> =>
  (orm) =>
    orm
      .select({ key: apiKeyColumns, workspace: workspaceColumns })
      .from(apiKeys)
      .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspace_id))
      .where(eq(apiKeys.public_id, id));

export const setRevoked =
  (keyId: number, at: number): Statement =>
  (orm) =>
    orm
      .update(apiKeys)
      .set({ revoked_at: at })
      .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revoked_at)));

/** Holds while a key is neither revoked nor expired. */
export const keyIsActive = (keyId: number, at: number): Guard =>
  sql`exists (select 1 from ${apiKeys} where ${apiKeys.id} = ${keyId} and ${apiKeys.revoked_at} is null
    and (${apiKeys.expires_at} is null or ${apiKeys.expires_at} > ${at}))`;

/** Lets a key end then, or when it would have ended anyway. */
export const endKey =
  (keyId: number, at: number): Statement =>
  (orm) =>
    orm
      .update(apiKeys)
      .set({ expires_at: sql`min(coalesce(${apiKeys.expires_at}, ${at}), ${at})` })
      .where(eq(apiKeys.id, keyId));

export const membersOfWorkspace =
  (workspaceId: number): Statement<MemberRow[]> =>
  (orm) =>
    orm.select().from(members).where(eq(members.workspace_id, workspaceId)).orderBy(asc(members.email));

export const insertMember = prepared(
  (row: typeof members.$inferInsert): Statement =>
    (orm) =>
      orm.insert(members).values(row),
);

export const setRole =
  (workspaceId: number, email: string, role: Role): Statement =>
  (orm) =>
    orm
      .update(members)
      .set({ role })
      .where(and(eq(members.workspace_id, workspaceId), eq(members.email, email)));

export const deleteMember =
  (workspaceId: number, email: string): Statement =>
  (orm) =>
    orm.delete(members).where(and(eq(members.workspace_id, workspaceId), eq(members.email, email)));

/**
 * Closes the workspace to the sessions that the person has now; no row where there are none. The moment is no earlier than
 * the newest of them began, as the clocks of two instances may differ.
 */
export const recordRemoval =
  (workspaceId: number, email: string, at: number): Statement =>
  (orm) =>
    orm.run(sql`insert into ${memberRemovals} (workspace_id, email, removed_at)
      select ${workspaceId}, ${sessions.email}, max(${at}, max(${sessions.created_at}))
      from ${sessions} where ${sessions.email} = ${email} group by ${sessions.email}
      on conflict (workspace_id, email) do update set removed_at = max(removed_at, excluded.removed_at)`);

/** Deletes up to `limit` removals that no session is older than, lapsed ones included. */
export const deleteIdleRemovals =
  (limit: number): Statement =>
  (orm) =>
    orm.delete(memberRemovals).where(
      sql`(${memberRemovals.workspace_id}, ${memberRemovals.email}) in (
        select ${memberRemovals.workspace_id}, ${memberRemovals.email} from ${memberRemovals}
        where not exists (select 1 from ${sessions} where ${sessions.email} = ${memberRemovals.email}
          and ${sessions.created_at} <= ${memberRemovals.removed_at})
        limit ${limit})`,
    );

/** Holds while the member's role is as it was read. */
export const memberIs = (workspaceId: number, email: string, role: Role): Guard =>
  sql`exists (select 1 from ${members} where ${members.workspace_id} = ${workspaceId}
    and ${members.email} = ${email} and ${members.role} = ${role})`;

/** Holds while the workspace has an owner beside this member. */
export const hasOtherOwner = (workspaceId: number, email: string): Guard =>
  sql`exists (select 1 from ${members} where ${members.workspace_id} = ${workspaceId}
    and ${members.role} = 'owner' and ${members.email} <> ${email})`;

export interface Membership {
  role: Role;
  member: string;
  workspace: WorkspaceRow;
}

const membershipColumns = { role: members.role, member: members.public_id, workspace: workspaceColumns };

/** The workspaces of a person, by name. */
export const membershipsOf = prepared(
  (email: string): Statement<Membership[]> =>
    (orm) =>
      orm
        .select(membershipColumns)
        .from(members)
        .innerJoin(workspaces, eq(workspaces.id, members.workspace_id))
        .where(eq(members.email, email))
        .orderBy(asc(workspaces.name), asc(workspaces.id)),
);

/** A membership as a session has it. */
export interface SessionMembership extends Membership {
  /** 1 where the person was removed from the workspace after the session began, and has been added again. */
  predates: number;
}

/** The same, of who has a session that has not ended. */
export const membershipsOfSession = prepared(
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

export const sessionByHash = prepared(
  (hash: string, at: number): Statement<{ email: string }[]> =>
    (orm) =>
      orm
        .select({ email: sessions.email })
        .from(sessions)
        .where(and(eq(sessions.hash, hash), gt(sessions.expires_at, at))),
);

export const insertSignInLink =
  (row: typeof signInLinks.$inferInsert): Statement =>
  (orm) =>
    orm.insert(signInLinks).values(row);

export const signInLinkByHash =
  (hash: string, at: number): Statement<{ email: string }[]> =>
  (orm) =>
    orm
      .select({ email: signInLinks.email })
      .from(signInLinks)
      .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expires_at, at)));

/** Holds while a sign-in link is neither used nor lapsed. */
export const isUsable = (hash: string, at: number): Guard =>
  sql`exists (select 1 from ${signInLinks} where ${signInLinks.hash} = ${hash} and ${signInLinks.expires_at} > ${at})`;

export const deleteSignInLink =
  (hash: string): Statement =>
  (orm) =>
    orm.delete(signInLinks).where(eq(signInLinks.hash, hash));

export const deleteSignInLinksOf =
  (email: string): Statement =>
  (orm) =>
    orm.delete(signInLinks).where(eq(signInLinks.email, email));

/** Begins a session, later than every removal of its person from a workspace that has them as a member again. */
export const insertSession =
  (row: typeof sessions.$inferInsert): Statement =>
  (orm) => {
    const removed = sql`(select max(${memberRemovals.removed_at}) from ${members} join ${memberRemovals}
      on ${memberRemovals.workspace_id} = ${members.workspace_id} and ${memberRemovals.email} = ${members.email}
      where ${members.email} = ${row.email})`;
    const createdAt = sql<number>`max(${row.created_at}, coalesce(${removed} + 1, 0))`;
    return orm.insert(sessions).values({ ...row, created_at: createdAt });
  };

export const deleteSession =
  (hash: string): Statement =>
  (orm) =>
    orm.delete(sessions).where(eq(sessions.hash, hash));

export const deleteSessionsOf =
  (email: string): Statement =>
  (orm) =>
    orm.delete(sessions).where(eq(sessions.email, email));

/** Forgets a portion of the sessions that ended before then. */
export const deleteLapsedSessions = (at: number): Statement => deleteBelow(sessions, sessions.expires_at, at);

/** Forgets a portion of the sign-in links that lapsed before then. */
export const deleteLapsedSignInLinks = (at: number): Statement =>
  deleteBelow(signInLinks, signInLinks.expires_at, at);
