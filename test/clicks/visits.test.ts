import { describe, expect, it } from "vitest";
import { listGroupChannels, listGroupLinks, listTopGroups, listTopLinks } from "../../src/clicks/top";
import { listVisitsOfLinks, reportVisits, type VisitScope } from "../../src/clicks/visits";
import { createAsset } from "../../src/engagement/service";
import { rangeOfDays } from "../../src/lib/range";
import { click, scan } from "../console/clicks";
import { counted, makeWorkspace, serviceContext } from "../harness";

const NO_VISITS = { clicks: 0, scans: 0 };
const DAY_MS = 86_400_000;
const dayOf = (date: string) => Date.parse(date) / DAY_MS;
const rangeOf = (first: string, last: string, zone = "UTC") => rangeOfDays(zone, dayOf(first), dayOf(last));
const MAY = rangeOf("2026-05-01", "2026-05-03");
const NONE = { clicks: 0, scans: 0 };

/** A workspace with two links in a group, one of them with a tag, and the scans of an asset. */
async function makeVisited() {
  const ws = await makeWorkspace();
  const group = await ws.group({ name: "Spring" });
  const tag = await ws.tag();
  const mail = await ws.link({ activity_group_id: group.id, channel: "mail", title: "Mail" });
  const bare = await ws.link({ activity_group_id: group.id, tag_ids: [tag.id] });
  const asset = await createAsset(ws.ctx, { link: mail.id, name: "Poster", kind: "poster" });
  await click(ws, mail.id, "2026-05-02", { people: 3, bots: 1, scans: 2, late: 4, referrer: "t.co" });
  await click(ws, mail.id, "2026-04-30", { people: 1, referrer: "x.com" });
  await click(ws, bare.id, "2026-05-01", { people: 2, referrer: "x.com", country: "DE" });
  await scan(ws, asset.id, "2026-05-03", { people: 7, bots: 2 });
  return { ws, group, tag, mail, bare, asset };
}

