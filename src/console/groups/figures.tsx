import type { ChannelVisits } from "../../analytics/group-report";
import type { VisitReport } from "../../analytics/report";
import { hasVisits, ReportChart, TOO_MANY_FOR_GROUP, VisitChart, VisitStats } from "../clicks/figures";
import { OriginTabs } from "../clicks/origins";
import type { ShownRange } from "../clicks/range";
import { channelColours, type Figure, figureValue, NO_COLOUR, OTHER_COLOUR } from "../clicks/series";
import { Shares } from "../clicks/shares";
import { count, number } from "../shell/text";

const labelOf = ({ kind, channel }: ChannelVisits): string =>
  kind === "none" ? "No channel" : (channel ?? "Other");

const TITLES: Readonly<Record<Figure, string>> = {
  visits: "Clicks and scans by channel",
  clicks: "Clicks by channel",
  scans: "Scans by channel",
  after_end: "Visits after the end by channel",
};

/** What the present links had before they joined the group: null if too many of them had any. */
const Brought = ({ visits }: { visits: number | null }) =>
  visits === 0 ? null : (
    <p class="hint">
      The links that are in this group now had {visits === null ? "–" : count(visits, "visit")} before they
      joined it. The numbers above leave these out. Channels and links below have all visits of a link.
    </p>
  );

function coloursOf(channels: readonly ChannelVisits[]) {
  const colours = channelColours(channels.flatMap(({ channel }) => channel ?? []));
  return ({ kind, channel }: ChannelVisits): number =>
    kind === "other" ? OTHER_COLOUR : (colours.get(channel ?? "") ?? NO_COLOUR);
}

export const ChannelShares = ({ channels }: { channels: readonly ChannelVisits[] }) => {
  const colourOf = coloursOf(channels);
  return (
    <Shares
      title="Channels"
      values={channels.map((one) => ({
        label: labelOf(one),
        value: one.clicks + one.scans,
        colour: colourOf(one),
      }))}
    />
  );
};

/** The figures of a group: in total, over time by channel, and by origin. */
export const GroupFigures = ({
  report,
  present,
  shown,
}: {
  report: VisitReport;
  /** Of its present links; null if they are not counted. */
  present: { channels: readonly ChannelVisits[]; brought: number | null } | null;
  shown: ShownRange;
}) => {
  const { channels, brought } = present ?? { channels: [], brought: 0 };
  const isEmpty = !hasVisits(report) && channels.length === 0;
  const hasChannels = channels.some(({ kind }) => kind === "channel");
  const colourOf = coloursOf(channels);
  return (
    <div class="stack">
      <VisitStats report={report} shown={shown} />
      <Brought visits={brought} />
      {present === null && <p class="warning">{TOO_MANY_FOR_GROUP}</p>}
      {hasChannels ? (
        <VisitChart
          shown={shown}
          title={TITLES[shown.figure]}
          series={channels.map((one) => ({
            label: labelOf(one),
            colour: colourOf(one),
            values: one.points.map((point) => figureValue(point, shown.figure)),
            say: (value) => `${labelOf(one)} ${number(value)}`,
          }))}
          before={report.pointsBefore?.map((point) => figureValue(point, shown.figure)) ?? null}
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
