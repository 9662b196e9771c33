import { z } from "zod";
import { eachField, MOMENT_FIELDS, TEXT_FIELDS, URL_FIELDS } from "../../lib/link-fields";
import { type Input, LINK_INPUTS } from "../fields";

const text = (description: string) => z.string().describe(description);
const nullable = (description: string) => z.string().nullable().describe(description);

/** What an agent sees of a link: tags by name and the group by slug, as the other tools take them. A later service may add fields. */
export const linkSchema = z.looseObject({
  id: z.string(),
  slug: z.string(),
  short_url: z.string(),
  domain: z.string(),
  destination_url: z.string(),
  ...eachField(TEXT_FIELDS, (name) => nullable(TEXT_FIELDS[name].summary)),
  status: text("active or archived"),
  utm_campaign: z.string().nullable(),
  utm_campaign_origin: text("explicit, or inherited from the Activity Group"),
  activity_group: z.object({ slug: z.string(), name: z.string() }).nullable(),
  tags: z.array(z.string()).describe("Names"),
  ...eachField(MOMENT_FIELDS, (name) => nullable(`${MOMENT_FIELDS[name].summary}, in UTC`)),
  ...eachField(URL_FIELDS, (name) => nullable(URL_FIELDS[name].summary)),
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
  id: text("The link's id").exactOptional(),
  slug: text("The slug: the last part of the short URL. An old slug of the link works too").exactOptional(),
  external_id: text("The client's own key of the link").exactOptional(),
};

const ONE_SELECTOR = "Give exactly one of id, slug and external_id.";
const isOne = ({ id, slug, external_id }: { [Name in keyof typeof SELECTORS]?: string | undefined }) =>
  [id, slug, external_id].filter((value) => value !== undefined).length === 1;

export const selectorInput = z.strictObject(SELECTORS).refine(isOne, ONE_SELECTOR);

export const qrInput = z
  .strictObject({
    ...SELECTORS,
    size: z
      .int()
      .min(64)
      .max(2048)
      .exactOptional()
      .describe("In pixels, 512 if omitted. For print take 2048"),
    ecc: z.enum(["L", "M", "Q", "H"]).exactOptional().describe("Error correction, M if omitted"),
  })
  .refine(isOne, ONE_SELECTOR);

export const findInput = z.strictObject({
  q: text("A part of the slug, title or destination URL, without regard to case").exactOptional(),
  tag_names: z.array(z.string()).exactOptional().describe("The link has all of these tags"),
  activity_group_id: text("Id or slug of an Activity Group").exactOptional(),
  channel: text("Exactly, such as poster").exactOptional(),
  status: z.enum(["active", "archived", "all"]).exactOptional().describe("active if omitted"),
  external_id_prefix: text("The beginning of the external id, such as site:").exactOptional(),
  sort: z
    .enum(["-created_at", "created_at", "-updated_at", "updated_at", "slug", "title"])
    .exactOptional()
    .describe("-created_at, the newest first, if omitted"),
  limit: z.int().min(1).max(100).exactOptional().describe("20 if omitted"),
});

export const labelsInput = z.strictObject({
  q: text("A part of the name, without regard to case").exactOptional(),
});

type InputName = keyof typeof LINK_INPUTS;

function describe(name: InputName, ...more: string[]): string {
  const { summary, details }: Input = LINK_INPUTS[name];
  return [summary, ...(details === undefined ? [] : [details]), ...more].join(". ");
}

/** A link has at most 50 tags. The service counts, because it merges duplicates. */
const tagNames = (description: string) => z.array(z.string()).describe(description);

export const createInput = z.strictObject({
  ...eachField(LINK_INPUTS, (name) => text(describe(name)).exactOptional()),
  destination_url: text(describe("destination_url")),
  tag_names: tagNames("Names of existing tags, at most 50").exactOptional(),
});

const CHANGED = {
  id: text("The link's id, from find_links or get_link"),
  etag: text("The etag that you read. The change is refused if the link has changed since").exactOptional(),
};

export const updateInput = z.strictObject({
  ...CHANGED,
  ...eachField(LINK_INPUTS, (name) => nullable(describe(name, "null clears it")).exactOptional()),
  destination_url: text(
    describe("destination_url", "Old short URLs and printed codes lead there too"),
  ).exactOptional(),
  slug: text(describe("slug", "The old slug keeps redirecting")).exactOptional(),
  status: z.enum(["active", "archived"]).exactOptional().describe("An archived link still redirects"),
  utm_campaign: nullable("utm_campaign. null goes back to the group's default").exactOptional(),
});

export const setTagsInput = z.strictObject({
  ...CHANGED,
  tag_names: tagNames("The full set: names of existing tags, at most 50. [] takes all off"),
});
