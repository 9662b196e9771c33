import { distance } from "fastest-levenshtein";
import { fold, SLUG_PATTERN } from "../lib/slug-text";
import { isUlid } from "../lib/ulid-text";
import { WaymarkError } from "./api/error";
import { parseUrl } from "./api/host";
import type { ActivityGroup, Link, LinkFilter, Tag, Waymark } from "./api/resources";

/** The known word that a mistyped or longer one probably means. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const isLonger = (one: string) => one.length > 3 && given.includes(one.toLowerCase());
  const [best] = known
    .map((one) => ({ one, far: isLonger(one) ? 0 : distance(given, one.toLowerCase()) }))
    .toSorted((one, other) => one.far - other.far);
  return best !== undefined && best.far <= Math.ceil(best.one.length / 3) ? best.one : undefined;
}

const missing = (message: string) => new WaymarkError(message, { status: 404 });

/** Finds a tag by its name, slug or ID. Throws if there is none, because a filter by it would match nothing. */
export function findTag(tags: readonly Tag[], given: string): Tag {
  const text = given.trim();
  const tag =
    tags.find(({ name }) => fold(name) === fold(text)) ??
    tags.find(({ id, slug }) => slug === text || id === text.toUpperCase());
  if (tag !== undefined) return tag;
  const names = tags.map(({ name }) => name);
  const near = nearest(text, names);
  throw missing(`The workspace has no tag "${text}".${near === undefined ? "" : ` Did you mean "${near}"?`}`);
}

/** Finds tags by their names, slugs or IDs. They are read only if any is given. */
export async function findTags(client: Waymark, given: readonly string[] = []): Promise<Tag[]> {
  const tags = given.length > 0 ? await client.tags.list() : [];
  return given.map((one) => findTag(tags, one));
}

/** Finds an Activity Group by its slug or ID. Throws if there is none. */
export async function findGroup(
  client: Waymark,
  given: string,
  command = "waymark groups list",
): Promise<ActivityGroup> {
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

/** The link with this ID; undefined if there is none. */
export async function findById({ links }: Waymark, id: string): Promise<Link | undefined> {
  try {
    return await links.get(id);
  } catch (error) {
    const isMissing = error instanceof WaymarkError && error.message === "Link not found.";
    if (isMissing && error.status === 404) return undefined;
    throw error;
  }
}

/** Another service may have a link with the same slug. */
async function findByShortUrl(client: Waymark, text: string): Promise<Link | undefined> {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const { host, hostname, pathname } = url;
  const slug = pathname.replaceAll(/^\/|\/$/g, "");
  const link = SLUG_PATTERN.test(slug) ? await client.links.bySlug(slug, hostname) : undefined;
  return link !== undefined && new URL(link.short_url).host === host ? link : undefined;
}

async function lookUp(client: Waymark, text: string): Promise<Link | undefined> {
  if (/^https?:\/\//i.test(text)) return findByShortUrl(client, text);
  if (!SLUG_PATTERN.test(text)) return client.links.byExternalId(text);
  const found = isUlid(text) ? await findById(client, text) : undefined;
  return found ?? client.links.bySlug(text);
}

/** Finds the link that a person means by a slug, a short URL, an ID or an external ID. Throws if there is none. */
export async function findLink(client: Waymark, given: string): Promise<Link> {
  const link = await lookUp(client, given.trim());
  if (link !== undefined) return link;
  throw missing(`The workspace has no link "${given}".`);
}
