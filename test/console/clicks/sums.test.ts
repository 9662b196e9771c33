import { afterEach, describe, expect, it, vi } from "vitest";
import { reportClicks } from "../../../src/analytics/command-report";
import { reportOrigin } from "../../../src/analytics/origin-report";
import { listTopGroups, listTopLinks } from "../../../src/analytics/rankings";
import { reportVisits } from "../../../src/analytics/report";
import { visitsOf } from "../../../src/analytics/time-series";
import { type Visit, writeVisits } from "../../../src/analytics/write-visits";
import { zoneText } from "../../../src/console/shell/zone-text";
import { comparedRange, PRESETS, rangeOfDays, toDate, toRange } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../../../src/lib/time";
import type { Zones } from "../../../src/lib/time-zone";
import { ruleKey } from "../../../src/lib/visitor-rules";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateLink } from "../../../src/resources/links/update-link";
import { createReport } from "../../../src/resources/reports/report-links";
import { getWorkspace, updateWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { otherInstance, send, serviceContext } from "../../harness";
import { type Browser, makeMember } from "../browser";

// Every breakdown adds up to the total above it, in every zone, on days of every length, and over a change of zone.

const AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148",
];
const COUNTRIES = ["CH", "NP", "AU", undefined];
const REFERRERS = ["https://news.example/", "https://t.co/", null];

const day = (date: string): number => Date.parse(date) / DAY_MS;

async function furnish(zone: string) {
  const { workspace, browser } = await makeMember("owner");
  await updateWorkspace(workspace.ctx, { time_zone: zone });
  const group = await workspace.group({ name: "Summer" });
  const other = await workspace.group({ name: "Winter" });
  const tag = await workspace.tag();
  const links = await Promise.all(
    ["mail", "poster", null].map((channel) =>
      workspace.link({ channel, activity_group_id: group.id, tag_ids: [tag.id] }),
    ),
  );
  const [first] = links;
  if (first === undefined) throw new Error("There is no link.");
  const rule = { destination_url: "https://example.org/ch", countries: ["CH"] };
  const { rules } = await updateLink(workspace.ctx, first.id, { rules: [rule] } as never);
  const asset = await createAsset(workspace.ctx, { link: first.id, name: "Poster", kind: "poster" });
  await workspace.link({ activity_group_id: other.id });
  return { workspace, browser, group, other, tag, links, asset, key: ruleKey(rules[0] as never) };
}

type Furnished = Awaited<ReturnType<typeof furnish>>;

/** A visit in every quarter hour, or at other steps, from a time to another, by turns of all that it can have. */
const visitBetween = (
  { workspace, links, asset, key }: Furnished,
  from: number,
  to: number,
  step = QUARTER_MS,
) =>
  writeVisits(
    { ...workspace.ctx, now: Date.now },
    Array.from({ length: Math.floor((to - from) / step) }, (_, index): Visit => {
      const link = links[index % links.length]?.id ?? "";
      const isFirst = index % links.length === 0;
      return {
        link,
        asset: isFirst && index % 2 === 0 ? asset.id : null,
        isAfterEnd: false,
        rule: isFirst ? (index % 4 === 0 ? key : "") : null,
        at: from + index * step + (index % 15) * 60_000,
        follows: true,
        agent: AGENTS[index % AGENTS.length] ?? null,
        referrer: REFERRERS[index % REFERRERS.length] ?? null,
        country: COUNTRIES[index % COUNTRIES.length],
      };
    }),
  );

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** The tables of shares of a page, by title, each with the sum of its numbers. */
const tablesIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(/<caption>([^<]*)<\/caption>(.*?)<\/table>/gs)].map(([, title = "", rows = ""]) => [
      title,
      sum([...rows.matchAll(/<td class="number">([\d,]+)<\/td>/g)].map(([, value = ""]) => toNumber(value))),
    ]),
  );

const toNumber = (text: string): number => Number(text.replaceAll(",", ""));

