import { chunksWithin } from "../../lib/chunks";
import { foldSlug } from "../../lib/slug-text";
import { gather } from "../api/pages";
import type { Link, Waymark } from "../api/wire-types";
import { externalId, keyOf, type LinkFile, type WantedLink } from "./link-file";

const MAX_SLUGS_PER_CALL = 100;

/** Reads what the plan of a file needs: its links, archived ones too. Tags and groups are read only if the file names any. */
export async function readState(client: Waymark, file: LinkFile) {
  const fields = file.links.map((link) => link.fields);
  const [links, tags, groups] = await Promise.all([
    gather(client.links.list({ external_id_prefix: externalId(file.name, ""), status: "all" })),
    fields.some((one) => (one.tag_names ?? []).length > 0) ? client.tags.list() : [],
    fields.some((one) => one.activity_group_id != null) ? gather(client.groups.list()) : [],
  ]);
  const own = linksOf(file.name, links);
  const slugs = file.links.flatMap((wanted) => addressFor(wanted, own.get(wanted.key))?.slug ?? []);
  const owners = await readOwners(client, [...new Set(slugs.map(foldSlug))]);
  return { own, tags, groups, owners };
}

export type State = Awaited<ReturnType<typeof readState>>;

export function linksOf(name: string, links: readonly Link[]): Map<string, Link> {
  const own = new Map<string, Link>();
  for (const link of links) {
    const key = keyOf(name, link.external_id);
    if (key !== undefined) own.set(key, link);
  }
  return own;
}

/** A short URL that a file asks for. Without a domain it is where the service puts it. */
export interface Address {
  domain: string | undefined;
  slug: string;
}

/** The address that a link is to get; undefined if it has the address, or gets a generated one. */
export function addressFor({ fields }: WantedLink, link: Link | undefined): Address | undefined {
  const { slug = link?.slug, domain = link?.domain } = fields;
  if (slug === undefined) return undefined;
  const isSame = link !== undefined && domain === link.domain && foldSlug(slug) === foldSlug(link.slug);
  return isSame ? undefined : { domain, slug };
}

/** The link that has an address. Without a domain it is any link with the slug, unless this file keeps that link on a domain. */
export function ownerOf({ owners }: State, file: LinkFile, { domain, slug }: Address): Link | undefined {
  const isKept = (link: Link) =>
    file.links.some(
      ({ key, fields }) => fields.domain === link.domain && key === keyOf(file.name, link.external_id),
    );
  return owners
    .get(foldSlug(slug))
    ?.find((link) => (domain === undefined ? !isKept(link) : link.domain === domain));
}

/** By folded slug, the links that it opens. A slug that opens nothing is absent. One call per hundred of those. */
export async function readOwners(client: Waymark, slugs: readonly string[]): Promise<Map<string, Link[]>> {
  const owners = new Map<string, Link[]>();
  const calls = chunksWithin(slugs, { of: () => 1, max: MAX_SLUGS_PER_CALL });
  await Promise.all(calls.map((call) => addOwners(client, call, owners)));
  return owners;
}

/**
 * A link found by an old slug shows only its current one, and several slugs of a link give one row. So the slugs that no
 * row accounts for are asked again, in smaller parts, until each is settled. Nor does a row show on which domains its old
 * slugs are: they count as those of its current domain. The service refuses what is taken nevertheless.
 */
async function addOwners(client: Waymark, slugs: readonly string[], owners: State["owners"]): Promise<void> {
  const found = await gather(client.links.list({ slug: slugs, status: "all" }));
  const rest: string[] = [];
  for (const slug of slugs) {
    const current = found.filter((link) => foldSlug(link.slug) === slug);
    const links = current.length === 0 && slugs.length === 1 ? found : current;
    if (links.length === 0) rest.push(slug);
    else owners.set(slug, links);
  }
  if (found.length === 0 || rest.length === 0) return;
  const half = Math.ceil(rest.length / 2);
  const parts = rest.length < slugs.length ? [rest] : [rest.slice(0, half), rest.slice(half)];
  await Promise.all(parts.map((part) => addOwners(client, part, owners)));
}
