import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { assetsInGroup, newestLinksInGroup } from "../../analytics/count-statements";
import { boundList, fromList, listed } from "../../db/bound-list";
import { orm } from "../../db/prepared";
import { apiKeys, members, workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { auditLog } from "../../db/schema/audit";
import { offlineAssets } from "../../db/schema/engagement";
import { imports } from "../../db/schema/imports";
import { links, slugs } from "../../db/schema/links";
import { tags } from "../../db/schema/tags";
import type { AuditQuery } from "./audit-schema";
import { type AuditRow, BATCH_INDEX, HEADS_INDEX, SUBJECT_INDEX, whereActor } from "./audit-statements";

/** The query of a page. Without `batch` and `subject`, a change of many is one entry. */
export interface AuditFilter extends Omit<AuditQuery, "subject" | "from" | "to"> {
  /** An id, or the key of a slug or code that may belong to the link or asset. */
  subject?: { id: string; slugKey: SQL } | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** The entries of its batch are counted up to a maximum, but of an import all links that it has made or updated so far. */
export interface FoundEntry extends AuditRow {
  entries: number;
  /** The links among them that an import has updated; null if it is of no import. */
  updated: number | null;
}

/** A row of the page and a summary of the scan. Without matches there is one row, whose own columns are null. */
export type FoundRow = { [Column in keyof AuditRow]: AuditRow[Column] | null } & {
  entries: number;
  updated: number | null;
  looked: number;
  last_operation: string | null;
  last_at: number | null;
};

const BEHIND_ALL = Number.MAX_SAFE_INTEGER;

/** A column of the entry of an operation. One that the workspace does not have is behind all. */
const selectOfOperation = (column: "at" | "id", workspaceId: number, operation: string): SQL =>
  sql`coalesce((select ${sql.identifier(column)} from ${auditLog}
    where operation_id = ${operation} and +workspace_id = ${workspaceId}), ${BEHIND_ALL})`;

export const MAX_COUNTED_ENTRIES = 1_000;

const whereAction = (action: string): SQL =>
  action.includes(".")
    ? sql`action = ${action}`
    : sql`action >= ${`${action}.`} and action < ${`${action}/`}`;

/** A sum over the steps of the import that a row belongs to, of which each has an entry with its numbers; null for other rows. */
const sumOfSteps = (amount: SQL): SQL =>
  sql`(select sum(${amount}) from ${auditLog} as first cross join ${auditLog} as step ${SUBJECT_INDEX}
          on step.workspace_id = first.workspace_id and step.subject = first.subject and step.action = 'link.import'
          where first.operation_id = row.batch and first.action = 'link.import')`;

const updated = sql`ifnull(step.change ->> '$.updated', 0)`;

const entryColumns = sql`row.operation_id, row.actor, row.action, row.subject, row.before, row.change, row.at, row.batch,
        coalesce(${sumOfSteps(sql`ifnull(step.change ->> '$.rows', 0) + ${updated}`)},
          (select count(*) from (select 1 from ${auditLog} as other where other.batch = row.batch
            limit ${MAX_COUNTED_ENTRIES + 1}))) as entries,
        ${sumOfSteps(updated)} as updated`;

function indexFor({ subject, batch }: AuditFilter): SQL {
  if (subject !== undefined) return SUBJECT_INDEX;
  return batch === undefined ? HEADS_INDEX : BATCH_INDEX;
}

/**
 * A page of entries, the newest first: up to `limit` matches among the next `most` entries. There is always a row with
 * the summary of the scan. The scan ends with the last match of a full page, because a sub-select with a limit is read
 * row by row.
 */
export const selectAuditPage = (workspaceId: number, filter: AuditFilter, limit: number, most: number) => {
  const { actor, subject, action, from, to, batch, before } = filter;
  const isOfOne = subject !== undefined || batch !== undefined;
  const behind = (column: "at" | "id", operation: string) =>
    selectOfOperation(column, workspaceId, operation);
  const all = (conditions: readonly (SQL | undefined)[]): SQL => and(sql`true`, ...conditions) ?? sql`true`;
  // The entries of one subject or change are in no order of time, so they are looked through.
  const inTime = [
    from === undefined ? undefined : sql`at >= ${from}`,
    to === undefined ? undefined : sql`at < ${to}`,
  ];
  const among = all([
    subject &&
      sql`subject = coalesce((select coalesce(${slugs.asset}, ${links.public_id}) from ${slugs}
          left join ${links} on ${links.id} = ${slugs.link_id}
          where ${slugs.key} = ${subject.slugKey} and ${slugs.workspace_id} = ${workspaceId}), ${subject.id})`,
    batch === undefined ? undefined : sql`batch = ${batch}`,
    before === undefined
      ? undefined
      : isOfOne
        ? sql`id < ${behind("id", before)}`
        : sql`(at, id) < (${behind("at", before)}, ${behind("id", before)})`,
    ...(isOfOne ? [] : [sql`(batch is null or batch = operation_id)`, ...inTime]),
  ]);
  const fits = all([
    ...(isOfOne ? inTime : []),
    actor === undefined ? undefined : whereActor(sql`actor`, actor),
    action === undefined ? undefined : whereAction(action),
    // The entries of an import say how many links a step has. Those of the links follow them.
    batch === undefined ? undefined : sql`action <> 'link.import'`,
  ]);
  const workspace = batch === undefined ? sql`workspace_id` : sql`+workspace_id`;
  const order = isOfOne ? sql`id desc` : sql`at desc, id desc`;
  const looked = sql`select id, operation_id, actor, action, at, batch from ${auditLog} ${indexFor(filter)}
      where ${workspace} = ${workspaceId} and ${among} order by ${order} limit ${most}`;
  return orm.all<FoundRow>(sql`with page as materialized (select id from (${looked}) where ${fits} limit ${limit}),
      looked as materialized (select id, operation_id, at from (${looked}) where (select count(*) from page) < ${limit}),
      last as (select operation_id, at from looked limit 1 offset ${most - 1})
      select (select count(*) from looked) as looked,
        (select operation_id from last) as last_operation, (select at from last) as last_at,
        ${entryColumns}
      from (select 1) left join page on true left join ${auditLog} as row on row.id = page.id
      order by ${isOfOne ? sql`row.id desc` : sql`row.at desc, row.id desc`}`);
};

/** The active links of a group, its archived ones, and their assets, whose changes are looked for: the newest of each. */
const MAX_SUBJECTS = 1_000;

/**
 * The last changes of a group, of the links that are in it now, and of their assets, each change of many by its first entry. The
 * last `most` changes of each of these are enough to find those of all. A merge of tags has an entry for each link.
 */
export const selectChangesOfGroup = (workspaceId: number, group: string, most: number) =>
  orm.all<FoundEntry>(sql`with subjects as (select ${group} as subject
        union all select link from (${newestLinksInGroup(workspaceId, group, 0, MAX_SUBJECTS)})
        union all select link from (${newestLinksInGroup(workspaceId, group, 1, MAX_SUBJECTS)})
        union all select key from (${assetsInGroup(workspaceId, group, sql`order by 1 desc limit ${MAX_SUBJECTS}`)})),
      changes as (select coalesce(own.batch, own.operation_id) as first, max(own.id) as last
        from subjects cross join ${auditLog} as own on own.id in (select id from ${auditLog} ${SUBJECT_INDEX}
          where workspace_id = ${workspaceId} and subject = subjects.subject and action <> 'link.merge_tag'
          order by id desc limit ${most})
        group by 1 order by 2 desc limit ${most})
      select ${entryColumns} from changes
        cross join ${auditLog} as row on row.operation_id = changes.first and +row.workspace_id = ${workspaceId}
      order by changes.last desc`);

const TABLES = {
  link: { table: links, name: sql`'/' || ${links.slug}` },
  tag: { table: tags, name: sql`${tags.name}` },
  group: { table: activityGroups, name: sql`${activityGroups.name}` },
  asset: { table: offlineAssets, name: sql`${offlineAssets.name}` },
  key: { table: apiKeys, name: sql`${apiKeys.name}` },
  member: { table: members, name: sql`${members.email}` },
  workspace: { table: workspaces, name: sql`${workspaces.name}` },
  import: { table: imports, name: sql`${imports.name}` },
} as const;

const whereUndoable = sql`${imports.finished_at} is not null and ${imports.undone_at} is null
          and ${imports.about} ->> '$.restored' is null`;

export type NamedKind = keyof typeof TABLES;
export const NAMED = Object.keys(TABLES) as NamedKind[];

export interface NamedRow {
  id: string;
  name: string;
  /** 1 for a deleted link. */
  gone: number;
  /** 1 for an import that can be undone. */
  undoable: number;
}

export const selectNames = (workspaceId: number, kind: NamedKind, ids: readonly string[]) => {
  const { table, name } = TABLES[kind];
  const workspace = table === workspaces ? table.id : Reflect.get(table, "workspace_id");
  return orm.all<NamedRow>(sql`select ${listed()} as id, ${name} as name,
        ${kind === "link" ? sql`${links.deleted_at} is not null` : sql`0`} as gone,
        ${kind === "import" ? whereUndoable : sql`0`} as undoable
      from ${fromList(boundList(ids))} cross join ${table}
      where ${table.public_id} = ${listed()} and +${workspace} = ${workspaceId}`);
};

/** The last names of those tags among `ids` that were deleted or merged. */
export const selectNamesOfRemovedTags = (workspaceId: number, ids: readonly string[]) =>
  orm.all<NamedRow>(sql`select ${listed()} as id, before ->> '$.name' as name, 1 as gone, 0 as undoable
      from ${fromList(boundList(ids))} cross join ${auditLog} ${SUBJECT_INDEX}
      where workspace_id = ${workspaceId} and subject = ${listed()} and action in ('tag.delete', 'tag.merge')
        and before ->> '$.name' is not null`);

export const selectLastEntry = (workspaceId: number, subject: string) =>
  orm
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.workspace_id, workspaceId), eq(auditLog.subject, subject)))
    .orderBy(desc(auditLog.id))
    .limit(1);
