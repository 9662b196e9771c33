import { type SQL, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/list";
import { orm } from "../../db/prepared";
import { apiKeys, members, workspaces } from "../../db/schema/access";
import { activityGroups } from "../../db/schema/activity-groups";
import { offlineAssets } from "../../db/schema/engagement";
import { links } from "../../db/schema/links";
import { tags } from "../../db/schema/tags";

export const NAMED = ["link", "tag", "group", "asset", "key", "member", "workspace"] as const;
export type NamedKind = (typeof NAMED)[number];

interface NamedRow {
  id: string;
  name: string;
  /** 1 for a deleted link. */
  gone: number;
}

const TABLES = {
  link: links,
  tag: tags,
  group: activityGroups,
  asset: offlineAssets,
  key: apiKeys,
  member: members,
  workspace: workspaces,
} as const;

const NAMES: Readonly<Record<NamedKind, SQL>> = {
  link: sql`'/' || ${links.slug}`,
  tag: sql`${tags.name}`,
  group: sql`${activityGroups.name}`,
  asset: sql`${offlineAssets.name}`,
  key: sql`${apiKeys.name}`,
  member: sql`${members.email}`,
  workspace: sql`${workspaces.name}`,
};

/** The names of the subjects of one kind with these ids, in the workspace. */
export const selectNames = (workspaceId: number, kind: NamedKind, ids: readonly string[]) => {
  const table = TABLES[kind];
  const workspace = table === workspaces ? table.id : Reflect.get(table, "workspace_id");
  return orm.all<NamedRow>(sql`select ${listed()} as id, ${NAMES[kind]} as name,
        ${kind === "link" ? sql`${links.deleted_at} is not null` : sql`0`} as gone
      from ${fromList(boundList(ids))} cross join ${table}
      where ${table.public_id} = ${listed()} and +${workspace} = ${workspaceId}`);
};

export const selectNamesOfGroupSlugs = (workspaceId: number, slugs: readonly string[]) =>
  orm.all<NamedRow>(sql`select ${listed()} as id, ${activityGroups.name} as name, 0 as gone
      from ${fromList(boundList(slugs))} cross join ${activityGroups}
      where ${activityGroups.workspace_id} = ${workspaceId} and ${activityGroups.slug} = ${listed()}`);
