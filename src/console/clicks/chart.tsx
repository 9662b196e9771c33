import type { DailyVisits } from "../../clicks/of-links";
import { count, number } from "../shell/text";

/** Numbers of what is counted, stacked in this order. */
type Values = readonly number[];

interface Point {
  /** A day is 2026-05-01. */
  label: string;
  values: Values;
}

const WIDTH = 720;
const HEIGHT = 180;
const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 24;

const sum = (values: Values): number => values.reduce((total, value) => total + value, 0);

/** "3 clicks and 1 scan". `of` is what is counted, in the singular. */
const countAll = (values: Values, of: readonly string[]): string =>
  values.map((value, index) => count(value, of[index] ?? "")).join(" and ");

/** The bars of a point, one above the other. The second kind has another colour. */
const Stack = ({
  values,
  title,
  x,
  width,
  height,
  scale,
}: {
  values: Values;
  title?: string;
  x: number;
  width: number;
  /** Of the whole chart. */
  height: number;
  /** The height of 1. */
  scale: number;
}) => (
  <g>
    {title !== undefined && <title>{title}</title>}
    {values.map(
      (value, index) =>
        value > 0 && (
          <rect
            class={index === 0 ? undefined : "second"}
            x={x.toFixed(2)}
            y={(height - sum(values.slice(0, index + 1)) * scale).toFixed(2)}
            width={width.toFixed(2)}
            height={(value * scale).toFixed(2)}
          />
        ),
    )}
  </g>
);

/** Small bars of clicks and scans without axes, with the totals as text. */
export const Spark = ({ visits: { clicks, scans }, during }: { visits: DailyVisits; during: string }) => {
  const points = clicks.map((value, index) => [value, scans[index] ?? 0]);
  const highest = Math.max(1, ...points.map(sum));
  const step = SPARK_WIDTH / Math.max(1, points.length);
  const totals = [sum(clicks), sum(scans)];
  return (
    <span class="spark">
      <svg
        viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
        width={SPARK_WIDTH}
        height={SPARK_HEIGHT}
        role="img"
        aria-label={`${countAll(totals, ["click", "scan"])} ${during}`}
      >
        {points.map((values, index) => (
          <Stack
            values={sum(values) === 0 ? [1] : values}
            x={index * step}
            width={Math.max(1, step - 1)}
            height={SPARK_HEIGHT}
            scale={sum(values) === 0 ? 1 : Math.max(2 / sum(values), SPARK_HEIGHT / highest)}
          />
        ))}
      </svg>
      <span>{totals.map(number).join(" · ")}</span>
    </span>
  );
};

/** Bars, one or two to a point, and the same numbers as a table. */
export const TimeChart = ({
  title,
  points,
  of,
  per = "day",
}: {
  title: string;
  points: readonly Point[];
  /** What is counted, each in the singular. */
  of: readonly string[];
  /** What a point is. */
  per?: string;
}) => {
  const highest = Math.max(1, ...points.map(({ values }) => sum(values)));
  const step = WIDTH / Math.max(1, points.length);
  const totals = of.map((_, index) => sum(points.map(({ values }) => values[index] ?? 0)));
  const [first] = points;
  const last = points.at(-1);
  const headings = of.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}s`);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {of.length > 1 && (
        <p class="legend" aria-hidden="true">
          {headings.map((heading, index) => (
            <span class={index === 0 ? undefined : "second"}>{heading}</span>
          ))}
        </p>
      )}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${countAll(totals, of)} in ${count(points.length, per)}, at most ${number(highest)} ${per === "hour" ? "an" : "a"} ${per}`}
      >
        {points.map(({ label, values }, index) => (
          <Stack
            values={values}
            title={`${label}: ${countAll(values, of)}`}
            x={index * step}
            width={Math.max(1, step - 2)}
            height={HEIGHT}
            scale={(HEIGHT - 4) / highest}
          />
        ))}
      </svg>
      <p class="scale" aria-hidden="true">
        <span>{first?.label}</span>
        <span>
          at most {number(highest)} {per === "hour" ? "an" : "a"} {per}
        </span>
        <span>{last?.label}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{per === "hour" ? "Hour" : "Day"}</th>
              {headings.map((heading) => (
                <th scope="col" class="number">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points
              .filter(({ values }) => sum(values) > 0)
              .map(({ label, values }) => (
                <tr>
                  <th scope="row">{label}</th>
                  {values.map((value) => (
                    <td class="number">{number(value)}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};

/** What has the most of something. With several kinds the numbers stand side by side: "12 · 3". */
export const Ranking = ({
  title,
  of,
  rows,
}: {
  title: string;
  of: string;
  rows: readonly { label: string; values: Values; href?: string | undefined }[];
}) => {
  const highest = Math.max(1, ...rows.map(({ values }) => sum(values)));
  return (
    <table class="ranking">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">{title}</span>
          </th>
          <th scope="col" class="number">
            {of}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.length === 0 && (
          <tr>
            <td colspan={2}>None yet</td>
          </tr>
        )}
        {rows.map(({ label, values, href }) => (
          <tr>
            <th scope="row">
              {href === undefined ? <span>{label}</span> : <a href={href}>{label}</a>}
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                {values.map((value, index) => (
                  <rect
                    class={index === 0 ? undefined : "second"}
                    x={((sum(values.slice(0, index)) / highest) * 100).toFixed(1)}
                    width={((value / highest) * 100).toFixed(1)}
                    height="4"
                  />
                ))}
              </svg>
            </th>
            <td class="number">{values.map(number).join(" · ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
