import { describe, expect, it } from "vitest";
import { reportClicks, reportScans } from "../../src/analytics/command-report";
import { exportLinkDays } from "../../src/analytics/group-export";
import { ServiceError } from "../../src/errors";
import { rangeOfDays } from "../../src/lib/range";
import { DAY_MS } from "../../src/lib/time";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { getContextOf } from "../../src/resources/workspaces/workspace-service";
import { click, scan } from "../console/clicks";
import { makeWorkspace, serviceContext } from "../harness";

const FIRST_DAY = Date.UTC(2026, 4, 1) / DAY_MS;
const MAY = rangeOfDays("UTC", FIRST_DAY, FIRST_DAY + 2);
const UNKNOWN = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";

const refusalOf = (verb: Promise<unknown>): Promise<unknown> =>
  verb.then(
    () => "accepted",
    (error: unknown) => (error instanceof ServiceError ? [error.status, error.body.message] : error),
  );

describe("a report of clicks", () => {
  it("counts people by the channel of their link", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group();
    const mail = await ws.link({ activity_group_id: group.id, channel: "mail" });
    const same = await ws.link({ activity_group_id: group.id, channel: "mail" });
    const none = await ws.link({ activity_group_id: group.id });
    const bots = await ws.link({ activity_group_id: group.id, channel: "bots only" });
    await click(ws, mail.id, "2026-05-01", { clicks: 1 });
    await click(ws, same.id, "2026-05-03", { clicks: 2 });
    await click(ws, same.id, "2026-05-04", { clicks: 50 });
    await click(ws, none.id, "2026-05-02", { clicks: 4 });
    await click(ws, bots.id, "2026-05-02", { bots: 8 });
    const { channels, people } = await reportClicks(ws.ctx, { group: group.id }, MAY);
    expect(channels).toEqual([
      { channel: null, people: 4, clicks: 4, scans: 0 },
      { channel: "mail", people: 3, clicks: 3, scans: 0 },
    ]);
    expect(people).toBe(7);
    expect((await reportClicks(ws.ctx, { link: mail.id }, MAY)).channels).toEqual([
      { channel: "mail", people: 1, clicks: 1, scans: 0 },
    ]);
  });

  it("tells clicks, scans, late visits and bots apart, by day, channel, asset and place", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link({ channel: "print" });
    const make = (name: string, place: string | null) => createAsset(ws.ctx, { name, place, link: link.id });
    const [hall, door, none] = [await make("A", "Hall"), await make("B", "Hall"), await make("C", null)];
    await click(ws, link.id, "2026-05-01", { clicks: 1, after_end: 200, bots: 4000 });
    await click(ws, link.id, "2026-05-03", { clicks: 2, scans: 3 });
    await scan(ws, hall.id, "2026-05-01T10:00:00Z", { scans: 20, after_end: 100 });
    await scan(ws, door.id, "2026-05-03T10:00:00Z", { scans: 3 });
    await scan(ws, door.id, "2026-05-03T23:00:00Z", { scans: 4, bots: 9 });
    await scan(ws, door.id, "2026-05-04T00:00:00Z", { scans: 500 });
    const report = await reportClicks(ws.ctx, { link: link.id }, MAY);
    const day = { people: 1, clicks: 1, scans: 20, late: 300, bots: 4000 };
    expect(report).toMatchObject({
      totals: { clicks: 3, scans: 30, late: 300, bots: 4009 },
      people: 3,
      bots: 4009,
      days: [
        { day: "2026-05-01", ...day },
        { day: "2026-05-03", people: 2, clicks: 2, scans: 10, late: 0, bots: 9 },
      ],
      channels: [{ channel: "print", people: 3, clicks: 3, scans: 30 }],
      places: [
        { place: "Hall", scans: 27, late: 100 },
        { place: null, scans: 0, late: 0 },
      ],
      countries: [{ country: "CH", people: 33 }],
    });
    expect(report.assets).toEqual([
      { id: hall.id, name: "A", place: "Hall", status: "draft", scans: 20, late: 100, bots: 0 },
      { id: door.id, name: "B", place: "Hall", status: "draft", scans: 7, late: 0, bots: 9 },
      { id: none.id, name: "C", place: null, status: "draft", scans: 0, late: 0, bots: 0 },
    ]);
    const scans = await reportScans(ws.ctx, door.id, MAY);
    expect(scans).toMatchObject({
      totals: { scans: 7, late: 0, bots: 9 },
      days: [{ day: "2026-05-03", scans: 7, late: 0, bots: 9 }],
      code_at: door.created_at,
    });
    expect(scans.hours.filter(({ scans: number }) => number > 0)).toEqual([
      { hour: 10, scans: 3 },
      { hour: 23, scans: 4 },
    ]);
    expect(scans.hours).toHaveLength(24);
  });

  it("has the 25 most frequent values of each kind, and the others together", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    for (let number = 10; number < 40; number++) {
      await click(ws, link.id, "2026-05-01", { clicks: number, country: "", referrer: `r${number}.example` });
    }
    const { referrers, countries } = await reportClicks(ws.ctx, { link: link.id }, MAY);
    const frequent = Array.from({ length: 25 }, (_, at) => 39 - at);
    expect(referrers.map(({ people }) => people)).toEqual([...frequent, 10 + 11 + 12 + 13 + 14]);
    expect(referrers.at(-1)?.referrer).toBe("other");
    expect(countries).toEqual([{ country: "unknown", people: 735 }]);
  });

  it("of a link and of its group works after its deletion", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group();
    const deleted = await ws.link({ activity_group_id: group.id });
    await click(ws, deleted.id, "2026-05-01", { clicks: 2 });
    await ws.call("DELETE", `/api/v1/links/${deleted.id}`);
    for (const of of [{ group: group.id }, { link: deleted.id.toLowerCase() }])
      expect((await reportClicks(ws.ctx, of, MAY)).people).toBe(2);
  });

  it("is not found outside the workspace, but the operator gets it for any workspace", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const group = await other.group();
    const link = await other.link({ activity_group_id: group.id });
    await click(other, link.id, "2026-05-01", { clicks: 1 });
    const refused = {
      group: [404, "Activity Group not found."],
      link: [404, "Link not found."],
    };
    for (const id of [group.id, UNKNOWN, "no-ulid"]) {
      expect(await refusalOf(reportClicks(ws.ctx, { group: id }, MAY))).toEqual(refused.group);
      expect(await refusalOf(exportLinkDays(ws.ctx, id, MAY))).toEqual(refused.group);
    }
    for (const id of [link.id, UNKNOWN]) {
      expect(await refusalOf(reportClicks(ws.ctx, { link: id }, MAY))).toEqual(refused.link);
    }
    const asset = await createAsset(other.ctx, { name: "A", link: link.id });
    for (const id of [asset.id, UNKNOWN, "no-ulid"]) {
      const found = await refusalOf(reportScans(ws.ctx, id, MAY));
      expect(found).toEqual([404, "Poster not found."]);
    }
    const operator = serviceContext();
    for (const kind of ["group", "link"] as const) {
      expect(await refusalOf(getContextOf(operator, kind, UNKNOWN))).toEqual(refused[kind]);
    }
    const inGroup = await getContextOf(operator, "group", group.id.toLowerCase());
    expect((await reportClicks(inGroup, { group: group.id }, MAY)).people).toBe(1);
    const inLink = await getContextOf(operator, "link", link.id);
    expect((await reportClicks(inLink, { link: link.id }, MAY)).people).toBe(1);
  });
});
