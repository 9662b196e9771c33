import {
  type ChannelVisits,
  channelsOfAll,
  nameGroupLinks,
  reportGroupLinks,
} from "../../analytics/group-report";
import { reportVisits } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import type { Range } from "../../lib/range";
import { listAssetsOfGroup } from "../../resources/engagement/list-assets";
import { OriginTabs } from "../clicks/origins";
import type { ShownRange } from "../clicks/range";
import { channelColours, type Figure, figureValue, NO_COLOUR, OTHER_COLOUR, sum } from "../clicks/series";
import { Shares } from "../clicks/shares";
import { VisitChart } from "../clicks/visit-chart";
import { hasVisits, ReportChart, TOO_MANY_FOR_GROUP, VisitStats } from "../clicks/visit-figures";
import { here } from "../shell/href";
import { count } from "../shell/text";

const MAX_NAMED = 25;

/** The most visited of the present links of a group in a range; null if too many of them were visited. */
async function readGroupLinks(ctx: Context, id: string, range: Range) {
  const found = await reportGroupLinks(ctx, id, range);
  if (found === null) return null;
  const links = await nameGroupLinks(ctx, found.links.slice(0, MAX_NAMED), range);
  const { channels, brought } = found;
  /** Links that are not named may have one. */
  const mayEnd = found.links.length > MAX_NAMED || links.some(({ hasEnd }) => hasEnd);
  return { channels, brought, mayEnd, list: { links, whole: sum(found.links.map(visitsOf)) } };
}

/** A page of the assets of a group. `previousScans` are those of other assets, if all of its own are counted. */
export async function readGroupAssets(ctx: Context, id: string, range: Range, page: number) {
  const [list, { totals }] = await Promise.all([
    listAssetsOfGroup(ctx, id, range, page),
    reportVisits(ctx, { group: id }, range, { compare: false }),
  ]);
  return { ...list, previousScans: list.allScans === null ? 0 : Math.max(0, totals.scans - list.allScans) };
}

/** The figures of a group and of its present links, which are null if they are not counted, in two calls of D1, one after the other. */
export async function readGroupFigures(ctx: Context, id: string, { range, compare }: ShownRange) {
  const [visits, present] = await Promise.all([
    reportVisits(ctx, { group: id }, range, { compare }),
    readGroupLinks(ctx, id, range),
  ]);
  const channels = present && channelsOfAll(present.channels, visits.points);
  return { visits, present, channels };
}

export type GroupReport = Awaited<ReturnType<typeof readGroupFigures>>;

const LABELS = { none: "Links without a channel", other: "Other", left: "Links that left the group" };

export const labelOf = ({ kind, channel }: ChannelVisits): string =>
  kind === "channel" ? (channel ?? "") : LABELS[kind];

const TITLES: Readonly<Record<Figure, string>> = {
  visits: "Clicks and scans by channel",
  clicks: "Clicks by channel",
  scans: "Scans by channel",
  after_end: "Visits after the end by channel",
};

export function coloursOf(channels: readonly ChannelVisits[], taken: readonly number[] = []) {
  const colours = channelColours([...new Set(channels.flatMap(({ channel }) => channel ?? []))], taken);
  return ({ kind, channel }: ChannelVisits): number =>
    kind === "other" || kind === "left" ? OTHER_COLOUR : (colours.get(channel ?? "") ?? NO_COLOUR);
}

/** The channels with their colours. Those of the page of a group lead to its links of the channel. */
export const channelShares = (channels: readonly ChannelVisits[], group?: string) => {
  const colourOf = coloursOf(channels);
  return channels.map((one) => ({
    label: labelOf(one),
    value: one.clicks + one.scans,
    colour: colourOf(one),
    href:
      group === undefined || one.kind !== "channel"
        ? undefined
        : here.links({ activity_group_id: group, channel: one.channel, status: "all" }),
  }));
};

export const GroupFigures = ({
  group,
  visits,
  present,
  channels: counted,
  shown,
}: GroupReport & { shown: ShownRange; group?: string }) => {
  const brought = present === null ? 0 : present.brought;
  const channels = counted ?? [];
  const isEmpty = !hasVisits(visits) && channels.length === 0;
  const hasChannels = channels.some(({ kind }) => kind === "channel");
  const left = channels.find(({ kind }) => kind === "left");
  const leftVisits = left === undefined ? 0 : visitsOf(left);
  const colourOf = coloursOf(channels);
  const series = channels
    .map((one) => ({
      label: labelOf(one),
      colour: colourOf(one),
      values: one.points.map((point) => figureValue(point, shown.figure)),
    }))
    .filter(({ values }) => sum(values) > 0);
  return (
    <div class="stack">
      <VisitStats report={visits} shown={shown} mayEnd={present?.mayEnd} />
      {brought !== 0 && (
        <p class="hint">
          The links that are in this group now had {brought === null ? "–" : count(brought, "visit")} before
          they joined it. The numbers above leave these out. The links below have all visits of a link.
          {present !== null &&
            counted === null &&
            " Some of them are from this time, so its channels are not shown."}
        </p>
      )}
      {leftVisits > 0 && (
        <p class="hint">
          {count(leftVisits, "visit")} {leftVisits === 1 ? "was" : "were"} of links that have since left the
          group. The shares of the links below leave these out.
        </p>
      )}
      {present === null && <p class="warning">{TOO_MANY_FOR_GROUP}</p>}
      {hasChannels && series.length > 0 ? (
        <VisitChart
          shown={shown}
          title={TITLES[shown.figure]}
          series={series}
          before={visits.pointsBefore?.map((point) => figureValue(point, shown.figure)) ?? null}
        />
      ) : (
        <ReportChart report={visits} shown={shown} />
      )}
      {!isEmpty && (
        <div class="columns even">
          {hasChannels && <Shares title="Channels" values={channelShares(channels, group)} />}
          <OriginTabs origins={visits.origins} areLinks={shown.choosesFigure} />
        </div>
      )}
    </div>
  );
};