/** The number of visits above the tables of a page. */
const totalsIn = (text: string): number[] =>
  [...text.matchAll(/<strong>([\d,]+)<\/strong>\s*<span[^>]*>visits?</g)].map(([, value = ""]) =>
    toNumber(value),
  );

const BREAKDOWNS = ["Sources", "Countries", "Devices", "Channels", "Clicks and scans by rule"];

/** Compares the tables of a page with what stands above them. */
function expectPageAddsUp(text: string, visits: number, tables: readonly string[]) {
  expect(totalsIn(text)[0]).toBe(visits);
  const found = tablesIn(text);
  if (visits > 0) expect(Object.keys(found)).toEqual(expect.arrayContaining([...tables]));
  for (const title of BREAKDOWNS) if (title in found) expect([title, found[title]]).toEqual([title, visits]);
}

/** The numbers of both groups in a row of a comparison; none without the row. */
function rowOf(text: string, name: string): number[] {
  const row = new RegExp(`<th scope="row">(?:<bdi[^>]*>)?${name}(?:</bdi>)?</th>(.*?)</tr>`, "s");
  const [, cells = ""] = row.exec(text) ?? [];
  return [...cells.matchAll(/<td class="number">([\d,]+)<\/td>/g)].map(([, value = ""]) => toNumber(value));
}

/** Compares the channels of the first of two groups with its visits. The other one has none. */
function expectComparisonAddsUp(text: string, visits: number) {
  expect(rowOf(text, "Visits")).toEqual([visits, 0]);
  const channels = ["mail", "poster", "Links without a channel"].map((name) => rowOf(text, name));
  expect([sum(channels.map(([one = 0]) => one)), sum(channels.map(([, other = 0]) => other))]).toEqual([
    visits,
    0,
  ]);
}

const cellsOf = (csv: string): string[][] =>
  csv
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(",").map((cell) => cell.replaceAll('"', "")));

