import type { Child } from "hono/jsx";
import { visitsOf } from "../../analytics/time-series";
import { localDayAt } from "../../lib/time-zone";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { seriesClass, sum } from "../clicks/series";
import { MAX_PERCENT } from "../clicks/stat";
import { here } from "../shell/href";
import { NameLink, number } from "../shell/text";
import { coloursOf, type GroupReport, labelOf } from "./group-figures";

export interface Side extends GroupReport {
  group: GroupOverview;
  shown: ShownRange;
}

const byId = ({ group, shown }: Side): string => here.group(group.id, rangeParameters(shown));

/** The days of a range that have begun; one of a range that has not. */
export const daysOf = ({ shown: { range, now } }: Pick<Side, "shown">): number =>
  Math.max(1, localDayAt(range.zones, Math.min(now, range.to - 1)) - range.firstDay + 1);

interface Row {
  name: Child;
  values: readonly number[];
}

/** "+120 (+14%)", of the first to the second. */
function differenceOf([one = 0, other = 0]: Row["values"]): string {
  const by = Math.round((one - other) * 10) / 10;
  if (by === 0) return "none";
  const sign = by > 0 ? "+" : "−";
  const percent = other === 0 ? 0 : Math.round((Math.abs(by) / other) * 100);
  const share = percent === 0 || percent > MAX_PERCENT ? "" : ` (${sign}${percent}%)`;
  return `${sign}${number(Math.abs(by))}${share}`;
}

const Rows = ({ rows }: { rows: readonly Row[] }) => (
  <>
    {rows.map(({ name, values }) => (
      <tr>
        <th scope="row">{name}</th>
        {values.map((value) => (
          <td class="number">{number(value)}</td>
        ))}
        <td class="number soft">{differenceOf(values)}</td>
      </tr>
    ))}
  </>
);

/** The numbers of both beside each other, and how far they are apart. */
export const Against = ({ sides }: { sides: readonly Side[] }) => {
  const channels = channelRows(sides);
  return (
    <table class="against">
      <caption class="unseen">Figures of both</caption>
      <thead>
        <tr>
          <td />
          {sides.map((side, colour) => (
            <th scope="col" class="number">
              <span class={`key ${seriesClass(colour)}`}>
                <NameLink to={byId(side)} name={side.group.name} />
              </span>
            </th>
          ))}
          <th scope="col" class="number">
            Difference
          </th>
        </tr>
      </thead>
      <tbody>
        <Rows rows={figureRows(sides)} />
      </tbody>
      {channels.length > 0 && (
        <tbody>
          <tr>
            <th scope="rowgroup" colspan={4}>
              Channels
            </th>
          </tr>
          <Rows rows={channels} />
        </tbody>
      )}
    </table>
  );
};

function figureRows(sides: readonly Side[]): Row[] {
  const of = (value: (side: Side) => number): number[] => sides.map(value);
  const aDay = of((side) => Math.round((visitsOf(side.visits.totals) / daysOf(side)) * 10) / 10);
  return [
    { name: "Visits", values: of(({ visits }) => visitsOf(visits.totals)) },
    { name: "Visits a day", values: aDay },
    { name: "Clicks", values: of(({ visits }) => visits.totals.clicks) },
    { name: "Scans", values: of(({ visits }) => visits.totals.scans) },
    { name: "After a link’s end", values: of(({ visits }) => visits.totals.after_end) },
    { name: "By bots and previews", values: of(({ visits }) => visits.totals.bots) },
  ];
}

/** The channels of both, each with one colour that neither group has. */
function channelRows(sides: readonly Side[]): Row[] {
  const ofSides = sides.map(({ channels }) => channels ?? []);
  const colourOf = coloursOf(ofSides.flat(), [0, 1]);
  const byName = Map.groupBy(ofSides.flat(), labelOf);
  return Array.from(byName, ([name, [channel]]) => ({
    name: <bdi class={`key ${seriesClass(channel ? colourOf(channel) : 0)}`}>{name}</bdi>,
    values: ofSides.map((own) => sum(own.filter((one) => labelOf(one) === name).map(visitsOf))),
  }))
    .filter(({ values }) => sum(values) > 0)
    .sort((one, other) => sum(other.values) - sum(one.values));
}
