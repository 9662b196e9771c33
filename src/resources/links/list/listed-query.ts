import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { orm, withEnd } from "../../../db/prepared";
import { activityGroups } from "../../../db/schema/activity-groups";
import { links } from "../../../db/schema/links";
import { columns, type LinkRow, selectTagsJson, toTagsInLink } from "../link-repository";
import { joinGroup } from "../link-statements";

/** What a list reads unasked of a link: so many bytes of its longest columns, and of its tags. */
const MAX_COLUMN_BYTES = 4_000;
const MAX_TAG_BYTES = 8_000;

const bytes = sql<number>`(octet_length(${links.destination_url}) + ifnull(octet_length(${links.rules}), 0)
  + ifnull(octet_length(${links.note}), 0) + ifnull(octet_length(${links.ended_url}), 0)
  + ifnull(octet_length(${links.preview_image_url}), 0))`;

const ifShort = (column: SQLiteColumn) =>
  sql<string | null>`iif(${bytes} > ${sql.raw(`${MAX_COLUMN_BYTES}`)}, null, ${column})`.as(column.name);

const maxTagBytes = sql.raw(`${MAX_TAG_BYTES}`);

/** Selects links as `selectLinks` does. A longer link has nothing but its destination of what is long, and the size of its tags. */
export const selectListedLinks = withEnd(
  orm
    .select({
      ...columns,
      ended_url: ifShort(links.ended_url),
      rules: ifShort(links.rules),
      note: ifShort(links.note),
      preview_image_url: ifShort(links.preview_image_url),
      bytes: bytes.as("bytes"),
      tags: sql<
        string | number
      >`(select iif(octet_length(json) > ${maxTagBytes}, octet_length(json), json) from (${selectTagsJson}))`,
    })
    .from(links)
    .leftJoin(activityGroups, joinGroup),
  (row) =>
    Object.assign(row as Omit<typeof row, "tags">, {
      tags: typeof row.tags === "number" ? row.tags : toTagsInLink(row.tags),
    }),
);

export type ListedRow = ReturnType<typeof selectListedLinks>["rows"][number];

/** Whether a row has its tags, which is all that a page shows. */
export const isShowable = (row: ListedRow): row is ListedRow & LinkRow => typeof row.tags === "object";

export const isWhole = (row: ListedRow): row is ListedRow & LinkRow =>
  isShowable(row) && row.bytes <= MAX_COLUMN_BYTES;