async function get(browser: Pick<Browser, "get">, path: string): Promise<string> {
  const { status, text } = await browser.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

/** Where the rows of the breakdowns of a page lead, each with its number. */
const originLinksIn = (text: string) =>
  [
    ...text.matchAll(
      /<a href="([^"]*[?&;](?:source|country|device)=[^"]*)">.*?<td class="number">([\d,]+)<\/td>/gs,
    ),
  ].map(([, path = "", visits = ""]) => ({ path: path.replaceAll("&amp;", "&"), visits: toNumber(visits) }));

/** Follows each row of the breakdowns of a page: the number of its page is that of the row, and its links have all of them. */
async function expectRowsLeadOn(browser: Browser, text: string, rows: number) {
  const found = originLinksIn(text);
  expect(found).toHaveLength(rows);
  for (const { path, visits } of found) {
    const own = await get(browser, path);
    expect([path, totalsIn(own)[0]]).toEqual([path, visits]);
    const { "Top links": ofLinks = visits } = tablesIn(own);
    expect([path, ofLinks]).toEqual([path, visits]);
  }
}

type Days = readonly [first: string, last: string];

async function contextOf({ workspace }: Furnished) {
  return { ...workspace.ctx, workspace: await getWorkspace(serviceContext(), workspace.slug) };
}

/** Adds up what is read of days, of which all visits are known. Returns those of the first link. */
async function expectFiguresAddUp(all: Furnished, [first, last]: Days, expected: number): Promise<number> {
  const { group, links, asset } = all;
  const ctx = await contextOf(all);
  const range = rangeOfDays(ctx.workspace.zones, day(first), day(last));
  const visits: number[] = [];
  const scopes = [
    ...links.map(({ id }) => ({ link: id })),
    { group: group.id },
    { workspace: true } as const,
  ];
  for (const scope of [...scopes, { asset: asset.id }]) {
    const { totals, points, days, origins } = await reportVisits(ctx, scope, range, { compare: false });
    visits.push(visitsOf(totals));
    expect(sum(points.map(visitsOf))).toBe(visitsOf(totals));
    if ("asset" in scope) continue;
    for (const origin of ["country", "referrer", "device"] as const) {
      expect([origin, sum(origins[origin].map((one) => one.visits))]).toEqual([origin, visitsOf(totals)]);
      if ("link" in scope && scope.link !== links[0]?.id) continue;
      const byDay = days.map(() => 0);
      for (const { value, visits: ofRow } of origins[origin]) {
        const chosen = { origin, value };
        const own = await reportOrigin(ctx, scope, range, chosen, { compare: false });
        const listed = (rows: readonly { visits: number }[] | null | undefined) =>
          sum((rows ?? []).map((row) => row.visits));
        const ofLinks = "link" in scope ? 0 : ofRow;
        expect([chosen, own?.visits, listed(own?.links)]).toEqual([chosen, ofRow, ofLinks]);
        for (const [index, more] of own?.points.entries() ?? []) byDay[index] = (byDay[index] ?? 0) + more;
      }
      if (range.unit !== "week") expect(byDay).toEqual(days.map(visitsOf));
    }
  }
  const [one = 0, two = 0, three = 0, ofGroup, ofWorkspace] = visits;
  expect([one + two + three, ofGroup, ofWorkspace]).toEqual([expected, expected, expected]);
  expect(sum((await listTopLinks(ctx, range, 10)).map(visitsOf))).toBe(expected);
  expect(sum((await listTopGroups(ctx, range, 10)).map((top) => top.visits))).toBe(expected);
  const command = await reportClicks(ctx, { group: group.id }, range);
  for (const rows of [command.countries, command.referrers, command.devices])
    expect(sum(rows.map(({ people }) => Number(people)))).toBe(expected);
  expect(sum((command.channels ?? []).map(visitsOf))).toBe(expected);
  expect(sum(command.days.map(visitsOf))).toBe(expected);
  return one;
}

const ORIGINS = ["Sources", "Countries", "Devices"];

/** Adds up the pages, reports and files of days. */
async function expectPagesAddUp(all: Furnished, days: Days, expected: number) {
  const { workspace, browser, group, other, tag, links } = all;
  const [from, to] = days;
  const ofLink = await expectFiguresAddUp(all, days, expected);
  const page = (path: string) => get(browser, `/app/${workspace.slug}${path}from=${from}&to=${to}`);
  const rows = COUNTRIES.length + REFERRERS.length + AGENTS.length;
  for (const [path, visits, tables, ofOrigins] of [
    ["?", expected, ORIGINS, rows],
    [`/tags/${tag.id}?`, expected, ORIGINS, rows],
    [`/groups/${group.id}?`, expected, [...ORIGINS, "Channels"], rows],
    // It has one source.
    [`/links/${links[0]?.id}?`, ofLink, [...ORIGINS, "Clicks and scans by rule"], rows - 2],
  ] as const) {
    const text = await page(path);
    expectPageAddsUp(text, visits, tables);
    await expectRowsLeadOn(browser, text, ofOrigins);
  }
  const comparison = await page(`/groups/${group.id}/compare?with=${other.id}&`);
  expectComparisonAddsUp(comparison, expected);

  const ctx = await contextOf(all);
  const ends_on = toDate(Math.floor(Date.now() / DAY_MS) + 5);
  const ofReport = { first_day: from, last_day: to, ends_on };
  for (const [kind, subject, tables] of [
    ["overview", null, ORIGINS],
    ["group", group.id, [...ORIGINS, "Channels"]],
    ["tag", tag.id, ORIGINS],
  ] as const) {
    const { url } = await createReport(ctx, { kind, subject, ...ofReport });
    const response = await send(new Request(url), otherInstance());
    expectPageAddsUp(await response.text(), expected, tables);
  }

  const clicks = cellsOf(await page(`/groups/${group.id}/clicks.csv?`));
  const origins = cellsOf(await page(`/groups/${group.id}/origins.csv?`));
  const range = rangeOfDays(ctx.workspace.zones, day(from), day(to));
  const byDay = (await reportClicks(ctx, { group: group.id }, range)).days;
  expect(sum(byDay.map(visitsOf))).toBe(expected);
  for (const { day: date, ...visits } of byDay) {
    const ofDay = (rows: readonly string[][]) => rows.filter(([cell]) => cell === date);
    const numbers = ofDay(clicks).map((row) => Number(row[4]) + Number(row[6]));
    expect([date, sum(numbers)]).toEqual([date, visitsOf(visits)]);
    for (const what of ["Country", "Referrer", "Device"]) {
      const own = ofDay(origins).filter((row) => row[1] === what);
      expect([date, what, sum(own.map((row) => Number(row.at(-1))))]).toEqual([date, what, visitsOf(visits)]);
    }
  }
  expect(new Set([...clicks, ...origins].map(([date]) => date)).size).toBe(byDay.length);
}

const hoursOf = (zones: Zones, date: string): number => {
  const { from, to } = rangeOfDays(zones, day(date), day(date));
  return (to - from) / HOUR_MS;
};

describe("the breakdowns of one day, of three and of a week add up", () => {
  it.each([
    ["UTC", "2026-05-02", 24],
    ["Europe/Zurich", "2026-10-25", 25],
    ["America/New_York", "2026-03-08", 23],
    ["Asia/Kolkata", "2026-05-02", 24],
    ["Asia/Kathmandu", "2026-05-02", 24],
    ["Australia/Lord_Howe", "2026-04-05", 24.5],
    ["Pacific/Kiritimati", "2026-05-02", 24],
    ["America/St_Johns", "2026-11-01", 25],
  ])("%s on %s, a day of %f hours", async (zone, date, hours) => {
    const all = await furnish(zone);
    const [first, last] = [toDate(day(date) - 1), toDate(day(date) + 1)];
    expect(hoursOf(zone, date)).toBe(hours);
    const { from } = rangeOfDays(zone, day(first), day(first));
    await visitBetween(all, from - DAY_MS, from + 4 * DAY_MS);
    const three = 4 * sum([first, date, last].map((one) => hoursOf(zone, one)));
    await expectPagesAddUp(all, [date, date], 4 * hours);
    await expectPagesAddUp(all, [first, last], three);
    await expectPagesAddUp(all, [toDate(day(date) - 5), last], 96 + three);
  });
});

const STEP_MS = 3 * HOUR_MS;
const WRITTEN_MS = 190 * DAY_MS;

describe("the breakdowns of the ranges with a name add up, and so does what they are compared with", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    ["UTC", "2026-05-16T11:20Z"],
    // This month has a day of 25 hours, the one before of 24.
    ["Europe/Zurich", "2026-10-31T17:40Z"],
    // The month before has no 30th.
    ["America/New_York", "2026-03-30T15:10Z"],
    ["Asia/Kolkata", "2026-06-30T18:10Z"],
    // The first day of a month and of a quarter.
    ["Asia/Kathmandu", "2026-07-01T04:05Z"],
    ["Australia/Lord_Howe", "2026-04-05T13:50Z"],
    ["Pacific/Kiritimati", "2026-12-31T09:59Z"],
    ["America/St_Johns", "2026-11-02T03:15Z"],
  ])("%s at %s", async (zone, time) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) });
    const now = Date.now();
    const all = await furnish(zone);
    const { workspace, browser, group, other, tag } = all;
    const start = Date.parse(time.slice(0, 14).concat("00Z")) - WRITTEN_MS;
    await visitBetween(all, start, now, STEP_MS);
    const times = Array.from(
      { length: Math.floor((now - start) / STEP_MS) },
      (_, index) => start + index * STEP_MS + (index % 15) * 60_000,
    );
    const between = (from: number, to: number) => times.filter((at) => at >= from && at < to).length;
    const ctx = await contextOf(all);
    const ends_on = toDate(Math.floor(now / DAY_MS) + 5);
    for (const last of PRESETS.filter((preset) => !["365", "all"].includes(preset))) {
      const range = toRange({ last }, zone, now, 0);
      const expected = between(range.from, range.to);
      await expectFiguresAddUp(all, [toDate(range.firstDay), toDate(range.lastDay)], expected);
      const { before, pointsBefore } = await reportVisits(ctx, { group: group.id }, range, { compare: true });
      const compared = comparedRange(range);
      const isWhole = now >= range.to;
      if (isWhole) expect(visitsOf(before ?? expect.fail(last))).toBe(between(compared.from, compared.to));
      if (range.unit !== "hour")
        expect(sum((pointsBefore ?? []).map(visitsOf))).toBe(visitsOf(before ?? expect.fail(last)));
      const page = (path: string) => get(browser, `/app/${workspace.slug}${path}last=${last}`);
      expectPageAddsUp(await page("?"), expected, ORIGINS);
      expectPageAddsUp(await page(`/tags/${tag.id}?`), expected, ORIGINS);
      expectPageAddsUp(await page(`/groups/${group.id}?`), expected, [...ORIGINS, "Channels"]);
      expectComparisonAddsUp(await page(`/groups/${group.id}/compare?with=${other.id}&`), expected);
      const { url } = await createReport(ctx, { kind: "overview", subject: null, last, ends_on });
      expectPageAddsUp(await (await send(new Request(url), otherInstance())).text(), expected, ORIGINS);
    }
  });
});

