import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Statement } from "../db/client";
import { fromList, item, toList } from "../db/list";
import { auditLog, links, slugs, workspaces } from "../db/schema";
import { columnsOf, fileColumns, type Kept } from "./tables";

/** The workspaces of a backup: one, or all up to the last that there was when it began. Row ids. */
export type Scope = { only: number } | { last: number };

/** A row as it is read: its columns by the names of the backup, and what it is sorted and told apart by. */
export type ReadRow = Readonly<Record<string, string | number | null>>;

/** The name under which a row says the row id of its workspace; null where it has none. */
export const WORKSPACE = "of_workspace";
/** The name under which a row says where the page behind it begins. */
export const placeName = (index: number): string => `place_${index}`;

const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

function columnOf(kept: Kept, name: string): SQLiteColumn {
  const column = columnsOf(kept)[name];
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

const workspaceOf = (kept: Kept): SQLiteColumn | undefined => {
  const columns = columnsOf(kept);
  return kept.table === workspaces ? columns["id"] : columns["workspace_id"];
};

/** True of the rows of these workspaces; the unary plus keeps a column out of the choice of an index. */
function inScope(kept: Kept, scope: Scope): SQL {
  const workspace = workspaceOf(kept);
  if (workspace === undefined) return sql`true`;
  if ("only" in scope) return sql`${kept.indexed ? sql`` : sql`+`}${workspace} = ${scope.only}`;
  const nobodys = kept.table === auditLog ? sql`+${workspace} is null or ` : sql``;
  return sql`(${nobodys}+${workspace} <= ${scope.last})`;
}

const selected = (kept: Kept): SQL =>
  list([
    sql`${workspaceOf(kept) ?? sql`null`} as ${sql.identifier(WORKSPACE)}`,
    ...kept.order.map((name, index) => sql`${columnOf(kept, name)} as ${sql.identifier(placeName(index))}`),
    ...fileColumns(kept).map(({ name, column, of }) =>
      of === undefined
        ? sql`${column} as ${sql.identifier(name)}`
        : sql`(select named.public_id from ${of} as named where named.id = ${column}) as ${sql.identifier(name)}`,
    ),
  ]);

/** A page of a table behind a place; an empty place is the beginning. */
export const pageOfTable =
  (kept: Kept, scope: Scope, after: readonly (string | number)[], limit: number): Statement<ReadRow[]> =>
  (orm) => {
    const columns = kept.order.map((name) => columnOf(kept, name));
    const order = list(columns.map((column) => sql`${column}`));
    const place = list(
      columns.map((column, index) => sql`${after[index] ?? (column.dataType === "string" ? "" : -1)}`),
    );
    return orm.all<ReadRow>(sql`select ${selected(kept)} from ${kept.table}
      where ${inScope(kept, scope)} and (${order}) > (${place}) order by ${order} limit ${limit}`);
  };

/** What changed: the names, or all that the audit log has behind a row; a backup began at another. */
export type Changed = { names: readonly string[] } | { since: number; begun: number };

const changedNames = (changed: Changed): SQL =>
  "names" in changed
    ? fromList(toList(changed.names))
    : sql`(select distinct subject as column1 from ${auditLog} where ${auditLog.id} > ${changed.since}) as item`;

/**
 * True of a slug that opens nothing, so that no link's name leads to it, and that may be other than it was read: it was
 * claimed since the backup began, or is taken down.
 */
const isLeftBehind = (changed: { since: number; begun: number }): SQL => sql`(+${slugs.link_id} is null
  and (${slugs.created_at} >= (select min(at) from ${auditLog} where ${auditLog.id} > ${changed.begun})
    or ${slugs.taken_down_at} is not null))`;

/** True of a slug that a change names itself. */
const isNamed = (changed: Changed): SQL =>
  sql`${slugs.key} in (select ${item()} from ${changedNames(changed)})`;

/** The rows of a table that a change of these names may have touched. */
export const changedRows =
  (kept: Kept, scope: Scope, changed: Changed): Statement<ReadRow[]> =>
  (orm) => {
    // One look through a table that has no index by link, however many links have changed.
    const isChanged =
      kept.changedWith === "link"
        ? sql`${columnOf(kept, "link_id")} in (select ${links.id} from ${changedNames(changed)} cross join ${links}
            where ${links.public_id} = ${item()})`
        : sql`${columnOf(kept, kept.changedWith ?? "")} in (select ${item()} from ${changedNames(changed)})`;
    const orLeftBehind =
      kept.table !== slugs
        ? sql``
        : "begun" in changed
          ? sql` or ${isNamed(changed)} or ${isLeftBehind(changed)}`
          : sql` or ${isNamed(changed)}`;
    return orm.all<ReadRow>(sql`select ${selected(kept)} from ${kept.table}
      where (${isChanged}${orLeftBehind}) and ${inScope({ ...kept, indexed: false }, scope)}
      order by ${list(kept.order.map((name) => sql`+${columnOf(kept, name)}`))}`);
  };

/** What the audit log names behind a row, the oldest first. */
export const subjectsSince =
  (since: number, limit: number): Statement<{ id: number; subject: string }[]> =>
  (orm) =>
    orm.all<{ id: number; subject: string }>(sql`select id, subject from ${auditLog}
      where ${auditLog.id} > ${since} order by ${auditLog.id} limit ${limit}`);

/** The workspaces that have one of these public ids or slugs. */
export const workspacesLike =
  (
    ids: readonly string[],
    names: readonly string[],
  ): Statement<{ id: number; public_id: string; slug: string }[]> =>
  (orm) =>
    orm
      .select({ id: workspaces.id, public_id: workspaces.public_id, slug: workspaces.slug })
      .from(workspaces)
      .where(
        sql`${workspaces.public_id} in (select value from json_each(${JSON.stringify(ids)}))
          or ${workspaces.slug} in (select value from json_each(${JSON.stringify(names)}))`,
      );

/** Those of these operations that are done. */
export const operationsDone =
  (ids: readonly string[]): Statement<{ id: string }[]> =>
  (orm) =>
    orm
      .select({ id: auditLog.operation_id })
      .from(fromList(toList(ids)))
      .crossJoin(auditLog)
      .where(sql`${auditLog.operation_id} = ${item()}`);

/** Those of these slugs that are another workspace's; no row id is 0. */
export const slugsOfOthers =
  (workspaceId: number, keys: readonly string[]): Statement<{ key: string }[]> =>
  (orm) =>
    orm
      .select({ key: slugs.key })
      .from(fromList(toList(keys)))
      .crossJoin(slugs)
      .where(sql`${slugs.key} = ${item()} and +${slugs.workspace_id} <> ${workspaceId}`);

/** How many rows of a table a workspace has. */
export const rowsOfWorkspace =
  (kept: Kept, workspaceId: number): Statement<{ rows: number }[]> =>
  (orm) =>
    orm.all<{ rows: number }>(
      sql`select count(*) as "rows" from ${kept.table} where ${columnOf(kept, "workspace_id")} = ${workspaceId}`,
    );

/** The first of a workspace's links. */
export const firstLinkOf =
  (workspaceId: number): Statement<{ first: number | null }[]> =>
  (orm) =>
    orm.all<{ first: number | null }>(
      sql`select min(${links.id}) as first from ${links} where ${links.workspace_id} = ${workspaceId}`,
    );

/** The last row id of a table. */
export const lastRowId =
  (kept: Kept): Statement<{ last: number }[]> =>
  (orm) =>
    orm.all<{ last: number }>(sql`select coalesce(max(id), 0) as last from ${kept.table}`);

/**
 * Writes rows of a backup, each an array of the values of `names`; columns that are not among them take their defaults.
 * A row that is there stays as it is; where nothing tells rows apart, none is written if the workspace has one behind
 * the row id `behind`: they are there already, by an earlier try.
 */
export const insertRows =
  (
    kept: Kept,
    names: readonly string[],
    workspaceId: number | null,
    rows: readonly (readonly unknown[])[],
    behind = 0,
  ): Statement =>
  (orm) => {
    const given = fileColumns(kept).filter(({ name }) => names.includes(name));
    const value = (name: string) => sql`given.value ->> ${sql.raw(String(names.indexOf(name)))}`;
    const isTenants = columnsOf(kept)["workspace_id"] !== undefined;
    const columns = [...(isTenants ? ["workspace_id"] : []), ...given.map(({ column }) => column.name)];
    const values = [
      ...(isTenants ? [sql`${workspaceId}`] : []),
      ...given.map(({ name, of }) =>
        of === undefined
          ? value(name)
          : sql`(select named.id from ${of} as named where named.public_id = ${value(name)})`,
      ),
    ];
    const identifiers = (all: readonly string[]) => list(all.map((name) => sql`${sql.identifier(name)}`));
    const again =
      kept.key.length === 0
        ? sql`not exists (select 1 from ${kept.table} where id > ${behind} and +workspace_id = ${workspaceId})`
        : sql`true on conflict (${identifiers(kept.key)}) do nothing`;
    return orm.run(sql`insert into ${kept.table} (${identifiers(columns)}) select ${list(values)}
      from json_each(${JSON.stringify(rows)}) as given where ${again}`);
  };

/** The rows of a step of a restore in the audit log, once: the operation and the public id of every workspace. */
export const restoreStep =
  (
    workspaceIds: readonly (readonly [operation: string, id: string])[],
    actor: string,
    action: string,
    at: number,
  ): Statement =>
  (orm) =>
    orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, at)
      select ${item(0)}, ${workspaces.id}, ${actor}, ${action}, ${workspaces.public_id}, ${at}
      from ${fromList(toList(workspaceIds))} cross join ${workspaces}
      where ${workspaces.public_id} = ${item(1)} on conflict (operation_id) do nothing`);

/** Marks for a push those of these slugs that are the workspace's. */
export const pushSlugs =
  (workspaceId: number, keys: readonly string[], at: number): Statement =>
  (orm) =>
    orm.run(sql`update ${slugs} set push_at = ${at}
      where key in (select value from json_each(${JSON.stringify(keys)})) and +workspace_id = ${workspaceId}`);

/** Takes the marks of takedowns off the workspace's slugs, before they are made of its links. */
export const unmarkSlugs =
  (workspaceId: number): Statement =>
  (orm) =>
    orm.run(sql`update ${slugs} set taken_down_at = null
      where ${slugs.workspace_id} = ${workspaceId} and ${slugs.taken_down_at} is not null`);

/**
 * Marks the slugs of deleted links that the operator took down, for a backup from before slugs were marked: those that the
 * links had at the end, and those that the audit log says they had before.
 */
export const markTombstones =
  (workspaceId: number): Statement =>
  (orm) =>
    orm.run(sql`update ${slugs} set taken_down_at = gone.at
      from (select key as gone_key, max(at) as at from (
        select slug_key as key, taken_down_at as at from ${links}
          where ${links.workspace_id} = ${workspaceId} and taken_down_by = 'operator' and deleted_at is not null
        union all select lower(${auditLog.before} ->> 'slug'), taken_down_at from ${links} cross join ${auditLog}
          where ${links.workspace_id} = ${workspaceId} and taken_down_by = 'operator' and deleted_at is not null
            and ${auditLog.workspace_id} = ${workspaceId} and ${auditLog.subject} = ${links.public_id}
            and ${auditLog.before} is not null) group by key) as gone
      where ${slugs.key} = gone_key and ${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} is null
        and ${slugs.taken_down_at} is null`);
