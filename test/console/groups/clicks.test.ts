import { describe, expect, it } from "vitest";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { makeWorkspace, SHORT, type TestWorkspace } from "../../harness";
import { makeMember } from "../browser";
import { click } from "../clicks";
import { watched } from "../depth";

const dayBefore = (days: number): string => isoTime(Date.now() - days * DAY_MS).slice(0, 10);

/** The rows of a ranking, each with its label and its number. */
function ranked(text: string, title: string): [string, string][] {
  const table = text.split("<table").find((part) => part.includes(`<caption>${title}</caption>`)) ?? "";
  return [...table.matchAll(/<span>([^<]*)<\/span>.*?<td class="number">([^<]*)</g)].map(
    ([, label = "", value = ""]) => [label, value],
  );
}

const totalsIn = (text: string): string[] =>
  [...text.matchAll(/<strong>([\d,]+)<\/strong>/g)].map(([, total = ""]) => total);

async function clickedGroup(workspace: TestWorkspace) {
  const group = await workspace.group({ name: "Summer", slug: "summer" });
  const poster = await workspace.link({
    slug: unique("poster"),
    channel: "poster",
    activity_group_id: group.id,
  });
  const plain = await workspace.link({ slug: unique("plain"), activity_group_id: group.id });
  const outside = await workspace.link({ channel: "mail" });
  return { group, poster, plain, outside };
}

const unique = (name: string): string => `${name}-${crypto.randomUUID().slice(0, 8)}`;

describe("an Activity Group's page", () => {
  it("shows the clicks and scans of its links apart, by day and channel, and together by origin", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await click(workspace, poster.id, dayBefore(0), { people: 1_200, bots: 7, referrer: "news.example" });
    await click(workspace, plain.id, dayBefore(2), { people: 5, country: "T1", device: "desktop" });
    await click(workspace, plain.id, dayBefore(2), { people: 2, country: "" });
    await click(workspace, plain.id, dayBefore(3), { scans: 30, late: 4, country: "DE" });
    await click(workspace, outside.id, dayBefore(0), { people: 99, scans: 99, late: 99 });
    await click(workspace, poster.id, dayBefore(30), { people: 1 });
    const { status, text } = await browser.get(`/app/${workspace.slug}/groups/${group.id}`);
    expect(status).toBe(200);
    expect(totalsIn(text)).toEqual(["1,207", "30", "4", "7"]);
    expect(ranked(text, "Channel")).toEqual([
      ["poster", "1,200 · 0"],
      ["No channel", "7 · 30"],
    ]);
    expect(text).toContain("<strong>30</strong> scans of assets");
    expect(text).toContain("<strong>4</strong> after the end");
    expect(ranked(text, "Country")).toEqual([
      ["Switzerland", "1,200"],
      ["Germany", "30"],
      ["Tor network", "5"],
      ["Unknown", "2"],
    ]);
    expect(ranked(text, "Referrer")).toEqual([
      ["news.example", "1,200"],
      ["None, or not told", "37"],
    ]);
    expect(ranked(text, "Device")).toEqual([
      ["Mobile", "1,232"],
      ["Desktop", "5"],
    ]);
    expect(text).toContain(`<title>${dayBefore(2)}: 7 clicks and 0 scans</title>`);
    expect(text).toContain(`<title>${dayBefore(3)}: 0 clicks and 30 scans</title><rect class="second"`);
    expect(text).toContain(
      `<tr><th scope="row">${dayBefore(3)}</th><td class="number">0</td><td class="number">30</td></tr>`,
    );
    expect(text.match(/<g><title>/g)).toHaveLength(30);
  });

  it.each([
    ["?last=7", 7, ["1", "0", "0"]],
    ["?last=90", 90, ["11", "0", "0"]],
    ["?last=365", 365, ["111", "0", "0"]],
    ["?last=eternity", 30, ["1", "0", "0"]],
    [`?from=${dayBefore(40)}&to=${dayBefore(40)}`, 1, ["10", "0", "0"]],
    [`?from=${dayBefore(1)}&to=${dayBefore(40)}`, 40, ["11", "0", "0"]],
    [`?to=${dayBefore(40)}`, 30, ["10", "0", "0"]],
    [`?from=${dayBefore(40)}`, 41, ["11", "0", "0"]],
    ["?from=1970-01-01", 366, ["111", "0", "0"]],
  ])("shows with %s the %i requested days", async (query, days, totals) => {
    const { workspace, browser } = await makeMember();
    const { group, plain } = await clickedGroup(workspace);
    for (const [before, people] of [
      [1, 1],
      [40, 10],
      [364, 100],
      [366, 1_000],
    ] as const) {
      await click(workspace, plain.id, dayBefore(before), { people });
    }
    const { text } = await browser.get(`/app/${workspace.slug}/groups/${group.id}${query}`);
    expect(totalsIn(text)).toEqual(totals);
    expect(text.match(/<g><title>/g)).toHaveLength(days);
    expect(text.includes('class="warning"')).toBe(query.includes("1970"));
  });

  it("says if nobody clicked, and what to do next if it has no link", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group();
    const { text } = await browser.get(`/app/${workspace.slug}/groups/${group.id}`);
    expect(text).toContain("No clicks and no scans on these days.");
    expect(text).toContain("No active link is in this group.");
    expect(text).toContain(`href="/app/${workspace.slug}/links/new?activity_group_id=${group.id}"`);
    expect(text).not.toContain("/print");
  });

  it("lists its newest links, and links to all of them", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group();
    const links = [];
    for (let number = 0; number < 12; number++) {
      links.push(await workspace.link({ activity_group_id: group.id, title: `<Link ${number}>` }));
    }
    await workspace.call("PATCH", `/api/v1/links/${links[11]?.id}`, { body: { status: "archived" } });
    const { text } = await browser.get(`/app/${workspace.slug}/groups/${group.id}`);
    expect([...text.matchAll(/&lt;Link (\d+)&gt;/g)].map(([, number]) => Number(number))).toEqual([
      10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    const list = `/app/${workspace.slug}/links?activity_group_id=${group.id}`;
    expect(text).toContain(`<a href="${list}&amp;status=active">All 11 active links</a>`);
    expect(text).toContain(`<a href="${list}&amp;status=archived">1 archived link</a>`);
  });
});

