import { describe, expect, it } from "vitest";
import { bucketName, ticksOf, unfinishedIndex } from "../../../src/console/clicks/dates";
import {
  bucketsOf,
  comparedRange,
  dayIn,
  type RangeQuery,
  rangeOfDays,
  toRange,
} from "../../../src/lib/range";
import { zonesAfter } from "../../../src/lib/time-zone";

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

/** What clocks of a zone show at each hour of a day, of which some was counted by another zone. */
const hoursOf = (zones: Parameters<typeof rangeOfDays>[0], date: string): string[] => {
  const range = rangeOfDays(zones, dayIn(date), dayIn(date));
  return bucketsOf(range).map((hour) => bucketName(range, hour));
};

describe("each hour of a day has the time that clocks show when it begins", () => {
  it.each([
    ["Europe/Zurich", "2026-10-25", 25, ["00:00", "01:00", "02:00", "02:00", "03:00"]],
    ["America/New_York", "2026-03-08", 23, ["00:00", "01:00", "03:00", "04:00", "05:00"]],
    ["Asia/Kathmandu", "2026-05-02", 24, ["00:00", "01:00", "02:00", "03:00", "04:00"]],
    // The clock goes back by half an hour at 2 o'clock.
    ["Australia/Lord_Howe", "2026-04-05", 25, ["00:00", "01:00", "01:30", "02:30", "03:30"]],
    ["Australia/Lord_Howe", "2026-10-04", 24, ["00:00", "01:00", "02:30", "03:30", "04:30"]],
  ])("%s on %s, of %i points", (zone, date, points, first) => {
    const hours = hoursOf(zone, date);
    expect(hours).toHaveLength(points);
    expect(hours.slice(0, 5).map((name) => name.slice(-5))).toEqual(first);
    expect(new Set(hours.map((name) => name.slice(0, -7))).size).toBe(1);
  });

  it.each([
    ["UTC", "Europe/Zurich", "30 Nov 2026, 01:00", "1 Dec 2026, 00:00"],
    ["Europe/Zurich", "UTC", "29 Nov 2026, 23:00", "30 Nov 2026, 22:00"],
    ["UTC", "Asia/Kathmandu", "30 Nov 2026, 05:45", "1 Dec 2026, 04:45"],
    ["Asia/Kathmandu", "UTC", "29 Nov 2026, 18:15", "30 Nov 2026, 17:15"],
    ["Pacific/Pago_Pago", "Pacific/Kiritimati", "1 Dec 2026, 01:00", "2 Dec 2026, 00:00"],
  ])("a day of %s in a workspace that has %s now is from %s to %s", (before, after, first, last) => {
    const zones = zonesAfter({ zone: before, earlier: [] }, after, Date.parse("2026-12-02T07:18Z"));
    const hours = hoursOf(zones, "2026-11-30");
    expect([hours.length, hours[0], hours.at(-1)]).toEqual([24, first, last]);
    expect(new Set(hours).size).toBe(24);
  });

  it("on the day of the change they go on by the present clocks", () => {
    const zones = zonesAfter({ zone: "UTC", earlier: [] }, "Europe/Zurich", Date.parse("2026-12-01T06:18Z"));
    const times = Array.from(
      { length: 23 },
      (_, hour) => `1 Dec 2026, ${String(hour + 1).padStart(2, "0")}:00`,
    );
    expect(hoursOf(zones, "2026-12-01")).toEqual(times);
  });

  it("a day of the range before that has an hour more names it by its own clocks", () => {
    const range = rangeOfDays("Europe/Zurich", dayIn("2026-10-26"), dayIn("2026-10-26"));
    const last = bucketsOf(comparedRange(range)).at(-1) ?? expect.fail("no hour");
    expect(bucketName(range, last)).toBe("25 Oct 2026, 23:00");
  });
});

it("the ticks of a day that another zone counted say the date, since it has two", () => {
  const zones = zonesAfter({ zone: "UTC", earlier: [] }, "Europe/Zurich", Date.parse("2026-12-01T06:18Z"));
  const ticks = ticksOf(rangeOfDays(zones, dayIn("2026-11-30"), dayIn("2026-11-30")));
  expect(ticks.map(({ label }) => label)).toEqual([
    "30 Nov, 01:00",
    "30 Nov, 07:00",
    "30 Nov, 13:00",
    "30 Nov, 19:00",
  ]);
});
