import type { Context } from "../../context";
import { domainNamed } from "../../lib/short-url";
import { foldSlug, isSlugShaped, RESERVED_SLUGS, randomSlug, slugKey } from "../../lib/slug-text";
import { slugFromTitle } from "../../lib/title-slug";
import { selectSlugOwners, selectSlugState } from "../../redirect/slugs/statements/slug-owners";
import type { Link } from "./link-schema";

export type SlugState =
  | { kind: "empty" | "malformed" | "reserved" | "free" | "taken_down" | "code" | "foreign" }
  /** Opens the link itself: its slug, or one of its old ones. */
  | { kind: "own" }
  /** Opened a link of the workspace that is deleted. */
  | { kind: "released" }
  | { kind: "taken"; link: Pick<Link, "id" | "slug" | "title"> };

/**
 * The state of a slug for the link with this id, or for a new one; `host` is its domain, empty for the workspace's primary
 * one. A slug of another workspace is only `foreign`.
 */
export async function findSlugState(
  ctx: Context,
  typed: string,
  linkId: string | undefined,
  host: string,
): Promise<SlugState> {
  const slug = typed.trim();
  if (slug === "") return { kind: "empty" };
  if (!isSlugShaped(slug)) return { kind: RESERVED_SLUGS.has(foldSlug(slug)) ? "reserved" : "malformed" };
  const workspaceId = ctx.workspace.rowId;
  const domain = host === "" ? undefined : domainNamed(ctx.config, host);
  const [[owner], [link]] = await ctx.db.read(...selectSlugState(workspaceId, domain, slug));
  if (owner === undefined) return { kind: "free" };
  if (owner.own === 0) return { kind: "foreign" };
  if (link !== undefined && link.id === linkId) return { kind: "own" };
  if (owner.code === 1) return { kind: "code" };
  if (owner.taken_down === 1) return { kind: "taken_down" };
  return link === undefined ? { kind: "released" } : { kind: "taken", link };
}

/** The slug that the title of a link proposes, if the link has none yet and it is free. */
export async function findProposedSlug(
  ctx: Context,
  { slug, title, domain }: { slug: string; title: string; domain: string },
): Promise<string | undefined> {
  const proposed = slug.trim() === "" ? slugFromTitle(title) : "";
  const { kind } = await findSlugState(ctx, proposed, undefined, domain);
  return kind === "free" ? proposed : undefined;
}

const CANDIDATES = 5;

/** A free slug as one is made for a link without one. It is not reserved. */
export async function suggestSlug(ctx: Context, host: string): Promise<string> {
  const candidates = Array.from({ length: CANDIDATES }, () => randomSlug(ctx.random));
  const keyOf = (slug: string) => slugKey(domainNamed(ctx.config, host), slug);
  const owners = await ctx.db.read(selectSlugOwners(ctx.workspace.rowId, candidates.map(keyOf)));
  const taken = new Set(owners[0].map(({ key }) => key));
  return candidates.find((slug) => !taken.has(keyOf(slug))) ?? "";
}
