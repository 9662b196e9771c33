import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dateAt,
  dateOrderOf,
  daysBetween,
  endOfDateIn,
  fromLocalMoment,
  fromWrittenDay,
  fromWrittenMoment,
  startOfDate,
  timesOfDays,
  toLocalMoment,
} from "../../src/lib/local-time";

const ZURICH = "Europe/Zurich";

describe("a moment on the clocks of a zone", () => {
  it.each([
    ["2026-06-01T08:00:00.000Z", "UTC", "2026-06-01T08:00"],
    ["2026-06-01T08:00:00.000Z", ZURICH, "2026-06-01T10:00"],
    ["2026-01-01T08:00:30.250Z", ZURICH, "2026-01-01T09:00:30.250"],
    ["2026-01-01T08:00:30.000Z", ZURICH, "2026-01-01T09:00:30"],
    ["2026-01-01T20:00:00.000Z", "Asia/Kolkata", "2026-01-02T01:30"],
  ])("%s is in %s %s, and back", (time, zone, local) => {
    expect(toLocalMoment(time, zone)).toBe(local);
    expect(fromLocalMoment(local, zone)).toBe(time);
  });

  it("that is skipped when clocks go forward moves on by an hour", () => {
    expect(fromLocalMoment("2026-03-29T02:30", ZURICH)).toBe("2026-03-29T01:30:00.000Z");
    expect(toLocalMoment("2026-03-29T01:30:00.000Z", ZURICH)).toBe("2026-03-29T03:30");
    expect(fromLocalMoment("2026-03-29T01:59", ZURICH)).toBe("2026-03-29T00:59:00.000Z");
    expect(fromLocalMoment("2026-03-29T03:00", ZURICH)).toBe("2026-03-29T01:00:00.000Z");
    expect(fromLocalMoment("2026-10-04T02:15", "Australia/Lord_Howe")).toBe("2026-10-03T15:45:00.000Z");
  });

  it("that occurs twice when clocks go back is the first", () => {
    expect(fromLocalMoment("2026-10-25T02:30", ZURICH)).toBe("2026-10-25T00:30:00.000Z");
    expect(toLocalMoment("2026-10-25T01:30:00.000Z", ZURICH)).toBe("2026-10-25T02:30");
    expect(fromLocalMoment("2026-10-25T03:00", ZURICH)).toBe("2026-10-25T02:00:00.000Z");
  });

  it.each([
    "",
    "next week",
    "2026-02-30T08:00",
    "2026-06-01",
    "2026-06-01T25:00",
    "2026-06-01T08:00Z",
    "26-06-01T08:00",
  ])("%j is none", (text) => {
    expect(fromLocalMoment(text, ZURICH)).toBeUndefined();
  });

  it("is read as what was shown, but for the second of two that are shown alike", () => {
    const zones = fc.constantFrom("UTC", ZURICH, "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe");
    const times = fc.date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(times, zones, (at, zone) => {
        const local = toLocalMoment(at.toISOString(), zone);
        const read = fromLocalMoment(local, zone) ?? "";
        expect(toLocalMoment(read, zone)).toBe(local);
        expect(Date.parse(read)).toBeLessThanOrEqual(at.getTime());
        expect(Date.parse(read)).toBeGreaterThan(at.getTime() - 2 * 60 * 60 * 1000);
      }),
    );
  });
});

