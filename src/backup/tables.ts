import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  activeLinkDays,
  activityGroupItems,
  activityGroups,
  apiKeys,
  auditLog,
  blockedHosts,
  clickDays,
  clickHours,
  links,
  linkTags,
  members,
  offlineAssets,
  scanHours,
  slugs,
  tags,
  workspaceDays,
  workspaceHours,
  workspaces,
} from "../db/schema";

// What a backup contains. It has every column that is not excluded here with a reason. References use public ids,
// because a restore assigns new row ids.

/** Columns that reference a row of another table. A backup drops the `_id` of their names. */
const REFERENCES: Readonly<
  Record<string, typeof links | typeof tags | typeof activityGroups | typeof offlineAssets>
> = {
  link_id: links,
  tag_id: tags,
  activity_group_id: activityGroups,
  asset_id: offlineAssets,
};

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
}

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
  tags: own(tags),
  links: own(links),
  link_tags: {
    ...counts(linkTags, "link_id", "tag_id"),
    changedWith: "link",
    without: { link_archived: COPIED, link_public_id: COPIED },
  },
  activity_group_items: { ...counts(activityGroupItems), order: ["id"], changedWith: "link" },
  offline_assets: own(offlineAssets),
  click_hours: counts(clickHours, "link_id", "hour"),
  click_days: counts(clickDays, "link_id", "day", "dimension", "value"),
  scan_hours: counts(scanHours, "asset_id", "hour"),
  workspace_hours: ofWorkspace(workspaceHours, "hour"),
  workspace_days: ofWorkspace(workspaceDays, "day", "dimension", "value"),
  active_link_days: ofWorkspace(activeLinkDays, "day"),
  audit_log: { ...counts(auditLog, "operation_id"), order: ["id"], indexed: true },
  slugs: {
    ...counts(slugs, "key"),
    changedWith: "link",
    without: { rev: OF_KV, pushed_rev: OF_KV, push_at: OF_KV },
  },
  members: own(members),
  api_keys: own(apiKeys),
} satisfies Readonly<Record<string, TableInBackup>>;

export const CHANGED_WITH: ReadonlyMap<string, TableInBackup["changedWith"]> = new Map(
  Object.entries(TABLES).map(([name, { changedWith }]) => [name, changedWith]),
);

interface FileColumn {
  name: string;
  column: SQLiteColumn;
  /** The table whose public id replaces the row id. */
  of: (typeof REFERENCES)[string] | undefined;
}

export function columnsOf({ table }: Pick<TableInBackup, "table">): Readonly<Record<string, SQLiteColumn>> {
  return getTableColumns(table);
}

export function columnOf(kept: TableInBackup, name: string): SQLiteColumn {
  const column = columnsOf(kept)[name];
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

export function fileColumns(kept: TableInBackup): FileColumn[] {
  const left = new Set(["id", "workspace_id", ...Object.keys(kept.without)]);
  return Object.entries(columnsOf(kept))
    .filter(([name, column]) => !left.has(name) && column.generated === undefined)
    .map(([name, column]) => {
      const of = REFERENCES[name];
      return { name: of === undefined ? name : name.replace(/_id$/, ""), column, of };
    });
}

export const toTableName = (kept: TableInBackup): string => getTableName(kept.table);
