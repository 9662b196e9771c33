import { z } from "zod";
import { type FieldError, MAX_SLUGS_OF_LINK, MAX_TAGS_ON_LINK, TOO_MANY_TAGS } from "../errors";
import { splitNames } from "../lib/csv";
import type { ImportedCells } from "../lib/import-columns";
import { fold, isSlugShaped, slugKey } from "../lib/slug-text";
import { check, text, trimmed } from "../lib/validation";
import { createLinkSchema } from "../links/schema";

/** All that a link may have but its own. */
const MOST_OLD_SLUGS = MAX_SLUGS_OF_LINK - 1;

/** A link as a file asks for it: its group and its tags by what people call them. */
export const importedLink = createLinkSchema.omit({ activity_group_id: true, tag_ids: true }).extend({
  activity_group: text(255).nullish(),
  status: z.enum(["active", "archived"]).nullish(),
  utm_campaign_origin: z.enum(["explicit", "inherited"]).nullish(),
  old_slugs: z
    .array(
      z
        .string()
        .refine(
          isSlugShaped,
          "An old slug must be 1 to 64 letters, digits, hyphens or underscores, start with a letter or digit, and not be reserved.",
        ),
    )
    .max(MOST_OLD_SLUGS, `The old slugs field must not have more than ${MOST_OLD_SLUGS} slugs.`),
  tags: z
    .array(text(100))
    .refine((names) => new Set(names.map(fold)).size <= MAX_TAGS_ON_LINK, TOO_MANY_TAGS.message),
});

export type ImportedLink = z.output<typeof importedLink>;

/** Longer than anything that a link may say, and short enough to be kept. */
export const MOST_CHARACTERS_IN_CELL = 20_000;

/** The slugs in a cell, each once, without the one that the link has now. */
const oldSlugsIn = (cell: string, slug = ""): string[] => {
  const old = new Map(cell.split(/[\s,;|]+/).map((one) => [slugKey(one), one]));
  old.delete("");
  old.delete(slugKey(slug));
  return [...old.values()];
};

/** The link that a row asks for, or why there can be none. */
export function linkIn(
  cells: ImportedCells,
): { ok: true; link: ImportedLink } | { ok: false; errors: FieldError[] } {
  const tooLong = Object.entries(cells).filter(([, cell]) => cell.length > MOST_CHARACTERS_IN_CELL);
  if (tooLong.length > 0) {
    return {
      ok: false,
      errors: tooLong.map(([field]) => ({
        field,
        message: `The ${field.replaceAll("_", " ")} field must not be greater than ${MOST_CHARACTERS_IN_CELL.toLocaleString("en-GB")} characters.`,
      })),
    };
  }
  const { status, utm_campaign_origin: origin, tags, old_slugs: old, ...rest } = cells;
  const result = check(
    importedLink,
    trimmed({
      ...rest,
      status: status?.toLowerCase(),
      utm_campaign_origin: origin?.toLowerCase(),
      tags: splitNames(tags ?? ""),
      old_slugs: oldSlugsIn(old ?? "", cells.slug),
    }),
  );
  return result.ok ? { ok: true, link: result.value } : { ok: false, errors: result.failures };
}

/** The cells as they are kept: what is far too long is refused, and cut. */
export const keptCells = (cells: ImportedCells): ImportedCells =>
  Object.fromEntries(
    Object.entries(cells).map(([field, cell]) => [field, cell.slice(0, MOST_CHARACTERS_IN_CELL)]),
  );
