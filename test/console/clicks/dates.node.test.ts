import { expect, it } from "vitest";
import { bucketName, ticksOf, unfinishedIndex } from "../../../src/console/clicks/dates";
import { bucketsOf, type RangeQuery, toRange } from "../../../src/lib/range";

const NOW = Date.parse("2026-05-20T21:30Z");
const rangeOf = (query: RangeQuery, zone = "UTC") =>
  toRange(query, zone, NOW, Date.parse("2024-01-05T10:00Z"));

it.each<[RangeQuery, string[]]>([
  [{ last: "today" }, ["00:00", "06:00", "12:00", "18:00"]],
  [{ last: "7" }, ["14 May", "15 May", "16 May", "17 May", "18 May", "19 May", "20 May"]],
  [{ last: "30" }, ["21 Apr", "26 Apr", "1 May", "6 May", "11 May", "16 May"]],
  [{ last: "all" }, ["Apr 2024", "Oct 2024", "Apr 2025", "Nov 2025"]],
])("the ticks of %j are few and have one format", (query, labels) => {
  expect(ticksOf(rangeOf(query)).map(({ label }) => label)).toEqual(labels);
});

it("hours are those of the time zone, also on the day on which the clock changes", () => {
  const range = rangeOf({ from: "2026-03-29", to: "2026-03-29" }, "Europe/Zurich");
  const hours = bucketsOf(range).slice(0, 4);
  expect(hours.map((hour) => bucketName(range, hour))).toEqual(
    ["00:00", "01:00", "03:00", "04:00"].map((time) => `29 Mar 2026, ${time}`),
  );
});

it.each<[RangeQuery, number]>([
  [{ last: "today" }, 21],
  [{ from: "2026-05-01", to: "2026-05-03" }, -1],
  [{ from: "2026-05-19", to: "2026-05-25" }, 1],
])("the point that is not over yet of %j is point %d", (query, index) => {
  const range = rangeOf(query);
  expect(unfinishedIndex(range, bucketsOf(range), NOW)).toBe(index);
});
