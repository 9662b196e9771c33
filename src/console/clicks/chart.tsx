import { count, number } from "../shell/text";

interface Point {
  /** A day is 2026-05-01. */
  label: string;
  value: number;
}

const WIDTH = 720;
const HEIGHT = 180;
const SPARK_WIDTH = 96;
const SPARK_HEIGHT = 24;

/** Small bars without axes, with the total as text. `of` is what is counted, in the singular. */
export const Spark = ({ values, of, during }: { values: readonly number[]; of: string; during: string }) => {
  const highest = Math.max(1, ...values);
  const step = SPARK_WIDTH / Math.max(1, values.length);
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <span class="spark">
      <svg
        viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
        width={SPARK_WIDTH}
        height={SPARK_HEIGHT}
        role="img"
        aria-label={`${count(total, of)} ${during}`}
      >
        {values.map((value, index) => {
          const height = value === 0 ? 1 : Math.max(2, (value / highest) * SPARK_HEIGHT);
          return (
            <rect
              x={(index * step).toFixed(2)}
              y={(SPARK_HEIGHT - height).toFixed(2)}
              width={Math.max(1, step - 1).toFixed(2)}
              height={height.toFixed(2)}
            />
          );
        })}
      </svg>
      <span>{number(total)}</span>
    </span>
  );
};

/** A bar for each day, and the same numbers as a table. */
export const TimeChart = ({
  title,
  points,
  unit,
}: {
  title: string;
  points: readonly Point[];
  /** What is counted, in the singular. */
  unit: string;
}) => {
  const highest = Math.max(1, ...points.map(({ value }) => value));
  const step = WIDTH / Math.max(1, points.length);
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const [first] = points;
  const last = points.at(-1);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${count(total, unit)} in ${count(points.length, "day")}, at most ${number(highest)} a day`}
      >
        {points.map(({ label, value }, index) => {
          const height = (value / highest) * (HEIGHT - 4);
          return (
            <rect
              x={(index * step).toFixed(2)}
              y={(HEIGHT - height).toFixed(2)}
              width={Math.max(1, step - 2).toFixed(2)}
              height={height.toFixed(2)}
            >
              <title>{`${label}: ${count(value, unit)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="scale" aria-hidden="true">
        <span>{first?.label}</span>
        <span>at most {number(highest)} a day</span>
        <span>{last?.label}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">
                {unit.charAt(0).toUpperCase() + unit.slice(1)}s
              </th>
            </tr>
          </thead>
          <tbody>
            {points
              .filter(({ value }) => value > 0)
              .map(({ label, value }) => (
                <tr>
                  <th scope="row">{label}</th>
                  <td class="number">{number(value)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
};

export const Ranking = ({ title, of, rows }: { title: string; of: string; rows: readonly Point[] }) => {
  const highest = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <table class="ranking">
      <caption>{title}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{of}</th>
        </tr>
      </thead>
      <tbody>
        {rows.length === 0 && (
          <tr>
            <td colspan={2}>None yet</td>
          </tr>
        )}
        {rows.map(({ label, value }) => (
          <tr>
            <th scope="row">
              <span>{label}</span>
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={((value / highest) * 100).toFixed(1)} height="4" />
              </svg>
            </th>
            <td class="number">{number(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
