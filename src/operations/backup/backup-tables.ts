import { getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { apiKeys, members, workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { activeLinkDays, visitDays, visitHours } from "../../db/schema/analytics";
import { auditLog } from "../../db/schema/audit";
import { savedChannels } from "../../db/schema/channels";
import { codeBrandings } from "../../db/schema/code-brandings";
import { blockedHosts } from "../../db/schema/destinations";
import { domains } from "../../db/schema/domains";
import { offlineAssets } from "../../db/schema/engagement";
import { receivers } from "../../db/schema/events";
import { activityGroupItems, linkRules, links, slugs } from "../../db/schema/links";
import { reports } from "../../db/schema/reports";
import { linkTags, tags } from "../../db/schema/tags";
import { savedViews } from "../../db/schema/views";

// What a backup contains. It has every column that is not excluded here with a reason. References use public ids,
// because a restore assigns new row ids.

/** The tables of the owners of counts, which are a row id and its kind. */
const OWNERS = { workspace: workspaces, group: activityGroups, link: links, asset: offlineAssets } as const;

type Referenced = (typeof OWNERS)[keyof typeof OWNERS] | typeof tags;

/** Columns that reference a row of another table. A backup drops the `_id` of their names. */
const REFERENCES: Readonly<Record<string, Referenced>> = {
  link_id: links,
  tag_id: tags,
  activity_group_id: activityGroups,
  asset_id: offlineAssets,
};

/** The public id of the tag that a link shows for a row id; null for a tag that is being deleted. */
const shownTag = (rowId: SQLiteColumn): SQL =>
  sql`(select named.public_id from ${tags} as own cross join ${tags} as named
    on named.id = coalesce(own.replaced_by, own.id) where own.id = ${rowId})`;

const COUNTED = "counted again at a restore";
const OF_KV = "what KV was told of a slug ends with that KV";
const COPIED = "copied from the link at a restore";

export interface TableInBackup {
  table: SQLiteTable;
  /** The unique columns; none if rows have no natural key. */
  key: readonly string[];
  /** The primary key, by which pages are read. */
  order: readonly string[];
  /** Whether an index has the workspace's rows in that order. */
  indexed: boolean;
  /** The column whose value an audit entry names when the row has changed. */
  changedWith: "public_id" | "link" | "host" | null;
  /** Columns that a backup omits, each with the reason. */
  without: Readonly<Record<string, string>>;
  /** The rows that it has, if not all. */
  where?: SQL;
}

export const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/** Owners of a later release are in tables that this one does not know. */
const hasKnownOwner = (kind: SQLiteColumn): SQL =>
  sql`${kind} in (${list(Object.keys(OWNERS).map((name) => sql`${name}`))})`;

const own = (table: SQLiteTable, without: TableInBackup["without"] = {}): TableInBackup => ({
  table,
  key: ["public_id"],
  order: ["id"],
  indexed: table !== offlineAssets,
  changedWith: "public_id",
  without,
});

const counts = (table: SQLiteTable, ...key: string[]): TableInBackup => ({
  table,
  key,
  order: key,
  indexed: false,
  changedWith: null,
  without: {},
});

/** Its workspace is part of its primary key. */
const ofWorkspace = (table: SQLiteTable, ...key: string[]): TableInBackup => ({
  ...counts(table, "workspace_id", ...key),
  indexed: true,
});

/** By name, in the order of a restore: referenced tables come first; slugs, members and keys last. */
export const TABLES = {
  workspaces: own(workspaces, {
    active_links: COUNTED,
    archived_links: COUNTED,
    tag_count: COUNTED,
    slug_claims: COUNTED,
  }),
  blocked_hosts: { ...counts(blockedHosts, "host"), changedWith: "host" },
  activity_groups: own(activityGroups),
  tags: {
    ...own(tags, { replaced_by: "a tag that is being removed is in no backup" }),
    where: sql`${tags.replaced_by} is null`,
  },
  links: own(links),
  link_tags: {
    ...counts(linkTags, "link_id", "tag_id"),
    changedWith: "link",
    without: { link_archived: COPIED, link_public_id: COPIED },
    where: sql`${shownTag(linkTags.tag_id)} is not null`,
  },
  activity_group_items: { ...counts(activityGroupItems), order: ["id"], changedWith: "link" },
  link_rules: { ...counts(linkRules, "link_id", "position"), changedWith: "link" },
  offline_assets: own(offlineAssets),
  visit_hours: {
    ...counts(visitHours, "owner_kind", "owner_id", "hour"),
    where: hasKnownOwner(visitHours.owner_kind),
  },
  visit_days: {
    ...counts(visitDays, "owner_kind", "owner_id", "day"),
    where: hasKnownOwner(visitDays.owner_kind),
  },
  active_link_days: ofWorkspace(activeLinkDays, "day"),
  audit_log: { ...counts(auditLog, "operation_id"), order: ["id"], indexed: true },
  domains: { ...own(domains), changedWith: "host" },
  slugs: {
    ...counts(slugs, "key"),
    changedWith: "link",
    without: { rev: OF_KV, push_at: OF_KV, doubt_until: OF_KV },
    where: sql`instr(${slugs.key}, ':') = 0`,
  },
  reports: own(reports),
  receivers: own(receivers),
  saved_channels: own(savedChannels),
  code_brandings: own(codeBrandings),
  saved_views: own(savedViews),
  members: own(members),
  api_keys: own(apiKeys),
} satisfies Readonly<Record<string, TableInBackup>>;

interface FileColumn {
  name: string;
  column: SQLiteColumn;
  /** What the file has: the value, or the public id in place of a row id. */
  read: SQL;
  /** The value for the column, from those of the file. */
  write: (cell: (name: string) => SQL) => SQL;
}

export function columnsOf({ table }: Pick<TableInBackup, "table">): Readonly<Record<string, SQLiteColumn>> {
  return getTableColumns(table);
}

export function columnOf(kept: TableInBackup, name: string): SQLiteColumn {
  const column = columnsOf(kept)[name];
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

const publicIdIn = (table: Referenced, rowId: SQL): SQL =>
  sql`(select named.public_id from ${table} as named where named.id = ${rowId})`;

const rowIdIn = (table: Referenced, publicId: SQL): SQL =>
  sql`(select named.id from ${table} as named where named.public_id = ${publicId})`;

/** The owner of counts, in the table that its kind names. */
function ownerColumn(column: SQLiteColumn): FileColumn {
  const inTableOf = (kind: SQL, named: (table: Referenced) => SQL): SQL =>
    sql`case ${kind} ${sql.join(
      Object.entries(OWNERS).map(([name, table]) => sql`when ${name} then ${named(table)}`),
      sql` `,
    )} end`;
  return {
    name: "owner",
    column,
    read: inTableOf(sql.raw("owner_kind"), (table) => publicIdIn(table, sql`${column}`)),
    write: (cell) => inTableOf(cell("owner_kind"), (table) => rowIdIn(table, cell("owner"))),
  };
}

export function fileColumns(kept: TableInBackup): FileColumn[] {
  const left = new Set(["id", "workspace_id", ...Object.keys(kept.without)]);
  return Object.entries(columnsOf(kept))
    .filter(([name, column]) => !left.has(name) && column.generated === undefined)
    .map(([name, column]): FileColumn => {
      if (name === "owner_id") return ownerColumn(column);
      const of = REFERENCES[name];
      if (of === undefined) return { name, column, read: sql`${column}`, write: (cell) => cell(name) };
      const inFile = name.replace(/_id$/, "");
      return {
        name: inFile,
        column,
        read: of === tags ? shownTag(column) : publicIdIn(of, sql`${column}`),
        write: (cell) => rowIdIn(of, cell(inFile)),
      };
    });
}

export const toTableName = (kept: TableInBackup): string => getTableName(kept.table);
