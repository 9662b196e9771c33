import { z } from "@hono/zod-openapi";
import { publicId } from "../../http/common-fields";
import { PLAIN_SLUG, plainSlug, text } from "../../lib/validation";

const SLUG = "Unique in the workspace. Lower-case letters, digits and hyphens.";
const SLUG_SHAPE = { minLength: 1, maxLength: 120, pattern: PLAIN_SLUG.source, example: "summer-sale" };
const NAME_SHAPE = { minLength: 1, maxLength: 100, example: "Summer sale" };
const COLOUR_SHAPE = {
  description: "Any text: the service does not read it.",
  maxLength: 32,
  example: "#f59e0b",
};

export const tagSchema = z
  .object({
    id: publicId(),
    name: z.string().openapi(NAME_SHAPE),
    slug: z.string().openapi({ description: SLUG, ...SLUG_SHAPE }),
    colour: z.string().nullable().openapi(COLOUR_SHAPE),
    description: z
      .string()
      .nullable()
      .openapi({ maxLength: 255, example: "Everything around the summer sale" }),
  })
  .openapi("Tag");

export type Tag = z.output<typeof tagSchema>;

const tagSlug = (more: string) =>
  plainSlug()
    .nullish()
    .openapi({ description: `${SLUG} ${more}`, ...SLUG_SHAPE });

export const tagName = () => text(NAME_SHAPE.maxLength);

const name = tagName().openapi({
  description: "Unique in the workspace, without regard to case.",
  ...NAME_SHAPE,
});

/** What is stored of a tag as it was sent. */
export const tagTexts = {
  colour: text(32).nullish().openapi(COLOUR_SHAPE),
  description: text(255).nullish().openapi({ maxLength: 255 }),
};

export const createTagSchema = z
  .object({
    name,
    slug: tagSlug("Made from the name if omitted or null, with a number if that is taken."),
    ...tagTexts,
  })
  .openapi("CreateTagRequest");

export const updateTagSchema = z
  .object({ name: name.optional(), slug: tagSlug("Null makes it anew from the name."), ...tagTexts })
  .openapi("UpdateTagRequest");

export type CreateTag = z.output<typeof createTagSchema>;
export type UpdateTag = z.output<typeof updateTagSchema>;
