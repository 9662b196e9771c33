import { foldSlug } from "../../lib/slug-text";
import { gather } from "../api/pages";
import type { ActivityGroup, Link, Tag, Waymark } from "../api/resources";
import { keyOf, type LinkFile } from "./link-file";

/** What a plan is made from. */
export interface State {
  /** The links of this file, archived ones too. */
  links: readonly Link[];
  /** By slug key, the link that a wanted slug opens. Slugs that open nothing are absent. */
  slugOwners: ReadonlyMap<string, Link>;
  tags: readonly Tag[];
  groups: readonly ActivityGroup[];
}

const MAX_SLUGS_PER_CALL = 100;

/** Reads what the plan of a file needs. Tags and groups are read only if the file names any. */
export async function readState(client: Waymark, file: LinkFile): Promise<State> {
  const fields = file.links.map((link) => link.fields);
  const [links, tags, groups] = await Promise.all([
    gather(client.links.list({ external_id_prefix: `${file.name}:`, status: "all" })),
    fields.some((one) => (one.tag_names ?? []).length > 0) ? client.tags.list() : [],
    fields.some((one) => one.activity_group_id != null) ? gather(client.groups.list()) : [],
  ]);
  return { links, tags, groups, slugOwners: await readSlugOwners(client, slugsToClaim(file, links)) };
}

/** The slugs that the file gives to new links, and those that rename a link. */
function slugsToClaim(file: LinkFile, links: readonly Link[]): string[] {
  const current = new Map(links.map((link) => [keyOf(file.name, link.external_id), foldSlug(link.slug)]));
  return file.links.flatMap(({ key, fields: { slug } }) =>
    slug === undefined || foldSlug(slug) === current.get(key) ? [] : [slug],
  );
}

/** The links that open these slugs. One call per hundred slugs where none is in use. */
export async function readSlugOwners(client: Waymark, slugs: readonly string[]): Promise<Map<string, Link>> {
  const owners = new Map<string, Link>();
  const parts: string[][] = [];
  for (let start = 0; start < slugs.length; start += MAX_SLUGS_PER_CALL) {
    parts.push(slugs.slice(start, start + MAX_SLUGS_PER_CALL));
  }
  await Promise.all(parts.map((part) => addOwners(client, part, owners)));
  return owners;
}

/**
 * A link found by an old slug shows only its current one, and several slugs of a link give one row. So the slugs that no
 * row accounts for are asked again, in smaller parts, until each is settled.
 */
async function addOwners(
  client: Waymark,
  slugs: readonly string[],
  owners: Map<string, Link>,
): Promise<void> {
  const found = await gather(client.links.list({ slug: slugs, status: "all" }));
  const byCurrent = new Map(found.map((link) => [foldSlug(link.slug), link]));
  const rest: string[] = [];
  for (const slug of slugs) {
    const owner = byCurrent.get(foldSlug(slug)) ?? (slugs.length === 1 ? found[0] : undefined);
    if (owner === undefined) rest.push(slug);
    else owners.set(foldSlug(slug), owner);
  }
  if (found.length === 0 || rest.length === 0) return;
  const half = Math.ceil(rest.length / 2);
  const parts = rest.length < slugs.length ? [rest] : [rest.slice(0, half), rest.slice(half)];
  await Promise.all(parts.map((part) => addOwners(client, part, owners)));
}
