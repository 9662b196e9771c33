import { bucketsOf, comparedRange, toDate } from "../../lib/range";
import { thisPage } from "../shell/href";
import { BarChart } from "./bar-chart";
import {
  bucketName,
  isUnfinished,
  nameOfBefore,
  nameOfCompared,
  ticksOf,
  UNIT_NAMES,
  unfinishedIndex,
} from "./dates";
import { NO_RANGE, type ShownRange } from "./range";
import { type Series, sum } from "./series";

interface ChartProperties {
  shown: ShownRange;
  series: readonly Series[];
  /** The sums of the range before, one for each of its points; null if it is not compared. */
  before: readonly number[] | null;
  title: string;
  isLines?: boolean;
  /** What the range before is called, if not by the same hour. */
  than?: string;
}

/** Series by hour, day or week. The range before is faint bars. What is not over yet is dashed. */
export const VisitChart = ({ shown, series, before, title, isLines = false, than }: ChartProperties) => {
  const { range, now } = shown;
  const buckets = bucketsOf(range);
  // Bars by hour are of the whole day before. The numbers above are compared with a part of it.
  const legend =
    range.unit === "hour" && isUnfinished(shown)
      ? `${nameOfBefore(range)}, all of it`
      : (than ?? nameOfCompared(shown));
  const index = unfinishedIndex(range, buckets, now);
  // A day or week leads to its days, on a page that chooses them.
  const hrefs =
    shown.choosesFigure && range.unit !== "hour"
      ? buckets.map(({ day: from }, place) => {
          const last = (buckets[place + 1]?.day ?? range.lastDay + 1) - 1;
          return thisPage({ ...NO_RANGE, from: toDate(from), to: toDate(last) });
        })
      : undefined;
  // The month before may be longer.
  const longer = bucketsOf(comparedRange(range)).slice(buckets.length, before?.length ?? 0);
  return (
    <BarChart
      title={title}
      names={[...buckets, ...longer].map((bucket) => bucketName(range, bucket))}
      series={series}
      isLines={isLines}
      hrefs={hrefs}
      unit={range.unit}
      ticks={ticksOf(range, buckets)}
      before={before === null || sum(before) === 0 ? undefined : { name: legend, values: before }}
      unfinished={index === -1 ? undefined : { name: UNIT_NAMES[range.unit].current, index }}
    />
  );
};
