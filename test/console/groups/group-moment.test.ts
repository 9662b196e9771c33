import { describe, expect, it } from "vitest";
import { momentText, relativeDay } from "../../../src/console/groups/group-dates";

const NOW = Date.parse("2026-05-10T12:00:00Z");
const at = (time: string | null) => (time === null ? null : Date.parse(time));

describe("the dates of a group in words", () => {
  it.each([
    ["2026-05-19T00:00:00Z", "2026-06-30T23:59:59.999Z", "UTC", "starts in 9 days"],
    ["2026-05-11T00:00:00Z", null, "UTC", "starts tomorrow"],
    ["2026-05-10T12:00:00.001Z", null, "UTC", "starts today"],
    ["2026-05-10T12:00:00Z", null, "UTC", "started today"],
    ["2026-05-01T00:00:00Z", null, "UTC", "started 9 days ago"],
    ["2026-05-01T00:00:00Z", "2026-05-10T23:59:59.999Z", "UTC", "ends today"],
    [null, "2026-05-15T23:59:59.999Z", "UTC", "ends in 5 days"],
    [null, "2026-05-15T23:59:59.999Z", "Europe/Zurich", "ends in 6 days"],
    ["2026-05-01T00:00:00Z", "2026-05-07T23:59:59.999Z", "UTC", "ended 3 days ago"],
    ["2026-05-01T00:00:00Z", "2026-05-10T12:00:00Z", "UTC", "ended today"],
    ["2026-05-01T00:00:00Z", "2026-05-09T23:59:59.999Z", "UTC", "ended yesterday"],
    [null, null, "UTC", undefined],
  ])("from %s to %s in %s: %s", (start, end, zone, text) => {
    expect(momentText({ startsAt: at(start), endsAt: at(end) }, zone, NOW)).toBe(text);
  });

  it.each([
    [60, "in 60 days"],
    [61, "in 2 months"],
    [-200, "7 months ago"],
    [700, "in 23 months"],
    [731, "in 2 years"],
    [-3_653, "10 years ago"],
  ])("%i days away: %s", (days, text) => expect(relativeDay(days)).toBe(text));
});
