import { describe, expect, it } from "vitest";
import { reportGroupLinks } from "../../src/analytics/group-report";
import { listTopLinks } from "../../src/analytics/rankings";
import { type ReportSubject, reportTagVisits, reportVisits } from "../../src/analytics/report";
import { listVisitsOfLinks } from "../../src/analytics/visits-by-owner";
import { rangeOfDays } from "../../src/lib/range";
import { DAY_MS } from "../../src/lib/time";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { click, scan } from "../console/clicks";
import { makeWorkspace } from "../harness";

const dayOf = (date: string) => Date.parse(date) / DAY_MS;
const MAY = rangeOfDays("UTC", dayOf("2026-05-01"), dayOf("2026-05-03"));
const NONE = { clicks: 0, scans: 0, after_end: 0 };
const NO_COUNTS = { ...NONE, bots: 0 };

/** A workspace with two links in a group, one of them with a tag, and the scans of an asset. */
async function makeVisited() {
  const ws = await makeWorkspace();
  const group = await ws.group({ name: "Spring" });
  const tag = await ws.tag();
  const mail = await ws.link({ activity_group_id: group.id, channel: "mail", title: "Mail" });
  const bare = await ws.link({ activity_group_id: group.id, tag_ids: [tag.id] });
  const asset = await createAsset(ws.ctx, { link: mail.id, name: "Poster", kind: "poster" });
  await click(ws, mail.id, "2026-05-02", { clicks: 3, bots: 1, after_end: 4, referrer: "t.co" });
  await click(ws, mail.id, "2026-04-30", { clicks: 1, referrer: "x.com" });
  await click(ws, bare.id, "2026-05-01", { clicks: 2, referrer: "x.com", country: "DE" });
  await scan(ws, asset.id, "2026-05-03", { scans: 2, bots: 2 });
  return { ws, group, tag, mail, bare, asset };
}

/** The days of May with their clicks and scans. */
const daysWith = (...counts: [clicks: number, scans: number][]) =>
  counts.map(([clicks, scans], index) => ({ day: MAY.firstDay + index, clicks, scans }));

describe("a report of visits", () => {
  it("counts a workspace, a group, a tag, a link and an asset by the days of a range, and compares it with the one before", async () => {
    const { ws, group, tag, mail, bare, asset } = await makeVisited();
    const report = (subject: ReportSubject) => reportVisits(ws.ctx, subject, MAY, { compare: true });
    const all = {
      totals: { clicks: 5, scans: 2, after_end: 4, bots: 3 },
      before: { ...NO_COUNTS, clicks: 1 },
      points: [
        { ...NONE, clicks: 2 },
        { ...NONE, clicks: 3, after_end: 4 },
        { ...NONE, scans: 2 },
      ],
      days: daysWith([2, 0], [3, 0], [0, 2]),
      pointsBefore: [NONE, NONE, { ...NONE, clicks: 1 }],
      origins: {
        country: [
          { value: "CH", visits: 5 },
          { value: "DE", visits: 2 },
        ],
        referrer: [
          { value: "X", visits: 5 },
          { value: "", visits: 2 },
        ],
        device: [{ value: "mobile", visits: 7 }],
        rule: [],
      },
      earlier: { clicks: 0, scans: 0 },
    };
    expect(await report({ workspace: true })).toEqual(all);
    expect(await report({ group: group.id })).toEqual(all);
    const tagged = {
      ...all,
      totals: { ...NO_COUNTS, clicks: 2 },
      before: NO_COUNTS,
      points: [{ ...NONE, clicks: 2 }, NONE, NONE],
      days: daysWith([2, 0], [0, 0], [0, 0]),
      pointsBefore: [NONE, NONE, NONE],
      origins: {
        country: [{ value: "DE", visits: 2 }],
        referrer: [{ value: "X", visits: 2 }],
        device: [{ value: "mobile", visits: 2 }],
        rule: [],
      },
    };
    expect(await reportTagVisits(ws.ctx, tag.id, MAY, { compare: true })).toEqual(tagged);
    expect(await report({ link: bare.id })).toEqual(tagged);
    expect((await report({ link: mail.id })).totals).toEqual({ clicks: 3, scans: 2, after_end: 4, bots: 3 });
    expect(await report({ asset: asset.id })).toEqual({
      ...all,
      totals: { ...NO_COUNTS, scans: 2, bots: 2 },
      before: NO_COUNTS,
      points: [NONE, NONE, { ...NONE, scans: 2 }],
      days: daysWith([0, 0], [0, 0], [0, 2]),
      pointsBefore: [NONE, NONE, NONE],
      origins: { country: [], referrer: [], device: [], rule: [] },
    });
  });

  it("lists as many links as are asked for, the most visited first", async () => {
    const { ws, mail, bare } = await makeVisited();
    expect((await listTopLinks(ws.ctx, MAY, 5)).map(({ id }) => id)).toEqual([mail.id, bare.id]);
    expect(await listTopLinks(ws.ctx, MAY, 1)).toHaveLength(1);
  });

  it("of another workspace's link, group or asset is 404, and its links are counted nowhere", async () => {
    const { group, tag, mail, asset } = await makeVisited();
    const other = await makeWorkspace();
    for (const scope of [{ group: group.id }, { link: mail.id }, { asset: asset.id }]) {
      await expect(reportVisits(other.ctx, scope, MAY, { compare: false })).rejects.toMatchObject({
        status: 404,
      });
    }
    expect((await reportTagVisits(other.ctx, tag.id, MAY, { compare: false }))?.totals).toEqual(NO_COUNTS);
    expect((await reportGroupLinks(other.ctx, group.id, MAY))?.links).toEqual([]);
    expect(await listVisitsOfLinks(other.ctx, [mail.id], MAY)).toEqual(
      new Map([[mail.id, [NONE, NONE, NONE]]]),
    );
    expect(await listTopLinks(other.ctx, MAY, 5)).toEqual([]);
  });
});
