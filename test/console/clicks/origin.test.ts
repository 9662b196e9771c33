import { afterEach, describe, expect, it, vi } from "vitest";
import { reportOrigin } from "../../../src/analytics/origin-report";
import { writeCounts } from "../../../src/analytics/write-visits";
import { Stat } from "../../../src/console/clicks/stat";
import { type Preset, rangeOfDays, toDate, toRange } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { createReport } from "../../../src/resources/reports/report-links";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { otherInstance, send } from "../../harness";
import { makeMember } from "../browser";
import { click } from "../clicks";

// A page of figures, filtered by a source, a country or a device.

const MAY = "from=2026-05-01&to=2026-05-31";

async function furnish() {
  const { workspace: ws, browser } = await makeMember("viewer");
  const group = await ws.group({ name: "Summer" });
  const tag = await ws.tag();
  const of = { activity_group_id: group.id, tag_ids: [tag.id], channel: "mail" };
  const one = await ws.link({ ...of, title: "One" });
  const two = await ws.link({ ...of, title: "Two" });
  const other = await ws.link({ title: "Elsewhere" });
  await click(ws, one.id, "2026-05-03", { clicks: 3, referrer: "fb.me", country: "CH" });
  await click(ws, two.id, "2026-05-04", { clicks: 5, referrer: "facebook.com", country: "" });
  await click(ws, two.id, "2026-05-05", { clicks: 7, referrer: "", device: "" });
  await click(ws, other.id, "2026-05-05", { clicks: 2, referrer: "fb.me", country: "AT" });
  const base = `/app/${ws.slug}`;
  const pages = {
    overview: base,
    link: `${base}/links/${two.id}`,
    group: `${base}/groups/${group.id}`,
    tag: `${base}/tags/${tag.id}`,
  };
  return { ws, browser, one, two, other, group, tag, pages };
}

/** What is said of a page: its number, its tables with their rows, and its chips. */
function readPage(text: string) {
  const [, visits] = /<strong>([\d,]+)<\/strong>\s*<span[^>]*>visits?</.exec(text) ?? [];
  const tables = [...text.matchAll(/<caption>([^<]*)<\/caption>(.*?)<\/table>/gs)].map(
    ([, title = "", rows = ""]) => [
      title,
      [...rows.matchAll(/<bdi>(.*?)<\/bdi>.*?<td class="number">([\d,]+)<\/td>/gs)].map(
        ([, name, value]) => `${name} ${value}`,
      ),
    ],
  );
  const removals = [...text.matchAll(/href="([^"]*)" aria-label="Remove ([^"]*)"/g)];
  return {
    visits,
    tables,
    chips: removals.map(([, href = "", name]) => [name, href.replaceAll("&amp;", "&")]),
  };
}

