import { bucketsOf } from "../../lib/range";
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
import type { ShownRange } from "./range";
import type { Series } from "./series";

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
