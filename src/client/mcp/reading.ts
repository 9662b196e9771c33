import type { McpServer } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { fold } from "../../lib/slug-text";
import type { Link, LinkFilter, Waymark } from "../api/resources";
import { answering, given, toLinkResult, toResult, toShownLink } from "./result";
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

const DEFAULT_LINKS = 20;
const MAX_GROUPS = 100;

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The first items, and whether there are more. */
async function take<Item>(items: AsyncIterable<Item>, limit: number): Promise<[Item[], boolean]> {
  const taken: Item[] = [];
  for await (const item of items) {
    if (taken.length === limit) return [taken, true];
    taken.push(item);
  }
  return [taken, false];
}

/** An unknown tag would give an empty list, which reads as "no link". */
async function tagIds(client: Waymark, names: readonly string[]): Promise<string[]> {
  const tags = await client.tags.list();
  return names.map((name) => {
    const tag = tags.find((one) => fold(one.name) === fold(name.trim()));
    if (tag !== undefined) return tag.id;
    throw new Error(`There is no tag ${JSON.stringify(name)}. list_labels shows the tags.`);
  });
}

async function groupId(client: Waymark, idOrSlug: string): Promise<string> {
  const group = await client.groups.get(idOrSlug);
  if (group !== undefined) return group.id;
  throw new Error(
    `There is no Activity Group ${JSON.stringify(idOrSlug)}. list_labels shows the Activity Groups.`,
  );
}

async function toFilter(client: Waymark, input: z.output<typeof findInput>): Promise<LinkFilter> {
  const { limit: _, tag_names: names, activity_group_id: group, ...rest } = input;
  return {
    ...given(rest),
    ...(names === undefined || names.length === 0 ? {} : { tag: await tagIds(client, names) }),
    ...(group === undefined ? {} : { activity_group_id: await groupId(client, group) }),
  };
}

type Selected = z.output<typeof selectorInput>;

async function select({ links }: Waymark, { id, slug, external_id: externalId }: Selected): Promise<Link> {
  if (id !== undefined) return links.get(id);
  const link = slug === undefined ? await links.byExternalId(externalId ?? "") : await links.bySlug(slug);
  if (link !== undefined) return link;
  const asked = slug === undefined ? `external id ${externalId}` : `slug ${slug}`;
  throw new Error(`There is no link with the ${asked}.`);
}

async function listLabels(client: Waymark, q: string) {
  const tags = await client.tags.list();
  const [groups, hasMore] = await take(client.groups.list(q === "" ? {} : { q }), MAX_GROUPS);
  return {
    tags: tags
      .filter(({ name }) => fold(name).includes(fold(q)))
      .map(({ name, slug, description }) => ({ name, slug, description })),
    activity_groups: groups.map(({ id, slug, name, type, status, default_utm_campaign }) => ({
      id,
      slug,
      name,
      type,
      status,
      default_utm_campaign,
    })),
    has_more: hasMore,
  };
}

/** The tools that a read-only key is enough for. */
export function addReadingTools(server: McpServer, client: Waymark): void {
  server.registerTool(
    "find_links",
    {
      title: "Find links",
      description:
        "Lists links. All filters that are given must match. Use it to answer which links there are, or to get the id of a link that you know by a part of its slug, title or destination.",
      inputSchema: findInput,
      outputSchema: foundLinksSchema,
      annotations: ANNOTATIONS,
    },
    (input) =>
      answering(async () => {
        const filter = await toFilter(client, input);
        const [links, hasMore] = await take(client.links.list(filter), input.limit ?? DEFAULT_LINKS);
        return toResult({ links: links.map(toShownLink), has_more: hasMore });
      }),
  );

  server.registerTool(
    "get_link",
    {
      title: "Get a link",
      description:
        "Shows one link by its id, slug or external id: give exactly one of them. Finds archived links too. Use it before a change: it gives the id and the etag.",
      inputSchema: selectorInput,
      outputSchema: oneLinkSchema,
      annotations: ANNOTATIONS,
    },
    (input) => answering(async () => toLinkResult(await select(client, input))),
  );

  server.registerTool(
    "list_labels",
    {
      title: "List tags and Activity Groups",
      description:
        "Lists the tags and Activity Groups of the workspace. Use it before you tag a link or put it into a group: the other tools take only names and slugs that exist. A group's default_utm_campaign becomes the utm_campaign of its links that have none of their own.",
      inputSchema: labelsInput,
      outputSchema: labelsSchema,
      annotations: ANNOTATIONS,
    },
    ({ q = "" }) => answering(async () => toResult(await listLabels(client, q))),
  );

  server.registerTool(
    "qr_code",
    {
      title: "QR code of a link",
      description:
        "The QR code of a link's short URL as a PNG image: give exactly one of id, slug and external_id. It stays valid if the destination changes. An archived link has none.",
      inputSchema: qrInput,
      outputSchema: qrSchema,
      annotations: ANNOTATIONS,
    },
    ({ size, ecc, ...selected }) =>
      answering(async () => {
        const { id, slug, short_url } = await select(client, selected);
        const bytes = await client.links.qr(id, { format: "png", ...given({ size, ecc }) });
        const mimeType = "image/png";
        return {
          content: [{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType }],
          structuredContent: { slug, short_url, mime_type: mimeType },
        };
      }),
  );
}
