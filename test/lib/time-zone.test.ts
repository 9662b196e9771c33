import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../../src/lib/time";
import {
  exactOffsetAt,
  isTimeZone,
  localDayAt,
  offsetsIn,
  presentZoneName,
  startOfLocalDay,
  timeZones,
} from "../../src/lib/time-zone";

const at = (time: string): number => Date.parse(time);
const dayOf = (date: string): number => at(`${date}T00:00Z`) / DAY_MS;

describe("the names of time zones", () => {
  it.each([
    ["UTC", true],
    ["Europe/Zurich", true],
    ["Etc/GMT+5", true],
    ["europe/zurich", false],
    ["Mars/Olympus", false],
    ["", false],
    ["+02:00", false],
  ])("%j is a time zone: %s", (name, is) => {
    expect(isTimeZone(name)).toBe(is);
  });

  it("UTC comes first among the names to choose from", () => {
    expect(timeZones()[0]).toBe("UTC");
    expect(timeZones().every(isTimeZone)).toBe(true);
  });

  it.each([
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["Europe/Kiev", "Europe/Kyiv"],
    ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ])("%s is listed as %s", (earlier, present) => {
    expect(timeZones()).toContain(present);
    expect(timeZones()).not.toContain(earlier);
    expect(presentZoneName(earlier)).toBe(present);
  });

  it("every zone that Intl lists is in the list once, by a name of the same zone", () => {
    const canonical = (zone: string) =>
      new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
    const listed = Intl.supportedValuesOf("timeZone");
    expect(listed.map((zone) => canonical(presentZoneName(zone)))).toEqual(listed.map(canonical));
    expect(new Set(timeZones())).toEqual(new Set(["UTC", ...listed.map(presentZoneName)]));
    expect(new Set(timeZones()).size).toBe(timeZones().length);
  });
});

it.each([
  ["UTC", "2026-07-01T00:00Z", 0],
  ["Europe/Zurich", "2026-01-01T00:00Z", 1],
  ["Europe/Zurich", "2026-07-01T00:00Z", 2],
  ["America/New_York", "2026-07-01T00:00Z", -4],
  ["Asia/Kathmandu", "2026-07-01T00:00Z", 5.75],
])("the offset of %s at %s is %f hours", (zone, time, hours) => {
  expect(exactOffsetAt(zone, at(time))).toBe(hours * HOUR_MS);
});

it("an exact offset has seconds, as Liberia's had until 1972, and is none on Greenwich time", () => {
  expect(exactOffsetAt("Africa/Monrovia", at("1970-01-01T00:00Z"))).toBe(-(44 * 60 + 30) * 1_000);
  expect(exactOffsetAt("Africa/Abidjan", at("2026-05-20T00:00Z"))).toBe(0);
});

it("the offsets of a year change when the clock changes", () => {
  expect(offsetsIn("Europe/Zurich", at("2026-01-01T00:00Z"), at("2027-01-01T00:00Z"))).toEqual([
    { from: at("2026-01-01T00:00Z"), offset: HOUR_MS },
    { from: at("2026-03-29T01:00Z"), offset: 2 * HOUR_MS },
    { from: at("2026-10-25T01:00Z"), offset: HOUR_MS },
  ]);
});

it("an offset that begins with the end is none of its range", () => {
  expect(offsetsIn("Europe/Zurich", at("2026-03-01T00:00Z"), at("2026-03-29T01:00Z"))).toEqual([
    { from: at("2026-03-01T00:00Z"), offset: HOUR_MS },
  ]);
});

it("a zone without changes has one offset, also one of half an hour", () => {
  expect(offsetsIn("Asia/Kolkata", at("2026-01-01T00:00Z"), at("2027-01-01T00:00Z"))).toEqual([
    { from: at("2026-01-01T00:00Z"), offset: 5.5 * HOUR_MS },
  ]);
});

// A past year, on which the time zones of every Node agree.
it.each(["2025-01-01", "2025-02-10"])(
  "the fasting month, for which Morocco changes its clock, is not skipped from %s on",
  (date) => {
    const offsets = offsetsIn("Africa/Casablanca", at(`${date}T00:00Z`), at("2025-12-31T00:00Z"));
    expect(offsets.map(({ offset }) => offset / HOUR_MS)).toEqual([1, 0, 1]);
  },
);

it.each([
  ["UTC", "2026-05-01", "2026-05-01T00:00Z"],
  ["Europe/Zurich", "2026-03-29", "2026-03-28T23:00Z"],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00Z"],
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00Z"],
  ["Asia/Kolkata", "2026-05-01", "2026-04-30T18:30Z"],
  ["Asia/Kathmandu", "2026-05-01", "2026-04-30T18:15Z"],
  ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00Z"],
  ["Australia/Lord_Howe", "2026-04-06", "2026-04-05T13:30Z"],
  // This island moved to the other side of the date line in 1995.
  ["Pacific/Kiritimati", "2026-05-01", "2026-04-30T10:00Z"],
])("in %s %s begins at %s", (zone, date, start) => {
  expect(new Date(startOfLocalDay(zone, dayOf(date))).toISOString()).toBe(new Date(start).toISOString());
});

it("every day begins with the first of its quarter hours", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...timeZones().filter((_, index) => index % 7 === 0)),
      fc.integer({ min: dayOf("2015-01-01"), max: dayOf("2035-01-01") }),
      (zone, day) => {
        const start = startOfLocalDay(zone, day);
        expect(start % QUARTER_MS).toBe(0);
        expect(localDayAt(zone, start)).toBeGreaterThanOrEqual(day);
        expect(localDayAt(zone, start - 1)).toBeLessThan(day);
      },
    ),
  );
});
