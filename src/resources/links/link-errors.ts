import { linkIsFull, notInWorkspace } from "../../field-errors";
import { type Failure, messageOf } from "../../lib/failure";
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

export const ENDS_TOO_EARLY: Failure = { field: "ends_at", reason: "ends_too_early" };

/** The errors of a row in words, without the ids of conflicts, which differ when an import is repeated. */
export const toRowErrors = (errors: readonly Failure[]) =>
  errors.map((failure) => ({ field: failure.field, message: messageOf(failure) }));
