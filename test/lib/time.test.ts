import { describe, expect, it } from "vitest";
import {
  DAY_MS,
  endOfDate,
  HOUR_MS,
  isoTime,
  isoTimeOrNull,
  MINUTE_MS,
  parseIsoMoment,
  parseIsoTime,
  SECOND_MS,
  startOfUtcDay,
} from "../../src/lib/time";

describe("a time", () => {
  it("is in milliseconds", () => {
    expect([SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
  });

  it("is in a day that begins at midnight in UTC", () => {
    expect([0, 5, DAY_MS, 3 * DAY_MS - 1].map(startOfUtcDay)).toEqual([0, 0, DAY_MS, 2 * DAY_MS]);
  });

  it("is written in UTC with milliseconds", () => {
    expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
    expect([isoTimeOrNull(0), isoTimeOrNull(null)]).toEqual(["1970-01-01T00:00:00.000Z", null]);
  });

  it.each([
    ["2026-05-01", "2026-05-01T00:00:00.000Z"],
    ["2026-05-01T09:00Z", "2026-05-01T09:00:00.000Z"],
    ["2026-05-01T09:00:59.5Z", "2026-05-01T09:00:59.500Z"],
    ["2026-05-01T00:30:00+02:00", "2026-04-30T22:30:00.000Z"],
    ["2026-12-31T23:30:00-05:45", "2027-01-01T05:15:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ])("%s is parsed as %s", (text, time) => {
    expect(isoTime(parseIsoTime(text) ?? 0)).toBe(time);
  });

  it.each([
    ["2026-05-01T09:00Z", "2026-05-01T09:00:00.000Z"],
    ["2026-05-01T09:00:59.123999999Z", "2026-05-01T09:00:59.123Z"],
    ["2026-05-01T00:30:00.123456+02:00", "2026-04-30T22:30:00.123Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["2026-05-01", undefined],
    ["2026-05-01T09:00", undefined],
    ["2026-05-01T09:00:59.1234567890Z", "2026-05-01T09:00:59.123Z"],
    ["2026-05-01t09:00:00z", "2026-05-01T09:00:00.000Z"],
    ["2026-05-01 09:00:00.123456+02:00", "2026-05-01T07:00:00.123Z"],
    ["2026-05-01T09:00:00+0200", "2026-05-01T07:00:00.000Z"],
    ["2026-05-01 09:00:00+02", "2026-05-01T07:00:00.000Z"],
    ["2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000Z"],
    ["2026-12-31T23:59:60.5+0000", "2027-01-01T00:00:00.500Z"],
    ["9999-12-31T23:59:60Z", undefined],
    ["2026-05-01T09:60Z", undefined],
    ["2026-05-01T09:00:61Z", undefined],
    ["2026-05-01_09:00Z", undefined],
    ["2026-05-01  09:00Z", undefined],
    ["2026-05-01T09:00 Z", undefined],
    ["2026-05-01T09:00:00+02:", undefined],
    ["2026-05-01T09:00:00+2", undefined],
    ["2026-05-01T09:00:00.Z", undefined],
    ["0000-01-01T00:00+00:01", undefined],
    ["9999-12-31T23:59:59-00:01", undefined],
  ])("%j is the moment %s", (text, time) => {
    expect(parseIsoMoment(text)).toBe(time);
  });

  it.each([
    "",
    "2026-05-1",
    "2026-05-01 ",
    "2026-05-01T09:00",
    "2026-05-01T09:00:00z",
    "2026-05-01T09:00:00+0200",
    "2026-05-01T25:00Z",
    "2026-02-30",
    "1 May 2026",
  ])("%j is not a time", (text) => {
    expect(parseIsoTime(text)).toBeUndefined();
  });
});

describe("a date that means its end", () => {
  it("is completed to its last millisecond in UTC", () => {
    expect(endOfDate("2026-05-31")).toBe("2026-05-31T23:59:59.999Z");
  });

  it.each(["2026-05-31T09:00:00Z", "12026-05-31", "2026-05-311", "2026-05", "tomorrow", ""])(
    "%j is none and stays as it is",
    (text) => {
      expect(endOfDate(text)).toBe(text);
    },
  );
});
