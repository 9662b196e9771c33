import type { FieldError } from "../../errors";

export const SLUG_TAKEN_DOWN: FieldError = {
  field: "slug",
  message: "The slug has been taken down.",
  code: "taken_down",
};
export const MAX_SLUGS_OF_LINK = 100;
export const TOO_MANY_SLUGS: FieldError = {
  field: "slug",
  message: `The link may not have more than ${MAX_SLUGS_OF_LINK} slugs.`,
  code: "limit",
};
export const slugLimitReached = (limit: number): FieldError => ({
  field: "slug_limit",
  message: `The workspace has reached its limit of ${limit.toLocaleString("en-GB")} slugs.`,
  code: "limit",
});
