import { nameGroupLinks, reportTagLinks } from "../../analytics/group-report";
import type { Context } from "../../context";
import type { Range } from "../../lib/range";
import type { UsedTag } from "../../resources/tags/service";
import { InListOfLinks, type VisitedLink, VisitedLinks } from "../links/visited";
import { Empty } from "../shell/text";

const MAX_LISTED = 25;

/** The links that wear a tag now, the most visited in a range first. Two calls of D1, one after the other. */
export const readTagLinks = async (ctx: Context, tag: string, range: Range): Promise<VisitedLink[]> =>
  nameGroupLinks(ctx, (await reportTagLinks(ctx, tag, range)).slice(0, MAX_LISTED), range);

export const TagLinks = ({
  tag: { slug, active_links: active, archived_links: archived },
  links,
  whole,
}: {
  tag: UsedTag;
  links: readonly VisitedLink[];
  /** The clicks and scans of all links. */
  whole: number;
}) => (
  <section class="stack" aria-labelledby="links">
    <h2 id="links">Links</h2>
    {links.length > 0 && (
      <VisitedLinks caption="Links with this tag by clicks and scans" links={links} whole={whole} />
    )}
    {active === 0 && <Empty text="No active link has this tag." />}
    <InListOfLinks of={{ tag: [slug] }} active={active} archived={archived} />
  </section>
);
