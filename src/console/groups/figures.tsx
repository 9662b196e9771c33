import type { Child } from "hono/jsx";
import type { ChannelVisits } from "../../clicks/top";
import type { VisitReport } from "../../clicks/visits";
import { hasVisits, NoVisits, ReportChart, VisitStats } from "../clicks/figures";
import { OriginTabs } from "../clicks/origin-tabs";
import type { ShownRange } from "../clicks/range";
import { Shares } from "../clicks/shares";
import { VisitChart } from "../clicks/visit-chart";
import { number } from "../shell/text";

const labelOf = ({ kind, channel }: ChannelVisits): string =>
  kind === "none" ? "No channel" : (channel ?? "Other");

const Channels = ({
  channels,
  report,
  shown,
}: {
  channels: readonly ChannelVisits[];
  report: VisitReport;
  shown: ShownRange;
}) => (
  <VisitChart
    shown={shown}
    title="Clicks and scans by channel"
    series={channels.map((one) => ({
      label: labelOf(one),
      values: one.points.map(({ clicks, scans }) => clicks + scans),
      say: (value) => `${labelOf(one)} ${number(value)}`,
    }))}
    before={report.pointsBefore?.map(({ clicks, scans }) => clicks + scans) ?? null}
  />
);

/** The figures of a group: in total, over time by channel, and by origin. */
export const GroupFigures = ({
  report,
  channels,
  shown,
  children,
}: {
  report: VisitReport;
  channels: readonly ChannelVisits[];
  shown: ShownRange;
  /** Under the numbers. */
  children?: Child;
}) => {
  if (!hasVisits(report)) {
    return (
      <div class="stack">
        <VisitStats report={report} shown={shown} />
        <NoVisits shown={shown} late={report.totals.late} />
      </div>
    );
  }
  const hasChannels = channels.some(({ kind }) => kind === "channel");
  return (
    <div class="stack">
      <VisitStats report={report} shown={shown} />
      {children}
      {report.isCut && (
        <p class="warning">
          More links have visits than one view counts. These are the 500 most visited ones.
        </p>
      )}
      {hasChannels ? (
        <Channels channels={channels} report={report} shown={shown} />
      ) : (
        <ReportChart report={report} shown={shown} />
      )}
      <div class="columns even">
        {hasChannels && (
          <Shares
            title="Channels"
            of="Visits"
            values={channels.map((one) => ({ label: labelOf(one), value: one.clicks + one.scans }))}
          />
        )}
        <OriginTabs origins={report.origins} zone={shown.range.zone} />
      </div>
    </div>
  );
};
