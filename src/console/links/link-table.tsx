import type { Point } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Actor } from "../../resources/audit/actors";
import type { VisitTotals } from "../../resources/links/link";
import type { Link } from "../../resources/links/link-schema";
import { creatorText } from "../changes/change-text";
import { highestOf, Trend } from "../clicks/shares";
import { here } from "../shell/href";
import { currentPage } from "../shell/page-request";
import { sortable, Table } from "../shell/table";
import { count, number, Relative } from "../shell/text";
import { type ShownState, StateBadges } from "./active-window";
import { type BulkForm, BulkList, pickLinks } from "./bulk-form";
import { CopyButton, Destination, nameOf, TagBadges, WithoutScheme } from "./link-text";
import type { LinksList } from "./links-query";

const MAX_TAGS_SHOWN = 2;
/** The days whose visits a row shows. */
export const SHOWN_DAYS = "30";

/** What a row shows besides the link itself. */
export interface ListedLink extends ShownState {
  link: Link;
  creator: Actor;
  visitTotals: Pick<VisitTotals, "clicks" | "scans"> | undefined;
  /** Of the last days; undefined if they were not read. */
  visits: readonly Point[] | undefined;
  /** Why a search finds it, if not by its text. */
  foundBy: string | undefined;
}

const sumOf = (visits: readonly Point[], name: keyof Point): number =>
  visits.reduce((total, point) => total + point[name], 0);

const inWords = ({ clicks, scans }: { clicks: number; scans: number }): string =>
  scans === 0 ? count(clicks, "click") : `${count(clicks, "click")} and ${count(scans, "scan")}`;

/** All visits so far, with the line of the last days; a dash for a link that nobody visited. */
const Visits = ({
  listed: { visitTotals, visits = [] },
  highest,
}: {
  listed: ListedLink;
  highest: number;
}) => {
  if (visitTotals === undefined || visitsOf(visitTotals) === 0) {
    return (
      <span class="soft">
        <span aria-hidden="true">–</span>
        <span class="unseen">No visits</span>
      </span>
    );
  }
  const last = { clicks: sumOf(visits, "clicks"), scans: sumOf(visits, "scans") };
  const text = `${inWords(visitTotals)} in all, ${inWords(last)} in the last ${SHOWN_DAYS} days`;
  return (
    <span class="spark" title={text}>
      {visitsOf(last) > 0 && <Trend points={visits} highest={highest} />}
      <strong aria-hidden="true">{number(visitsOf(visitTotals))}</strong>
      {/* Where the list has no headings. */}
      <span class="unit small soft" aria-hidden="true">
        {visitsOf(visitTotals) === 1 ? "visit" : "visits"}
      </span>
      <span class="unseen">{text}</span>
    </span>
  );
};

/** The link with its address, its state and where it leads. */
const Name = ({ listed }: { listed: ListedLink }) => {
  const { link, foundBy } = listed;
  return (
    <div class="link">
      <span class="line">
        <a class="name" href={here.link(link.id)}>
          <bdi>{nameOf(link)}</bdi>
        </a>
        <StateBadges {...listed} />
        {foundBy !== undefined && <span class="badge">found {foundBy}</span>}
      </span>
      <span class="line small">
        <span class="short" data-by-hand="">
          <WithoutScheme url={link.short_url} />
        </span>
        <span class="soft leads">
          <span class="unseen">leads to </span>
          <span aria-hidden="true">→ </span>
          <Destination url={link.destination_url} maxCharacters={80} isSchemeSeen={false} />
        </span>
        <span class="line acts">
          <CopyButton text={link.short_url} />
          {link.status === "active" && (
            <span class="spare">
              <a class="quiet" href={here.qr(link.id, { format: "svg", download: "1" })}>
                QR<span class="unseen"> code of {nameOf(link)}</span>
              </a>
            </span>
          )}
          {currentPage().var.isEditor && (
            <span class="spare">
              <a class="quiet" href={here.editLink(link.id)}>
                Edit<span class="unseen"> {nameOf(link)}</span>
              </a>
            </span>
          )}
        </span>
      </span>
    </div>
  );
};

const GroupAndTags = ({ link }: { link: Link }) => (
  <>
    {link.activity_group !== undefined && (
      <a class="block" href={here.group(link.activity_group.id)}>
        <span class="unseen">Group </span>
        <bdi>{link.activity_group.name}</bdi>
      </a>
    )}
    {link.tags.length > 0 && <TagBadges tags={link.tags} maxShown={MAX_TAGS_SHOWN} />}
  </>
);

interface ListOfLinks extends BulkForm {
  links: readonly ListedLink[];
  sort: LinksList["sort"];
}

/** For editors, each link has a checkbox for changes of many links. */
export const LinkTable = ({ links, sort, ...bulkForm }: ListOfLinks) => {
  const highest = highestOf(links.map(({ visits = [] }) => ({ points: visits })));
  const isByChange = sort === "updated_at" || sort === "-updated_at";
  return (
    <BulkList {...bulkForm} shown={links.length}>
      <Table
        layout="links"
        caption="Links"
        rows={links}
        columns={[
          pickLinks<ListedLink>(({ link }) => link),
          {
            ...sortable("Link", sort, sort === "slug" ? sort : "title"),
            isName: true,
            cell: (listed) => <Name listed={listed} />,
          },
          {
            heading: <>Group and tags</>,
            kind: "sorted",
            cell: ({ link }) => <GroupAndTags link={link} />,
          },
          {
            ...(isByChange
              ? sortable("Changed", sort, "-updated_at", "updated_at")
              : sortable("Created", sort, "-created_at", "created_at")),
            kind: "created",
            cell: ({ link, creator }) =>
              isByChange ? (
                <Relative at={link.updated_at} />
              ) : (
                <>
                  <Relative at={link.created_at} />
                  <span class="block">
                    by <bdi>{creatorText(creator)}</bdi>
                  </span>
                </>
              ),
          },
          {
            ...sortable("Visits, in all", sort, "-visits"),
            kind: "visits",
            cell: (listed) => <Visits listed={listed} highest={highest} />,
          },
        ]}
      />
    </BulkList>
  );
};