describe("over a change of zone they add up, by days that each visit keeps", () => {
  it.each([
    ["Europe/Zurich", "America/New_York", "2026-05-02T02:10Z", "which has the date before"],
    ["America/New_York", "Asia/Kathmandu", "2026-05-02T15:10Z", "which has the date after"],
    ["Asia/Kathmandu", "Australia/Lord_Howe", "2026-04-04T20:40Z", "both by quarter hours"],
    ["Pacific/Kiritimati", "Pacific/Pago_Pago", "2026-05-02T10:30Z", "25 hours behind"],
    ["Pacific/Pago_Pago", "Pacific/Kiritimati", "2026-05-02T10:30Z", "25 hours ahead"],
  ])("from %s to %s at %s, %s", async (before, after, time) => {
    const all = await furnish(before);
    const changed = Date.parse(time);
    const until = changed - (changed % HOUR_MS) + HOUR_MS;
    const [start, end] = [until - 3 * DAY_MS, until + 3 * DAY_MS];
    await visitBetween(all, start, until - 3 * QUARTER_MS);
    await updateWorkspace({ ...all.workspace.ctx, now: () => changed }, { time_zone: after });
    await visitBetween(all, until - 3 * QUARTER_MS, end);
    const { zones } = await getWorkspace(serviceContext(), all.workspace.slug);
    expect(zones.earlier.map((one) => [one.zone, one.until])).toEqual([[before, until]]);
    const first = Math.floor(start / DAY_MS) - 2;
    const last = first + 10;
    const days = Array.from({ length: 11 }, (_, index) => rangeOfDays(zones, first + index, first + index));
    for (const [index, { from, to }] of days.entries()) {
      expect(to).toBe(days[index + 1]?.from ?? to);
      const visits = Math.max(0, (Math.min(to, end) - Math.max(from, start)) / QUARTER_MS);
      const date = toDate(first + index);
      await expectFiguresAddUp(all, [date, date], visits);
    }
    const whole: Days = [toDate(first), toDate(last)];
    await expectPagesAddUp(all, whole, (end - start) / QUARTER_MS);
    const page = await get(all.browser, `/app/${all.workspace.slug}?from=${whole[0]}&to=${whole[1]}`);
    expect(page).toContain(` began at midnight ${zoneText(before)}: the time zone was changed on`);
    const later = await get(
      all.browser,
      `/app/${all.workspace.slug}?from=${toDate(last - 1)}&to=${whole[1]}`,
    );
    expect(later).not.toContain("began at midnight");
  });
});
