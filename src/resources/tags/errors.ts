import type { FieldError } from "../../errors";

export const NAME_TAKEN: FieldError = {
  field: "name",
  message: "The name has already been taken.",
  code: "taken",
};
export const MAX_TAGS = 1000;

export const TAG_LIMIT_REACHED: FieldError = {
  field: "tag_limit",
  message: "The workspace has reached its limit of 1,000 tags.",
  code: "limit",
};
