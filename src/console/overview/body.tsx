import type { TopGroup, TopLink } from "../../analytics/rankings";
import type { VisitReport } from "../../analytics/report";
import type { AuditEntry } from "../../resources/audit/service";
import { MAX_COUNTED_LINKS, type Overview } from "../../resources/overview/service";
import { LastChanges } from "../changes/last-changes";
import { dayName, nameOfCompared, rangeName } from "../clicks/dates";
import { ReportChart, VisitStats } from "../clicks/figures";
import { OriginTabs } from "../clicks/origins";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { ShareTable } from "../clicks/shares";
import { Stat } from "../clicks/stat";
import { here } from "../shell/href";
import { number } from "../shell/text";
import { NeedsAttention } from "./attention";

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
