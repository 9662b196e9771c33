import { sql } from "drizzle-orm";
import { boundList, fromList, listed, listedAs } from "../../db/bound-list";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { auditLog } from "../../db/schema/audit";
import { domains } from "../../db/schema/domains";
import { links, slugs } from "../../db/schema/links";
import { columnsOf, fileColumns, list, type TableInBackup } from "./backup-tables";

/** The workspaces with one of these public ids or slugs. */
export const selectSimilarWorkspaces = (ids: readonly string[], names: readonly string[]) =>
  orm.all<{ id: number; public_id: string; slug: string }>(sql`select id, public_id, slug from ${workspaces}
    where public_id in (select value from json_each(${JSON.stringify(ids)}))
      or slug in (select value from json_each(${JSON.stringify(names)}))`);

/** The slugs that belong to another workspace. Row id 0 belongs to none. */
export const selectSlugsOfOthers = (workspaceId: number, keys: readonly string[]) =>
  orm.all<{
    key: string;
  }>(sql`select ${slugs.key} as key from ${fromList(boundList(keys))} cross join ${slugs}
    where ${slugs.key} = ${listed()} and +workspace_id <> ${workspaceId}`);

/** The proved hosts that belong to another workspace. */
export const selectHostsOfOthers = (workspaceId: number, hosts: readonly string[]) =>
  orm.all<{ host: string }>(sql`select host from ${fromList(boundList(hosts))} cross join ${domains}
    where host = ${listed()} and state <> 'pending' and +workspace_id <> ${workspaceId}`);

export const selectFirstLink = (workspaceId: number) =>
  orm.all<{ first: number | null }>(
    sql`select min(${links.id}) as first from ${links} where ${links.workspace_id} = ${workspaceId}`,
  );

/**
 * Inserts rows, each an array of the values of `names`. Existing rows stay: those with the same key, or in a table without
 * one those with the same values. With `isLenient` rows are left out that break a constraint of others, or refer to nothing.
 */
export function insertRows(
  kept: TableInBackup,
  names: readonly string[],
  workspaceId: number | null,
  rows: readonly (readonly unknown[])[],
  isLenient = false,
): Statement {
  const given = fileColumns(kept).filter(({ name }) => names.includes(name));
  const value = (name: string) => sql`given.value ->> ${sql.raw(String(names.indexOf(name)))}`;
  const isTenants = columnsOf(kept)["workspace_id"] !== undefined;
  const columns = [...(isTenants ? ["workspace_id"] : []), ...given.map(({ column }) => column.name)];
  const values = [...(isTenants ? [sql`${workspaceId}`] : []), ...given.map(({ write }) => write(value))];
  const identifiers = (all: readonly string[]) => list(all.map((name) => sql`${sql.identifier(name)}`));
  const isSame = columns.map((name, at) => sql`own.${sql.identifier(name)} is ${values[at]}`);
  const again =
    kept.key.length === 0
      ? sql`not exists (select 1 from ${kept.table} as own where ${sql.join(isSame, sql` and `)})`
      : sql`true on conflict (${identifiers(kept.key)}) do nothing`;
  const insert = sql.raw(isLenient ? "insert or ignore" : "insert");
  return orm.run(sql`${insert} into ${kept.table} (${identifiers(columns)}) select ${list(values)}
    from json_each(${JSON.stringify(rows)}) as given where ${again}`);
}

/** Inserts an audit entry for a step of the restore, once for each workspace. */
export const insertRestoreStep = (
  workspaceIds: readonly (readonly [operation: string, id: string])[],
  actor: string,
  action: string,
  at: number,
) => {
  const step = listedAs("operation", "workspace");
  return orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, at)
    select ${step.operation}, ${workspaces.id}, ${actor}, ${action}, ${workspaces.public_id}, ${at}
    from ${fromList(boundList(workspaceIds))} cross join ${workspaces}
    where ${workspaces.public_id} = ${step.workspace} on conflict (operation_id) do nothing`);
};
