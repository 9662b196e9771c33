import { describe, expect, it } from "vitest";
import { makeVisits, type Profile, type Visited } from "../../src/cli/demo-visits";

const DAY_MS = 86_400_000;
/** A Sunday evening. */
const NOW = Date.parse("2026-11-22T18:30:00Z");

const link = (profile: Partial<Profile>, endsAt = Infinity): Visited => ({
  link: "L",
  assets: ["A", "B"],
  endsAt,
  profile: { clicks: 20, scans: 10, course: "steady", ...profile },
});

function countBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>();
  for (const one of items) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

describe("the visits of the demo", () => {
  it("are the same ones for the same links and time", () => {
    expect(makeVisits([link({})], NOW)).toEqual(makeVisits([link({})], NOW));
  });

  it("are of the last 60 days, and none is in the future", () => {
    const visits = makeVisits([link({})], NOW);
    const times = visits.map(({ at }) => at);
    expect(Math.max(...times)).toBeLessThan(NOW);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(NOW - 60 * DAY_MS);
    expect(new Set(times.map((at) => Math.floor(at / DAY_MS))).size).toBe(60);
  });

  it("follow the course of their link: on workdays, on Thursdays, or during a campaign", () => {
    const countsOf = (course: Profile["course"], keyOf: (at: number) => number) =>
      countBy(makeVisits([link({ course })], NOW), ({ at }) => keyOf(at));
    const dayOf = (at: number) => new Date(at).getUTCDay();
    const steady = countsOf("steady", dayOf);
    expect(steady.get(2) ?? 0).toBeGreaterThan(2 * (steady.get(0) ?? 0));
    const weekly = countsOf("weekly", dayOf);
    expect(Math.max(...weekly.values())).toBe(weekly.get(4));
    const byWeek = countsOf("campaign", (at) => Math.floor((NOW - at) / (7 * DAY_MS)));
    expect(byWeek.get(3) ?? 0).toBeGreaterThan(5 * (byWeek.get(7) ?? 0));
  });

  it("are scans of assets and clicks, by people and bots, from many places, and late after the link's end", () => {
    const visits = makeVisits([link({}, NOW - 10 * DAY_MS)], NOW);
    const scans = visits.filter(({ asset }) => asset !== null);
    expect(new Set(scans.map(({ asset }) => asset))).toEqual(new Set(["A", "B"]));
    expect(new Set(visits.map(({ country }) => country)).size).toBeGreaterThan(5);
    expect(visits.some(({ agent }) => agent?.includes("Googlebot"))).toBe(true);
    expect(visits.every(({ at, isAfterEnd }) => isAfterEnd === at >= NOW - 10 * DAY_MS)).toBe(true);
  });

  it("are none of a link without a profile", () => {
    expect(makeVisits([{ ...link({}), profile: undefined }], NOW)).toEqual([]);
  });
});
