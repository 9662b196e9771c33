import { number, words } from "../shell/text";
import { UNIT_NAMES } from "./dates";
import { axisNumber, fixed, GRIDLINES, gridStep } from "./scale";
import { type Chart, describePoint, describeTotals, seriesClass, sum, sumAt } from "./series";

const PointTable = ({ names, series, unit, before }: Chart) => {
  const columns = before === undefined ? series : [...series, { label: "Before", values: before.values }];
  const rows = names
    .map((name, index) => ({ name, cells: columns.map(({ values }) => values[index] ?? 0) }))
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
          {rows.map(({ name, cells }) => (
            <tr>
              <th scope="row">{name}</th>
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
    <g>
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
 * Stacked bars with an axis of three gridlines, and the same numbers as a table. A script reads the bars point by point, and
 * shows their titles.
 */
export const BarChart = (chart: Chart) => {
  const { title, names, series, unit, before } = chart;
  const totals = names.map((_, index) => sumAt(series, index));
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
            {names.map((_, index) => (
              <Bars {...chart} index={index} step={step} scale={scale} />
            ))}
          </svg>
        </div>
        <Ticks {...chart} />
      </div>
      <PointTable {...chart} />
    </figure>
  );
};
