import type { Child } from "hono/jsx";
import { MAX_VISITED_LINKS } from "../../analytics/limits";
import type { VisitReport } from "../../analytics/report";
import { bucketsOf, keptFrom } from "../../lib/range";
import { count, Empty, number } from "../shell/text";
import { BarChart } from "./bar-chart";
import {
  bucketName,
  isUnfinished,
  monthName,
  nameOfBefore,
  nameOfCompared,
  ticksOf,
  UNIT_NAMES,
  unfinishedIndex,
} from "./dates";
import { OriginTabs } from "./origins";
import type { ShownRange } from "./range";
import { clicksOf, type Series, scansOf, sum } from "./series";
import { Stat } from "./stat";

/** Series by hour, day or week. The range before is a line. What is not over yet is dashed. */
export const VisitChart = ({
  shown,
  series,
  before,
  title,
}: {
  shown: ShownRange;
  series: readonly Series[];
  /** The sums of the range before, one for each of its points; null if it is not compared. */
  before: readonly number[] | null;
  title: string;
}) => {
  const { range, now } = shown;
  const buckets = bucketsOf(range);
  // The line by hour is of the whole day before, the numbers above are not compared with all of it.
  const legend =
    range.unit === "hour" && isUnfinished(shown)
      ? `${nameOfBefore(range)}, compared up to this hour`
      : nameOfCompared(shown);
  const { heading, perOne, current } = UNIT_NAMES[range.unit];
  const index = unfinishedIndex(range, buckets, now);
  return (
    <BarChart
      title={title}
      names={buckets.map((bucket) => bucketName(range, bucket))}
      series={series}
      heading={heading}
      perOne={perOne}
      ticks={ticksOf(range, buckets)}
      before={before === null ? undefined : { name: legend, values: before }}
      unfinished={index === -1 ? undefined : { name: `${current} is not over`, index }}
    />
  );
};

/** Why the figures of tags are not counted. */
export const TOO_MANY_FOR_TAGS = `More than ${number(MAX_VISITED_LINKS)} links of the workspace were visited since this range began, so the figures of tags are not counted. Choose a later start.`;

/** Why the figures of a group's links and channels are not counted. */
export const TOO_MANY_FOR_GROUP = `More than ${number(MAX_VISITED_LINKS)} links of the group were visited since this range began, so its links and channels are not counted. Choose a later start.`;

type Kind = "clicks" | "scans";

const CLICKS_AND_SCANS: readonly Kind[] = ["clicks", "scans"];

const NAMES: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  clicks: ["click", "clicks"],
  scans: ["scan", "scans"],
};

/** The numbers of a report. `children` are further `<Stat>`s. */
export const VisitStats = ({
  report,
  shown,
  kinds = CLICKS_AND_SCANS,
  children,
}: {
  report: VisitReport;
  shown: ShownRange;
  kinds?: readonly Kind[];
  children?: Child;
}) => {
  const { totals, before, earlier } = report;
  const earlierVisits = kinds.map((kind) => count(earlier[kind], NAMES[kind][0])).join(" and ");
  return (
    <>
      <div class="stats">
        {kinds.map((kind) => (
          <Stat
            value={totals[kind]}
            label={NAMES[kind][totals[kind] === 1 ? 0 : 1]}
            before={before?.[kind] ?? null}
            than={nameOfCompared(shown)}
          />
        ))}
        {children}
        {totals.bots + totals.after_end > 0 && (
          <div class="minor">
            {totals.bots > 0 && <Stat value={totals.bots} label="by bots and previews" />}
            {totals.after_end > 0 && (
              <Stat
                value={totals.after_end}
                label={`${totals.after_end === 1 ? "visit" : "visits"} after a link's end`}
              />
            )}
          </div>
        )}
      </div>
      {kinds.some((kind) => earlier[kind] > 0) && (
        <p class="soft">
          Before {monthName(keptFrom(shown.now))}: {earlierVisits}.
        </p>
      )}
    </>
  );
};

/** Whether a chart of a report would show anything, also of the range before. */
export const hasVisits = (
  { points, pointsBefore }: VisitReport,
  kinds: readonly Kind[] = CLICKS_AND_SCANS,
): boolean => [...points, ...(pointsBefore ?? [])].some((point) => kinds.some((kind) => point[kind] > 0));

/** In place of a chart without visits. */
const noVisitsText = (names: string, afterEnd: number, isUnvisited: boolean): string => {
  if (afterEnd > 0) return `No ${names}: all visits were after a link's end.`;
  return isUnvisited ? `No ${names} yet. They show up here within a minute.` : `No ${names} in this range.`;
};

interface ReportProperties {
  report: VisitReport;
  shown: ShownRange;
  /** Whether there were no visits before or after the range either. */
  isUnvisited?: boolean;
  /** What to do next, where there were no visits. */
  children?: Child;
}

/** Clicks and scans of a report over time. */
export const ReportChart = ({
  report,
  shown,
  kinds = CLICKS_AND_SCANS,
  isUnvisited = shown.isWhole,
  children,
}: ReportProperties & { kinds?: readonly Kind[] }) => {
  const { points, pointsBefore, totals } = report;
  if (!hasVisits(report, kinds)) {
    const names = kinds.map((kind) => NAMES[kind][1]).join(" or ");
    return <Empty text={noVisitsText(names, totals.after_end, isUnvisited)}>{children}</Empty>;
  }
  return (
    <VisitChart
      shown={shown}
      title={kinds.length > 1 ? "Clicks and scans by people" : "Scans by people"}
      series={kinds.map((kind) => {
        const values = points.map((point) => point[kind]);
        return kind === "clicks" ? clicksOf(values) : scansOf(values);
      })}
      before={pointsBefore?.map((point) => sum(kinds.map((kind) => point[kind]))) ?? null}
    />
  );
};

/** Totals with their change, the chart, and where visitors came from. */
export const Figures = (properties: ReportProperties) => {
  const { report, shown } = properties;
  return (
    <div class="stack">
      <VisitStats report={report} shown={shown} />
      <ReportChart {...properties} />
      {hasVisits(report) && <OriginTabs origins={report.origins} zone={shown.range.zone} />}
    </div>
  );
};
