import * as z from "zod";
import { LINK_SORTS } from "../../lib/link-fields";
import { fold } from "../../lib/slug-text";
import { WaymarkError } from "../api/error";
import { gather, take } from "../api/pages";
import type { Link, LinkFilter, Waymark } from "../api/wire-types";
import { findByShortUrl, findFilter, readQr } from "../find-links";
import { LINK_STATUSES } from "../link-inputs";
import { linkSchema, nullable, oneLink, oneLinkSchema, type Tool, text, tool, toShownLink } from "./tool";

const MAX_GROUPS = 100;

const SELECTORS = {
  id: text("The link's id").exactOptional(),
  slug: text(
    "The slug, or the whole short URL. An old slug works too. If several domains have it, give the URL or domain",
  ).exactOptional(),
  external_id: text("The client's own key of the link").exactOptional(),
};
const DOMAIN = text("The host of the short URL").exactOptional();
const selectors = z.strictObject({ ...SELECTORS, domain: DOMAIN });

/** Exactly one of the selectors, and what else a tool takes. */
const selecting = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject({ ...selectors.shape, ...shape })
    .refine(
      (given) => Object.keys(SELECTORS).filter((name) => name in given).length === 1,
      "Give exactly one of id, slug and external_id.",
    );

async function select(
  client: Waymark,
  { id, slug, domain, external_id: externalId = "" }: z.output<typeof selectors>,
): Promise<Link> {
  if (id !== undefined) return client.links.get(id);
  const link = await (slug === undefined
    ? client.links.byExternalId(externalId)
    : ((await findByShortUrl(client, slug)) ?? client.links.bySlug(slug, domain)));
  if (link !== undefined) return link;
  const asked = slug === undefined ? `external id ${externalId}` : `slug ${slug}`;
  throw new WaymarkError(`There is no link with the ${asked}.`, { status: 404 });
}

/** The filter for a text. A short URL means its link, archived or not. */
async function textFilter(client: Waymark, q: string): Promise<LinkFilter> {
  const link = await findByShortUrl(client, q);
  return link === undefined ? { q } : { status: "all", slug: link.slug, domain: link.domain };
}

const QR_OPTIONS = {
  size: z.int().min(64).max(2048).exactOptional().describe("In pixels, 512 if omitted. For print take 2048"),
  ecc: z.enum(["L", "M", "Q", "H"]).exactOptional().describe("Error correction, M if omitted"),
};

const LABELS = z.object({
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

/** The tools that a read-only key is enough for. */
export const READING_TOOLS: readonly Tool[] = [
  tool({
    name: "find_links",
    title: "Find links",
    description:
      "Lists links. All filters that are given must match. Use it to answer which links there are, or to get the id of a link that you know by its short URL, or by a part of its slug, title or destination.",
    input: z.strictObject({
      q: text(
        "A part of the slug, title or destination URL, without regard to case. A whole short URL finds its link, archived too",
      ).exactOptional(),
      tag_names: z.array(z.string()).exactOptional().describe("The link has all of these tags"),
      activity_group_id: text("Id or slug of an Activity Group").exactOptional(),
      channel: text("Exactly, such as poster").exactOptional(),
      domain: DOMAIN,
      status: z.enum(LINK_STATUSES).exactOptional().describe("active if omitted"),
      external_id_prefix: text("The beginning of the external id, such as site:").exactOptional(),
      sort: z.enum(LINK_SORTS).exactOptional().describe("-created_at, the newest first, if omitted"),
      limit: z.int().min(1).max(100).exactOptional().describe("20 if omitted"),
      cursor: text("The next_cursor of the answer before, with the same filters and sort").exactOptional(),
    }),
    output: z.object({
      links: z.array(linkSchema),
      has_more: z.boolean().describe("True if more links match than are shown"),
      next_cursor: nullable("Where the next links begin. Send it as cursor. null if there are no more"),
    }),
    async run(client, { q, limit, cursor, tag_names: names, activity_group_id: name, ...rest }) {
      const labels = await findFilter(client, names, name, "list_labels");
      const asked = q === undefined ? {} : await textFilter(client, q);
      const filter = { ...asked, ...rest, ...labels };
      const { links, next = null } = await client.links.page(filter, { limit, cursor });
      return { data: { links: links.map(toShownLink), has_more: next !== null, next_cursor: next } };
    },
  }),
  tool({
    name: "get_link",
    title: "Get a link",
    description:
      "Shows one link by its id, slug or external id: give exactly one of them. Finds archived links too.",
    input: selecting({}),
    output: oneLinkSchema,
    run: async (client, input) => oneLink(await select(client, input)),
  }),
  tool({
    name: "list_labels",
    title: "List tags and Activity Groups",
    description:
      "Lists the tags and Activity Groups of the workspace. The other tools take only names and slugs that exist. A group's default_utm_campaign becomes the utm_campaign of its links that have none of their own.",
    input: z.strictObject({ q: text("A part of the name, without regard to case").exactOptional() }),
    output: LABELS,
    async run(client, { q = "" }) {
      const tags = (await client.tags.list()).filter(({ name }) => fold(name).includes(fold(q)));
      const groups = await gather(take(client.groups.list(q === "" ? {} : { q }), MAX_GROUPS + 1));
      const activity_groups = groups.slice(0, MAX_GROUPS);
      return { data: LABELS.parse({ tags, activity_groups, has_more: groups.length > MAX_GROUPS }) };
    },
  }),
  tool({
    name: "qr_code",
    title: "QR code of a link",
    description:
      "The QR code of a link's short URL as a PNG image: give exactly one of id, slug and external_id. It stays valid if the destination changes. An archived link has none.",
    input: selecting(QR_OPTIONS),
    output: z.object({
      slug: z.string(),
      short_url: text("What the code encodes"),
      mime_type: z.string(),
    }),
    async run(client, input) {
      const link = await select(client, input);
      const { slug, short_url } = link;
      const options = z.object(QR_OPTIONS).parse(input);
      const bytes = await readQr(client, link, { format: "png", ...options });
      const image = { data: Buffer.from(bytes).toString("base64"), mimeType: "image/png" };
      return {
        data: { slug, short_url, mime_type: image.mimeType },
        content: [{ type: "image", ...image }],
      };
    },
  }),
];
