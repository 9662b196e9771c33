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
