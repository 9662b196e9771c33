import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { orm, withEnd } from "../../../db/prepared";
import { activityGroups } from "../../../db/schema/activity-groups";
import { links } from "../../../db/schema/links";
import { columns, joinGroup, type LinkRow, selectTagsJson, toTagsInLink } from "../repository";

/** What a list reads unasked of a link: so many bytes of its longest columns, and as many of its tags. */
const MAX_BYTES = sql.raw("4000");

const bytes = sql<number>`(octet_length(${links.destination_url}) + ifnull(octet_length(${links.rules}), 0)
  + ifnull(octet_length(${links.note}), 0) + ifnull(octet_length(${links.ended_url}), 0)
  + ifnull(octet_length(${links.preview_image_url}), 0))`;

const ifShort = (column: SQLiteColumn) =>
  sql<string | null>`iif(${bytes} > ${MAX_BYTES}, null, ${column})`.as(column.name);

/** Selects links as `selectLinks` does. A longer link has its place in each order and its size, in place of what is long. */
export const selectListedLinks = withEnd(
  orm
    .select({
      ...columns,
      destination_url: ifShort(links.destination_url),
      ended_url: ifShort(links.ended_url),
      rules: ifShort(links.rules),
      note: ifShort(links.note),
      preview_image_url: ifShort(links.preview_image_url),
      bytes: bytes.as("bytes"),
      tags: sql`(select iif(octet_length(json) > ${MAX_BYTES}, octet_length(json), json) from (${selectTagsJson}))`
        .mapWith((json: string | number) => (typeof json === "number" ? json : toTagsInLink(json)))
        .as("tags_json"),
    })
    .from(links)
    .leftJoin(activityGroups, joinGroup),
);

export type ListedRow = ReturnType<typeof selectListedLinks>["rows"][number];

export const isWhole = (row: ListedRow): row is ListedRow & LinkRow =>
  row.destination_url !== null && typeof row.tags === "object";
