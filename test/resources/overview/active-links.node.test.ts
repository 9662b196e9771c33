import { describe, expect, it } from "vitest";
import { rangeOfDays } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { activeLinksAtStart } from "../../../src/resources/overview/active-links";

const DAY = 20_000;
const STORED = { day: DAY * DAY_MS, active_links: 7 };
const START = DAY * DAY_MS;

describe("the number of active links at the start of a range", () => {
  it("is what is stored, unless the workspace was created at the start or later", () => {
    const linksAt = (createdAt: number) =>
      activeLinksAtStart(rangeOfDays("UTC", DAY, DAY + 6), createdAt, STORED)?.links;
    expect([START - 1, START, START + HOUR_MS].map(linksAt)).toEqual([7, 0, 0]);
  });

  it("is none if the workspace was created after the first day began in its time zone", () => {
    const inZone = (zone: string, createdAt: number) =>
      activeLinksAtStart(rangeOfDays(zone, DAY, DAY), createdAt, undefined)?.links;
    expect(inZone("Pacific/Kiritimati", START - 14 * HOUR_MS)).toBe(0);
    expect(inZone("Pacific/Kiritimati", START - 15 * HOUR_MS)).toBeUndefined();
    expect(inZone("America/New_York", START)).toBeUndefined();
  });
});
