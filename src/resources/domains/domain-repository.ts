import { and, asc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import { abortUnless, ensureRow } from "../../db/audit";
import type { Guard } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { domains } from "../../db/schema/domains";
import { offlineAssets } from "../../db/schema/engagement";
import { links, slugs } from "../../db/schema/links";

export type DomainRow = typeof domains.$inferSelect;

const whereOwn = (workspaceId: number, host: string) =>
  and(eq(domains.workspace_id, workspaceId), eq(domains.host, host));

export const selectDomain = (workspaceId: number, host: string) =>
  orm.select().from(domains).where(whereOwn(workspaceId, host));

export const selectDomains = (workspaceId: number) =>
  orm
    .select()
    .from(domains)
    .where(and(eq(domains.workspace_id, workspaceId), isNull(domains.removed_at)))
    .orderBy(asc(domains.host));

/** The proved row of a host, whichever workspace has it. */
export const selectProvedDomain = (host: string) =>
  orm
    .select()
    .from(domains)
    .where(and(eq(domains.host, host), sql`${domains.state} <> 'pending'`));

/** SQLite would read all slugs of the workspace. */
const DOMAIN_INDEX = sql.raw("indexed by slugs_domain");

/** Adds or takes away what the workspace has claimed on a host, which counts from the proof to the end of a release. */
export const updateClaims = (workspaceId: number, host: string, sign: 1 | -1, condition = sql`true`) =>
  orm.run(sql`update ${workspaces} set slug_claims = max(0, slug_claims + ${sign} * (select count(*) from ${slugs} ${DOMAIN_INDEX}
        where ${slugs.domain} = ${host} and domain <> '' and ${slugs.workspace_id} = ${workspaceId}
          and ${slugs.asset} is null and ${slugs.slug} <> ''))
      where ${workspaces.id} = ${workspaceId} and ${condition}`);

export const insertDomain = (row: typeof domains.$inferInsert) => orm.insert(domains).values(row);

export const updateDomain = (
  workspaceId: number,
  host: string,
  fields: Partial<typeof domains.$inferInsert>,
) => orm.update(domains).set(fields).where(whereOwn(workspaceId, host));

export const deleteDomain = (workspaceId: number, host: string) =>
  orm.delete(domains).where(whereOwn(workspaceId, host));

export const clearPrimary = (workspaceId: number) =>
  orm
    .update(domains)
    .set({ is_primary: 0 })
    .where(and(eq(domains.workspace_id, workspaceId), eq(domains.is_primary, 1)));

/** True while a domain is as it was read, but for what the schedule stores of it. */
export const ensureDomainUnchanged = ({ failing_since: _, checked_at: __, ...row }: DomainRow) =>
  ensureRow(domains, row);

export const ensureHostFree = (workspaceId: number, host: string): Guard =>
  abortUnless(sql`not exists (select 1 from ${domains} where ${domains.host} = ${host}
    and ${domains.state} <> 'pending' and ${domains.workspace_id} <> ${workspaceId})`);

/** Whether no link has its current address on the host, and no asset that is in use its code. */
const isUnused = (workspaceId: number, host: string) => sql`(not exists (select 1 from ${links}
      where ${links.workspace_id} = ${workspaceId} and ${links.domain} = ${host} and ${links.deleted_at} is null)
    and not exists (select 1 from ${offlineAssets} cross join ${slugs} on ${slugs.asset} = ${offlineAssets.public_id}
      where ${offlineAssets.workspace_id} = ${workspaceId} and ${offlineAssets.status} <> 'retired' and ${slugs.domain} = ${host}))`;

export const selectUnused = (workspaceId: number, host: string) =>
  orm.all<{ unused: number }>(sql`select ${isUnused(workspaceId, host)} as unused`);

export const ensureUnused = (workspaceId: number, host: string): Guard =>
  abortUnless(isUnused(workspaceId, host));

export const selectReleased = (most: number) =>
  orm
    .select()
    .from(domains)
    .where(sql`${domains.released_at} is not null`)
    .orderBy(asc(domains.released_at))
    .limit(most);

export const selectLeastChecked = (most: number) =>
  orm
    .select(getTableColumns(domains))
    .from(domains)
    .innerJoin(workspaces, eq(workspaces.id, domains.workspace_id))
    .where(
      and(
        sql`${domains.state} <> 'pending' and ${domains.removed_at} is null`,
        isNull(workspaces.suspended_at),
      ),
    )
    .orderBy(asc(domains.checked_at))
    .limit(most);

/** Stores what looking at hosts found, except at those that were removed meanwhile. One that became active meanwhile stays so. */
export const updateChecked = (
  rows: readonly Pick<DomainRow, "id" | "state" | "failing_since" | "checked_at">[],
) =>
  orm.run(sql`update ${domains} set state = iif(state = 'verified', item.value ->> 'state', state),
        failing_since = item.value ->> 'failing_since', checked_at = item.value ->> 'checked_at'
      from json_each(${JSON.stringify(rows)}) as item
      where ${domains.id} = item.value ->> 'id' and ${domains.removed_at} is null`);

/**
 * Ends a release once the host opens no link any more, and KV shows it: its slugs are no claims of the workspace, and its row is
 * deleted.
 */
export function endRelease({ id, host, workspace_id: workspaceId }: DomainRow, now: number) {
  const isEnding = sql`exists (select 1 from ${domains} where ${domains.id} = ${id} and ${domains.released_at} is not null
    and not exists (select 1 from ${slugs} ${DOMAIN_INDEX} where ${slugs.domain} = ${host} and domain <> ''
      and ${slugs.workspace_id} = ${workspaceId} and (${slugs.link_id} is not null or ${slugs.doubt_until} > ${now})))`;
  return [
    updateClaims(workspaceId, host, -1, isEnding),
    orm.run(sql`delete from ${domains} where ${domains.id} = ${id} and ${isEnding}`),
  ] as const;
}