describe("the export of an Activity Group's clicks", () => {
  it("has a line for each day of each link, with no formula in it", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await workspace.call("PATCH", `/api/v1/links/${poster.id}`, { body: { channel: '=HYPERLINK("x")' } });
    await workspace.call("PATCH", `/api/v1/links/${plain.id}`, { body: { status: "archived" } });
    await click(workspace, poster.id, "2026-05-02", { people: 3, scans: 20, late: 6 });
    await click(workspace, poster.id, "2026-05-01", { people: 1, bots: 2 });
    await click(workspace, plain.id, "2026-05-03", { bots: 4 });
    await click(workspace, plain.id, "2026-05-04", { people: 9 });
    await click(workspace, outside.id, "2026-05-02", { people: 9 });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const page = await browser.get(`${path}?from=2026-05-01&to=2026-05-03`);
    const to = `${path}/clicks.csv?from=2026-05-01&to=2026-05-03`;
    expect(page.text).toContain(`href="${to.replace("&", "&amp;")}"`);
    const file = await browser.get(to);
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("content-disposition")).toBe(
      'attachment; filename="clicks-summer-2026-05-01-2026-05-03.csv"',
    );
    const formula = `"'=HYPERLINK(""x"")"`;
    expect(file.text.replace("\ufeff", "").split("\r\n")).toEqual([
      "Day,Link,Short URL,Channel,People,Bots,Scans,After the end",
      `2026-05-01,${poster.slug},${SHORT}/${poster.slug},${formula},1,2,0,0`,
      `2026-05-02,${poster.slug},${SHORT}/${poster.slug},${formula},3,0,20,6`,
      `2026-05-03,${plain.slug},${SHORT}/${plain.slug},,0,4,0,0`,
      "",
    ]);
  });

  it("has a line for each day of each origin, with no formula in it", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await click(workspace, poster.id, "2026-03-01", { people: 4, country: "", referrer: "=news.example" });
    await click(workspace, plain.id, "2026-03-01", { people: 2, country: "GB" });
    await click(workspace, poster.id, "2026-05-01", { people: 1, device: "desktop" });
    await click(workspace, plain.id, "2026-05-01", { people: 3, bots: 2 });
    await click(workspace, plain.id, "2026-05-02", { people: 9 });
    await click(workspace, outside.id, "2026-05-01", { people: 9 });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const page = await browser.get(`${path}?from=2026-03-01&to=2026-05-01`);
    const to = `${path}/origins.csv?from=2026-03-01&to=2026-05-01`;
    expect(page.text).toContain(`href="${to.replace("&", "&amp;")}"`);
    const file = await browser.get(to);
    expect(file.headers.get("content-disposition")).toBe(
      'attachment; filename="origins-summer-2026-03-01-2026-05-01.csv"',
    );
    expect(file.text.replace("\ufeff", "").split("\r\n")).toEqual([
      "Day,Of what,Origin,Clicks and scans",
      "2026-03-01,Country,Unknown,4",
      "2026-03-01,Country,United Kingdom,2",
      "2026-03-01,Device,Mobile,6",
      "2026-03-01,Referrer,'=news.example,4",
      '2026-03-01,Referrer,"None, or not told",2',
      "2026-05-01,Country,Switzerland,4",
      "2026-05-01,Device,Mobile,3",
      "2026-05-01,Device,Desktop,1",
      '2026-05-01,Referrer,"None, or not told",4',
      "",
    ]);
  });

  it("has every link once if the group has more than one read returns", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group();
    const slugs: string[] = [];
    for (let number = 0; number < 105; number++) {
      const link = await workspace.link({ activity_group_id: group.id });
      if (number % 3 === 0) {
        await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { status: "archived" } });
      }
      if (number > 1) slugs.push(link.slug);
      if (number > 1) await click(workspace, link.id, dayBefore(1), { people: 1 });
    }
    const { env, depth } = watched();
    const { text } = await browser.get(`/app/${workspace.slug}/groups/${group.id}/clicks.csv`, {}, env);
    const lines = text.trimEnd().split("\r\n").slice(1);
    expect(lines.map((line) => line.split(",")[1]).sort()).toEqual(slugs.sort());
    expect(depth()).toBe(3);
  });
});

