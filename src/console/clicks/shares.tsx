import { number } from "../shell/text";
import { percentage, type Share, topOf } from "./scale";
import { seriesClass } from "./series";

const TOP = 8;

/** A bar whose full width is `whole`. */
export const ShareBar = ({
  value,
  whole,
  colour,
}: {
  value: number;
  whole: number;
  colour?: number | undefined;
}) => (
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

/** Values with their shares of a whole, which is a full bar. So the bars of all tables with one whole have one scale. */
export const ShareTable = ({
  title,
  of = "Visits",
  rows,
  whole,
}: {
  title: string;
  /** What the numbers count. */
  of?: string;
  rows: readonly (Share & { href?: string })[];
  whole: number;
}) => (
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
      {rows.map(({ label, value, colour, href }) => {
        const name = <bdi>{label}</bdi>;
        return (
          <tr>
            <th scope="row">
              <ShareBar value={value} whole={whole} colour={colour} />
              {href === undefined ? name : <a href={href}>{name}</a>}
            </th>
            <td class="number">{number(value)}</td>
            <td class="number soft">{percentage(value, whole)}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

/** The highest values with their shares of all, and the others as one. */
export const Shares = ({ title, values }: { title: string; values: readonly Share[] }) => (
  <ShareTable
    title={title}
    rows={topOf(values, TOP).filter(({ value }) => value > 0)}
    whole={values.reduce((sum, { value }) => sum + value, 0)}
  />
);
