import { describe, expect, it, vi } from "vitest";
import { toPoints } from "../../src/analytics/time-series";
import {
  bucketOfDay,
  bucketsOf,
  comparedRange,
  comparedUntil,
  MAX_DAYS,
  PRESETS,
  type Preset,
  type RangeQuery,
  rangeAfter,
  rangeBefore,
  toDate,
  toRange,
  toRangeQuery,
} from "../../src/lib/range";
import { DAY_MS } from "../../src/lib/time";
import { localDayAt, startOfLocalDay } from "../../src/lib/time-zone";

const NOW = Date.parse("2026-05-20T21:30Z");
const SINCE = Date.parse("2026-01-05T10:00Z");
const rangeOf = (query: RangeQuery, zone = "UTC") => toRange(query, zone, NOW, SINCE);
const shown = (range: ReturnType<typeof rangeOf> | undefined) =>
  range && `${toDate(range.firstDay)} ${toDate(range.lastDay)} ${range.unit}`;

describe("the range of a query", () => {
  it.each<[RangeQuery, string, string, string]>([
    [{}, "2026-04-21", "2026-05-20", "day"],
    [{ last: "today" }, "2026-05-20", "2026-05-20", "hour"],
    [{ last: "yesterday" }, "2026-05-19", "2026-05-19", "hour"],
    [{ last: "this-month" }, "2026-05-01", "2026-05-20", "day"],
    [{ last: "last-month" }, "2026-04-01", "2026-04-30", "day"],
    [{ last: "this-quarter" }, "2026-04-01", "2026-05-20", "day"],
    [{ last: "7" }, "2026-05-14", "2026-05-20", "day"],
    [{ from: "2026-02-20", to: "2026-05-20" }, "2026-02-20", "2026-05-20", "day"],
    [{ from: "2026-02-19", to: "2026-05-20" }, "2026-02-19", "2026-05-20", "week"],
    [{ last: "365" }, "2025-05-21", "2026-05-20", "week"],
    [{ last: "all" }, "2026-01-05", "2026-05-20", "week"],
    [{ from: "2026-05-01", to: "2026-05-02" }, "2026-05-01", "2026-05-02", "hour"],
    [{ from: "2026-05-03", to: "2026-05-01" }, "2026-05-01", "2026-05-03", "day"],
    [{ from: "2026-05-03" }, "2026-05-03", "2026-05-20", "day"],
    [{ from: "2026-06-03" }, "2026-06-03", "2026-06-03", "hour"],
    [{ to: "2026-05-03" }, "2026-04-04", "2026-05-03", "day"],
    [{ last: "7", from: "2026-05-01", to: "2026-05-09" }, "2026-05-01", "2026-05-09", "day"],
  ])("%j is from %s to %s by %s", (query, ...expected) => {
    expect(shown(rangeOf(query))).toBe(expected.join(" "));
  });

  it.each<[Preset, string, string]>([
    ["this-month", "2026-01-01T09:00Z", "2026-01-01 2026-01-01 hour"],
    ["last-month", "2026-01-01T09:00Z", "2025-12-01 2025-12-31 day"],
    ["last-month", "2026-03-31T09:00Z", "2026-02-01 2026-02-28 day"],
    ["this-quarter", "2026-12-31T09:00Z", "2026-10-01 2026-12-31 week"],
    // In Tokyo it is already June.
    ["this-month", "2026-05-31T20:00Z", "2026-06-01 2026-06-01 hour"],
    ["last-month", "2026-05-31T20:00Z", "2026-05-01 2026-05-31 day"],
  ])("%s at %s in Tokyo is %s", (last, at, expected) => {
    expect(shown(toRange({ last }, "Asia/Tokyo", Date.parse(at), SINCE))).toBe(expected);
  });

  it("today is the day of the time zone", () => {
    expect(shown(rangeOf({ last: "today" }, "Europe/Zurich"))).toBe("2026-05-20 2026-05-20 hour");
    expect(shown(rangeOf({ last: "today" }, "Asia/Tokyo"))).toBe("2026-05-21 2026-05-21 hour");
    const { from, to } = rangeOf({ last: "today" }, "Asia/Tokyo");
    expect([from, to]).toEqual([Date.parse("2026-05-20T15:00Z"), Date.parse("2026-05-21T15:00Z")]);
  });

  it("everything since a time to come is today", () => {
    const range = toRange({ last: "all" }, "UTC", NOW, NOW + DAY_MS);
    expect(shown(range)).toBe("2026-05-20 2026-05-20 hour");
  });

  it.each([
    ["UTC", "2025-04-30T23:59Z", "2025-04-30"],
    ["America/Los_Angeles", "2025-04-01T02:00Z", "2025-03-31"],
    ["UTC", "2020-01-01T00:00Z", "2024-05-01"],
    ["Pacific/Auckland", "2020-01-01T00:00Z", "2024-05-01"],
    ["America/Los_Angeles", "2020-01-01T00:00Z", "2024-05-01"],
  ])("everything begins with the first day that is kept: %s, %s", (zone, since, first) => {
    const june = Date.parse("2026-06-20T10:00Z");
    expect(toDate(toRange({ last: "all" }, zone, june, Date.parse(since)).firstDay)).toBe(first);
    expect(toDate(toRange({ from: "2019-01-01", to: "2026-06-20" }, zone, june, 0).firstDay)).toBe(
      "2024-05-01",
    );
  });

  it("a range has the last ten years at most", () => {
    const { firstDay, lastDay } = rangeOf({ from: "2026-01-01", to: "2050-01-01" });
    expect(lastDay - firstDay + 1).toBe(MAX_DAYS);
    expect(toDate(lastDay)).toBe("2050-01-01");
  });

  it.each(PRESETS)("the query of the range %s names it again", (last) => {
    expect(toRangeQuery(rangeOf({ last }))).toEqual({ last });
  });

  it("the query of chosen days has the days", () => {
    expect(toRangeQuery(rangeOf({ from: "2026-05-03", to: "2026-05-01" }))).toEqual({
      from: "2026-05-01",
      to: "2026-05-03",
    });
  });
});

