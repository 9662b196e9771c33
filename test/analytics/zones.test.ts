import { describe, expect, it } from "vitest";
import { reportGroupLinks } from "../../src/analytics/group-report";
import { listTopGroups, listTopLinks } from "../../src/analytics/rankings";
import { reportTagVisits, reportVisits } from "../../src/analytics/report";
import { listVisitsOfLinks, sumVisits, sumVisitsOfTags } from "../../src/analytics/visits-by-owner";
import { writeCounts } from "../../src/analytics/write-visits";
import { bucketsOf, type Range, type RangeQuery, rangeOfDays, toRange } from "../../src/lib/range";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { addVisits } from "../console/clicks";
import { makeWorkspace } from "../harness";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const dayOf = (date: string) => Date.parse(date) / DAY_MS;

async function makeWorkspaceIn(zone: string) {
  const ws = await makeWorkspace();
  await updateWorkspace(ws.ctx, { time_zone: zone });
  return ws;
}

/** A link in a group and with a tag, with a click and a scan of its asset in every hour from a time to another. */
async function makeHourly(zone: string, from: string, to: string) {
  const ws = await makeWorkspaceIn(zone);
  const group = await ws.group();
  const tag = await ws.tag();
  const link = await ws.link({ activity_group_id: group.id, tag_ids: [tag.id] });
  const asset = await createAsset(ws.ctx, { link: link.id, name: "Poster", kind: "poster" });
  const hours = Array.from(
    { length: (Date.parse(to) - Date.parse(from)) / HOUR_MS },
    (_, index) => Date.parse(from) + index * HOUR_MS,
  );
  const one = { link: link.id, bots: 0, after_end: 0 };
  await writeCounts(ws.ctx, {
    hours: hours.flatMap((hour) => [
      { ...one, asset: null, hour, clicks: 1, scans: 0, last: hour },
      { ...one, asset: asset.id, hour, clicks: 0, scans: 1, last: hour },
    ]),
    days: [],
  });
  return { ws, group, tag, link, asset };
}

/** The hours of each bucket: those that exist on the clocks of a zone, one click each. */
const hoursIn = (range: Range): number[] =>
  bucketsOf(range).map(({ at }, index, all) => ((all[index + 1]?.at ?? range.to) - at) / HOUR_MS);

