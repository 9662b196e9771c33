import { and, desc, eq, getTableColumns, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { abortUnless, ensureRow } from "../db/audit";
import type { Guard, Statement } from "../db/client";
import { columnsAs } from "../db/columns";
import { orm, prepared } from "../db/prepared";
import { apiKeys, members, workspaces } from "../db/schema/access";
import { auditLog } from "../db/schema/audit";
import { idempotencyKeys } from "../db/schema/idempotency";
import { WORKSPACE_COLUMNS } from "./workspace-statements";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

const selectWithWorkspace = (where: SQL | undefined) =>
  orm
    .select({
      key: columnsAs(getTableColumns(apiKeys)),
      workspace: columnsAs(WORKSPACE_COLUMNS),
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspace_id))
    .where(where);

export type KeyWithWorkspace = Awaited<ReturnType<typeof selectWithWorkspace>>[number];

export const selectKeyByHash = prepared((hash: string) => selectWithWorkspace(eq(apiKeys.hash, hash)));

/** Updates a key's last use, unless it was updated since `notSince`. */
export const updateLastUse = prepared((keyId: number, at: number, notSince: number) =>
  orm
    .update(apiKeys)
    .set({ last_used_at: at })
    .where(and(eq(apiKeys.id, keyId), or(isNull(apiKeys.last_used_at), lt(apiKeys.last_used_at, notSince)))),
);

export const insertApiKey = prepared((row: typeof apiKeys.$inferInsert) => orm.insert(apiKeys).values(row));

/** Rows of a workspace. Keys that have ended make room for new ones. */
const MAX_KEY_ROWS = 1_000;

/** Removes the keys that ended first, with what they reserve, if there is no room for another row. */
export function deleteOldestEnded(workspaceId: number, at: number): Statement[] {
  const ofWorkspace = sql`${apiKeys.workspace_id} = ${workspaceId}`;
  const oldest = sql`(select ${apiKeys.id} from ${apiKeys} where ${ofWorkspace}
    and (${apiKeys.revoked_at} is not null or ${apiKeys.expires_at} <= ${at}) order by ${apiKeys.id}
    limit max(0, (select count(*) from ${apiKeys} where ${ofWorkspace}) - ${MAX_KEY_ROWS - 1}))`;
  return [
    orm.run(sql`delete from ${idempotencyKeys} where ${idempotencyKeys.api_key_id} in ${oldest}`),
    orm.run(sql`delete from ${apiKeys} where ${apiKeys.id} in ${oldest}`),
  ];
}

/** The keys, the newest first. */
export const selectNewestKeys = (workspaceId: number) =>
  orm.select().from(apiKeys).where(eq(apiKeys.workspace_id, workspaceId)).orderBy(desc(apiKeys.id));

/** Who made a key, as the actor in the audit log; null if the entry is gone. */
const makerOf = sql<string | null>`(select ${auditLog.actor} from ${auditLog} indexed by audit_log_subject
  where ${auditLog.workspace_id} = ${apiKeys.workspace_id} and ${auditLog.subject} = ${apiKeys.public_id}
    and ${auditLog.action} = 'key.create' order by ${auditLog.id} limit 1)`;

export const selectMakersOfKeys = (workspaceId: number) =>
  orm.all<{ id: string; maker: string | null }>(sql`select ${apiKeys.public_id} as id, ${makerOf} as maker
    from ${apiKeys} where ${apiKeys.workspace_id} = ${workspaceId}`);

/** The keys that work and were made by people who are no longer members. */
export const selectKeysOfRemoved = (workspaceId: number, at: number) =>
  orm.all<{ name: string; last4: string; email: string }>(sql`select name, last4, substr(maker, 8) as email
    from (select ${apiKeys.name} as name, ${apiKeys.last4} as last4, ${apiKeys.id} as id, ${makerOf} as maker from ${apiKeys}
      where ${apiKeys.workspace_id} = ${workspaceId} and ${apiKeys.revoked_at} is null
        and (${apiKeys.expires_at} is null or ${apiKeys.expires_at} > ${at}))
    where maker like 'member:%' and substr(maker, 8) not in
      (select ${members.email} from ${members} where ${members.workspace_id} = ${workspaceId}) order by email, id`);

export const selectKey = (workspaceId: number, id: string) =>
  selectWithWorkspace(and(eq(apiKeys.workspace_id, workspaceId), eq(apiKeys.public_id, id)));

/** For the operator: the key may be in any workspace. */
export const selectKeyAnywhere = (id: string) => selectWithWorkspace(eq(apiKeys.public_id, id));

export const updateRevocation = (keyId: number, at: number) =>
  orm
    .update(apiKeys)
    .set({ revoked_at: at })
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revoked_at)));

export const ensureKeyUnrevoked = (keyId: number) => ensureRow(apiKeys, { id: keyId, revoked_at: null });

export const ensureKeyActive = (keyId: number, at: number): Guard =>
  abortUnless(sql`exists (select 1 from ${apiKeys} where ${apiKeys.id} = ${keyId} and ${apiKeys.revoked_at} is null
    and (${apiKeys.expires_at} is null or ${apiKeys.expires_at} > ${at}))`);

/** Sets a key's expiry to `at`, unless it expires earlier. */
export const updateKeyExpiry = (keyId: number, at: number) =>
  orm
    .update(apiKeys)
    .set({ expires_at: sql`min(coalesce(${apiKeys.expires_at}, ${at}), ${at})` })
    .where(eq(apiKeys.id, keyId));
