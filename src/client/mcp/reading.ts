import type { z } from "zod";
import { fold } from "../../lib/slug-text";
import { WaymarkError } from "../api/error";
import type { Link, LinkFilter, Waymark } from "../api/resources";
import { findGroup, findTag } from "../find-label";
import {
  findInput,
  foundLinksSchema,
  labelsInput,
  labelsSchema,
  oneLinkSchema,
  qrInput,
  qrSchema,
  selectorInput,
} from "./schemas";
import { oneLink, type Tool, tool, toShownLink } from "./tool";

const DEFAULT_LINKS = 20;
const MAX_GROUPS = 100;

/** The first items, and whether there are more. */
async function take<Item>(items: AsyncIterable<Item>, limit: number): Promise<[Item[], boolean]> {
  const taken: Item[] = [];
  for await (const item of items) {
    if (taken.length === limit) return [taken, true];
    taken.push(item);
  }
  return [taken, false];
}

async function toFilter(
  client: Waymark,
  { tag_names: names = [], activity_group_id: group, ...rest }: Omit<z.output<typeof findInput>, "limit">,
): Promise<LinkFilter> {
  const tags = names.length === 0 ? [] : await client.tags.list();
  return {
    ...rest,
    ...(names.length === 0 ? {} : { tag: names.map((name) => findTag(tags, name).id) }),
    ...(group === undefined ? {} : { activity_group_id: (await findGroup(client, group, "list_labels")).id }),
  };
}

type Selected = z.output<typeof selectorInput>;

async function select(
  { links }: Waymark,
  { id, slug, external_id: externalId = "" }: Selected,
): Promise<Link> {
  if (id !== undefined) return links.get(id);
  const link = await (slug === undefined ? links.byExternalId(externalId) : links.bySlug(slug));
  if (link !== undefined) return link;
  const asked = slug === undefined ? `external id ${externalId}` : `slug ${slug}`;
  throw new WaymarkError(`There is no link with the ${asked}.`, { status: 404 });
}

/** The tools that a read-only key is enough for. */
export const READING_TOOLS: readonly Tool[] = [
  tool({
    name: "find_links",
    title: "Find links",
    description:
      "Lists links. All filters that are given must match. Use it to answer which links there are, or to get the id of a link that you know by a part of its slug, title or destination.",
    input: findInput,
    output: foundLinksSchema,
    async run(client, { limit = DEFAULT_LINKS, ...input }) {
      const [links, hasMore] = await take(client.links.list(await toFilter(client, input)), limit);
      return { data: { links: links.map(toShownLink), has_more: hasMore } };
    },
  }),
  tool({
    name: "get_link",
    title: "Get a link",
    description:
      "Shows one link by its id, slug or external id: give exactly one of them. Finds archived links too. Use it before a change: it gives the id and the etag.",
    input: selectorInput,
    output: oneLinkSchema,
    run: async (client, input) => oneLink(await select(client, input)),
  }),
  tool({
    name: "list_labels",
    title: "List tags and Activity Groups",
    description:
      "Lists the tags and Activity Groups of the workspace. Use it before you tag a link or put it into a group: the other tools take only names and slugs that exist. A group's default_utm_campaign becomes the utm_campaign of its links that have none of their own.",
    input: labelsInput,
    output: labelsSchema,
    async run(client, { q = "" }) {
      const tags = (await client.tags.list()).filter(({ name }) => fold(name).includes(fold(q)));
      const [groups, hasMore] = await take(client.groups.list(q === "" ? {} : { q }), MAX_GROUPS);
      return { data: labelsSchema.parse({ tags, activity_groups: groups, has_more: hasMore }) };
    },
  }),
  tool({
    name: "qr_code",
    title: "QR code of a link",
    description:
      "The QR code of a link's short URL as a PNG image: give exactly one of id, slug and external_id. It stays valid if the destination changes. An archived link has none.",
    input: qrInput,
    output: qrSchema,
    async run(client, { size, ecc, ...selected }) {
      const link = await select(client, selected);
      const { slug, short_url } = link;
      const options = { ...(size === undefined ? {} : { size }), ...(ecc === undefined ? {} : { ecc }) };
      const bytes = await client.links.qr(link.id, { format: "png", ...options });
      const mimeType = "image/png";
      const data = Buffer.from(bytes).toString("base64");
      return {
        data: { slug, short_url, mime_type: mimeType },
        content: [{ type: "image", data, mimeType }],
      };
    },
  }),
];