describe("the sheet of an Activity Group's QR codes", () => {
  it("has the code of every active link, with its title and its address", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await workspace.call("PATCH", `/api/v1/links/${poster.id}`, { body: { title: "<At the door>" } });
    const old = await workspace.link({ activity_group_id: group.id });
    await workspace.call("PATCH", `/api/v1/links/${old.id}`, { body: { status: "archived" } });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    expect((await browser.get(path)).text).toContain(`href="${path}/print"`);
    const { status, text } = await browser.get(`${path}/print`);
    expect(status).toBe(200);
    expect(
      [...text.matchAll(/<img class="qr" src="([^"]+)" alt="([^"]+)"/g)].map(([, ...parts]) => parts),
    ).toEqual(
      [poster, plain].map(({ id, short_url }) => [
        `/app/${workspace.slug}/links/${id}/qr?format=svg`,
        `QR code of ${short_url}`,
      ]),
    );
    expect(text).toContain(`<strong><bdi>&lt;At the door&gt;</bdi></strong><span>${poster.short_url}</span>`);
    expect(text).toContain(`<figcaption><span>${plain.short_url}</span>`);
    expect(text).not.toContain(outside.short_url);
    expect(text).toMatch(/<button type="button" class="primary" data-print="true" hidden="">/);
    expect(text).toMatch(/<noscript><p[^>]*>Print this page with your browser\.<\/p><\/noscript>/);
  });

  it("has at most a hundred, and links to the next sheet", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group();
    for (let number = 0; number < 101; number++) await workspace.link({ activity_group_id: group.id });
    const first = await browser.get(`/app/${workspace.slug}/groups/${group.id}/print`);
    expect(first.text.match(/<img /g)).toHaveLength(100);
    expect(first.text).toContain("101 QR codes, page 1 of 2");
    const next = /<a href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await browser.get(next);
    expect(second.text.match(/<img /g)).toHaveLength(1);
    expect(second.text).toContain('rel="prev"');
  });

  it("says why it is empty", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group();
    const { text } = await browser.get(`/app/${workspace.slug}/groups/${group.id}/print`);
    expect(text).toContain("This group has no active link.");
    expect(text).not.toContain("data-print");
  });

  it("is 404 for another workspace's group", async () => {
    const { workspace, browser } = await makeMember();
    const foreign = await (await makeWorkspace()).group();
    expect((await browser.get(`/app/${workspace.slug}/groups/${foreign.id}/print`)).status).toBe(404);
  });
});
