import { SLUG_PATTERN } from "../../lib/slug-text";
import { isUlid } from "../../lib/ulid-text";
import { WaymarkError } from "../api/error";
import type { Link, Waymark } from "../api/resources";
import type { Operand } from "./command";

export const LINK: Operand = { name: "LINK" };
export const LINKS: Operand = { name: "LINK", repeat: true };
export const LINK_DETAILS =
  "LINK is a slug (an old one too), a short URL, an ID, or an external ID that has a colon.";

const SHORT_URL = /^https?:\/\/[^/?#]+\/([^/?#]+)/i;

async function byId({ links }: Waymark, id: string): Promise<Link | undefined> {
  try {
    return await links.get(id);
  } catch (error) {
    if (error instanceof WaymarkError && error.status === 404 && error.message === "Link not found.") {
      return undefined;
    }
    throw error;
  }
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host;
  } catch {
    return undefined;
  }
}

/** Another service may have a link with the same slug. */
async function byShortUrl({ links }: Waymark, url: string, slug: string): Promise<Link | undefined> {
  const link = SLUG_PATTERN.test(slug) ? await links.bySlug(slug) : undefined;
  return link !== undefined && hostOf(link.short_url) === hostOf(url) ? link : undefined;
}

async function lookUp(client: Waymark, text: string): Promise<Link | undefined> {
  const [, slug] = SHORT_URL.exec(text) ?? [];
  if (slug !== undefined) return byShortUrl(client, text, slug);
  if (!SLUG_PATTERN.test(text)) return client.links.byExternalId(text);
  const found = isUlid(text) ? await byId(client, text) : undefined;
  return found ?? client.links.bySlug(text);
}

/** Finds the link that a person means. Throws if there is none. */
export async function findLink(client: Waymark, given: string): Promise<Link> {
  const link = await lookUp(client, given.trim());
  if (link !== undefined) return link;
  throw new WaymarkError(`The workspace has no link "${given}".`, { status: 404 });
}
