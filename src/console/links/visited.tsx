import { type GroupLink, nameGroupLinks } from "../../analytics/group-report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import type { Range } from "../../lib/range";
import { findBrokenOrBlocked } from "../../resources/destinations/health";
import { percentage } from "../clicks/scale";
import { highestOf, ShareBar, ShareTable, Trend } from "../clicks/shares";
import { here } from "../shell/href";
import { type Column, Table } from "../shell/table";
import { count, NameLink, number } from "../shell/text";
import { type ShownState, StateBadges } from "./active-window";
import { CopyButton, nameOf, WithoutScheme } from "./link-text";

const AfterEnd = ({ points }: Pick<GroupLink, "points">) => {
  const visits = points.reduce((sum, { after_end: more }) => sum + more, 0);
  return visits === 0 ? null : <div class="soft small">{count(visits, "visit")} after its end</div>;
};

export type VisitedLink = Omit<GroupLink, "takenDownBy"> & Omit<ShownState, "link">;

/** Names links with their visits in a range, and says what is not ordinary about them. */
export async function readVisitedLinks(
  ctx: Context,
  listed: readonly { id: string; clicks: number; scans: number }[],
  range: Range,
): Promise<VisitedLink[]> {
  const ids = listed.map(({ id }) => id);
  const [links, { broken, blocked }] = await Promise.all([
    nameGroupLinks(ctx, listed, range),
    findBrokenOrBlocked(ctx, ids),
  ]);
  return links.map((link) => ({
    ...link,
    takenDownBy: link.takenDownBy ?? (blocked.has(link.id) ? "blocklist" : undefined),
    isBroken: broken.has(link.id),
  }));
}

/** Links with their clicks and scans in a range, their share of all, and their trend. The trends have one scale. */
export const VisitedLinks = ({
  caption,
  links,
  whole,
  picks,
}: {
  caption: string;
  links: readonly VisitedLink[];
  /** The clicks and scans of all links. */
  whole: number;
  /** The column with their checkboxes, if there is one. */
  picks?: Column<VisitedLink> | false;
}) => {
  const highest = highestOf(links);
  return (
    <Table
      layout="shares"
      caption={caption}
      rows={links}
      columns={[
        picks ?? false,
        {
          heading: "Link",
          isName: true,
          cell: (link) => (
            <>
              <span class="state">
                <NameLink to={here.link(link.id)} name={nameOf(link)} />
                <StateBadges link={link} {...link} />
              </span>
              <div class="soft small">
                <span data-by-hand="">
                  <WithoutScheme url={link.short_url} />
                </span>{" "}
                <CopyButton text={link.short_url} />
              </div>
              <AfterEnd points={link.points} />
            </>
          ),
        },
        links.some(({ channel }) => channel !== null) && {
          heading: "Channel",
          kind: "labelled",
          cell: ({ channel }) => channel !== null && <bdi>{channel}</bdi>,
        },
        {
          heading: "Trend",
          cell: ({ clicks, scans, points }) =>
            clicks + scans > 0 && <Trend points={points} highest={highest} />,
        },
        { heading: "Clicks", kind: "number", cell: ({ clicks }) => number(clicks) },
        { heading: "Scans", kind: "number", cell: ({ scans }) => number(scans) },
        {
          heading: "Share",
          kind: "number",
          cell: ({ clicks, scans }) => (
            <>
              {percentage(clicks + scans, whole)}
              <ShareBar value={clicks + scans} whole={whole} />
            </>
          ),
        },
      ]}
    />
  );
};

const TOP = 10;

/** The first links of a list that were visited. */
export const topLinks = <Link extends Pick<GroupLink, "clicks" | "scans">>(links: readonly Link[]): Link[] =>
  links.filter((link) => visitsOf(link) > 0).slice(0, TOP);

/** The most visited links with their shares of a whole. On a page that leads nowhere they are no links. */
export const TopLinks = ({
  title,
  links,
  whole,
  hrefOf,
}: {
  title: string;
  links: readonly Pick<GroupLink, "id" | "title" | "slug" | "clicks" | "scans">[];
  whole: number;
  hrefOf?: (id: string) => string;
}) => (
  <section class="card">
    <ShareTable
      title={title}
      whole={whole}
      rows={topLinks(links).map((link) => ({
        label: nameOf(link),
        value: visitsOf(link),
        ...(hrefOf && { href: hrefOf(link.id) }),
      }))}
    />
  </section>
);
