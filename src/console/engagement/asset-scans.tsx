import { applyBeforeReport } from "../../analytics/queue";
import { reportScanTimes, reportVisits } from "../../analytics/report";
import { BarChart } from "../clicks/bar-chart";
import { RangePicker, readRangeOf } from "../clicks/range";
import { scansOf } from "../clicks/series";
import { ReportChart, VisitStats } from "../clicks/visit-figures";
import type { PageContext } from "../shell/page-request";
import { count } from "../shell/text";
import { zoneText } from "../shell/zone-text";

const FIGURES_OF_ASSET = ["scans", "after_end"] as const;
const HOURS_BETWEEN_TICKS = 6;

type Scans = Awaited<ReturnType<typeof readScans>>;

export async function readScans(c: PageContext, id: string) {
  const shown = readRangeOf(c, id);
  await applyBeforeReport(c.var.ctx);
  const [report, times] = await Promise.all([
    reportVisits(c.var.ctx, { asset: id }, shown.range, { compare: shown.compare }),
    reportScanTimes(c.var.ctx, id, shown.range),
  ]);
  return { shown, report, times };
}

const HourChart = ({ hours, zone }: { hours: readonly number[]; zone: string }) => {
  const names = hours.map((_, hour) => `${String(hour).padStart(2, "0")}:00`);
  return (
    <BarChart
      title={`Scans by hour of the day, ${zoneText(zone)}`}
      names={names}
      series={[scansOf(hours)]}
      ticks={names.flatMap((label, index) => (index % HOURS_BETWEEN_TICKS === 0 ? [{ index, label }] : []))}
      unit="hour"
    />
  );
};

export const AssetScans = ({ scans: { shown, report, times } }: { scans: Scans }) => (
  <section class="card" aria-labelledby="scans">
    <div class="heading">
      <h2 id="scans">Scans</h2>
      <RangePicker shown={shown} />
    </div>
    {times.in_all > 0 && (
      <p>
        In all <strong>{count(times.in_all, "scan")}</strong>.
      </p>
    )}
    <VisitStats report={report} shown={shown} figures={FIGURES_OF_ASSET} />
    <ReportChart report={report} shown={shown} figures={FIGURES_OF_ASSET} isUnvisited={times.in_all === 0} />
    {report.totals.scans > 0 && <HourChart hours={times.hours} zone={shown.range.zone} />}
    {times.before_live > 0 && (
      <p class="hint">
        {count(times.before_live, "scan")} of these {times.before_live === 1 ? "is" : "are"} from before it
        went live, such as tests of the print.
      </p>
    )}
    {report.totals.after_end > 0 && (
      <p class="hint">It is still scanned after the end of its link: it may still hang.</p>
    )}
  </section>
);
