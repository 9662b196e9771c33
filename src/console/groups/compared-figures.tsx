import type { Child } from "hono/jsx";
import { visitsOf } from "../../analytics/time-series";
import { localDayAt } from "../../lib/time-zone";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { isUnfinished } from "../clicks/dates";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { toTenth } from "../clicks/scale";
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

/** The days of a range that are over. */
export const completeDays = ({ range, now }: ShownRange): number =>
  Math.max(0, Math.min(localDayAt(range.zones, now), range.lastDay + 1) - range.firstDay);

/** What has no number is null. */
type Value = number | null;

interface Row {
  name: Child;
  values: readonly Value[];
  /** Whether it is the same for one day as for many. */
  isAverage?: boolean;
}

const MAX_DECIMALS = 6;

/** With the fewest decimals that do not make it 0 or 100, unless it is. */
function percentText(percent: number): string {
  if (percent === 100) return "100%";
  const texts = Array.from({ length: MAX_DECIMALS }, (_, decimals) => percent.toFixed(decimals));
  return `${texts.find((text) => Number(text) !== 0 && Number(text) !== 100) ?? percent}%`;
}

/** "+120 (+14%)", of the first to the second. */
export function differenceOf([one = null, other = null]: Row["values"]): string {
  if (one === null || other === null) return "–";
  if (one === other) return "none";
  const sign = one > other ? "+" : "−";
  const by = Math.abs(one - other);
  const percent = (by / other) * 100;
  const share = percent > MAX_PERCENT ? "" : ` (${sign}${percentText(percent)})`;
  return `${sign}${number(toTenth(by))}${share}`;
}

const Rows = ({ rows, areEven }: { rows: readonly Row[]; areEven: boolean }) => (
  <>
    {rows.map(({ name, values, isAverage = false }) => (
      <tr>
        <th scope="row">{name}</th>
        {values.map((value) => (
          <td class="number">{value === null ? "–" : number(value)}</td>
        ))}
        <td class="number soft">{areEven || isAverage ? differenceOf(values) : "–"}</td>
      </tr>
    ))}
  </>
);

/** The numbers of both beside each other, and how far they are apart. */
export const Against = ({ sides }: { sides: readonly Side[] }) => {
  const channels = channelRows(sides);
  const areEven = new Set(sides.map(daysOf)).size === 1;
  return (
    <>
      <table class="against">
        <caption class="unseen">Figures of both</caption>
        <thead>
          <tr>
            <td class="wide" />
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
          <Rows rows={figureRows(sides)} areEven={areEven} />
        </tbody>
        {channels.length > 0 && (
          <tbody>
            <tr>
              <th scope="rowgroup" colspan={4}>
                Channels
              </th>
            </tr>
            <Rows rows={channels} areEven={areEven} />
          </tbody>
        )}
      </table>
      {!areEven && (
        <p class="hint">
          The groups have different numbers of days, so only their visits a day are compared.
        </p>
      )}
    </>
  );
};

/** The visits on an average day of those that are over; null if none is. */
function visitsADay({ shown, visits }: Side): Value {
  const days = completeDays(shown);
  return days === 0 ? null : toTenth(sum(visits.days.slice(0, days).map(visitsOf)) / days);
}

function figureRows(sides: readonly Side[]): Row[] {
  const of = (value: (side: Side) => Value): Value[] => sides.map(value);
  const isToday = sides.some(({ shown }) => isUnfinished(shown));
  return [
    { name: "Visits", values: of(({ visits }) => visitsOf(visits.totals)) },
    {
      name: isToday ? "Visits a day, without today" : "Visits a day",
      values: of(visitsADay),
      isAverage: true,
    },
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
