import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Visit, writeVisits } from "../../src/analytics/write-visits";
import { zoneText } from "../../src/console/shell/zone-text";
import type { Env } from "../../src/context";
import { rowsWith } from "../../src/lib/csv";
import { textOf } from "../../src/lib/file-text";
import { toDate } from "../../src/lib/range";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/lib/time";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { createReport, endReport } from "../../src/resources/reports/report-links";
import { getWorkspace, updateWorkspace } from "../../src/resources/workspaces/workspace-service";
import { API, makeWorkspace, otherInstance, SHORT, send, serviceContext } from "../harness";
import { limiter } from "../limiter";
import { metered } from "../metered";
import { makeMember, signInAs } from "./browser";
import { wordsIn } from "./form-fields";

const AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const ZONE = "Asia/Kathmandu";
/** 05:45 on the Saturday in Kathmandu. */
const MIDNIGHT_UTC = Date.parse("2026-10-17T00:00:00Z");
/** The Sunday, 17:45 in Kathmandu. */
const NOW = Date.parse("2026-10-18T12:00:00Z");
const PARTS = ["links", "posters", "sources", "countries", "devices", "channels"] as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

async function read(url: string, env: Env = otherInstance(), init: RequestInit = {}) {
  const response = await send(new Request(url, { redirect: "manual", ...init }), env);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { status, headers } = response;
  return { status, headers, bytes, text: new TextDecoder().decode(bytes) };
}

const dataAt = async (url: string) => JSON.parse((await read(`${url}.json`)).text);

/** A file as objects. */
function tableIn({ bytes }: { bytes: Uint8Array }): Record<string, string>[] {
  const text = textOf(bytes);
  const rows = rowsWith(text.ok ? text.value : "", ",");
  const [heading, ...others] = rows.ok ? rows.value : [];
  return others.map(({ cells }) =>
    Object.fromEntries((heading?.cells ?? []).map((name, index) => [name, cells[index] ?? ""])),
  );
}

/** The numbers of the tables of a page, by caption and label. */
const sharesIn = (text: string): Record<string, Record<string, number>> =>
  Object.fromEntries(
    [...text.matchAll(/<caption>([^<]*)<\/caption>(.*?)<\/table>/gs)].map(([, title = "", rows = ""]) => [
      title,
      Object.fromEntries(
        [...rows.matchAll(/<bdi>([^<]*)<\/bdi>.*?<td class="number">([\d,]+)<\/td>/gs)].map(
          ([, label = "", value = ""]) => [label, Number(value.replaceAll(",", ""))],
        ),
      ),
    ]),
  );

/** The days of a page's chart. */
const daysIn = (text: string): Record<string, number[]> => {
  const [, table = ""] = /<summary>As a table<\/summary>(.*?)<\/details>/s.exec(text) ?? [];
  return Object.fromEntries(
    [...table.matchAll(/<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/gs)].map(([, day = "", cells = ""]) => [
      day,
      [...cells.matchAll(/<td class="number">([\d,]+)</g)].map(([, value = ""]) => Number(value)),
    ]),
  );
};

/** A group in Kathmandu with three posters, one of which nobody scanned, and clicks on both sides of its midnight. */
async function poster() {
  const { workspace } = await makeMember("owner");
  await updateWorkspace(workspace.ctx, { time_zone: ZONE });
  const group = await workspace.group({ name: "=Summer fair" });
  const tag = await workspace.tag({ name: "Fair" });
  const fields = { activity_group_id: group.id, tag_ids: [tag.id] };
  const link = await workspace.link({ ...fields, title: "+Poster", channel: "poster" });
  const mail = await workspace.link({ ...fields, channel: "mail" });
  const [station, , school] = await Promise.all(
    ["Station", "Market", "School"].map((name) =>
      createAsset(workspace.ctx, { link: link.id, name, kind: "poster", place: `Hall of ${name}` }),
    ),
  );
  const visitAt = (at: number, more: Partial<Visit> = {}): Visit => ({
    ...{ link: link.id, asset: null, isAfterEnd: false, rule: null, at, follows: true },
    ...{ agent: AGENT, referrer: "https://news.example/", country: "NP", ...more },
  });
  await writeVisits({ ...workspace.ctx, now: Date.now }, [
    // 23:30 on the Friday in Kathmandu, and 00:30 on the Saturday; both are the Friday in UTC.
    visitAt(MIDNIGHT_UTC - 6.25 * HOUR_MS),
    visitAt(MIDNIGHT_UTC - 5.25 * HOUR_MS, { country: "CH" }),
    visitAt(MIDNIGHT_UTC, { link: mail.id, referrer: null }),
    ...[0, 1, 2].map((hour) => visitAt(MIDNIGHT_UTC + hour * HOUR_MS, { asset: station?.id ?? "" })),
    visitAt(NOW - HOUR_MS, { asset: school?.id ?? "" }),
    visitAt(NOW - HOUR_MS, { isAfterEnd: true }),
    visitAt(NOW - HOUR_MS, { agent: "Googlebot/2.1" }),
    // In the week before, and too late in it to be compared.
    visitAt(NOW - 7 * DAY_MS - HOUR_MS),
    visitAt(NOW - 7 * DAY_MS + 3 * HOUR_MS),
  ]);
  const ctx = { ...workspace.ctx, workspace: await getWorkspace(serviceContext(), workspace.slug) };
  const report = (fields: object = {}) =>
    createReport(ctx, {
      ...{ kind: "group", subject: group.id, last: "7", ends_on: "2026-12-31" },
      ...fields,
    } as never);
  return { workspace, ctx, group, tag, link, mail, station, school, report };
}

