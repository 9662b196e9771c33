import { type Asset, type listAssetPage, listAssetsOfLink } from "../../engagement/service";
import type { AssetStatus } from "../../lib/asset-status";
import { fold } from "../../lib/slug-text";
import { href } from "../href";
import { Field } from "../shell/form";
import type { PageContext } from "../shell/request";

/** A field for the link or the code; among the assets of a link also one for names and places. */
export const FindForm = ({
  workspace,
  filter: { status, link, q },
  shownLink,
}: {
  workspace: string;
  filter: Filter;
  shownLink: string | undefined;
}) => (
  <form method="get" action={href.assets(workspace)} class="search">
    {status !== undefined && <input type="hidden" name="status" value={status} />}
    <Field label="Link or code" name="link" type="search" value={shownLink ?? link} />
    {shownLink !== undefined && <Field label="Name or place" name="q" type="search" value={q} />}
    <button type="submit">Find</button>
  </form>
);

export interface Filter {
  status: AssetStatus | undefined;
  /** An id, slug, short URL or code. */
  link: string | undefined;
  q: string | undefined;
}

export interface Shown extends Pick<Awaited<ReturnType<typeof listAssetPage>>, "items" | "counts"> {
  meta: { current_page: number; last_page: number; total: number };
  /** The slug of the link that the list is limited to. */
  slug: string | undefined;
  linkId: string | undefined;
  /** True if the link has more assets than are listed and searched. */
  isCut: boolean;
}

const isFound = ({ name, place }: Asset, folded: string): boolean =>
  fold(name).includes(folded) || fold(place ?? "").includes(folded);

/** The first 200 assets of a link, so they are filtered here. */
export async function listOfLink(
  c: PageContext,
  filter: Filter,
  link: { id: string; slug: string },
): Promise<Shown> {
  const folded = fold(filter.q ?? "");
  const listed = await listAssetsOfLink(c.var.ctx, link.id);
  const found = listed.items.filter((asset) => isFound(asset, folded));
  const items = found
    .filter(({ status }) => filter.status === undefined || status === filter.status)
    .toReversed();
  const counts: Partial<Record<AssetStatus, number>> = {};
  for (const { status } of found) counts[status] = (counts[status] ?? 0) + 1;
  return {
    items,
    counts,
    meta: { current_page: 1, last_page: 1, total: items.length },
    slug: link.slug,
    linkId: link.id,
    isCut: listed.isCut,
  };
}
