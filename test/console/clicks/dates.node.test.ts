import { describe, expect, it } from "vitest";
import {
  bucketName,
  clockTime,
  nameOfBefore,
  rangeName,
  ticksOf,
  unfinishedIndex,
} from "../../../src/console/clicks/dates";
import { bucketsOf, type RangeQuery, toRange } from "../../../src/lib/range";

const NOW = Date.parse("2026-05-20T21:30Z");
const rangeOf = (query: RangeQuery, zone = "UTC") =>
  toRange(query, zone, NOW, Date.parse("2024-01-05T10:00Z"));

const labelsOf = (query: RangeQuery, zone?: string) =>
  ticksOf(rangeOf(query, zone)).map(({ label }) => label);

describe("the ticks of a chart", () => {
  it.each<[RangeQuery, string[]]>([
    [{ last: "today" }, ["00:00", "06:00", "12:00", "18:00"]],
    [
      { from: "2026-05-01", to: "2026-05-02" },
      ["1 May, 00:00", "1 May, 12:00", "2 May, 00:00", "2 May, 12:00"],
    ],
    [{ last: "7" }, ["14 May", "15 May", "16 May", "17 May", "18 May", "19 May", "20 May"]],
    [{ last: "30" }, ["21 Apr", "26 Apr", "1 May", "6 May", "11 May", "16 May"]],
    [{ last: "all" }, ["Apr 2024", "Oct 2024", "Apr 2025", "Nov 2025"]],
  ])("of %j have one format", (query, labels) => {
    expect(labelsOf(query)).toEqual(labels);
  });

  it.each<RangeQuery>([{ last: "today" }, { last: "7" }, { last: "30" }, { last: "90" }, { last: "365" }])(
    "of %j are at most seven, begin at the beginning and are points of the chart",
    (query) => {
      const ticks = ticksOf(rangeOf(query));
      const points = bucketsOf(rangeOf(query)).length;
      expect(ticks.length).toBeGreaterThan(3);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks[0]?.index).toBe(0);
      expect(ticks.every(({ index }) => Number.isInteger(index) && index < points)).toBe(true);
    },
  );
});

describe("the names of points and ranges", () => {
  const nameAt = (query: RangeQuery, index: number, zone?: string) => {
    const range = rangeOf(query, zone);
    const bucket = bucketsOf(range)[index];
    return bucket && bucketName(range, bucket);
  };

  it("a point is an hour of the clock, a day with its weekday, or a week", () => {
    expect(nameAt({ last: "today" }, 9)).toBe("20 May 2026, 09:00");
    expect(nameAt({ last: "7" }, 0)).toBe("Thu, 14 May 2026");
    expect(nameAt({ last: "365" }, 1)).toBe("Week from 26 May 2025");
  });

  it("hours are those of the time zone, also on the day on which the clock changes", () => {
    const day = { from: "2026-03-29", to: "2026-03-29" };
    const range = rangeOf(day, "Europe/Zurich");
    expect(
      bucketsOf(range)
        .slice(0, 4)
        .map(({ at }) => clockTime(range, at)),
    ).toEqual(["00:00", "01:00", "03:00", "04:00"]);
    expect(nameAt({ last: "today" }, 0, "Asia/Kolkata")).toBe("21 May 2026, 00:00");
  });

  it("a range has its own name or its days", () => {
    expect(rangeName(rangeOf({ last: "30" }))).toBe("Last 30 days");
    expect(rangeName(rangeOf({ from: "2026-05-01", to: "2026-05-03" }))).toBe("1 May 2026 to 3 May 2026");
    expect(rangeName(rangeOf({ from: "2026-05-01", to: "2026-05-01" }))).toBe("1 May 2026");
    expect(nameOfBefore(rangeOf({ last: "today" }))).toBe("the day before");
    expect(nameOfBefore(rangeOf({ last: "7" }))).toBe("the 7 days before");
  });
});

it.each<[RangeQuery, number]>([
  [{ last: "today" }, 21],
  [{ last: "7" }, 6],
  [{ from: "2026-05-01", to: "2026-05-03" }, -1],
  [{ from: "2026-05-19", to: "2026-05-25" }, 1],
  [{ from: "2026-06-01", to: "2026-06-09" }, -1],
])("the point that is not over yet of %j is point %d", (query, index) => {
  const range = rangeOf(query);
  expect(unfinishedIndex(range, bucketsOf(range), NOW)).toBe(index);
});
