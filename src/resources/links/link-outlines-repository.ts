import { type Column, type SQL, sql } from "drizzle-orm";
import { boundList, fromList, listed } from "../../db/bound-list";
import { columnsAs } from "../../db/columns";
import { orm, withEnd } from "../../db/prepared";
import { activityGroups } from "../../db/schema/activity-groups";
import { links } from "../../db/schema/links";
import {
  DAY_FIELDS,
  eachField,
  FORM_FIELDS,
  MOMENT_FIELDS,
  TEXT_FIELDS,
  URL_FIELDS,
  type ValueFieldName,
} from "../../lib/link-fields";
import { joinGroup, whereIds } from "./link-statements";

// What is read of many links before some are read as a whole, or in place of that.

/**
 * How many characters a link takes at most where it is read as a whole: its columns, its tags, of which each has some 600, its slugs
 * and the address of its group.
 */
const LONG_COLUMNS = ["rules", ...Object.keys({ ...TEXT_FIELDS, ...URL_FIELDS, ...FORM_FIELDS })];
const linkSize = sql.raw(`600 + length(links.destination_url)
  + ${LONG_COLUMNS.map((name) => `ifnull(length(links.${name}), 0)`).join(" + ")}
  + 600 * (select count(*) from link_tags where link_tags.link_id = links.id)
  + (select ifnull(sum(60 + length(slugs.key)), 0) from slugs
    where slugs.workspace_id = links.workspace_id and slugs.link_id = links.id)
  + ifnull((select length(activity_groups.ended_url) from activity_groups
    where activity_groups.id = links.activity_group_id), 0)`) as SQL<number>;

/** What entries of links lead back to, and how many characters each takes with its link. */
export const selectOutlines = (entries: SQL) =>
  orm.all<{
    subject: string;
    activity_group_id: string | null;
    tag_ids: string | null;
    size: number;
  }>(sql`select
      subject, before ->> 'activity_group_id' as activity_group_id, before -> 'tag_ids' as tag_ids,
      ifnull(length(before), 0) + ifnull(length(change), 0) + ifnull(length(next_change), 0)
        + ifnull((select ${linkSize} from ${links} where ${links.public_id} = entry.subject), 0) as size
    from (${entries}) as entry`);

/** What lists sort and name links by. */
const placeColumns = {
  public_id: links.public_id,
  slug: links.slug,
  folded_slug: links.folded_slug,
  title_key: links.title_key,
  created_at: links.created_at,
  updated_at: links.updated_at,
  visitTotals: columnsAs({ clicks: links.clicks, scans: links.scans }),
};

export const selectLinkSizes = withEnd(
  orm.select({ ...placeColumns, size: linkSize.as("size") }).from(links),
);

export type LinkSize = ReturnType<typeof selectLinkSizes>["rows"][number];
export type MeasuredLink = Pick<LinkSize, "public_id" | "size">;

export const selectSizesAfter = (workspaceId: number, id: string, most: number) =>
  selectLinkSizes(sql`where ${links.workspace_id} = ${workspaceId} and ${links.public_id} > ${id}
    and ${links.deleted_at} is null order by ${links.public_id} limit ${most}`);

export const selectSizesByIds = (workspaceId: number, ids: readonly string[]) =>
  selectLinkSizes(whereIds(workspaceId, ids));

export const selectLinksWithValues = (
  workspaceId: number,
  field: ValueFieldName,
  values: readonly string[],
  most: number,
) =>
  orm.all<MeasuredLink>(sql`select ${links.public_id}, ${linkSize} as size from ${fromList(boundList(values))} cross join ${links}
    where ${links.workspace_id} = ${workspaceId} and ${links[field]} = ${listed()} and ${links.deleted_at} is null
    limit ${most}`);

/** A value of the group with which the links of the group end, if they do. */
const ofGroupOfEnd = <T>(column: Column) =>
  sql<T | null>`(select ${column} from ${activityGroups} where ${joinGroup} and ${activityGroups.ends_links} = 1)`;

/** What a preview of a change of many links reads of them. */
export const selectPreviewed = withEnd(
  orm
    .select({
      ...placeColumns,
      destination_url: links.destination_url,
      ...eachField(MOMENT_FIELDS, (name) => links[name]),
      ...eachField(DAY_FIELDS, (name) => links[name]),
      group_ends_at: ofGroupOfEnd<number>(activityGroups.ends_at).as("group_ends_at"),
      group_ends_on: ofGroupOfEnd<string>(activityGroups.ends_on).as("group_ends_on"),
    })
    .from(links),
);

export const selectPreviewedByIds = (workspaceId: number, ids: readonly string[]) =>
  selectPreviewed(whereIds(workspaceId, ids));
