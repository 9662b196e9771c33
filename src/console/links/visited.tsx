import { type GroupLink, nameGroupLinks, readLinkTargets } from "../../analytics/group-report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import type { Range } from "../../lib/range";
import { findBrokenOrBlocked } from "../../resources/destinations/health";
import { percentage } from "../clicks/scale";
import { highestOf, ShareBar, ShareTable, Trend } from "../clicks/shares";
import { here } from "../shell/href";
import { type Column, sortable, Table } from "../shell/table";
import { count, NameLink, number } from "../shell/text";
import { type ShownState, StateBadges } from "./active-window";
import { CopyButton, Destination, nameOf, WithoutScheme } from "./link-text";

const AfterEnd = ({ points }: Pick<GroupLink, "points">) => {
  const visits = points.reduce((sum, { after_end: more }) => sum + more, 0);
  return visits === 0 ? null : <div class="soft small">{count(visits, "visit")} after its end</div>;
};

type Target = NonNullable<ReturnType<Awaited<ReturnType<typeof readLinkTargets>>["get"]>>;

export type VisitedLink = Omit<GroupLink, "takenDownBy"> &
  Omit<ShownState, "link"> & { target: Target | undefined };

/** Names links with their visits in a range, and says where they lead and what is not ordinary about them. */
export async function readVisitedLinks(
  ctx: Context,
  listed: readonly { id: string; clicks: number; scans: number }[],
  range: Range,
): Promise<VisitedLink[]> {
  const ids = listed.map(({ id }) => id);
  const [links, { broken, blocked }, targets] = await Promise.all([
    nameGroupLinks(ctx, listed, range),
    findBrokenOrBlocked(ctx, ids),
    readLinkTargets(ctx, ids),
  ]);
  return links.map((link) => ({
    ...link,
    target: targets.get(link.id),
    takenDownBy: link.takenDownBy ?? (blocked.has(link.id) ? "blocklist" : undefined),
    isBroken: broken.has(link.id),
  }));
}

/** The orders of a list of visited links. */
export const VISITED_SORTS = {
  "-visits": "Most visited first",
  "-clicks": "Most clicks first",
  "-scans": "Most scans first",
  title: "By title",
  "-created_at": "Newest first",
  created_at: "Oldest first",
} as const;

export type VisitedSort = keyof typeof VISITED_SORTS;

/** Where a link leads, and its UTM source and medium. */
const Leads = ({ target: { destination_url: url, utm_source, utm_medium } }: { target: Target }) => {
  const utm = [utm_source, utm_medium].filter((value) => value !== null).join(" / ");
  return (
    <div class="small soft spare">
      <span class="unseen">leads to </span>
      <span aria-hidden="true">→ </span>
      <Destination url={url} maxCharacters={60} isSchemeSeen={false} />
      {utm !== "" && (
        <>
          {" · UTM "}
          <bdi>{utm}</bdi>
        </>
      )}
    </div>
  );
};

/** Links with their clicks and scans in a range, their share of all, and their trend. The trends have one scale. */
export const VisitedLinks = ({
  caption,
  links,
  whole,
  picks,
  sort,
  highest = highestOf(links),
}: {
  caption: string;
  links: readonly VisitedLink[];
  /** The clicks and scans of all links. */
  whole: number;
  /** The column with their checkboxes, if there is one. */
  picks?: Column<VisitedLink> | false;
  /** How they are sorted, if their headings sort them. */
  sort?: VisitedSort;
  /** The highest point of their trends, if there are trends elsewhere. */
  highest?: number;
}) => {
  const heading = (label: string, by: VisitedSort) =>
    sort === undefined ? { heading: label } : { ...sortable(label, sort, by), label };
  return (
    <Table
      layout="shares"
      caption={caption}
      rows={links}
      columns={[
        picks ?? false,
        {
          ...(sort === undefined ? { heading: "Link" } : sortable("Link", sort, "title")),
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
              {link.target && <Leads target={link.target} />}
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
        { ...heading("Clicks", "-clicks"), kind: "number", cell: ({ clicks }) => number(clicks) },
        { ...heading("Scans", "-scans"), kind: "number", cell: ({ scans }) => number(scans) },
        {
          ...heading("Share", "-visits"),
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