describe("back and forward", () => {
  it("the range before has as many days and ends where the other begins", () => {
    const range = rangeOf({ last: "7" });
    expect(shown(rangeBefore(range))).toBe("2026-05-07 2026-05-13 day");
    expect(rangeBefore(range).to).toBe(range.from);
  });

  it.each<[RangeQuery, string, string, string]>([
    [{ last: "today" }, "UTC", "2026-05-20T21:30Z", "2026-05-19T22:00Z"],
    [{ last: "7" }, "UTC", "2026-05-20T21:00Z", "2026-05-13T22:00Z"],
    [{ last: "7" }, "Asia/Tokyo", "2026-05-20T15:10Z", "2026-05-13T16:00Z"],
    [{ from: "2026-05-18", to: "2026-05-24" }, "UTC", "2026-05-20T04:00Z", "2026-05-13T05:00Z"],
    // The clock was put forward on 29 March, and is put back on 25 October, which has an hour more.
    [{ from: "2026-03-29", to: "2026-03-31" }, "Europe/Zurich", "2026-03-31T04:00Z", "2026-03-28T06:00Z"],
    [{ from: "2026-10-25", to: "2026-10-25" }, "Europe/Zurich", "2026-10-25T22:30Z", "2026-10-24T22:00Z"],
    [{ from: "2026-05-01", to: "2026-05-07" }, "UTC", "2026-05-20T04:00Z", "2026-05-01T00:00Z"],
    [{ from: "2026-06-01", to: "2026-06-07" }, "UTC", "2026-05-20T04:00Z", "2026-06-01T00:00Z"],
    // At its first moment, and at the first moment after it.
    [{ from: "2026-05-18", to: "2026-05-24" }, "UTC", "2026-05-18T00:00Z", "2026-05-11T01:00Z"],
    [{ from: "2026-05-18", to: "2026-05-24" }, "UTC", "2026-05-25T00:00Z", "2026-05-18T00:00Z"],
  ])("%j in %s at %s is compared until %s", (query, zone, at, until) => {
    const now = Date.parse(at);
    expect(comparedUntil(toRange(query, zone, now, SINCE), now)).toBe(Date.parse(until));
  });

  it.each<[RangeQuery, string, string, string]>([
    [{ last: "yesterday" }, "2026-05-20T21:30Z", "2026-05-18 2026-05-18 hour", "2026-05-19T00:00Z"],
    [{ last: "this-month" }, "2026-05-20T21:30Z", "2026-04-01 2026-04-20 day", "2026-04-20T22:00Z"],
    [{ last: "this-month" }, "2026-05-02T04:00Z", "2026-04-01 2026-04-02 hour", "2026-04-02T05:00Z"],
    // The month before has no such day.
    [{ last: "this-month" }, "2026-03-31T21:30Z", "2026-02-01 2026-02-28 day", "2026-03-01T00:00Z"],
    [{ last: "last-month" }, "2026-03-31T21:30Z", "2026-01-01 2026-01-31 day", "2026-02-01T00:00Z"],
    [{ last: "last-month" }, "2026-01-31T21:30Z", "2025-11-01 2025-11-30 day", "2025-12-01T00:00Z"],
    [{ last: "this-quarter" }, "2026-06-30T21:30Z", "2026-01-01 2026-03-31 week", "2026-04-01T00:00Z"],
    [{ last: "this-quarter" }, "2026-05-20T21:30Z", "2026-01-01 2026-02-19 day", "2026-02-19T22:00Z"],
    [
      { from: "2026-05-01", to: "2029-12-31" },
      "2026-05-01T04:00Z",
      "2022-09-01 2026-04-30 week",
      "2022-09-01T05:00Z",
    ],
    [
      { from: "2026-04-01", to: "2026-04-30" },
      "2026-05-20T04:00Z",
      "2026-03-01 2026-03-31 day",
      "2026-04-01T00:00Z",
    ],
    [
      { from: "2026-01-01", to: "2026-03-31" },
      "2026-05-20T04:00Z",
      "2025-10-01 2025-12-31 day",
      "2026-01-01T00:00Z",
    ],
    [
      { from: "2026-04-01", to: "2026-04-29" },
      "2026-05-20T04:00Z",
      "2026-03-03 2026-03-31 day",
      "2026-04-01T00:00Z",
    ],
    [{ last: "30" }, "2026-04-30T23:30Z", "2026-03-02 2026-03-31 day", "2026-04-01T00:00Z"],
  ])("%j at %s is compared with %s until %s", (query, at, expected, until) => {
    const now = Date.parse(at);
    const range = toRange(query, "UTC", now, SINCE);
    expect(shown(comparedRange(range))).toBe(expected);
    expect(comparedUntil(range, now)).toBe(Date.parse(until));
  });

  it("whole months lead to whole months", () => {
    const month = rangeOf({ last: "this-month" });
    const before = rangeBefore(month);
    expect(shown(before)).toBe("2026-04-01 2026-04-30 day");
    expect(shown(rangeBefore(before))).toBe("2026-03-01 2026-03-31 day");
    expect(shown(rangeAfter(rangeBefore(before), NOW))).toBe("2026-04-01 2026-04-30 day");
    expect(shown(rangeAfter(before, NOW))).toBe("2026-05-01 2026-05-20 day");
    expect(shown(rangeBefore(rangeOf({ last: "this-quarter" })))).toBe("2026-01-01 2026-03-31 day");
  });

  it("the range after ends today at the latest", () => {
    const following = (from: string, to: string) => shown(rangeAfter(rangeOf({ from, to }), NOW));
    expect(following("2026-05-01", "2026-05-07")).toBe("2026-05-08 2026-05-14 day");
    expect(following("2026-05-12", "2026-05-18")).toBe("2026-05-19 2026-05-20 hour");
    expect(rangeAfter(rangeOf({ last: "30" }), NOW)).toBeUndefined();
  });
});

