import type { Child } from "hono/jsx";
import type { ChannelVisits } from "../../analytics/group-report";
import type { VisitReport } from "../../analytics/report";
import { hasVisits, ReportChart, TOO_MANY_FOR_GROUP, VisitChart, VisitStats } from "../clicks/figures";
import { OriginTabs } from "../clicks/origins";
import type { ShownRange } from "../clicks/range";
import { Shares } from "../clicks/shares";
import { count, number } from "../shell/text";

const labelOf = ({ kind, channel }: ChannelVisits): string =>
  kind === "none" ? "No channel" : (channel ?? "Other");

/** What the present links had before they joined the group: null if too many of them had any. */
const Brought = ({ visits }: { visits: number | null }) =>
  visits === 0 ? null : (
    <p class="hint">
      The links that are in this group now had {visits === null ? "–" : count(visits, "visit")} before they
      joined it. The numbers above leave these out. Channels and links below have all visits of a link.
    </p>
  );

export const ChannelShares = ({ channels }: { channels: readonly ChannelVisits[] }) => (
  <Shares
    title="Channels"
    of="Visits"
    values={channels.map((one) => ({ label: labelOf(one), value: one.clicks + one.scans }))}
  />
);

/** The figures of a group: in total, over time by channel, and by origin. */
export const GroupFigures = ({
  report,
  present,
  shown,
  children,
}: {
  report: VisitReport;
  /** Of its present links; null if they are not counted. */
  present: { channels: readonly ChannelVisits[]; brought: number | null } | null;
  shown: ShownRange;
  /** Under the numbers. */
  children?: Child;
}) => {
  const { channels, brought } = present ?? { channels: [], brought: 0 };
  const isEmpty = !hasVisits(report) && channels.length === 0;
  const hasChannels = channels.some(({ kind }) => kind === "channel");
  return (
    <div class="stack">
      <VisitStats report={report} shown={shown} />
      {!isEmpty && children}
      <Brought visits={brought} />
      {!isEmpty && present === null && <p class="warning">{TOO_MANY_FOR_GROUP}</p>}
      {hasChannels ? (
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
      ) : (
        <ReportChart report={report} shown={shown} />
      )}
      {!isEmpty && (
        <div class="columns even">
          {hasChannels && <ChannelShares channels={channels} />}
          <OriginTabs origins={report.origins} zone={shown.range.zone} />
        </div>
      )}
    </div>
  );
};
