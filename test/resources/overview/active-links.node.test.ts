import { describe, expect, it } from "vitest";
import { rangeOfDays } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { activeLinksAtStart } from "../../../src/resources/overview/active-links";

const DAY = 20_000;
const STORED = { day: DAY * DAY_MS, active_links: 7 };
const START = DAY * DAY_MS;

describe("the number of active links at the start of a range", () => {
  it.each([
    ["is that of its first day", 0, STORED, { links: 7, day: DAY }],
    [
      "is that of an earlier day if the first one has none",
      0,
      { ...STORED, day: (DAY - 3) * DAY_MS },
      { links: 7, day: DAY - 3 },
    ],
    ["is unknown if no day has one", 0, undefined, null],
    ["is that of the day if the workspace is a little older", START - 1, STORED, { links: 7, day: DAY }],
    ["is none if the workspace was created at the start", START, undefined, { links: 0, day: DAY }],
    [
      "is none if the workspace was created later, also on its first day",
      START + HOUR_MS,
      STORED,
      { links: 0, day: DAY },
    ],
  ])("%s", (_, createdAt, stored, expected) => {
    expect(activeLinksAtStart(rangeOfDays("UTC", DAY, DAY + 6), createdAt, stored)).toEqual(expected);
  });

  it("is none if the workspace was created after the first day began in its time zone", () => {
    const inZone = (zone: string, createdAt: number) =>
      activeLinksAtStart(rangeOfDays(zone, DAY, DAY), createdAt, undefined)?.links;
    expect(inZone("Pacific/Kiritimati", START - 14 * HOUR_MS)).toBe(0);
    expect(inZone("Pacific/Kiritimati", START - 15 * HOUR_MS)).toBeUndefined();
    expect(inZone("America/New_York", START)).toBeUndefined();
  });
});
