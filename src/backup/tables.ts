import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
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
  slugs,
  tags,
  workspaces,
} from "../db/schema";

// What a backup holds of the schema. A column is in it unless it is named here with the reason, and what names a row by its
// number does so by its public id: numbers are given anew where a backup is restored.

/** The columns that name a row of another table, and that table; in a backup they are called without `_id`. */
const REFERENCES: Readonly<Record<string, typeof links | typeof tags | typeof activityGroups>> = {
  link_id: links,
  tag_id: tags,
  activity_group_id: activityGroups,
};

const COUNTED = "counted again at a restore";
const OF_KV = "what KV was told of a slug ends with that KV";
const COPIED = "copied from the link at a restore";

export interface Kept {
  table: SQLiteTable;
  /** The columns by which its rows are told apart; none where a row is only told by its place. */
  key: readonly string[];
  /** The columns by which it is read in pages: its primary key. */
  order: readonly string[];
  /** Whether an index has its rows by workspace in that order. */
  indexed: boolean;
  /** The column of the backup that says what a change in the audit log has to name for the row to be read again. */
  changedWith: "public_id" | "link" | "host" | null;
  /** The columns that are not in a backup, each with the reason. */
  without: Readonly<Record<string, string>>;
}

const own = (table: SQLiteTable, without: Kept["without"] = {}): Kept => ({
  table,
  key: ["public_id"],
  order: ["id"],
  indexed: table !== offlineAssets,
  changedWith: "public_id",
  without,
});

const counts = (table: SQLiteTable, ...key: string[]): Kept => ({
  table,
  key,
  order: key,
  indexed: false,
  changedWith: null,
  without: {},
});

/** By name, in the order of a restore: what a row refers to comes before it, visitors and keys come last. */
export const KEPT = {
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
  audit_log: { ...counts(auditLog, "operation_id"), order: ["id"], indexed: true },
  slugs: {
    ...counts(slugs, "key"),
    changedWith: "link",
    without: { rev: OF_KV, pushed_rev: OF_KV, push_at: OF_KV },
  },
  members: own(members),
  api_keys: own(apiKeys),
} satisfies Readonly<Record<string, Kept>>;

export const CHANGED_WITH: ReadonlyMap<string, Kept["changedWith"]> = new Map(
  Object.entries(KEPT).map(([name, { changedWith }]) => [name, changedWith]),
);

/** The tables that are in no backup, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  link_totals: COUNTED,
  idempotency_keys: "a day's memory of answers; a repeat after a restore is a new request",
  imports: "a file under way, which can be sent again",
  import_rows: "as imports",
  member_removals: "only guards sessions, which are in no backup",
  sign_in_links: "lapse within minutes",
  sessions: "whoever is a member signs in again",
  click_packs: "a day's memory of packs that were written",
};

export interface FileColumn {
  /** As the backup calls it. */
  name: string;
  column: SQLiteColumn;
  /** The table whose public id stands for the row's number. */
  of: (typeof REFERENCES)[string] | undefined;
}

export function columnsOf({ table }: Pick<Kept, "table">): Readonly<Record<string, SQLiteColumn>> {
  return getTableColumns(table);
}

export function columnOf(kept: Kept, name: string): SQLiteColumn {
  const column = columnsOf(kept)[name];
  if (column === undefined) throw new Error(`no column ${name}`);
  return column;
}

/** The columns of a table's rows in a backup. */
export function fileColumns(kept: Kept): FileColumn[] {
  const left = new Set(["id", "workspace_id", ...Object.keys(kept.without)]);
  return Object.entries(columnsOf(kept))
    .filter(([name, column]) => !left.has(name) && column.generated === undefined)
    .map(([name, column]) => {
      const of = REFERENCES[name];
      return { name: of === undefined ? name : name.replace(/_id$/, ""), column, of };
    });
}

export const toTableName = (kept: Kept): string => getTableName(kept.table);
