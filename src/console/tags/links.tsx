import { listVisitsOfLinks } from "../../analytics/visits-by-owner";
import type { Context } from "../../context";
import type { Range } from "../../lib/range";
import { listSomeLinks } from "../../resources/links/list";
import type { UsedTag } from "../../resources/tags/service";
import { InListOfLinks, type VisitedLink, VisitedLinks } from "../links/visited";
import { Empty } from "../shell/text";

const MAX_LISTED = 25;

/** The active links of a tag with the most visits so far, by their visits in a range. */
export async function readTagLinks(ctx: Context, tag: string, range: Range): Promise<VisitedLink[]> {
  const { items } = await listSomeLinks(ctx, {
    tag: [tag],
    status: "active",
    sort: "-visits",
    page: 1,
    per_page: MAX_LISTED,
  });
  const visits = await listVisitsOfLinks(
    ctx,
    items.map(({ id }) => id),
    range,
  );
  return items
    .map(({ id, slug, title, short_url, channel }): VisitedLink => {
      const points = visits.get(id) ?? [];
      const sum = (of: "clicks" | "scans") => points.reduce((total, point) => total + point[of], 0);
      return { id, slug, title, short_url, channel, clicks: sum("clicks"), scans: sum("scans"), points };
    })
    .toSorted((one, other) => other.clicks + other.scans - one.clicks - one.scans);
}

export const TagLinks = ({
  tag,
  links,
  whole,
}: {
  tag: UsedTag;
  links: readonly VisitedLink[];
  /** The clicks and scans of all links; null if they are not counted. */
  whole: number | null;
}) => {
  const { active_links: active, archived_links: archived } = tag;
  return (
    <section class="stack" aria-labelledby="links">
      <h2 id="links">{active > links.length ? "Most visited links" : "Links"}</h2>
      {links.length === 0 ? (
        <Empty text="No active link has this tag." />
      ) : (
        <VisitedLinks caption="Links with this tag by clicks and scans" links={links} whole={whole} />
      )}
      <InListOfLinks of={{ tag: [tag.slug] }} active={active} archived={archived} />
    </section>
  );
};
