import type { Point } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import { NameLink, number } from "../shell/text";
import { fixed, percentage, type Share, shownShares } from "./scale";
import { seriesClass, sum } from "./series";

export const ShareBar = ({ value, whole, colour }: Omit<Share, "label"> & { whole: number }) => (
  <svg
    class={colour === undefined ? "share" : `share ${seriesClass(colour)}`}
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    <rect class="track" width="100" height="4" />
    <rect width={whole <= 0 ? "0" : String(Number(((value / whole) * 100).toFixed(1)))} height="4" />
  </svg>
);

interface ShareTableProperties {
  title: string;
  of?: string;
  rows: readonly Share[];
  whole: number;
}

/** Values with their shares of a whole, which is a full bar. So the bars of all tables with one whole have one scale. */
export const ShareTable = ({ title, of = "Visits", rows, whole }: ShareTableProperties) => (
  <table class="ranking">
    <caption>{title}</caption>
    <thead class="unseen">
      <tr>
        <th scope="col">{title}</th>
        <th scope="col">{of}</th>
        <th scope="col">Share</th>
      </tr>
    </thead>
    <tbody>
      {rows.length === 0 && (
        <tr>
          <td colspan={3} class="soft">
            None
          </td>
        </tr>
      )}
      {rows.map(({ label, value, colour, href, isChosen }) => (
        <tr>
          <th scope="row">
            <ShareBar value={value} whole={whole} colour={colour} />
            {href === undefined ? (
              <bdi>{label}</bdi>
            ) : (
              <NameLink to={href} name={label} isCurrent={isChosen} />
            )}
          </th>
          <td class="number">{number(value)}</td>
          <td class="number soft">{percentage(value, whole)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

export const Shares = ({ title, values }: { title: string; values: readonly Share[] }) => (
  <ShareTable title={title} rows={shownShares(values)} whole={sum(values.map(({ value }) => value))} />
);

const WIDTH = 96;
const HEIGHT = 24;
/** A value that would be less than this stays visible. */
const MIN_HEIGHT = 1.5;

/** The highest point of all trends of a page, which have one scale. */
export const highestOf = (rows: readonly { points: readonly Point[] }[]): number =>
  Math.max(0, ...rows.flatMap(({ points }) => points.map(visitsOf)));

/** Small bars of clicks and scans without axes. The numbers are beside them. */
export const Trend = ({ points, highest }: { points: readonly Point[]; highest: number }) => {
  const step = WIDTH / Math.max(1, points.length);
  return (
    <svg class="trend" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" y={HEIGHT - 1} width={WIDTH} height="1" />
      {points.map(visitsOf).map((visits, index) => {
        const height = Math.max(MIN_HEIGHT, (visits / highest) * HEIGHT);
        return (
          visits > 0 && (
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
