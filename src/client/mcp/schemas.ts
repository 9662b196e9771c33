import { z } from "zod";
import { eachField, LABEL_FIELDS, UTM_FIELDS } from "../../lib/link-fields";

const text = (description: string) => z.string().describe(description);
const nullable = (description: string) => z.string().nullable().describe(description);

/** What an agent sees of a link: tags by name and the group by slug, as the other tools take them. A later service may add fields. */
export const linkSchema = z.looseObject({
  id: z.string(),
  slug: z.string(),
  short_url: z.string(),
  domain: z.string(),
  destination_url: z.string(),
  ...eachField(LABEL_FIELDS, () => z.string().nullable()),
  status: text("active or archived"),
  external_id: z.string().nullable(),
  ...eachField(UTM_FIELDS, () => z.string().nullable()),
  utm_campaign: z.string().nullable(),
  utm_campaign_origin: text("explicit, or inherited from the Activity Group"),
  activity_group: z.object({ slug: z.string(), name: z.string() }).nullable(),
  tags: z.array(z.string()).describe("Names"),
  starts_at: nullable("When the link opens, in UTC"),
  ends_at: nullable("When the link ends, in UTC. If null, it may end with its Activity Group"),
  ended_url: nullable("Where the link leads after its end"),
  created_at: z.string(),
  updated_at: z.string(),
});

export const oneLinkSchema = z.object({
  link: linkSchema.extend({ etag: text("Changes with the link") }),
});

export const foundLinksSchema = z.object({
  links: z.array(linkSchema),
  has_more: z.boolean().describe("True if more links match than are shown"),
});

export const labelsSchema = z.object({
  tags: z.array(z.object({ name: z.string(), slug: z.string(), description: z.string().nullable() })),
  activity_groups: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      type: z.string(),
      status: z.string(),
      default_utm_campaign: z.string().nullable(),
    }),
  ),
  has_more: z.boolean().describe("True if there are more Activity Groups than are shown. Narrow them with q"),
});

export const qrSchema = z.object({
  slug: z.string(),
  short_url: text("What the code encodes"),
  mime_type: z.string(),
});

const SELECTORS = {
  id: text("The link's id").optional(),
  slug: text("The slug: the last part of the short URL. An old slug of the link works too").optional(),
  external_id: text("The client's own key of the link").optional(),
};

const ONE_SELECTOR = "Give exactly one of id, slug and external_id.";
type Selected = { [Name in keyof typeof SELECTORS]?: string | undefined };

const isOne = ({ id, slug, external_id }: Selected): boolean =>
  [id, slug, external_id].filter((value) => value !== undefined).length === 1;

export const selectorInput = z.strictObject(SELECTORS).refine(isOne, ONE_SELECTOR);

export const qrInput = z
  .strictObject({
    ...SELECTORS,
    size: z.int().min(64).max(2048).optional().describe("In pixels, 512 if omitted. For print take 2048"),
    ecc: z.enum(["L", "M", "Q", "H"]).optional().describe("Error correction, M if omitted"),
  })
  .refine(isOne, ONE_SELECTOR);

export const findInput = z.strictObject({
  q: text("A part of the slug, title or destination URL, without regard to case").optional(),
  tag_names: z.array(z.string()).optional().describe("The link has all of these tags"),
  activity_group_id: text("Id or slug of an Activity Group").optional(),
  channel: text("Exactly, such as poster").optional(),
  status: z.enum(["active", "archived", "all"]).optional().describe("active if omitted"),
  external_id_prefix: text("The beginning of the external id, such as site:").optional(),
  sort: z
    .enum(["-created_at", "created_at", "-updated_at", "updated_at", "slug", "title"])
    .optional()
    .describe("-created_at, the newest first, if omitted"),
  limit: z.int().min(1).max(100).optional().describe("20 if omitted"),
});

export const labelsInput = z.strictObject({
  q: text("A part of the name, without regard to case").optional(),
});

const SLUG =
  "1 to 64 letters, digits, - and _, beginning with a letter or digit. Matched without regard to case. Not api, app, assets, cdn-cgi, docs or health";
const DESTINATION =
  "A public http or https URL. Leave utm_* parameters out of it: give them as fields, and they are added at each visit";
const GROUP = "Id or slug of an Activity Group";

const STARTS_AT = "When the link opens: ISO 8601 with a zone, such as 2026-06-01T08:00:00+02:00";
const ENDS_AT = "When the link ends: ISO 8601 with a zone, after starts_at";
const ENDED_URL = "Where the link leads after its end: a public http or https URL";

const nullableText = (description: string) => nullable(description).optional();

/** A link has at most 50 tags. The service counts, because it merges duplicates. */
const tagNames = (description: string) => z.array(z.string()).describe(description);

export const createInput = z.strictObject({
  destination_url: text(DESTINATION),
  slug: text(`${SLUG}. Generated if omitted`).optional(),
  ...eachField(LABEL_FIELDS, (name) =>
    text(`${LABEL_FIELDS[name].summary}, up to ${LABEL_FIELDS[name].max} characters`).optional(),
  ),
  activity_group_id: text(`${GROUP}. Its default campaign becomes the link's utm_campaign`).optional(),
  ...eachField(UTM_FIELDS, () => z.string().optional()),
  utm_campaign: text("Omit it to inherit the group's default").optional(),
  external_id: text(
    "Your own stable key, unique in the workspace. Makes a repeated creation fail",
  ).optional(),
  starts_at: text(STARTS_AT).optional(),
  ends_at: text(ENDS_AT).optional(),
  ended_url: text(ENDED_URL).optional(),
  tag_names: tagNames("Names of existing tags, at most 50").optional(),
});

const etag = text("The etag that you read. The change is refused if the link has changed since").optional();

export const updateInput = z.strictObject({
  id: text("The link's id, from find_links or get_link"),
  etag,
  destination_url: text(`${DESTINATION}. Old short URLs and printed codes lead there too`).optional(),
  slug: text(`${SLUG}. The old slug keeps redirecting`).optional(),
  ...eachField(LABEL_FIELDS, () => nullableText("null clears it")),
  status: z.enum(["active", "archived"]).optional().describe("An archived link still redirects"),
  activity_group_id: nullableText(`${GROUP}. null takes the link out of its group`),
  ...eachField(UTM_FIELDS, () => nullableText("null clears it")),
  utm_campaign: nullableText("null goes back to the group's default"),
  external_id: nullableText("null clears it"),
  starts_at: nullableText(`${STARTS_AT}. null clears it`),
  ends_at: nullableText(`${ENDS_AT}. null clears it`),
  ended_url: nullableText(`${ENDED_URL}. null clears it`),
});

export const setTagsInput = z.strictObject({
  id: text("The link's id, from find_links or get_link"),
  etag,
  tag_names: tagNames("The full set: names of existing tags, at most 50. [] takes all off"),
});
