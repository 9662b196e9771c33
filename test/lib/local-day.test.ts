import { describe, expect, it } from "vitest";
import { dateAt, daysBetween, endOfDateIn, startOfDate, timesOfDays } from "../../src/lib/local-day";

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
