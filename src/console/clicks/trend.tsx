import type { Point } from "../../analytics/report";

const WIDTH = 96;
const HEIGHT = 24;
/** A value that would be less than this stays visible. */
const MIN_HEIGHT = 1.5;

const fixed = (value: number): string => String(Number(value.toFixed(2)));

/** The highest point of all trends of a page, which have one scale. */
export const highestOf = (rows: readonly { points: readonly Point[] }[]): number =>
  rows.reduce(
    (highest, { points }) =>
      points.reduce((most, { clicks, scans }) => Math.max(most, clicks + scans), highest),
    0,
  );

/** Small bars of clicks and scans without axes. The numbers are beside them. */
export const Trend = ({ points, highest }: { points: readonly Point[]; highest: number }) => {
  const step = WIDTH / Math.max(1, points.length);
  return (
    <svg class="trend" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" y={HEIGHT - 1} width={WIDTH} height="1" />
      {points.map(({ clicks, scans }, index) => {
        const height = Math.max(MIN_HEIGHT, ((clicks + scans) / highest) * HEIGHT);
        return (
          clicks + scans > 0 && (
            <rect
              x={fixed(index * step)}
              y={fixed(HEIGHT - height)}
              width={fixed(step * 0.8)}
              height={fixed(height)}
            />
          )
        );
      })}
    </svg>
  );
};
