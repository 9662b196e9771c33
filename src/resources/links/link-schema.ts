import { z } from "@hono/zod-openapi";
import { metaSchema, pageQuery, publicId, textFilter } from "../../http/common-fields";
import {
  eachField,
  KEY_FIELDS,
  LABEL_FIELDS,
  LINK_SORTS,
  MOMENT_FIELDS,
  type TextFieldName,
  URL_FIELDS,
  UTM_DETAIL_FIELDS,
  UTM_FIELDS,
  WINDOW_FIELDS,
  type WindowFieldName,
} from "../../lib/link-fields";
import { SLUG_PATTERN } from "../../lib/slug-text";
import { anyText } from "../../lib/validation";
import { DEVICES } from "../../lib/visitor";
import { activityGroupSchema } from "../activity-groups/group-schema";
import { tagSchema } from "../tags/tag-schema";
import * as inputs from "./input-schema";

const LINK_STATUSES = ["active", "archived"] as const;

const timestamp = () => z.string().openapi({ format: "date-time", example: "2026-06-01T08:00:00.000Z" });

const ARCHIVED = "An archived link redirects as before, but is not in the default list and has no QR file.";
const output = (name: TextFieldName | WindowFieldName) => z.string().nullable().openapi(inputs.shown(name));

const ruleSchema = z
  .object({
    destination_url: z.string().openapi(inputs.DESTINATION),
    countries: z
      .array(z.string())
      .nullable()
      .openapi({ example: ["CH", "AT"] }),
    devices: z
      .array(z.enum(DEVICES))
      .nullable()
      .openapi({ example: ["ios"] }),
    languages: z
      .array(z.string())
      .nullable()
      .openapi({ example: ["fr"] }),
    starts_at: timestamp().nullable(),
    ends_at: timestamp().nullable().openapi({ example: null }),
    share: z.int().nullable().openapi({ example: null }),
  })
  .openapi("Rule", { description: "All conditions that are not null must hold." });

export const linkSchema = z
  .object({
    id: publicId(),
    slug: z.string().openapi({
      description: "The current slug. Old slugs of the link redirect too.",
      pattern: SLUG_PATTERN.source,
      example: "summer",
    }),
    short_url: z.string().openapi({
      description: "What is printed, and what the QR file encodes.",
      format: "uri",
      example: "https://go.example.com/summer",
    }),
    domain: z.string().openapi({
      description: "The host of `short_url`: a domain of the workspace, or the short host of the service.",
      example: "go.example.com",
    }),
    destination_url: z.string().openapi({
      description: "As it was given. UTM parameters are added at each visit.",
      ...inputs.DESTINATION,
    }),
    rules: z
      .array(ruleSchema)
      .openapi({ description: "They lead some visitors elsewhere. Empty for most links." }),
    ...eachField(LABEL_FIELDS, output),
    status: z.enum(LINK_STATUSES).openapi({ description: ARCHIVED, example: "active" }),
    ...eachField(KEY_FIELDS, output),
    ...eachField(UTM_FIELDS, output),
    utm_campaign: z
      .string()
      .nullable()
      .openapi({ description: "Added to the destination at each visit.", ...inputs.CAMPAIGN }),
    utm_campaign_origin: z.enum(["explicit", "inherited"]).openapi({
      description: "`explicit`: a request gave the campaign. `inherited`: it is a group's default, or null.",
      example: "explicit",
    }),
    ...eachField(UTM_DETAIL_FIELDS, output),
    activity_group: activityGroupSchema
      .pick({ id: true, name: true, slug: true, type: true, status: true })
      .extend({
        assignment: z.object({
          role: z.enum(["primary"]).openapi({ example: "primary" }),
          channel: z.string().nullable().openapi({ example: "newsletter" }),
        }),
      })
      .optional()
      .openapi("AssignedActivityGroup", { description: "Absent if the link is in no group." }),
    tags: z.array(tagSchema).openapi({ description: "Sorted by name." }),
    ...eachField(WINDOW_FIELDS, output),
    archived_at: timestamp().nullable().openapi({ description: "Null if active.", example: null }),
    created_at: timestamp(),
    updated_at: timestamp().openapi({ description: "Changes of tags leave it as it is." }),
  })
  .openapi("Link");

export type Link = z.output<typeof linkSchema>;

/** What new and changed links have alike, with what the document says besides of a change. */
const moreInputs = ({ campaign, rules, tags }: { campaign: string; rules?: string; tags?: string }) => ({
  ...eachField(UTM_FIELDS, inputs.input),
  utm_campaign: inputs.campaign(campaign),
  ...eachField(UTM_DETAIL_FIELDS, inputs.input),
  ...eachField(KEY_FIELDS, inputs.input),
  ...eachField(MOMENT_FIELDS, inputs.moment),
  ...eachField(URL_FIELDS, inputs.url),
  rules: inputs.rules(rules),
  tag_ids: inputs.tagIds(tags).nullish(),
  tag_names: inputs.tagNames(tags).nullish(),
});

