import { ownerOf } from "../lib/external-id";
import { nearest } from "../lib/nearest";
import { fold, SLUG_PATTERN } from "../lib/slug-text";
import { isUlid } from "../lib/ulid-text";
import { WaymarkError } from "./api/error";
import { parseUrl } from "./api/host";
import type { Link, LinkFilter, QrOptions, Tag, Waymark } from "./api/wire-types";

const missing = (message: string) => new WaymarkError(message, { status: 404 });

const tagOf = (tags: readonly Tag[], text: string): Tag | undefined =>
  tags.find(({ name }) => fold(name) === fold(text)) ??
  tags.find(({ id, slug }) => slug === text || id === text.toUpperCase());

function noTag(tags: readonly Tag[], text: string): string {
  const names = tags.map(({ name }) => name);
  const near = nearest(text, names);
  return `The workspace has no tag "${text}".${near === undefined ? "" : ` Did you mean "${near}"?`}`;
}

/** Finds tags by their names, slugs or IDs. Throws for all that are missing, because a filter by one would match nothing. */
export async function findTags(client: Waymark, given: readonly string[] = []): Promise<Tag[]> {
  const tags = given.length > 0 ? await client.tags.list() : [];
  const texts = given.map((one) => one.trim());
  const unknown = texts.filter((text) => tagOf(tags, text) === undefined);
  if (unknown.length > 0) throw missing(unknown.map((text) => noTag(tags, text)).join(" "));
  return texts.flatMap((text) => tagOf(tags, text) ?? []);
}

/** Finds an Activity Group by its slug or ID. Throws if there is none. */
export async function findGroup(client: Waymark, given: string, command = "waymark groups list") {
  const group = await client.groups.get(given);
  if (group !== undefined) return group;
  throw missing(`The workspace has no Activity Group "${given}". ${command} shows them.`);
}

/** The filter for links with these tags, in this group. Both are named by ID, because a name may be the slug of another. */
export async function findFilter(
  client: Waymark,
  tagNames: readonly string[] | undefined,
  groupName: string | undefined,
  command?: string,
): Promise<LinkFilter> {
  const [tags, group] = await Promise.all([
    findTags(client, tagNames),
    groupName === undefined ? undefined : findGroup(client, groupName, command),
  ]);
  return {
    ...(tags.length > 0 && { tag: tags.map(({ id }) => id) }),
    ...(group !== undefined && { activity_group_id: group.id }),
  };
}

const SCHEME = /^https?:\/\//i;

export async function findById({ links }: Waymark, id: string): Promise<Link | undefined> {
  try {
    return await links.get(id);
  } catch (error) {
    const isMissing = error instanceof WaymarkError && error.message === "Link not found.";
    if (isMissing && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * The link of a short URL, as people paste it: without its scheme, with a query, or with the `+` of its preview. Another
 * service may have a link with the same slug.
 */
export async function findByShortUrl(client: Waymark, text: string): Promise<Link | undefined> {
  if (!text.includes("/")) return undefined;
  const url = parseUrl(SCHEME.test(text) ? text : `https://${text}`);
  const slug = url?.pathname.replaceAll(/^\/|[+/]$/g, "") ?? "";
  if (url === undefined || !SLUG_PATTERN.test(slug)) return undefined;
  const link = await client.links.bySlug(slug, url.hostname);
  return link !== undefined && new URL(link.short_url).host === url.host ? link : undefined;
}

async function lookUp(client: Waymark, text: string): Promise<Link | undefined> {
  if (SCHEME.test(text)) return findByShortUrl(client, text);
  if (!SLUG_PATTERN.test(text)) {
    return (await client.links.byExternalId(text)) ?? findByShortUrl(client, text);
  }
  const found = isUlid(text) ? await findById(client, text) : undefined;
  return found ?? client.links.bySlug(text);
}

/** Finds the link that a person means by a slug, a short URL, an ID or an external ID. Throws if there is none. */
export async function findLink(client: Waymark, given: string): Promise<Link> {
  const link = await lookUp(client, given.trim());
  if (link !== undefined) return link;
  throw missing(`The workspace has no link "${given}".`);
}

export async function readQr({ links }: Waymark, link: Link, options: QrOptions): Promise<Uint8Array> {
  if (link.status !== "archived") return links.qr(link.id, options);
  throw missing(`/${link.slug} is archived. Archived links have no QR file.`);
}

/** Throws if a links file or another program owns the link. `how` says how to force the change. */
export function assertNotOwned({ slug, external_id: id }: Link, how = "give --force"): void {
  const owner = ownerOf(id);
  if (owner === undefined) return;
  const message = `/${slug} belongs to "${owner}" (external ID ${id}), a links file or a program, which may undo this. Change it there, or ${how}.`;
  throw new WaymarkError(message, { status: 409 });
}
