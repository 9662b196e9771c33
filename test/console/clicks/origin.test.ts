import { afterEach, describe, expect, it, vi } from "vitest";
import { reportOrigin } from "../../../src/analytics/origin-report";
import { writeCounts } from "../../../src/analytics/write-visits";
import { Stat } from "../../../src/console/clicks/stat";
import { type Preset, rangeOfDays, toDate, toRange } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { createReport } from "../../../src/resources/reports/report-links";
import { updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { otherInstance, send } from "../../harness";
import { makeMember, signInAs } from "../browser";
import { click } from "../clicks";
import { fieldsOf, wordsIn } from "../form-fields";

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

/** What is said of a page: its number, its tables with their rows, the opened tab, what is marked, and its chips. */
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
    opened: /id="origins-(\w+)" checked/.exec(text)?.[1],
    marked: [...text.matchAll(/<a [^>]*aria-current="true"[^>]*><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name),
    chips: removals.map(([, href = "", name]) => [name, href.replaceAll("&amp;", "&")]),
  };
}

/** The numbers at the end of rows, added up. */
const sum = (rows: readonly string[] = []): number =>
  rows.reduce((all, row) => all + Number(row.split(" ").at(-1)?.replace(",", "")), 0);

describe("a click on a row of a breakdown", () => {
  it("filters the overview: its number, chart, links and groups, as long as the chip is there", async () => {
    const { browser, pages } = await furnish();
    const asked = `?${MAY}&compare=0&source=Facebook`;
    const { text } = await browser.get(pages.overview + asked);
    expect(readPage(text)).toEqual({
      visits: "10",
      tables: [
        ["Top links", ["Two 5", "One 3", "Elsewhere 2"]],
        ["Sources", ["Facebook 10", "Direct or unknown 7"]],
        ["Countries", ["Switzerland 10", "Unknown 5", "Austria 2"]],
        ["Devices", ["Mobile 10", "Unknown 7"]],
      ],
      opened: "referrer",
      marked: ["Facebook"],
      chips: [["Source Facebook", `${pages.overview}?${MAY}&compare=0`]],
    });
    expect(text).toMatch(/<h2 id="all-visits">All visits<\/h2>\s*<section class="tabs"/);
    expect(text).toContain('aria-label="Visits by people, source Facebook: 10 visits');
    expect(text.replaceAll("&amp;", "&")).toContain(`"${pages.link}${asked}"`);
  });

  it("filters a link, a group and a tag, also by what is not known", async () => {
    const { browser, pages } = await furnish();
    const read = async (page: keyof typeof pages, query: string) => {
      const { text } = await browser.get(`${pages[page]}?${MAY}&${query}`);
      const { visits, tables, opened, marked } = readPage(text);
      return [visits, opened, marked, ...tables];
    };
    expect(await read("link", "source=none")).toEqual([
      ...["7", "referrer", ["Direct or unknown"]],
      ["Sources", ["Direct or unknown 7", "Facebook 5"]],
      ["Countries", ["Switzerland 7", "Unknown 5"]],
      ["Devices", ["Unknown 7", "Mobile 5"]],
    ]);
    expect(await read("group", "country=unknown")).toEqual([
      ...["5", "country", ["Unknown"]],
      ["Top links", ["Two 5"]],
      ["Sources", ["Facebook 8", "Direct or unknown 7"]],
      ["Countries", ["Switzerland 10", "Unknown 5"]],
      ["Devices", ["Mobile 8", "Unknown 7"]],
    ]);
    expect(await read("tag", "device=mobile")).toEqual([
      ...["8", "device", ["Mobile"]],
      ["Top links", ["Two 5", "One 3"]],
      ["Sources", ["Facebook 8", "Direct or unknown 7"]],
      ["Countries", ["Switzerland 10", "Unknown 5"]],
      ["Devices", ["Mobile 8", "Unknown 7"]],
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
    expect(filtered).toContain(`${pages.overview}?${MAY}&source=Facebook`);
    expect(filtered.filter((href) => href.match(/(source|country|device)=/g)?.length !== 1)).toEqual([]);
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

  it("does not compare nothing with nothing", async () => {
    const { browser, pages } = await furnish();
    const { text } = await browser.get(`${pages.group}?last=7&country=FR`);
    expect(text).toContain("No visits in this range.");
    expect(text).not.toMatch(/class="delta|Today is not over/);
  });

  it("says that there were no visits, and ignores what nobody can choose", async () => {
    const { browser, pages } = await furnish();
    const { text } = await browser.get(`${pages.group}?${MAY}&compare=0&country=FR`);
    expect(text).toContain("No visits in this range.");
    const { chips, tables, marked } = readPage(text);
    expect(chips).toHaveLength(1);
    expect([tables[1], marked]).toEqual([
      ["Countries", ["Switzerland 10", "Unknown 5", "France 0"]],
      ["France"],
    ]);
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
    const hint = "Other has 297 visits, some of which may be from ";
    const named = await read("&source=site000.example");
    expect([readPage(named).visits, named.includes(hint)]).toEqual(["200", true]);
    // A source that is not among the highest ones has its row all the same, and is not under Other too.
    const { tables } = readPage(await read("&source=site050.example"));
    const low = tables[1]?.slice(1).flat();
    expect(low?.slice(7)).toEqual([
      "site007.example 193",
      "site050.example 150",
      expect.stringMatching(/^Other/),
    ]);
    expect(sum(low)).toBe(clicks);
    const unnamed = await read("&source=site102.example");
    expect([unnamed.includes("No visits by this name in this range."), unnamed.includes(hint)]).toEqual([
      true,
      true,
    ]);
    expect(readPage(unnamed).marked).toEqual([]);
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
  it("is said to be of all visits where it is made from a filtered page", async () => {
    const { ws, pages } = await furnish();
    const editor = await signInAs(ws, "editor");
    const formOf = async (page: string) => {
      const { text } = await editor.get(page);
      const to = /href="([^"]*\/reports\?[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
      return { to, ...(await editor.get(to)) };
    };
    const said = "A report is of all visits";
    for (const page of [pages.overview, pages.group, pages.tag]) {
      const filtered = await formOf(`${page}?${MAY}&country=CH`);
      expect(wordsIn(filtered.text)).toContain(
        `${said}: your filter “Country Switzerland” is not part of it.`,
      );
      const whole = await formOf(`${page}?${MAY}`);
      expect(whole.text).toContain("Make the report");
      expect(whole.text).not.toContain(said);
      const made = await editor.post(filtered.to, { ...fieldsOf(filtered) });
      expect([made.status, made.location?.includes("country=")]).toEqual([303, false]);
    }
  });

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
  [7, 8, "▼ 13%: 7 until yesterday, 8 in as many days before"],
  [8, 8, "8 until yesterday, 8 in as many days before"],
  [7, 0, "7 until yesterday, 0 in as many days before"],
  [90, 8, "90 until yesterday, 8 in as many days before"],
])("of a number that goes on, %i until yesterday and %i before are said", (now, before, said) => {
  expect(String(Stat({ value: 99, label: "visits", now, before })).replaceAll(/<[^>]*>/g, "")).toContain(
    `99 visits ${said}`,
  );
});
