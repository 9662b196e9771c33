import type { FieldError } from "../../errors";
import { MAX_TAGS_ON_LINK } from "../../lib/link-fields";

export const EXTERNAL_ID_TAKEN: FieldError = {
  field: "external_id",
  message: "The external id has already been taken.",
  code: "taken",
};

export const UNKNOWN_GROUP: FieldError = {
  field: "activity_group_id",
  message: "Activity Group was not found in this workspace.",
  code: "unknown",
};

export const tooManyTags = (field: "tag_ids" | "tag_names"): FieldError => ({
  field,
  message: `The link may not have more than ${MAX_TAGS_ON_LINK} tags.`,
  code: "limit",
});
export const TOO_MANY_TAGS = tooManyTags("tag_ids");

export const unknownTag = (field: `tag_ids.${number}` | `tag_names.${number}`): FieldError => ({
  field,
  message: `The selected ${field} is invalid.`,
  code: "unknown",
});

export const LINK_IS_LIVE: FieldError = {
  field: "link",
  message: "The link is attached to a live Offline Engagement asset and cannot be deleted.",
  code: "live_asset",
};

export const ENDS_TOO_EARLY: FieldError = {
  field: "ends_at",
  message: "The ends at field must be a date after starts at.",
  code: "range",
};

/** An error of a row. */
export type RowError = Pick<FieldError, "field" | "message" | "conflict">;

/** The errors without the ids of conflicts, which differ when an import is repeated. */
export const toRowErrors = (errors: readonly RowError[]): RowError[] =>
  errors.map(({ field, message }) => ({ field, message }));