describe("a report as data", () => {
  it("has the figures of its page, by the days of the workspace's zone", async () => {
    const { report, link, mail, station, school } = await poster();
    const { url } = await report();
    const { status, headers, text } = await read(`${url}.json`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    const title = "=Summer fair";
    const days = ["12", "13", "14", "15", "16", "17", "18"].map((day) => `2026-10-${day}`);
    const expected = {
      report: {
        ...{ title, kind: "group", from: "2026-10-12", to: "2026-10-18", time_zone: ZONE },
        ...{ compared_from: "2026-10-05", compared_to: "2026-10-11", made_at: "2026-10-18T12:00:00.000Z" },
      },
      totals: { visits: 7, clicks: 3, scans: 4, after_end: 1, bots: 1 },
      totals_before: { visits: 1, clicks: 1, scans: 0, after_end: 0, bots: 0 },
      days: days.map((day) => ({
        day,
        clicks: { "2026-10-16": 1, "2026-10-17": 2 }[day] ?? 0,
        scans: { "2026-10-17": 3, "2026-10-18": 1 }[day] ?? 0,
      })),
      links: [
        { id: link.id, title: "+Poster", short_url: link.short_url, clicks: 2, scans: 4 },
        { id: mail.id, title: null, short_url: mail.short_url, clicks: 1, scans: 0 },
      ],
      posters: [
        { id: station?.id, name: "Station", place: "Hall of Station", scans: 3 },
        { id: school?.id, name: "School", place: "Hall of School", scans: 1 },
      ],
      sources: [
        { name: "news.example", visits: 6 },
        { name: "Direct or unknown", visits: 1 },
      ],
      countries: [
        { name: "Nepal", visits: 6 },
        { name: "Switzerland", visits: 1 },
      ],
      devices: [{ name: "Desktop", visits: 7 }],
      channels: [
        { name: "poster", visits: 6 },
        { name: "mail", visits: 1 },
      ],
    };
    expect(JSON.parse(text)).toEqual(expected);
    // Also in this order.
    expect(text).toBe(JSON.stringify(expected));
  });

  it.each([
    ["overview", "7"],
    ["group", "7"],
    ["tag", "7"],
    ["group", "today"],
    ["group", "365"],
    ["tag", "all"],
  ] as const)("of kind %s, last %s, says what its page says, in JSON and CSV", async (kind, last) => {
    const { report, group, tag } = await poster();
    const { url } = await report({
      kind,
      last,
      subject: { overview: null, group: group.id, tag: tag.id }[kind],
    });
    const page = (await read(url)).text;
    const data = await dataAt(url);
    const words = wordsIn(page);
    for (const said of [data.report.title, zoneText(data.report.time_zone)]) expect(words).toContain(said);
    expect(words).toMatch(new RegExp(`\\b${data.totals.visits} visits?\\b`));
    const shares = sharesIn(page);
    const nameOf = ({ title, short_url }: { title: string | null; short_url: string }) =>
      title ?? short_url.split("/").at(-1) ?? "";
    const byName = (rows: { name: string; visits: number }[]) =>
      Object.fromEntries(rows.map(({ name, visits }) => [name, visits]));
    expect(byName(data.sources)).toEqual(shares["Sources"]);
    expect(byName(data.countries)).toEqual(shares["Countries"]);
    expect(byName(data.devices)).toEqual(shares["Devices"]);
    expect(data.channels && byName(data.channels)).toEqual(shares["Channels"] ?? null);
    expect(
      Object.fromEntries(data.links.map((link: never) => [nameOf(link), link["clicks"] + link["scans"]])),
    ).toEqual(shares["Most visited links"]);
    const posters = data.posters?.map((one: Record<string, string>) => [
      `${one["name"]}, ${one["place"]}`,
      one["scans"],
    ]);
    expect(posters ?? null).toEqual(
      shares["Most scanned posters"] === undefined ? null : Object.entries(shares["Most scanned posters"]),
    );
    const sum = (name: "clicks" | "scans") =>
      data.days.reduce((all: number, day: Record<string, number>) => all + (day[name] ?? 0), 0);
    expect([sum("clicks"), sum("scans")]).toEqual([data.totals.clicks, data.totals.scans]);
    expect(data.days.at(-1).day).toBe("2026-10-18");
    if (last === "7" && kind !== "group") {
      const charted = Object.values(daysIn(page)).map(([clicks = 0, scans = 0]) => [clicks, scans]);
      const visited = data.days
        .filter((day: Record<string, number>) => day["clicks"] !== 0 || day["scans"] !== 0)
        .map((day: Record<string, number>) => [day["clicks"], day["scans"]]);
      expect(charted.filter(([clicks, scans]) => clicks !== 0 || scans !== 0)).toEqual(visited);
    }
    const asText = (rows: object[]) =>
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value ?? "")])),
      );
    expect(tableIn(await read(`${url}.csv`))).toEqual(asText(data.days));
    for (const part of PARTS)
      expect(tableIn(await read(`${url}.csv?part=${part}`)), part).toEqual(
        data[part] === null ? [expect.anything()] : asText(data[part]),
      );
  });

  it("is null where the page shows no such table, and says so in the file", async () => {
    const { report } = await poster();
    const { url } = await report({ kind: "overview", subject: null, last: "all" });
    const data = await dataAt(url);
    expect([data.posters, data.channels, data.totals_before]).toEqual([null, null, null]);
    expect([data.report.compared_from, data.report.compared_to]).toEqual([null, null]);
    expect((await read(`${url}.csv?part=posters`)).text).toBe(
      "id,name,place,scans\r\n–,The page of this report does not show this.,,\r\n",
    );
  });

  it("has no cell that a spreadsheet would run, and is UTF-8 for Excel too", async () => {
    const { report } = await poster();
    const { url } = await report();
    const { headers, bytes, text } = await read(`${url}.csv?part=links`);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text).toContain(",'+Poster,");
  });
});