describe("a report of visits", () => {
  it("counts a workspace, a group, a tag, a link and an asset by the days of a range, and compares it with the one before", async () => {
    const { ws, group, tag, mail, bare, asset } = await makeVisited();
    const report = (scope: VisitScope) => reportVisits(ws.ctx, scope, MAY, { compare: true });
    const all = {
      totals: { clicks: 5, scans: 2, late: 4, bots: 1 },
      before: { clicks: 1, scans: 0, late: 0, bots: 0 },
      points: [{ clicks: 2, scans: 0 }, { clicks: 3, scans: 2 }, NONE],
      pointsBefore: [NONE, NONE, { clicks: 1, scans: 0 }],
      origins: {
        country: [
          { value: "CH", people: 5 },
          { value: "DE", people: 2 },
        ],
        referrer: [{ value: "X", people: 7 }],
        device: [{ value: "mobile", people: 7 }],
      },
      isCut: false,
    };
    expect(await report({ workspace: true })).toEqual(all);
    expect(await report({ group: group.id })).toEqual(all);
    const tagged = {
      ...all,
      totals: { clicks: 2, scans: 0, late: 0, bots: 0 },
      before: { clicks: 0, scans: 0, late: 0, bots: 0 },
      points: [{ clicks: 2, scans: 0 }, NONE, NONE],
      pointsBefore: [NONE, NONE, NONE],
      origins: {
        country: [{ value: "DE", people: 2 }],
        referrer: [{ value: "X", people: 2 }],
        device: [{ value: "mobile", people: 2 }],
      },
    };
    expect(await report({ tag: tag.id })).toEqual(tagged);
    expect(await report({ link: bare.id })).toEqual(tagged);
    expect((await report({ link: mail.id })).totals).toEqual({ clicks: 3, scans: 2, late: 4, bots: 1 });
    expect(await report({ asset: asset.id })).toEqual({
      ...all,
      totals: { clicks: 0, scans: 7, late: 0, bots: 2 },
      before: { clicks: 0, scans: 0, late: 0, bots: 0 },
      points: [NONE, NONE, { clicks: 0, scans: 7 }],
      pointsBefore: [NONE, NONE, NONE],
      origins: { country: [], referrer: [], device: [] },
    });
  });

  it("has nothing of the range before if it is not compared", async () => {
    const { ws } = await makeVisited();
    const report = await reportVisits(ws.ctx, { workspace: true }, MAY, { compare: false });
    expect([report.before, report.pointsBefore]).toEqual([null, null]);
    expect(report.totals.clicks).toBe(5);
  });

  it("lists the links and groups with the most visits, each with its own numbers", async () => {
    const { ws, group, mail, bare } = await makeVisited();
    expect(await listTopLinks(ws.ctx, MAY, 5)).toEqual([
      { id: mail.id, slug: mail.slug, title: "Mail", short_url: mail.short_url, clicks: 3, scans: 2 },
      { id: bare.id, slug: bare.slug, title: null, short_url: bare.short_url, clicks: 2, scans: 0 },
    ]);
    expect(await listTopLinks(ws.ctx, MAY, 1)).toHaveLength(1);
    expect(await listTopGroups(ws.ctx, MAY, 5)).toEqual([
      { id: group.id, name: "Spring", clicks_and_scans: 7 },
    ]);
  });

  it("counts several links at once", async () => {
    const { ws, mail, bare } = await makeVisited();
    expect(await listVisitsOfLinks(ws.ctx, [mail.id, bare.id], MAY)).toEqual(
      new Map([
        [mail.id, [NO_VISITS, { clicks: 3, scans: 2 }, NO_VISITS]],
        [bare.id, [{ clicks: 2, scans: 0 }, NO_VISITS, NO_VISITS]],
      ]),
    );
  });

  it("lists a group's links by their visits, page by page, and its channels", async () => {
    const { ws, group, mail, bare } = await makeVisited();
    const first = {
      id: mail.id,
      slug: mail.slug,
      title: "Mail",
      short_url: mail.short_url,
      channel: "mail",
      clicks: 3,
      scans: 2,
      points: [NONE, { clicks: 3, scans: 2 }, NONE],
    };
    expect(await listGroupLinks(ws.ctx, group.id, MAY, 1)).toEqual({
      links: [first],
      visited: 2,
      isCut: false,
    });
    const second = await listGroupLinks(ws.ctx, group.id, MAY, 1, 1);
    expect(second.links.map(({ id }) => id)).toEqual([bare.id]);
    expect(await listGroupChannels(ws.ctx, group.id, MAY)).toEqual([
      { kind: "channel", channel: "mail", clicks: 3, scans: 2, points: first.points },
      { kind: "none", channel: null, clicks: 2, scans: 0, points: [{ clicks: 2, scans: 0 }, NONE, NONE] },
    ]);
  });

  it("answers each from one call of D1", async () => {
    const { ws, group, tag } = await makeVisited();
    const { env, trips } = counted();
    const ctx = { ...serviceContext(env), workspace: ws.ctx.workspace };
    for (const read of [
      () => reportVisits(ctx, { workspace: true }, MAY, { compare: true }),
      () => reportVisits(ctx, { tag: tag.id }, MAY, { compare: true }),
      () => listTopLinks(ctx, MAY, 5),
      () => listTopGroups(ctx, MAY, 5),
      () => listGroupLinks(ctx, group.id, MAY, 5),
      () => listGroupChannels(ctx, group.id, MAY),
    ]) {
      trips.d1 = 0;
      await read();
      expect(trips.d1).toBe(1);
    }
  });

  it("of another workspace's link, group, tag or asset is 404, and its links are counted nowhere", async () => {
    const { group, tag, mail, asset } = await makeVisited();
    const other = await makeWorkspace();
    for (const scope of [{ group: group.id }, { tag: tag.id }, { link: mail.id }, { asset: asset.id }]) {
      await expect(reportVisits(other.ctx, scope, MAY, { compare: false })).rejects.toMatchObject({
        status: 404,
      });
    }
    await expect(listGroupLinks(other.ctx, group.id, MAY, 5)).rejects.toMatchObject({ status: 404 });
    await expect(listGroupChannels(other.ctx, group.id, MAY)).rejects.toMatchObject({ status: 404 });
    expect(await listVisitsOfLinks(other.ctx, [mail.id], MAY)).toEqual(
      new Map([[mail.id, [NO_VISITS, NO_VISITS, NO_VISITS]]]),
    );
    expect(await listTopLinks(other.ctx, MAY, 5)).toEqual([]);
  });
});