describe("a date in a time zone", () => {
  it.each([
    ["UTC", "2026-05-01", "2026-05-01T00:00:00.000Z", "2026-05-01T23:59:59.999Z"],
    ["Asia/Kolkata", "2026-05-01", "2026-04-30T18:30:00.000Z", "2026-05-01T18:29:59.999Z"],
    // The day on which the clock goes forward, and the one on which it goes back.
    ["Europe/Zurich", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.999Z"],
    ["Europe/Zurich", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.999Z"],
    // The clock goes from midnight to one.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z", "2026-09-07T02:59:59.999Z"],
    // The clock goes from midnight back to eleven of the day before.
    ["America/Santiago", "2026-04-05", "2026-04-05T04:00:00.000Z", "2026-04-06T03:59:59.999Z"],
  ])("of %s: %s lasts from %s to %s", (zone, date, start, end) => {
    expect([startOfDate(date, zone), endOfDateIn(date, zone)]).toEqual([start, end]);
    expect([start, end].map((time) => dateAt(time, zone))).toEqual([date, date]);
  });

  it("has no end if the next year has five digits", () => {
    expect(startOfDate("9999-12-31", "UTC")).toBe("9999-12-31T00:00:00.000Z");
    expect(endOfDateIn("9999-12-31", "UTC")).toBeUndefined();
  });

  it.each(["", "soon", "2026-02-30", "2026-05-01T10:00", "2026-05-01T00:00:00Z"])("is not %j", (text) => {
    expect([startOfDate(text, "UTC"), endOfDateIn(text, "UTC")]).toEqual([undefined, undefined]);
  });

  it.each([
    ["UTC", "2026-05-01T23:59:00Z", "2026-05-02T00:00:00Z", 1],
    ["Europe/Zurich", "2026-05-01T21:00:00Z", "2026-05-01T22:00:00Z", 1],
    ["Asia/Kolkata", "2026-05-01T18:29:00Z", "2026-05-01T18:31:00Z", 1],
  ])("in %s from %s to %s it is %i days", (zone, from, to, days) => {
    expect(daysBetween(Date.parse(from), Date.parse(to), zone)).toBe(days);
  });

  it.each([
    ["2026-05-01", "2026-05-02", "2026-04-30T18:30:00Z", "2026-05-02T18:30:00Z"],
    [undefined, "2026-05-01", undefined, "2026-05-01T18:30:00Z"],
    ["2026-05-01", undefined, "2026-04-30T18:30:00Z", undefined],
    ["soon", "never", undefined, undefined],
  ])("from %s to %s in Asia/Kolkata is from %s to %s", (from, to, start, end) => {
    const at = (time: string | undefined) => time && Date.parse(time);
    expect(timesOfDays(from, to, "Asia/Kolkata")).toEqual({ from: at(start), to: at(end) });
  });
});

describe("a time in a file of another service", () => {
  it.each([
    ["2024-03-05T13:30:00.000Z", "2024-03-05T13:30:00.000Z"],
    ["2024-03-05T14:30:00+01:00", "2024-03-05T13:30:00.000Z"],
    ["2024-03-05T13:30:00+0000", "2024-03-05T13:30:00.000Z"],
    ["2024-03-05 13:30:00 UTC", "2024-03-05T13:30:00.000Z"],
    ["2024-03-05 14:30:00", "2024-03-05T13:30:00.000Z"],
    ["2024-07-05 14:30", "2024-07-05T12:30:00.000Z"],
    ["2024-03-05T14:30:00.123456", "2024-03-05T13:30:00.123Z"],
    ["2024-03-05", "2024-03-04T23:00:00.000Z"],
    ["1709645400", "2024-03-05T13:30:00.000Z"],
    ["1709645400123", "2024-03-05T13:30:00.123Z"],
    ["31.12.2026", "2026-12-30T23:00:00.000Z"],
    ["3.4.2026", "2026-04-02T22:00:00.000Z"],
    ["31.12.2026 18:00", "2026-12-31T17:00:00.000Z"],
    ["31/12/2026, 9:05:06", "2026-12-31T08:05:06.000Z"],
    ["12/31/2026 6:30 PM", "2026-12-31T17:30:00.000Z"],
    ["12-31-2026 12:30am", "2026-12-30T23:30:00.000Z"],
    ["05/05/2026", "2026-05-04T22:00:00.000Z"],
    ["2026/5/1", "2026-04-30T22:00:00.000Z"],
  ])("%s in Zurich is %s", (text, time) => {
    expect(fromWrittenMoment(text, ZURICH)).toBe(time);
  });

  it.each([
    ...[
      "",
      "2024",
      "3/5/2024 14:30",
      "31.02.2026",
      "13/13/2026",
      "31.12.26",
      "1.5/2026",
      "1/13/2026 13:00 PM",
      "Mar 5, 2024",
      "2024-02-30",
      "2024-02-30 10:00:00",
    ],
    ...["0000-00-00 00:00:00", "2024-03-05 25:00:00", "123456789", "17096454001", "-1709645400", "yesterday"],
  ])("%s is none", (text) => {
    expect(fromWrittenMoment(text, ZURICH)).toBeUndefined();
  });

  it.each([
    ["03/04/2026", "day", "2026-04-02T22:00:00.000Z"],
    ["03/04/2026", "month", "2026-03-03T23:00:00.000Z"],
    ["3-4-2026 08:00", "month", "2026-03-04T07:00:00.000Z"],
    // One that can be read in one way only is read so.
    ["31/12/2026", "month", "2026-12-30T23:00:00.000Z"],
    ["12/31/2026", "day", "2026-12-30T23:00:00.000Z"],
    ["3.4.2026", "month", "2026-04-02T22:00:00.000Z"],
  ] as const)("%s with the %s first is %s", (text, order, time) => {
    expect(fromWrittenMoment(text, ZURICH, { order })).toBe(time);
  });

  it.each([
    ["31.12.2026", "day", "2026-12-31"],
    ["2026-10-25", undefined, "2026-10-25"],
    ["03/04/2026", "month", "2026-03-04"],
    ["31.12.2026 18:00", "day", undefined],
    ["30.02.2026", "day", undefined],
    ["1700000000", undefined, undefined],
  ] as const)("%s with the %s first is the day %s", (text, order, day) => {
    expect(fromWrittenDay(text, order)).toBe(day);
  });

  it.each([
    ["31/12/2026", "day"],
    ["12-31-2026 10:00", "month"],
    ["03/04/2026", "either"],
    ["31.12.2026", "dots"],
    ...["04/04/2026", "12.31.2026", "2026-12-31", "soon"].map((text) => [text, undefined] as const),
  ] as const)("%s shows an order: %s", (text, order) => {
    expect(dateOrderOf(text)).toBe(order);
  });

  it("is read quickly of any length", () => {
    for (const part of ["1", " ", ".1", "2024-03-05 "])
      expect(fromWrittenMoment(part.repeat(20_000), ZURICH)).toBeUndefined();
  });
});
