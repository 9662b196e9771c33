import { linkIsFull, notInWorkspace } from "../../field-errors";
import type { Failure } from "../../lib/failure";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";

export const UNKNOWN_GROUP = notInWorkspace("activity_group_id", "Activity Group");

export const tooManyTags = (field: "tag_ids" | "tag_names"): Failure =>
  linkIsFull(field, MAX_TAGS_ON_LINK, "tags");
export const TOO_MANY_TAGS = tooManyTags("tag_ids");

export const LINK_IS_LIVE: Failure = {
  field: "link",
  message: "The link is attached to a live Offline Engagement asset and cannot be deleted.",
  code: "live_asset",
};

export const ENDS_TOO_EARLY: Failure = {
  field: "ends_at",
  message: "The ends at field must be a date after starts at.",
  code: "range",
};

/** An error of a row. */
export type RowError = Pick<Failure, "field" | "message" | "conflict">;

/** The errors without the ids of conflicts, which differ when an import is repeated. */
export const toRowErrors = (errors: readonly RowError[]): RowError[] =>
  errors.map(({ field, message }) => ({ field, message }));
