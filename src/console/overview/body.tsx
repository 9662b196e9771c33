import type { TopGroup, TopLink } from "../../analytics/rankings";
import type { VisitReport } from "../../analytics/report";
import { KEY_EXPIRES_SOON_DAYS } from "../../lib/key-expiry";
import type { AuditEntry } from "../../resources/audit/service";
import { UNSCANNED_DAYS } from "../../resources/engagement/list";
import {
  type Attention,
  type AttentionKind,
  MAX_COUNTED_LINKS,
  type Overview,
} from "../../resources/overview/service";
import { LastChanges } from "../changes/last-changes";
import { dayName, nameOfCompared, rangeName } from "../clicks/dates";
import { ReportChart, VisitStats } from "../clicks/figures";
import { OriginTabs } from "../clicks/origins";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { ShareTable } from "../clicks/shares";
import { Stat } from "../clicks/stat";
import { here } from "../shell/href";
import { Card, NameLink, number } from "../shell/text";

interface Kind {
  /** What is said of one, and of several. */
  one: string;
  many: string;
  /** The page on which they are listed. */
  all: () => string;
  page: (id: string) => string;
}

const KINDS: Readonly<Record<AttentionKind, Kind>> = {
  taken_down: {
    one: "link is taken down",
    many: "links are taken down",
    all: () => here.links({ health: "taken_down", status: "all" }),
    page: here.link,
  },
  broken: {
    one: "link has a broken destination",
    many: "links have a broken destination",
    all: () => here.links({ health: "broken", status: "all" }),
    page: here.link,
  },
  silent_assets: {
    one: `live asset without a scan in ${UNSCANNED_DAYS} days`,
    many: `live assets without a scan in ${UNSCANNED_DAYS} days`,
    all: () => here.assets({ unscanned: "1" }),
    page: here.asset,
  },
  past_end: {
    one: "Activity Group is past its end",
    many: "Activity Groups are past their end",
    all: () => here.groups({ past_end: "1" }),
    page: here.group,
  },
  imports: {
    one: "import is not finished",
    many: "imports are not finished",
    all: here.imports,
    page: here.import,
  },
  keys: {
    one: `API key expires within ${KEY_EXPIRES_SOON_DAYS} days`,
    many: `API keys expire within ${KEY_EXPIRES_SOON_DAYS} days`,
    all: here.keys,
    page: () => here.keys(),
  },
};

const Item = ({ attention: { kind, total, isMore, named } }: { attention: Attention }) => {
  const { one, many, all, page } = KINDS[kind];
  const isOne = total === 1 && !isMore;
  return (
    <li>
      <a class="all" href={all()}>
        {isMore && "More than "}
        <strong>{number(total)}</strong> {isOne ? one : many}
      </a>
      <ul class="named small">
        {named.map(({ id, name }) => (
          <li>
            <NameLink to={page(id)} name={name} />
          </li>
        ))}
        {(isMore || total > named.length) && <li class="soft">and more</li>}
      </ul>
    </li>
  );
};

/** What needs attention, each kind with the page on which it is mended. */
const NeedsAttention = ({ attention }: { attention: readonly Attention[] }) => (
  <Card id="attention" title="Needs attention">
    {attention.length === 0 ? (
      <p class="soft">Nothing now.</p>
    ) : (
      <ul class="attention">
        {attention.map((one) => (
          <Item attention={one} />
        ))}
      </ul>
    )}
  </Card>
);

const LinkStats = ({
  overview: { links, activeBefore },
  shown,
}: {
  overview: Pick<Overview, "links" | "activeBefore">;
  shown: ShownRange;
}) => {
  const isMore = links.created >= MAX_COUNTED_LINKS;
  const canCompare = shown.compare && !isMore && links.created_before < MAX_COUNTED_LINKS;
  return (
    <>
      <Stat
        value={links.active}
        label={links.active === 1 ? "active link now" : "active links now"}
        before={activeBefore?.links ?? null}
        since={activeBefore === null ? "" : dayName(activeBefore.day)}
      />
      <Stat
        value={isMore ? `${number(MAX_COUNTED_LINKS)} or more` : links.created}
        label={links.created === 1 ? "new link" : "new links"}
        before={canCompare ? links.created_before : null}
        than={nameOfCompared(shown)}
      />
    </>
  );
};

/** Figures, chart, the best links and groups, and what should be looked at. */
export const OverviewBody = ({
  shown,
  report,
  overview,
  top,
  entries,
}: {
  shown: ShownRange;
  report: VisitReport;
  overview: Overview;
  top: { links: readonly TopLink[]; groups: readonly TopGroup[] };
  entries: readonly AuditEntry[];
}) => {
  const parameters = rangeParameters(shown);
  const all = report.totals.clicks + report.totals.scans;
  return (
    <div class="columns">
      <div class="stack">
        <section class="card" aria-label={rangeName(shown.range)}>
          <VisitStats report={report} shown={shown}>
            <LinkStats overview={overview} shown={shown} />
          </VisitStats>
          <ReportChart report={report} shown={shown} />
        </section>
        <div class="pair">
          <section class="card">
            <ShareTable
              title="Top links"
              of="Visits"
              whole={all}
              rows={top.links.map(({ id, title, slug, clicks, scans }) => ({
                label: title ?? slug,
                value: clicks + scans,
                href: here.link(id, parameters),
              }))}
            />
          </section>
          <section class="card">
            <ShareTable
              title="Top Activity Groups"
              of="Visits"
              whole={all}
              rows={top.groups.map(({ id, name, visits: value }) => ({
                label: name,
                value,
                href: here.group(id, parameters),
              }))}
            />
          </section>
        </div>
        <div class="card">
          <OriginTabs origins={report.origins} zone={shown.range.zone} />
        </div>
      </div>
      <div class="stack top-aligned">
        <NeedsAttention attention={overview.attention} />
        <LastChanges entries={entries} />
      </div>
    </div>
  );
};
