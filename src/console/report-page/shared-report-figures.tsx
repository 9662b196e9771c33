import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportTagVisits, reportVisits } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import { listAssetsOfGroup } from "../../resources/engagement/list-assets";
import type { Report } from "../../resources/reports/report-links";
import type { ShownRange } from "../clicks/range";
import { ShareTable } from "../clicks/shares";
import { Figures, FiguresCard } from "../clicks/visit-figures";
import { GroupFigures, readGroupFigures } from "../groups/group-figures";
import { TopLinks } from "../links/visited";
import { readTagLinks } from "../tags/tag-page";

// What a report shows of the overview, a group or a tag.

const TOP = 10;

const MOST_VISITED = "Most visited links";

const readOverviewReport = async (ctx: Context, shown: ShownRange) => {
  const [report, links, groups] = await Promise.all([
    reportVisits(ctx, { workspace: true }, shown.range, shown),
    listTopLinks(ctx, shown.range, TOP),
    listTopGroups(ctx, shown.range, TOP),
  ]);
  const whole = visitsOf(report.totals);
  return (
    <>
      <FiguresCard>
        <Figures report={report} shown={shown} />
      </FiguresCard>
      <div class="pair">
        <TopLinks title={MOST_VISITED} links={links} whole={whole} />
        <section class="card">
          <ShareTable
            title="Most visited Activity Groups"
            whole={whole}
            rows={groups.map(({ name, visits }) => ({ label: name, value: visits }))}
          />
        </section>
      </div>
    </>
  );
};

const readGroupReport = async (ctx: Context, id: string, shown: ShownRange) => {
  const [{ visits, present, channels }, assets] = await Promise.all([
    readGroupFigures(ctx, id, shown),
    listAssetsOfGroup(ctx, id, shown.range, 1),
  ]);
  return (
    <>
      <FiguresCard>
        <GroupFigures visits={visits} present={present} channels={channels} shown={shown} />
      </FiguresCard>
      <div class="pair">
        {present !== null && (
          <TopLinks title={MOST_VISITED} links={present.list.links} whole={present.list.whole} />
        )}
        {assets.items.length > 0 && assets.allScans !== null && (
          <section class="card">
            <ShareTable
              title="Most scanned assets"
              of="Scans"
              whole={visits.totals.scans}
              rows={assets.items
                .map(({ id: asset, name, place }) => ({
                  label: [name, place].filter(Boolean).join(", "),
                  value: assets.scans.get(asset) ?? 0,
                }))
                .filter(({ value }) => value > 0)
                .slice(0, TOP)}
            />
          </section>
        )}
      </div>
    </>
  );
};

const readTagReport = async (ctx: Context, id: string, shown: ShownRange) => {
  const [report, links] = await Promise.all([
    reportTagVisits(ctx, id, shown.range, shown),
    readTagLinks(ctx, id, shown.range),
  ]);
  if (report === null)
    return <p class="warning">Too many links were visited in this time, so the figures are not counted.</p>;
  return (
    <>
      <FiguresCard>
        <Figures report={report} shown={shown} />
      </FiguresCard>
      <TopLinks title={MOST_VISITED} links={links} whole={visitsOf(report.totals)} />
    </>
  );
};

export const figuresOf = (ctx: Context, { kind, subject }: Report, shown: ShownRange) => {
  if (kind === "overview") return readOverviewReport(ctx, shown);
  return kind === "group" ? readGroupReport(ctx, subject, shown) : readTagReport(ctx, subject, shown);
};