export const createLinkFields = z.object({
  destination_url: inputs.destinationUrl(),
  slug: inputs.slug("Omitted or null, one of 7 random characters is made.").nullish(),
  domain: inputs
    .domain(" Omitted or null, it is the primary domain of the workspace, or the short host.")
    .nullish(),
  ...eachField(LABEL_FIELDS, inputs.input),
  activity_group_id: inputs.activityGroupId(""),
  ...moreInputs({
    campaign:
      "Omitted or null, the link inherits the default of its group, or has none. A given value stays when the link moves to another group.",
  }),
});

export const createLinkSchema = createLinkFields
  .refine(({ tag_ids: ids, tag_names: names }) => ids == null || names == null, inputs.BOTH_TAG_FIELDS)
  .openapi("CreateLinkRequest", {
    example: {
      destination_url: "https://www.example.com/sale?colour=blue",
      title: "Summer sale",
      channel: "newsletter",
      utm_source: "newsletter",
      utm_medium: "email",
      utm_campaign: "summer_2026",
    },
  });

export const updateLinkSchema = z
  .object({
    destination_url: inputs.destinationUrl().optional(),
    slug: inputs
      .slug("Old slugs go on redirecting, and the link may return to them. At most 100 slugs open a link.")
      .optional(),
    domain: inputs.domain(" The former address goes on redirecting.").optional(),
    ...eachField(LABEL_FIELDS, inputs.input),
    status: z.enum(LINK_STATUSES).optional().openapi({ description: ARCHIVED }),
    activity_group_id: inputs.activityGroupId(" Null ends the assignment."),
    ...moreInputs({
      campaign:
        "A text stays when the link moves to another group. Null takes the default of its group as it is now. Omitted, an inherited value follows the group that the request names.",
      rules: " They replace the whole list. Null or an empty list removes them.",
      tags: " They replace the whole set. Null takes all tags off.",
    }),
  })
  .refine(
    ({ tag_ids: ids, tag_names: names }) => ids === undefined || names === undefined,
    inputs.BOTH_TAG_FIELDS,
  )
  .openapi("UpdateLinkRequest", { example: { title: "Summer sale, last days", channel: "poster" } });

type FormInput = z.output<z.ZodObject<typeof inputs.formInputs>>;

export const createLinkForm = createLinkSchema.safeExtend({ ...inputs.formInputs, ...inputs.dateInputs });
export const updateLinkForm = updateLinkSchema.safeExtend({ ...inputs.formInputs, ...inputs.dateInputs });

export const attachTagsSchema = z.object({ tag_ids: inputs.tagIds().min(1) }).openapi("AttachTagsRequest");

const MAX_FILTER_VALUES = 100;
const anyOf = (maxCharacters: number, description: string, example: string) =>
  z
    .array(anyText(maxCharacters))
    .max(MAX_FILTER_VALUES)
    .optional()
    .openapi({ description: `${description}. Repeated, the link has any of them`, example: [example] });

const SORT =
  "`-` sorts downwards. Links without a title come last. `updated_at` is the order for a sync: a link that changes while pages are followed comes again at the end";

export const listLinksQuery = z.object({
  tag: z
    .array(anyText(120))
    .optional()
    .openapi({
      description: "The slug or id of a tag. Repeated, the link has all of them",
      example: ["summer-sale"],
    }),
  activity_group_id: textFilter(120, "The id or slug of an Activity Group", "summer-2026"),
  channel: textFilter(120, "The whole channel", "newsletter"),
  status: z
    .enum([...LINK_STATUSES, "all"])
    .default("active")
    .openapi({ description: "Without it, archived links are left out", example: "all" }),
  domain: textFilter(253, "The host of the current short URL, without regard to case", "go.example.com"),
  slug: anyOf(64, "A slug that opens the link, current or old, without regard to case", "summer"),
  external_id: anyOf(255, "The whole external id, with regard to case", "site:home-hero"),
  external_id_prefix: textFilter(255, "The beginning of the external id, with regard to case", "site:"),
  q: textFilter(255, "A part of the slug, title or destination URL, without regard to case", "sale"),
  sort: z.enum(LINK_SORTS).default("-created_at").openapi({ description: SORT, example: "updated_at" }),
  ...pageQuery("WyJ1cGRhdGVkX2F0IiwxNzgwMzAwODAwMDAwLCIwMUpaOFE0VjZUM0s5TTJONVA3UjhTMFcxWCJd"),
});

export const linkListSchema = z.object({ links: z.array(linkSchema), meta: metaSchema }).openapi("LinkList");

export type CreateLink = z.output<typeof createLinkSchema> & FormInput;
export type UpdateLink = z.output<typeof updateLinkSchema> & FormInput;
export type ListLinks = z.output<typeof listLinksQuery>;
export type LinkSort = (typeof LINK_SORTS)[number];