describe("to read it", () => {
  it("needs no key, and other sites may read it; nobody is told of its address", async () => {
    const { report } = await poster();
    const { url } = await report();
    for (const address of [`${url}.json`, `${url}.csv`]) {
      const { status, headers } = await read(address, undefined, {
        headers: { origin: "https://a.example" },
      });
      expect(status).toBe(200);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("cache-control")).toBe("private, max-age=60");
      expect(headers.get("x-robots-tag")).toBe("noindex");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.has("set-cookie")).toBe(false);
      const head = await read(address, undefined, { method: "HEAD" });
      expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", headers.get("etag")]);
      const posted = await read(address, undefined, { method: "POST" });
      expect([posted.status, posted.text]).toEqual([405, '{"message":"Method not allowed."}']);
      expect(posted.headers.get("allow")).toBe("GET, HEAD");
      expect((await read(address.replace(API, SHORT))).status).toBe(404);
    }
  });

  it("answers 304 to whoever has the same figures, also a minute later, and 200 once they have changed", async () => {
    const { report, workspace, link } = await poster();
    const { url } = await report();
    for (const address of [`${url}.json`, `${url}.csv`, `${url}.csv?part=links`]) {
      const etag = (await read(address)).headers.get("etag") ?? "";
      const known = { headers: { "if-none-match": etag } };
      vi.setSystemTime(Date.now() + MINUTE_MS);
      const again = await read(address, undefined, known);
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      expect(again.headers.get("cache-control")).toBe("private, max-age=60");
      const visit = { link: link.id, asset: null, isAfterEnd: false, rule: null, at: Date.now() };
      const from = { agent: AGENT, referrer: null, country: "NP", follows: true };
      await writeVisits({ ...workspace.ctx, now: Date.now }, [{ ...visit, ...from }]);
      const later = await read(address, undefined, known);
      expect([address, later.status]).toEqual([address, 200]);
      expect(later.headers.get("etag")).not.toBe(etag);
    }
  });

  it("an instance reads it once a minute for the page, the JSON and every table", async () => {
    const { report } = await poster();
    const { url } = await report();
    const { db, rows } = metered(otherInstance().DB);
    const env = { ...otherInstance(), DB: db };
    const together = await Promise.all([`${url}.json`, url, `${url}.csv`].map((one) => read(one, env)));
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200]);
    const once = rows.statements;
    rows.statements = 0;
    for (const part of PARTS) expect((await read(`${url}.csv?part=${part}`, env)).status).toBe(200);
    expect((await read(`${url}.json`, env)).text).toBe(together[0]?.text);
    expect(rows.statements).toBe(0);
    await read(`${url}.json`, { ...otherInstance(), DB: db });
    expect(rows.statements).toBe(once);
  });

  it("refuses in JSON: an unknown or ended report, an unknown table, and one that has used up its time", async () => {
    const { report, ctx } = await poster();
    const { url, id } = await report();
    const partly = await read(`${url}.csv?part=towns`);
    const sentence =
      "The part field must be one of days, links, posters, sources, countries, devices, channels.";
    expect([partly.status, JSON.parse(partly.text)]).toEqual([
      422,
      { message: sentence, errors: { part: [sentence] } },
    ]);
    expect((await read(`${url}.csv?part=toString`)).status).toBe(422);
    const twice = "The part field must be given once, as a single value.";
    const both = await read(`${url}.csv?part=links&part=posters`);
    expect([both.status, JSON.parse(both.text).message]).toEqual([422, twice]);
    expect((await read(`${url}.csv?part=%20`)).text).toBe((await read(`${url}.csv`)).text);
    expect((await read(`${url}.csv?part=links%20`)).text).toBe((await read(`${url}.csv?part=links`)).text);
    expect(partly.headers.get("cache-control")).toBe("no-store");
    expect(partly.headers.get("access-control-allow-origin")).toBe("*");

    const { binding } = limiter(0);
    const busy = { ...otherInstance(), UNKNOWN_SLUG_RATE: binding };
    const from = { headers: { "cf-connecting-ip": "203.0.113.9" } };
    const unknown = `${API}/reports/${"x".repeat(32)}.json`;
    const many = await read(unknown, busy, from);
    expect([many.status, many.text, many.headers.get("retry-after")]).toEqual([
      ...[429, '{"message":"Too Many Attempts."}', "60"],
    ]);

    await endReport(ctx, id);
    for (const address of [
      `${url}.json`,
      `${url}.csv`,
      `${url}.csv?part=towns`,
      unknown,
      `${API}/reports/x.csv`,
    ]) {
      const { status, text, headers } = await read(address);
      expect([address, status, text]).toEqual([address, 404, '{"message":"Report not found."}']);
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("x-robots-tag")).toBe("noindex");
    }
    expect((await read(`${url}.xml`)).status).toBe(404);
  });

  it("ends at the report's end, also in an instance that has just read it", async () => {
    const { report } = await poster();
    const { url, ends_at } = await report({ ends_on: "2026-10-20" });
    const instance = otherInstance();
    vi.setSystemTime(Date.parse(ends_at) - 1_000);
    expect((await read(`${url}.json`, instance)).status).toBe(200);
    vi.setSystemTime(Date.parse(ends_at));
    expect((await read(`${url}.json`, instance)).status).toBe(404);
  });

  it("is charged to the report, in its own limit", async () => {
    const ws = await makeWorkspace();
    const ends_on = toDate(Math.floor(Date.now() / DAY_MS) + 1);
    const { url } = await createReport(ws.ctx, { kind: "overview", ends_on });
    const { binding, asked } = limiter(0);
    const env = { ...otherInstance(), REPORT_WORK: binding, CALLER_WORK: binding, WORKSPACE_WORK: binding };
    let status = 200;
    for (let times = 0; times < 40 && status === 200; times++) {
      vi.setSystemTime(Date.now() + 61_000);
      await read(`${url}.json`, env);
      if (asked.length > 0) ({ status } = await read(`${url}.csv`, { ...env, KV: otherInstance().KV }));
    }
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((key) => key.includes(":report:"))).toBe(true);
  });

  it("its two addresses are on its page and in the list of reports", async () => {
    const { report, workspace, group } = await poster();
    const { url } = await report();
    const page = (await read(url)).text;
    const editor = await signInAs(workspace, "editor");
    const list = await editor.get(`/app/${workspace.slug}/reports?kind=group&subject=${group.id}`);
    for (const address of [`${url}.csv`, `${url}.json`]) {
      expect(page).toContain(`href="${address}"`);
      expect(wordsIn(page)).toContain(address);
      expect(list.text).toContain(`data-copy="${address}"`);
    }
  });
});