describe("a click on a row of a breakdown", () => {
  it("filters the overview: its number, chart, links and groups, as long as the chip is there", async () => {
    const { browser, pages } = await furnish();
    const asked = `?${MAY}&compare=0&source=Facebook`;
    const { text } = await browser.get(pages.overview + asked);
    expect(readPage(text)).toEqual({
      visits: "10",
      tables: [
        ["Top links", ["Two 5", "One 3", "Elsewhere 2"]],
        ["Sources of all visits", ["Facebook 10", "Direct or unknown 7"]],
      ],
      chips: [["Source Facebook", `${pages.overview}?${MAY}&compare=0`]],
    });
    expect(text).toContain("Of a source only the visits of each day are counted");
    expect(text).toContain('aria-label="Visits by people, source Facebook: 10 visits');
    expect(text.replaceAll("&amp;", "&")).toContain(`"${pages.link}${asked}"`);
  });

  it("filters a link, a group and a tag, also by what is not known", async () => {
    const { browser, pages } = await furnish();
    const read = async (page: keyof typeof pages, query: string) => {
      const { text } = await browser.get(`${pages[page]}?${MAY}&${query}`);
      const { visits, tables } = readPage(text);
      return [visits, ...tables];
    };
    expect(await read("link", "source=none")).toEqual([
      "7",
      ["Sources of all visits", ["Direct or unknown 7", "Facebook 5"]],
    ]);
    expect(await read("group", "country=unknown")).toEqual([
      "5",
      ["Top links", ["Two 5"]],
      ["Countries of all visits", ["Switzerland 10", "Unknown 5"]],
    ]);
    expect(await read("tag", "device=mobile")).toEqual([
      "8",
      ["Top links", ["Two 5", "One 3"]],
      ["Devices of all visits", ["Mobile 8", "Unknown 7"]],
    ]);
  });

  it("keeps the range, and another one replaces it: only one filters at a time", async () => {
    const { browser, pages } = await furnish();
    const hrefs = async (query: string) =>
      [...(await browser.get(`${pages.overview}?${MAY}${query}`)).text.matchAll(/href="([^"]*)"/g)]
        .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
        .filter((href) => href.startsWith(`${pages.overview}?${MAY}&`));
    expect(await hrefs("")).toEqual(
      expect.arrayContaining(
        ["source=Facebook", "source=none", "country=AT", "country=unknown", "device=unknown"].map(
          (one) => `${pages.overview}?${MAY}&${one}`,
        ),
      ),
    );
    const filtered = await hrefs("&country=CH");
    expect(filtered).toContain(`${pages.overview}?${MAY}&country=AT`);
    expect(filtered).toContain(`${pages.overview}?${MAY}&country=CH&compare=0`);
    expect(filtered.filter((href) => /country=.*country=|source=|device=/.test(href))).toEqual([]);
  });

  it("shows days where the whole is shown by hour", async () => {
    const { ws, pages, browser } = await furnish();
    const range = rangeOfDays("UTC", Date.parse("2026-05-03") / DAY_MS, Date.parse("2026-05-04") / DAY_MS);
    expect(range.unit).toBe("hour");
    const chosen = { origin: "referrer", value: "Facebook" } as const;
    const report = await reportOrigin(ws.ctx, { workspace: true }, range, chosen, { compare: true });
    expect(report).toMatchObject({ visits: 8, points: [3, 5], compared: { points: [0, 0] } });
    const { text } = await browser.get(`${pages.overview}?from=2026-05-03&to=2026-05-04&source=Facebook`);
    expect(text).toContain("at most 5 a day");
  });

  it("says that there were no visits, and ignores what nobody can choose", async () => {
    const { browser, pages } = await furnish();
    const { text } = await browser.get(`${pages.group}?${MAY}&compare=0&country=FR`);
    expect(text).toContain("No visits in this range.");
    expect(readPage(text).chips).toHaveLength(1);
    for (const query of ["source=other", "source=", `country=${"x".repeat(300)}`])
      expect(readPage((await browser.get(`${pages.group}?${MAY}&${query}`)).text).chips).toEqual([]);
    expect((await browser.get(`${pages.overview}/groups/01J00000000000000000000000?country=CH`)).status).toBe(
      404,
    );
  });
});

describe("the sources of a day that have no name of their own", () => {
  it("lead nowhere together, and none of them looks as if it had no visits", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const link = await ws.link();
    const hour = Date.parse("2026-05-03T12:00Z");
    const days = Array.from({ length: 103 }, (_, index) => ({
      ...{ link: link.id, day: hour, dimension: "referrer" as const },
      ...{ value: `site${String(index).padStart(3, "0")}.example`, visits: 200 - index },
    }));
    const clicks = days.reduce((sum, { visits }) => sum + visits, 0);
    const counts = { clicks, scans: 0, bots: 0, after_end: 0 };
    await writeCounts(ws.ctx, { hours: [{ link: link.id, asset: null, hour, ...counts, last: hour }], days });
    const read = async (source: string) =>
      (await browser.get(`/app/${ws.slug}?${MAY}&compare=0${source}`)).text;
    expect(await read("")).not.toContain("source=other");
    const hint = "A day has at most 100 sources by name. 297 visits of others are under Other";
    const named = await read("&source=site000.example");
    expect([readPage(named).visits, named.includes(hint)]).toEqual(["200", true]);
    const unnamed = await read("&source=site102.example");
    expect([unnamed.includes("No visits by this name in this range."), unnamed.includes(hint)]).toEqual([
      true,
      true,
    ]);
    expect(await read("&source=none")).not.toContain(hint);
  });
});

