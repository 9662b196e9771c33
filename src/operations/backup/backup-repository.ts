import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { boundList, fromList, listed } from "../../db/bound-list";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { auditLog } from "../../db/schema/audit";
import { links, slugs } from "../../db/schema/links";
import { linkTags, MARK_OF_REMOVED, tags } from "../../db/schema/tags";
import { columnOf, columnsOf, fileColumns, list, type TableInBackup } from "./backup-tables";

/** The workspaces that a backup covers, by row id: one, or all up to the last when it began. */
export type Coverage = { only: number } | { last: number };

/** A row by the column names of the backup, with its workspace and sort columns. */
export type ReadRow = Readonly<Record<string, string | number | null>>;

/** The column of the workspace's row id; null if it has none. */
export const WORKSPACE = "of_workspace";
/** The column of a sort value, by which the next page starts. */
export const cursorColumn = (index: number): string => `place_${index}`;

const workspaceOf = (kept: TableInBackup): SQLiteColumn | undefined => {
  const columns = columnsOf(kept);
  return kept.table === workspaces ? columns["id"] : columns["workspace_id"];
};

/** True of the rows of these workspaces. The unary plus prevents an index of the column. */
function whereCovered(kept: TableInBackup, coverage: Coverage): SQL {
  const workspace = workspaceOf(kept);
  if (workspace === undefined) return sql`true`;
  if ("only" in coverage) return sql`${kept.indexed ? sql`` : sql`+`}${workspace} = ${coverage.only}`;
  const nobodys = kept.table === auditLog ? sql`+${workspace} is null or ` : sql``;
  return sql`(${nobodys}+${workspace} <= ${coverage.last})`;
}

const selected = (kept: TableInBackup): SQL =>
  list([
    sql`${workspaceOf(kept) ?? sql`null`} as ${sql.identifier(WORKSPACE)}`,
    ...kept.order.map(
      (name, index) => sql`${columnOf(kept, name)} as ${sql.identifier(cursorColumn(index))}`,
    ),
    ...fileColumns(kept).map(({ name, read }) => sql`${read} as ${sql.identifier(name)}`),
  ]);

/** A page of a table after a position; an empty position is the start. */
export function selectTablePage(
  kept: TableInBackup,
  coverage: Coverage,
  after: readonly (string | number)[],
  limit: number,
): Statement<ReadRow[]> {
  const columns = kept.order.map((name) => columnOf(kept, name));
  const order = list(columns.map((column) => sql`${column}`));
  const place = list(
    columns.map((column, index) => sql`${after[index] ?? (column.dataType === "string" ? "" : -1)}`),
  );
  return orm.all(sql`select ${selected(kept)} from ${kept.table}
    where ${whereCovered(kept, coverage)} and ${kept.where ?? sql`true`} and (${order}) > (${place}) order by ${order} limit ${limit}`);
}

/**
 * The changes to read again: by name, or all audit entries after row id `since`. `begun` is the last entry when the
 * backup began.
 */
type Changed = { names: readonly string[] } | { since: number; begun: number };

const changedNames = (changed: Changed): SQL =>
  "names" in changed
    ? sql`(select ${listed()} as name from ${fromList(boundList(changed.names))}) as changed`
    : sql`(select distinct subject as name from ${auditLog} where ${auditLog.id} > ${changed.since}) as changed`;

/**
 * True of a slug that opens no link and may have changed: it was claimed since the backup began, or is taken down. No
 * link's name selects it.
 */
const whereUnnamed = (changed: { since: number; begun: number }): SQL => sql`(+${slugs.link_id} is null
  and (${slugs.created_at} >= (select min(at) from ${auditLog} where ${auditLog.id} > ${changed.begun})
    or ${slugs.taken_down_at} is not null))`;

/** True of a slug that a change names, or of the code of an asset that a change names. */
const whereNamed = (changed: Changed): SQL =>
  sql`(${slugs.key} in (select name from ${changedNames(changed)})
    or ${slugs.asset} in (select name from ${changedNames(changed)}))`;

/** The links that wait for the merge of a tag that a change names. */
const selectMerged = (changed: Changed): SQL => sql`select waiting.link_id from ${changedNames(changed)}
  cross join ${tags} as merged on merged.public_id = ${MARK_OF_REMOVED} || changed.name
  cross join ${linkTags} as waiting on waiting.workspace_id = merged.workspace_id and waiting.tag_id = merged.id`;

/** The rows of a table that may have changed. */
export function selectChangedRows(
  kept: TableInBackup,
  coverage: Coverage,
  changed: Changed,
): Statement<ReadRow[]> {
  // A table without an index by link is scanned once, however many links have changed.
  const isChanged =
    kept.changedWith === "link"
      ? sql`${columnOf(kept, "link_id")} in (select ${links.id} from ${changedNames(changed)} cross join ${links}
          where ${links.public_id} = changed.name ${kept.table === linkTags ? sql`union all ${selectMerged(changed)}` : sql``})`
      : sql`${columnOf(kept, kept.changedWith ?? "")} in (select name from ${changedNames(changed)})`;
  const orUnnamed = "begun" in changed ? sql`or ${whereUnnamed(changed)}` : sql``;
  const orLeftBehind = kept.table === slugs ? sql`or ${whereNamed(changed)} ${orUnnamed}` : sql``;
  return orm.all(sql`select ${selected(kept)} from ${kept.table}
    where (${isChanged} ${orLeftBehind}) and ${kept.where ?? sql`true`} and ${whereCovered({ ...kept, indexed: false }, coverage)}
    order by ${list(kept.order.map((name) => sql`+${columnOf(kept, name)}`))}`);
}

/** Subjects of the audit entries after a row id, the oldest first. */
export const selectSubjectsSince = (since: number, limit: number) =>
  orm.all<{ id: number; subject: string }>(sql`select id, subject from ${auditLog}
    where ${auditLog.id} > ${since} order by ${auditLog.id} limit ${limit}`);

/** The row id of the last audit entry. */
export const selectLastAuditId = () =>
  orm.all<{ last: number }>(sql`select coalesce(max(id), 0) as last from ${auditLog}`);
