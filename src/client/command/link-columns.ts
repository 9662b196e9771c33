import { LABEL_FIELD_NAMES } from "../../lib/link-fields";
import { describeRule } from "../../lib/rules";
import type { Link } from "../api/resources";
import type { Cells } from "./table";

/** The fields of a link, with its group by slug, its tags by name and its rules as text. */
export function linkCells({ activity_group: group, rules, tags, ...fields }: Link): Cells {
  return {
    ...fields,
    rules: rules.map(describeRule).join("; ") || null,
    group: group?.slug ?? null,
    tags: tags.map(({ name }) => name).join(", "),
  };
}

/** A terminal has room for fewer columns. */
export const TERMINAL_LINK_COLUMNS = [
  "slug",
  "destination_url",
  "title",
  "channel",
  "group",
  "tags",
  "status",
];

/** The columns of a list, in the order that scripts rely on. New ones come last. */
export const LINK_COLUMNS = [
  ...new Set([
    ...TERMINAL_LINK_COLUMNS,
    "short_url",
    "external_id",
    "id",
    "starts_at",
    "ends_at",
    "ended_url",
    "domain",
    ...LABEL_FIELD_NAMES,
  ]),
];
