import { number, words } from "../shell/text";
import { UNIT_NAMES } from "./dates";
import { axisNumber, fixed, GRIDLINES, gridStep } from "./scale";
import { type Chart, describePoint, describeTotals, type Series, seriesClass, sum, sumAt } from "./series";

const PointTable = ({ names, series, unit, before, hrefs = [] }: Chart) => {
  const columns = before === undefined ? series : [...series, { label: "Before", values: before.values }];
  const rows = names
    .map((name, index) => ({
      name,
      to: hrefs[index],
      cells: columns.map(({ values }) => values[index] ?? 0),
    }))
    .filter(({ cells }) => sum(cells) > 0);
  return (
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{UNIT_NAMES[unit].heading}</th>
            {columns.map(({ label }) => (
              <th scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, to, cells }) => (
            <tr>
              <th scope="row">{to === undefined ? name : <a href={to}>{name}</a>}</th>
              {cells.map((value) => (
                <td class="number">{number(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

// The drawing stretches with the page, so it has no text. The labels are beside it.
const WIDTH = 1000;
const HEIGHT = 200;
/** The share of a point's width that its bar takes, and the faint bar of the range before behind it. */
const BAR_SHARE = 0.6;
const GHOST_SHARE = 0.88;
const MAX_OF_LOW = 9;

/**
 * The bars of a point, one above the other, and a place for the pointer. `step` is the width of a point, `scale` the height of
 * a value of 1.
 */
const Bars = ({ index, step, scale, ...chart }: Chart & { index: number; step: number; scale: number }) => {
  const { series, unfinished } = chart;
  const before = chart.before?.values[index] ?? 0;
  /** A bar from below `top`, which takes a share of the point's width. */
  const bar = (name: string, share: number, top: number, value: number) =>
    value > 0 && (
      <rect
        class={name}
        x={fixed(index * step + (step - step * share) / 2)}
        y={fixed(HEIGHT - top * scale)}
        width={fixed(step * share)}
        height={fixed(value * scale)}
      />
    );
  return (
    <g data-href={chart.hrefs?.[index]}>
      <title>{describePoint(chart, index)}</title>
      <rect class="place" x={fixed(index * step)} y="0" width={fixed(step)} height={HEIGHT} />
      {bar("ghost", GHOST_SHARE, before, before)}
      {series.map(({ values, colour }, place) => {
        const name = `${seriesClass(colour)}${index === unfinished?.index ? " unfinished" : ""}`;
        return bar(name, BAR_SHARE, sumAt(series.slice(0, place + 1), index), values[index] ?? 0);
      })}
    </g>
  );
};

/** Where a value is. */
const pointOf = (index: number, value: number, { step, scale }: { step: number; scale: number }): string =>
  `${fixed((index + 0.5) * step)},${fixed(HEIGHT - value * scale)}`;

/** A line through the values of a series. Its end is dashed if that is not over yet, and nothing is after it. */
const Line = ({
  one: { values, colour, isUnfinished = false },
  end,
  ...size
}: {
  one: Series;
  end: number | undefined;
  step: number;
  scale: number;
}) => {
  const all = values.slice(0, end === undefined ? undefined : end + 1);
  const points = all.map((value, index) => pointOf(index, value, size));
  const isDashed = isUnfinished || end !== undefined;
  const whole = isDashed ? points.slice(0, -1) : points;
  // One value has no line.
  const line = `line ${points.length === 1 ? "dot " : ""}${seriesClass(colour)}`;
  return (
    <>
      {/* A line of one point is a dot. */}
      <polyline class={line} points={[...whole.slice(0, 1), ...whole].join(" ")} />
      {isDashed && (
        <polyline
          class={`${line} unfinished`}
          points={[...points.slice(-2), ...points.slice(-1)].join(" ")}
        />
      )}
    </>
  );
};

/** The dots of a point, which are shown while it is read. */
const Dots = ({ index, step, scale, ...chart }: Chart & { index: number; step: number; scale: number }) => (
  <g>
    <title>{describePoint(chart, index)}</title>
    <rect class="place" x={fixed(index * step)} y="0" width={fixed(step)} height={HEIGHT} />
    {chart.series.map(({ values, colour }) => {
      const value = values[index];
      return (
        value !== undefined && (
          <path class={`dot ${seriesClass(colour)}`} d={`M${pointOf(index, value, { step, scale })}h0`} />
        )
      );
    })}
  </g>
);

const Legend = ({ series, before, unfinished }: Chart) =>
  series.length === 1 && before === undefined && unfinished === undefined ? null : (
    <p class="legend" aria-hidden="true">
      {series.map(({ label, colour }) => (
        <span class={seriesClass(colour)}>
          <bdi>{label}</bdi>
        </span>
      ))}
      {before !== undefined && <span class="key-before">{words(before.name)}</span>}
      {unfinished !== undefined && <span class="key-unfinished">{unfinished.name}</span>}
    </p>
  );

const Ticks = ({ ticks, names }: Chart) => (
  <svg class="x-axis" aria-hidden="true">
    {ticks.map(({ index, label }, place) => (
      <text
        class={place % 2 === 0 ? undefined : "spare"}
        x={`${fixed(((index + 0.5) / names.length) * 100)}%`}
        y="1em"
        text-anchor="middle"
      >
        {label}
      </text>
    ))}
  </svg>
);

/**
 * Stacked bars, or lines, with an axis of three gridlines, and the same numbers as a table. A script reads the bars point by point, and
 * shows their titles.
 */
export const BarChart = (chart: Chart) => {
  const { title, names, series, unit, before, unfinished, isLines = false } = chart;
  const totals = isLines
    ? series.flatMap(({ values }) => values)
    : names.map((_, index) => sumAt(series, index));
  const highest = Math.max(0, ...totals);
  const grid = gridStep(Math.max(highest, ...(before?.values ?? [])));
  const scale = HEIGHT / (grid * GRIDLINES);
  const step = WIDTH / Math.max(1, names.length);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <Legend {...chart} />
      <div class={grid * GRIDLINES <= MAX_OF_LOW ? "axes low" : "axes"}>
        <div class="y-axis" aria-hidden="true">
          {Array.from({ length: GRIDLINES + 1 }, (_, line) => (
            <span>{axisNumber((GRIDLINES - line) * grid)}</span>
          ))}
        </div>
        <div class="plot" data-chart="">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}: ${describeTotals(series)}, at most ${number(highest)} ${UNIT_NAMES[unit].perOne}`}
          >
            {Array.from({ length: GRIDLINES + 1 }, (_, line) => {
              const y = fixed((HEIGHT * line) / GRIDLINES);
              return <line class="gridline" x1="0" x2={WIDTH} y1={y} y2={y} />;
            })}
            {names.map((_, index) =>
              isLines ? (
                <Dots {...chart} index={index} step={step} scale={scale} />
              ) : (
                <Bars {...chart} index={index} step={step} scale={scale} />
              ),
            )}
            {isLines &&
              series.map((one) => <Line one={one} end={unfinished?.index} step={step} scale={scale} />)}
          </svg>
        </div>
        <Ticks {...chart} />
      </div>
      <PointTable {...chart} />
    </figure>
  );
};