describe("a filtered range that goes on", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, string, Preset, number, { now: number; before: number } | null, number]>([
    ["UTC", "2026-05-16T11:20Z", "7", 26, { now: 24, before: 24 }, 6],
    ["UTC", "2026-05-16T11:20Z", "today", 2, null, 0],
    ["UTC", "2026-05-16T11:20Z", "yesterday", 4, { now: 4, before: 4 }, 1],
    ["UTC", "2026-05-16T11:20Z", "this-month", 62, { now: 60, before: 60 }, 15],
    // February has fewer days than are over.
    ["UTC", "2026-03-30T11:20Z", "this-month", 118, { now: 116, before: 112 }, 28],
    ["UTC", "2026-05-16T11:20Z", "last-month", 120, { now: 120, before: 124 }, 31],
    ["Asia/Kathmandu", "2026-07-01T04:05Z", "7", 26, { now: 24, before: 24 }, 6],
    ["Asia/Kathmandu", "2026-07-01T04:05Z", "this-quarter", 2, null, 0],
    ["Pacific/Kiritimati", "2026-12-31T09:59Z", "7", 28, { now: 24, before: 24 }, 6],
  ])(
    "is compared by its days that are over, in %s at %s, %s",
    async (zone, time, last, visits, compared, bars) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) });
      const now = Date.now();
      const { workspace: ws } = await makeMember("viewer");
      await updateWorkspace(ws.ctx, { time_zone: zone });
      const link = await ws.link();
      const start = now - (now % HOUR_MS) - 100 * DAY_MS;
      const one = { link: link.id, asset: null, clicks: 1, scans: 0, bots: 0, after_end: 0 };
      const hours = Array.from({ length: 100 * 4 + 1 }, (_, index) => start + index * 6 * HOUR_MS);
      await writeCounts(ws.ctx, {
        hours: hours.map((hour) => ({ ...one, hour, last: hour })),
        days: hours.map((day) => ({ link: link.id, day, dimension: "country", value: "CH", visits: 1 })),
      });
      const range = toRange({ last }, zone, now, 0);
      const chosen = { origin: "country", value: "CH" } as const;
      const report = await reportOrigin(ws.ctx, { link: link.id }, range, chosen, { compare: true });
      expect(report).toMatchObject({ visits, compared });
      const points = report?.compared?.points ?? [];
      expect([points.length, points.reduce((sum, value) => sum + value, 0)]).toEqual([
        bars,
        compared?.before ?? 0,
      ]);
    },
  );
});

describe("a shared report", () => {
  it("leads nowhere, and no parameter filters it", async () => {
    const { ws } = await furnish();
    const ends_on = toDate(Math.floor(Date.now() / DAY_MS) + 5);
    const days = { first_day: "2026-05-01", last_day: "2026-05-31", ends_on };
    const { url } = await createReport(ws.ctx, { kind: "overview", subject: null, ...days });
    const whole = await (await send(new Request(url), otherInstance())).text();
    expect(whole).toContain("Facebook");
    expect(whole).not.toMatch(/source=|filters the page/);
    const asked = await (await send(new Request(`${url}?source=Facebook`), otherInstance())).text();
    expect(readPage(asked)).toEqual(readPage(whole));
  });
});

it.each([
  [7, 8, "▼ 13%: 7 until yesterday, 8 before"],
  [8, 8, "8 until yesterday, 8 before"],
  [7, 0, "7 until yesterday, 0 before"],
  [90, 8, "90 until yesterday, 8 before"],
])("of a number that goes on, %i until yesterday and %i before are said", (now, before, said) => {
  expect(String(Stat({ value: 99, label: "visits", now, before })).replaceAll(/<[^>]*>/g, "")).toContain(
    `99 visits ${said}`,
  );
});