describe("clicks in a time zone", () => {
  it.each<[string, string, string, number[]]>([
    ["Europe/Zurich", "2026-10-23", "2026-10-27", [24, 24, 25, 24, 24]],
    ["America/New_York", "2026-03-06", "2026-03-10", [24, 24, 23, 24, 24]],
    ["Asia/Kolkata", "2026-05-01", "2026-05-03", [24, 24, 24]],
    ["Pacific/Kiritimati", "2026-05-01", "2026-05-03", [24, 24, 24]],
  ])("%s, %s to %s, are counted on the days of its clocks", async (zone, first, last, hours) => {
    const start = new Date(Date.parse(first) - 9 * DAY_MS).toISOString();
    const { ws, group, tag, link } = await makeHourly(
      zone,
      start,
      new Date(Date.parse(last) + 3 * DAY_MS).toISOString(),
    );
    const range = rangeOfDays(zone, dayOf(first), dayOf(last));
    const all = hours.reduce((sum, count) => sum + count, 0);
    expect(hoursIn(range).reduce((sum, count) => sum + count, 0)).toBe(all);
    for (const scope of [{ workspace: true } as const, { link: link.id }, { group: group.id }]) {
      const report = await reportVisits(ws.ctx, scope, range, { compare: true });
      expect(report.points.map(({ clicks }) => clicks)).toEqual(hours);
      expect(report.totals.clicks).toBe(all);
      expect(report.pointsBefore).toHaveLength(hours.length);
      expect(report.before?.clicks).toBeGreaterThanOrEqual(24 * hours.length - 1);
    }
    const listed = await listVisitsOfLinks(ws.ctx, [link.id], range);
    expect(listed.get(link.id)?.map(({ clicks }) => clicks)).toEqual(hours);
    expect((await listTopLinks(ws.ctx, range, 5)).map(({ clicks }) => clicks)).toEqual([all]);
    expect((await listTopGroups(ws.ctx, range, 5)).map((one) => one.visits)).toEqual([2 * all]);
    expect((await reportGroupLinks(ws.ctx, group.id, range))?.channels[0]?.points).toEqual(
      hours.map((count) => ({ clicks: count, scans: count, after_end: 0 })),
    );
    expect([...((await sumVisitsOfTags(ws.ctx, range)) ?? [])]).toEqual([[tag.id, 2 * all]]);
    expect((await sumVisits(ws.ctx, "group", [group.id], range)).get(group.id)).toBe(2 * all);
  });

  it.each([
    ["Pacific/Auckland", 8, 15],
    ["America/Los_Angeles", 5, 15],
  ])(
    "%s: the top of today is found among links with more clicks on the same day in UTC",
    async (zone, yesterday, today) => {
      const ws = await makeWorkspaceIn(zone);
      const clickAt = async (at: number, people: number) => {
        const group = await ws.group();
        const link = await ws.link({ activity_group_id: group.id });
        const hour = Date.parse("2026-06-10") + at * HOUR_MS;
        await addVisits(ws, link.id, hour, { clicks: people });
        return { group, link };
      };
      // More than the candidates whose clicks are counted.
      for (let others = 0; others < 16; others++) await clickAt(yesterday, 10);
      const { group, link } = await clickAt(today, 9);
      const now = Date.parse("2026-06-10T20:30Z");
      const range = toRange({ last: "today" }, zone, now, 0);
      const ctx = { ...ws.ctx, now: () => now };
      expect((await listTopLinks(ctx, range, 5)).map(({ id, clicks }) => [id, clicks])).toEqual([
        [link.id, 9],
      ]);
      expect((await listTopGroups(ctx, range, 5)).map((one) => [one.id, one.visits])).toEqual([
        [group.id, 9],
      ]);
    },
  );

  it.each<[string, RangeQuery, string, number[]]>([
    ["Europe/Zurich", { last: "7" }, "2026-05-20T02:10Z", [24, 24, 24, 24, 24, 24, 5]],
    ["Asia/Kolkata", { last: "7" }, "2026-05-19T22:10Z", [24, 24, 24, 24, 24, 24, 4]],
    ["Pacific/Kiritimati", { from: "2026-05-18", to: "2026-05-20" }, "2026-05-19T10:10Z", [24, 24, 1]],
  ])("in %s of %j at %s are compared up to the same hour", async (zone, query, at, hours) => {
    const now = Date.parse(at);
    const hour = now - (now % HOUR_MS);
    const { ws, group, tag, link, asset } = await makeHourly(
      zone,
      new Date(hour - 15 * DAY_MS).toISOString(),
      new Date(hour + HOUR_MS).toISOString(),
    );
    const range = toRange(query, zone, now, 0);
    const all = hours.reduce((sum, count) => sum + count, 0);
    const ctx = { ...ws.ctx, now: () => now };
    const scopes = [
      { workspace: true } as const,
      { group: group.id },
      { link: link.id },
      { asset: asset.id },
    ];
    const reports = [
      ...scopes.map((scope) => reportVisits(ctx, scope, range, { compare: true })),
      reportTagVisits(ctx, tag.id, range, { compare: true }),
    ];
    for (const report of await Promise.all(reports)) {
      expect([report?.totals.scans, report?.before?.scans]).toEqual([all, all]);
      expect(report?.pointsBefore?.map(({ scans }) => scans)).toEqual(hours);
    }
  });

  it("are shown by the week above ninety days, from Monday to Sunday", async () => {
    const { ws, link } = await makeHourly("Europe/Zurich", "2026-04-28", "2026-05-20");
    const range = rangeOfDays("Europe/Zurich", dayOf("2026-02-01"), dayOf("2026-05-17"));
    const expected = hoursIn(range).map((hours, index) => {
      const { at } = bucketsOf(range)[index] ?? { at: 0 };
      return Math.max(0, Math.min(hours, (at + hours * HOUR_MS - Date.parse("2026-04-28")) / HOUR_MS));
    });
    for (const scope of [{ workspace: true } as const, { link: link.id }]) {
      const { points } = await reportVisits(ws.ctx, scope, range, { compare: false });
      expect(points.map(({ clicks }) => clicks)).toEqual(expected);
    }
    expect(expected.filter((clicks) => clicks > 0)).toEqual([6 * 24 - 2, 7 * 24, 7 * 24]);
  });

  it("of ten years are counted, compared with the ten years before, with every change of the clock", async () => {
    const { ws, group, link } = await makeHourly("America/New_York", "2026-05-01", "2026-05-03");
    const range = rangeOfDays("America/New_York", dayOf("2016-05-10"), dayOf("2026-05-09"));
    expect(range.offsets.length).toBeGreaterThan(20);
    for (const scope of [{ workspace: true } as const, { group: group.id }, { link: link.id }]) {
      const { totals, before, points } = await reportVisits(ws.ctx, scope, range, { compare: true });
      expect([totals.clicks, before?.clicks]).toEqual([48, 0]);
      expect(points.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(48);
    }
    expect((await listTopLinks(ws.ctx, range, 5))[0]?.clicks).toBe(48);
    expect((await listTopGroups(ws.ctx, range, 5))[0]?.visits).toBe(96);
    expect((await reportGroupLinks(ws.ctx, group.id, range))?.links).toEqual([
      { id: link.id, clicks: 48, scans: 48 },
    ]);
  });
});