describe("the points of a chart", () => {
  const ZONES = ["UTC", "Europe/Zurich", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe"];

  it("a day has 24 hours, 23 when the clock goes forward, and 25 when it goes back", () => {
    const hoursOf = (date: string) => bucketsOf(rangeOf({ from: date, to: date }, "Europe/Zurich")).length;
    expect([hoursOf("2026-05-01"), hoursOf("2026-03-29"), hoursOf("2026-10-25")]).toEqual([24, 23, 25]);
  });

  it("thirty days are thirty points, each at the start of its day", () => {
    const range = rangeOf({ last: "30" }, "Europe/Zurich");
    const buckets = bucketsOf(range);
    expect(buckets).toHaveLength(30);
    expect(buckets[0]).toEqual({ day: range.firstDay, at: range.from });
    expect(buckets.map(({ day }) => bucketOfDay(range, day))).toEqual(buckets.map((_, index) => index));
  });

  it.each(ZONES)(
    "%s: they begin when their days do, whatever the clocks do, and no date is formatted for them",
    (zone) => {
      const ranges = [
        { from: "2016-05-01", to: "2026-04-30" },
        { from: "2026-03-01", to: "2026-05-20" },
        { from: "2026-09-20", to: "2026-11-20" },
        ...["2026-03-29", "2026-04-24", "2026-10-25", "2026-10-29"].map((day) => ({ from: day, to: day })),
      ].map((query) => rangeOf(query, zone));
      const format = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts");
      const all = ranges.map(bucketsOf);
      const points = ranges.map((range) => toPoints(range, []));
      expect(format).not.toHaveBeenCalled();
      format.mockRestore();
      for (const [index, range] of ranges.entries()) {
        const buckets = all[index] ?? [];
        expect(points[index]).toHaveLength(buckets.length);
        for (const { day, at } of buckets) {
          if (range.unit === "hour") expect(day).toBe(localDayAt(zone, at));
          else expect(at).toBe(startOfLocalDay(zone, day));
        }
      }
    },
  );

  it("weeks begin on Mondays, the first with the range", () => {
    const range = rangeOf({ from: "2026-01-01", to: "2026-05-20" });
    const buckets = bucketsOf(range);
    expect(buckets.slice(0, 3).map(({ day }) => toDate(day))).toEqual([
      "2026-01-01",
      "2026-01-05",
      "2026-01-12",
    ]);
    for (let day = range.firstDay; day <= range.lastDay; day++) {
      const bucket = bucketOfDay(range, day);
      expect(buckets[bucket]?.day).toBeLessThanOrEqual(day);
      expect(buckets[bucket + 1]?.day ?? Number.MAX_SAFE_INTEGER).toBeGreaterThan(day);
    }
    expect(buckets.at(-1)?.at).toBe(Date.parse("2026-05-18T00:00Z"));
    expect(range.to - range.from).toBe(140 * DAY_MS);
  });
});
