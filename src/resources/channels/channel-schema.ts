import { z } from "zod";
import { eachField, UTM_FIELDS } from "../../lib/link-fields";
import { isSlugShaped } from "../../lib/slug-text";
import { text } from "../../lib/validation";
import { input, tagIds } from "../links/input-schema";

/** In a pattern it stands for what is typed as the short link. */
export const TYPED_LINK = "{link}";

/** The slug of a pattern; undefined if nothing was typed that the pattern needs. */
export const slugOf = (pattern: string | null, typed: string): string | undefined => {
  if (pattern === null || (typed === "" && pattern.includes(TYPED_LINK))) return undefined;
  return pattern.replaceAll(TYPED_LINK, () => typed);
};

/** What links of a saved channel have in common. */
export const savedChannelInput = z.object({
  name: text(100),
  ...eachField(UTM_FIELDS, input),
  channel: input("channel"),
  tag_ids: tagIds()
    .pipe(z.array(text(26)))
    .nullish(),
  slug_pattern: text(64)
    .refine(
      (pattern) => pattern.includes(TYPED_LINK) && isSlugShaped(pattern.replaceAll(TYPED_LINK, "a")),
      `The pattern must be letters, digits, hyphens and underscores with ${TYPED_LINK}, such as ${TYPED_LINK}-mail.`,
    )
    .nullish(),
});

export type SavedChannelInput = z.output<typeof savedChannelInput>;
