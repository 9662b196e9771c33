import { z } from "@hono/zod-openapi";
import { activityGroupSchema } from "../activity-groups/schema";
import { MAX_TAGS_ON_LINK, TOO_MANY_TAGS } from "../errors";
import { metaSchema, pageQuery, publicId } from "../http/fields";
import { destinationProblem } from "../lib/destination";
import { eachField, LABEL_FIELDS, TEXT_FIELDS, type TextFieldName, UTM_FIELDS } from "../lib/link-fields";
import { isSlugShaped, RESERVED_SLUGS, SLUG_PATTERN, slugKey } from "../lib/slug-text";
import { text } from "../lib/validation";
import { tagSchema } from "../tags/schema";

const LINK_STATUSES = ["active", "archived"] as const;
const LINK_SORTS = ["-created_at", "created_at", "-updated_at", "updated_at", "slug", "title"] as const;

const timestamp = () => z.string().openapi({ format: "date-time", example: "2026-06-01T08:00:00.000Z" });

const shown = (name: TextFieldName) => {
  const { max, example } = TEXT_FIELDS[name];
  return { maxLength: max, example };
};
const output = (name: TextFieldName) => z.string().nullable().openapi(shown(name));
const MAX_CAMPAIGN_LENGTH = 255;
const CAMPAIGN = { maxLength: MAX_CAMPAIGN_LENGTH, example: "summer_2026" };

export const linkSchema = z
  .object({
    id: publicId(),
    slug: z.string().openapi({ example: "summer" }),
    short_url: z.string().openapi({ format: "uri", example: "https://go.example.com/summer" }),
    destination_url: z.string().openapi({ example: "https://www.example.com/sale?colour=blue" }),
    ...eachField(LABEL_FIELDS, output),
    status: z.enum(LINK_STATUSES).openapi({ example: "active" }),
    ...eachField(UTM_FIELDS, output),
    utm_campaign: z.string().nullable().openapi(CAMPAIGN),
    activity_group: activityGroupSchema
      .pick({ id: true, name: true, slug: true, type: true, status: true })
      .extend({
        assignment: z.object({
          role: z.enum(["primary"]).openapi({ example: "primary" }),
          channel: z.string().nullable().openapi({ example: "newsletter" }),
        }),
      })
      .optional()
      .openapi("AssignedActivityGroup"),
    tags: z.array(tagSchema),
    archived_at: timestamp().nullable().openapi({ example: null }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .openapi("Link");

export type Link = z.output<typeof linkSchema>;

const destinationUrl = () =>
  z
    .string()
    .superRefine((value, context) => {
      const problem = destinationProblem(value);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem.message });
    })
    .openapi({ maxLength: 2048, example: "https://www.example.com/sale?colour=blue" });

const MOST_SLUG_LENGTH = 64;
const SLUG_RULE =
  "The slug field must be 1 to 64 letters, digits, hyphens or underscores and start with a letter or digit.";

const slugFault = (value: string): string =>
  RESERVED_SLUGS.has(slugKey(value))
    ? `The slug ${value} is reserved.`
    : [...value].length > MOST_SLUG_LENGTH
      ? `The slug field must not be greater than ${MOST_SLUG_LENGTH} characters.`
      : SLUG_RULE;

const slug = () =>
  z
    .string()
    .superRefine((value, context) => {
      if (isSlugShaped(value)) return;
      context.addIssue({ code: "custom", message: slugFault(value) });
    })
    .openapi({ pattern: SLUG_PATTERN.source, example: "summer" });

const input = (name: TextFieldName) => text(TEXT_FIELDS[name].max).nullish().openapi(shown(name));
const campaign = () => text(MAX_CAMPAIGN_LENGTH).nullish().openapi(CAMPAIGN);
const activityGroupId = () =>
  text().nullish().openapi({ description: "Public ID or slug of an Activity Group", example: "summer-2026" });

const TAG_IDS = `At most ${MAX_TAGS_ON_LINK} IDs of tags, repeated ones counted once`;
const tagIds = () =>
  z
    .array(tagId())
    .refine(
      (ids) => new Set(ids.map((id) => id.toUpperCase())).size <= MAX_TAGS_ON_LINK,
      TOO_MANY_TAGS.message,
    );
const tagId = () => text().openapi({ example: "01JZ8Q4V6T3K9M2N5P7R8S0W1X" });

export const createLinkSchema = z
  .object({
    destination_url: destinationUrl(),
    slug: slug().nullish().openapi({ description: "Generated when omitted" }),
    ...eachField(LABEL_FIELDS, input),
    activity_group_id: activityGroupId(),
    ...eachField(UTM_FIELDS, input),
    utm_campaign: campaign(),
    tag_ids: tagIds().nullish().openapi({ description: TAG_IDS, maxItems: MAX_TAGS_ON_LINK }),
  })
  .openapi("CreateLinkRequest");

export const updateLinkSchema = z
  .object({
    destination_url: destinationUrl().optional(),
    slug: slug().optional(),
    ...eachField(LABEL_FIELDS, input),
    status: z.enum(LINK_STATUSES).optional(),
    activity_group_id: activityGroupId(),
    ...eachField(UTM_FIELDS, input),
    utm_campaign: campaign(),
  })
  .openapi("UpdateLinkRequest");

/** What the web application updates: which tags the link shall carry, too. */
export const editLinkSchema = updateLinkSchema.extend({ tag_ids: tagIds().optional() });

export const MOST_LINKS_AT_ONCE = 100;
const CHANGES = ["tag", "untag", "move", "archive", "restore"] as const;

/** What the web application does to many links; a null group moves them out of theirs. */
export const changeLinksSchema = z
  .object({
    ids: z
      .array(text(26))
      .min(1, "Choose at least one link.")
      .max(MOST_LINKS_AT_ONCE, `Choose at most ${MOST_LINKS_AT_ONCE} links.`),
    change: z.enum(CHANGES),
    tag: text(26).nullish(),
    activity_group_id: text(120).nullish(),
  })
  .refine(({ change, tag }) => tag != null || (change !== "tag" && change !== "untag"), {
    path: ["tag"],
    message: "Choose a tag.",
  });

export const attachTagsSchema = z
  .object({ tag_ids: tagIds().min(1).openapi({ description: TAG_IDS, maxItems: MAX_TAGS_ON_LINK }) })
  .openapi("AttachTagsRequest");

export const listLinksQuery = z.object({
  tag: z
    .array(text(120))
    .optional()
    .openapi({ description: "Slug or ID of a tag; repeated, the link must carry all of them" }),
  activity_group_id: text(120).optional().openapi({ description: "Public ID or slug of an Activity Group" }),
  channel: text(120).optional(),
  status: z.enum([...LINK_STATUSES, "all"]).default("active"),
  slug: text(64).optional().openapi({ description: "The current slug, without regard to case" }),
  q: text(255)
    .optional()
    .openapi({ description: "Part of the slug, title or destination URL, without regard to case" }),
  sort: z.enum(LINK_SORTS).default("-created_at"),
  ...pageQuery(),
});

export const linkListSchema = z.object({ links: z.array(linkSchema), meta: metaSchema }).openapi("LinkList");

export type CreateLink = z.output<typeof createLinkSchema>;
export type UpdateLink = z.output<typeof updateLinkSchema>;
export type EditLink = z.output<typeof editLinkSchema>;
export type ChangeLinks = z.output<typeof changeLinksSchema>;
export type ListLinks = z.output<typeof listLinksQuery>;
export type LinkSort = (typeof LINK_SORTS)[number];
