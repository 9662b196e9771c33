import { type SQL, sql } from "drizzle-orm";
import { workspaces } from "../db/schema/access";
import { activityGroups } from "../db/schema/activity-groups";
import { offlineAssets } from "../db/schema/engagement";
import { links } from "../db/schema/links";
import { storedId } from "../lib/ulid-text";

// The owners of counts. A select has their row ids as `id` and what they are summed by as `key`.

export type Owners = SQL;

/** What visits are counted of by themselves, whichever links they came by. */
export type ReportSubject = { workspace: true } | { group: string } | { link: string } | { asset: string };

export type OwnerKind = keyof typeof OWNER_TABLES;

export const OWNER_TABLES = {
  workspace: workspaces,
  group: activityGroups,
  link: links,
  asset: offlineAssets,
} as const;

/** The row id of what has a public id, typed in any case, with the id as its key. */
export const ownerById = (kind: Exclude<OwnerKind, "workspace">, workspaceId: number, id: string): SQL => {
  const table = OWNER_TABLES[kind];
  return sql`select ${table.id} as id, ${table.public_id} as key from ${table}
    where ${table.public_id} = ${storedId(id)} and +${table.workspace_id} = ${workspaceId}`;
};

/** The same for several. */
export const ownersByIds = (
  kind: Exclude<OwnerKind, "workspace">,
  workspaceId: number,
  ids: readonly string[],
): SQL => {
  const table = OWNER_TABLES[kind];
  return sql`select ${table.id} as id, ${table.public_id} as key
    from json_each(${JSON.stringify(ids)}) as given cross join ${table} on ${table.public_id} = given.value
      and +${table.workspace_id} = ${workspaceId}`;
};

export function ownerOf(workspaceId: number, subject: ReportSubject): [kind: OwnerKind, owner: SQL] {
  if ("group" in subject) return ["group", ownerById("group", workspaceId, subject.group)];
  if ("link" in subject) return ["link", ownerById("link", workspaceId, subject.link)];
  if ("asset" in subject) return ["asset", ownerById("asset", workspaceId, subject.asset)];
  return ["workspace", sql`select ${workspaceId} as id, null as key`];
}
