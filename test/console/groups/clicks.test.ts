import { describe, expect, it } from "vitest";
import { monthName } from "../../../src/console/clicks/dates";
import { keptFrom } from "../../../src/lib/range";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { createAssets } from "../../../src/resources/engagement/asset-service";
import { updateAsset } from "../../../src/resources/engagement/update-asset";
import { SHORT, type TestWorkspace } from "../../harness";
import { runSql } from "../../sql";
import { makeMember, type Page } from "../browser";
import { click, scan } from "../clicks";
import { linkTo, wordsAfter, wordsIn } from "../form-fields";
import { linkOf } from "../state";

const dayBefore = (days: number): string => isoTime(Date.now() - days * DAY_MS).slice(0, 10);

/** The rows of a table of shares, each with its label, number and share. */
function sharesIn(text: string, title: string): string[][] {
  const table = text.split("<table").find((part) => part.includes(`<caption>${title}</caption>`)) ?? "";
  return [...table.matchAll(/<bdi>([^<]*)<\/bdi>.*?<td class="number">([^<]*)<\/td><td[^>]*>([^<]*)</g)].map(
    ([, ...cells]) => cells,
  );
}

const totalsIn = (text: string): string[] =>
  [...text.matchAll(/<p class="stat"><strong>([\d,]+)<\/strong>/g)].map(([, total = ""]) => total);

/** The rows of the list of links: name, channel, clicks, scans and share. */
function linksIn(text: string): string[][] {
  const tables = text.split("<table").filter((part) => part.includes("list shares"));
  return tables
    .join("")
    .split('<th scope="row">')
    .slice(1)
    .map((row) => {
      const cell = (label: string) =>
        new RegExp(`data-label="${label}"[^>]*>(?:<bdi>)?([^<]*)`).exec(row)?.[1] ?? "";
      return [/<bdi>([^<]*)</.exec(row)?.[1] ?? "", ...["Channel", "Clicks", "Scans", "Share"].map(cell)];
    });
}

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

/** The lines of a file, without its mark. */
const linesOf = (file: Page): string[] => file.text.replace("\ufeff", "").split("\r\n");

const unique = (name: string): string => `${name}-${crypto.randomUUID().slice(0, 8)}`;

describe("an Activity Group's page", () => {
  it("shows the visits of its links: in total, over time by channel, by origin, and by link with their shares", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await click(workspace, poster.id, dayBefore(0), { clicks: 1_200, bots: 7, referrer: "news.example" });
    await click(workspace, plain.id, dayBefore(2), { clicks: 5, country: "T1", device: "desktop" });
    await click(workspace, plain.id, dayBefore(3), { scans: 30, after_end: 4, country: "DE" });
    await click(workspace, outside.id, dayBefore(0), { clicks: 99, scans: 99, after_end: 99 });
    await click(workspace, poster.id, dayBefore(31), { clicks: 600 });
    const page = `/app/${workspace.slug}/groups/${group.id}`;
    const { status, text } = await browser.get(page);
    expect(status).toBe(200);
    expect(totalsIn(text)).toEqual(["1,235", "1,205", "30", "4", "7"]);
    expect(text).toContain("▲ 101%");
    expect(text).toContain(
      "Clicks and scans by channel: poster 1,200 and Links without a channel 35, at most 1,200 a day",
    );
    expect(sharesIn(text, "Channels")).toEqual([
      ["poster", "1,200", "97%"],
      ["Links without a channel", "35", "3%"],
    ]);
    expect(sharesIn(text, "Countries")).toEqual([
      ["Switzerland", "1,200", "97%"],
      ["Germany", "30", "2%"],
      ["Tor network", "5", "under 1%"],
    ]);
    expect(sharesIn(text, "Top links")[0]).toEqual([poster.slug, "1,200", "97%"]);
    expect(linksIn((await browser.get(`${page}?tab=links`)).text)).toEqual([
      [poster.slug, "poster", "1,200", "0", "97%"],
      [plain.slug, "", "5", "30", "3%"],
    ]);
    expect(text.match(/<g data-href="[^"]*"><title>/g)).toHaveLength(30);
    // A channel leads to its links in the group.
    const toChannel = /href="([^"]*channel=[^"]*)"><bdi>poster</.exec(text)?.[1] ?? "";
    const list = wordsIn((await browser.get(toChannel.replaceAll("&amp;", "&"))).text);
    expect([list.includes(poster.slug), list.includes(plain.slug)]).toEqual([true, false]);
  });

  it.each([
    ["from its start to its end", -40, -10, [-40, -10]],
    ["until today while it lasts", -40, 10, [-40, 0]],
    ["from its creation without a start", null, 10, [0, 0]],
    ["not without dates", null, null, undefined],
    ["not before it begins", 10, null, undefined],
  ])("offers the whole campaign %s", async (_, start, end, range) => {
    const { workspace, browser } = await makeMember();
    const at = (days: number | null) => (days === null ? null : Date.parse(dayBefore(-days)) + 1);
    const group = await workspace.group({ starts_at: at(start), ends_at: at(end) });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const { text } = await browser.get(path);
    const [from, to] = (range ?? []).map((days) => dayBefore(-days));
    const offer = range && `href="${path}?from=${from}&amp;to=${to}`;
    expect(/href="[^"]*(?=">Whole campaign<)/.exec(text)?.[0]).toBe(offer);
  });

  it("has the channel of a link that was visited only after its end, and no series without visits", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await workspace.call("PATCH", `/api/v1/links/${plain.id}`, { body: { channel: "radio" } });
    await click(workspace, poster.id, "2026-05-02", { clicks: 3 });
    await click(workspace, plain.id, "2026-05-02", { after_end: 6 });
    await click(workspace, outside.id, "2026-05-02", { after_end: 9 });
    const mail = await workspace.link({ channel: "mail", activity_group_id: group.id });
    await click(workspace, mail.id, "2026-05-02", { clicks: 2 });
    const path = `/app/${workspace.slug}/groups/${group.id}?from=2026-05-01&to=2026-05-03`;
    const { text } = await browser.get(path);
    expect(wordsIn(/<p class="legend".*?<\/p>/s.exec(text)?.[0] ?? "").trim()).toBe("poster mail");
    expect((await browser.get(`${path}&figure=after_end`)).text).toContain("radio\t6");
  });

  it("keeps the range and the filter from tab to tab, and says where the filter does not act", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { group, poster } = await clickedGroup(workspace);
    await click(workspace, poster.id, "2026-05-02", { clicks: 3, country: "CH" });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const query = "from=2026-05-01&to=2026-05-03&country=CH";
    const report = (await browser.get(`${path}?${query}`)).text;
    expect(report).toContain(`href="${path}?${query}&tab=links"`.replaceAll("&", "&amp;"));
    expect(wordsIn(report)).not.toContain("is for the report");
    for (const tab of ["links", "posters"]) {
      const { text } = await browser.get(`${path}?${query}&tab=${tab}`);
      expect(text).toContain(`href="${path}?${query}"`.replaceAll("&", "&amp;"));
      expect(wordsIn(text)).toContain(
        "The filter “Country Switzerland” is for the report. Here all visits are counted.",
      );
    }
    const links = (await browser.get(`${path}?${query}&tab=links`)).text;
    const back = encodeURIComponent(`${path}?${query}&tab=links`);
    expect(links).toContain(`&amp;back=${back}`);
  });

  it("says what came before the months that are kept, on the page and in the file", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group();
    const link = await workspace.link({ activity_group_id: group.id });
    await click(workspace, link.id, keptFrom(Date.now()) - DAY_MS, { clicks: 40, scans: 2 });
    await click(workspace, link.id, dayBefore(1), { clicks: 3 });
    await runSql`update workspaces set created_at = 0 where id = ${workspace}`;
    const page = `/app/${workspace.slug}/groups/${group.id}`;
    const { text } = await browser.get(`${page}?last=all`);
    const before = `Before ${monthName(keptFrom(Date.now()))}`;
    expect(totalsIn(text)).toEqual(["3", "3", "0"]);
    expect(text).toContain(`${before}: 40 clicks and 2 scans.`);
    expect((await browser.get(`${page}?last=30`)).text).not.toContain(before);
    const file = await browser.get(`${page}/links.csv?last=all`);
    expect(file.text).toContain(`,,,${before},,,,40,2,\r\n`);
  });

  it("says how many visits its present links brought along", async () => {
    const { workspace, browser } = await makeMember();
    const { group, poster } = await clickedGroup(workspace);
    const other = await workspace.group();
    await click(workspace, poster.id, dayBefore(1), { clicks: 40 });
    await workspace.call("PATCH", `/api/v1/links/${poster.id}`, { body: { activity_group_id: other.id } });
    await click(workspace, poster.id, dayBefore(1), { clicks: 2 });
    const page = async ({ id }: { id: string }) =>
      wordsIn((await browser.get(`/app/${workspace.slug}/groups/${id}`)).text);
    expect(await page(group)).not.toContain("before they joined");
    expect(await page(group)).toContain("40 visits were of links that have since left the group.");
    expect(await page(other)).not.toContain("have since left");
    expect(await page(other)).toContain("now had 40 visits before they joined it.");
  });

  it("lists all its links in pages: visited ones by visits, then the newest, archived ones last", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const group = await workspace.group();
    const links = [];
    for (let number = 0; number < 30; number++) {
      links.push(await workspace.link({ activity_group_id: group.id, title: `Link ${number}` }));
    }
    await workspace.call("PATCH", `/api/v1/links/${links[29]?.id}`, { body: { status: "archived" } });
    await click(workspace, links[3]?.id ?? "", dayBefore(1), { clicks: 10 });
    await click(workspace, links[7]?.id ?? "", dayBefore(1), { clicks: 30 });
    const path = `/app/${workspace.slug}/groups/${group.id}?last=7&tab=links`;
    const first = await browser.get(path);
    expect(linksIn(first.text).slice(0, 3)).toEqual([
      ["Link 7", "", "30", "0", "75%"],
      ["Link 3", "", "10", "0", "25%"],
      ["Link 28", "", "0", "0", "0%"],
    ]);
    expect(first.text).toContain("29 links, 1 archived, page 1 of 2");
    expect(linkTo(first)).toBe(`${path}&page=2`);
    const namesOn = async (page: number) =>
      linksIn((await browser.get(`${path}&page=${page}`)).text).map(([name]) => name);
    const names = ["Link 4", "Link 2", "Link 1", "Link 0", "Link 29"];
    expect([await namesOn(2), await namesOn(9_999)]).toEqual([names, names]);
  });
});

describe("the assets on an Activity Group's page", () => {
  const namesIn = (text: string) =>
    [...text.matchAll(/\/assets\/[0-9A-Z]{26}"><bdi>([^<]+)</g)].map(([, name]) => name);

  it("have the scans of the group, or the page says how many are of assets that were moved away", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, outside } = await clickedGroup(workspace);
    const [moved, stays] = await createAssets(workspace.ctx, {
      ...{ link: poster.id, status: "live" },
      assets: [{ name: "Moved" }, { name: "Stays" }],
    });
    await scan(workspace, moved?.id ?? "", dayBefore(1), { scans: 7 });
    await scan(workspace, stays?.id ?? "", dayBefore(1), { scans: 3 });
    const path = `/app/${workspace.slug}/groups/${group.id}?tab=posters`;
    expect((await browser.get(path)).text).not.toContain("moved or removed");
    await updateAsset(workspace.ctx, moved?.id ?? "", { link: outside.id });
    const { text } = await browser.get(path);
    expect(namesIn(text)).toEqual(["Stays"]);
    expect(text).toContain("7 scans are of posters that were moved or removed since.");
  });

  it("are in its report with their shares of its scans, the ten most scanned", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster } = await clickedGroup(workspace);
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const assets = await createAssets(workspace.ctx, {
      ...{ link: poster.id, status: "live" },
      assets: Array.from({ length: 12 }, (_, index) => ({ name: `Wall ${index}`, place: "Hall" })),
    });
    expect((await browser.get(path)).text).not.toContain("Most scanned posters");
    for (const [index, { id }] of assets.entries())
      if (index > 0) await scan(workspace, id, dayBefore(1), { scans: index });
    const { text } = await browser.get(path);
    const shown = sharesIn(text, "Most scanned posters");
    expect(shown.map(([name, scans]) => [name, scans])).toEqual(
      Array.from({ length: 10 }, (_, place) => [`Wall ${11 - place}, Hall`, String(11 - place)]),
    );
    expect(shown[0]?.[2]).toBe("17%");
    expect(text).toContain(`href="/app/${workspace.slug}/assets/${assets[11]?.id}"`);
  });
});

it("the export of an Activity Group's links has the range and all rows of the list in its order, with no formula in it", async () => {
  const { workspace, browser } = await makeMember("viewer");
  const { group, poster, plain } = await clickedGroup(workspace);
  const quiet = await workspace.link({ activity_group_id: group.id, title: '=HYPERLINK("x")' });
  await click(workspace, plain.id, "2026-05-02", { clicks: 30, scans: 10 });
  await click(workspace, poster.id, "2026-05-03", { clicks: 20 });
  await click(workspace, poster.id, "2026-05-04", { clicks: 500 });
  const path = `/app/${workspace.slug}/groups/${group.id}`;
  const page = await browser.get(`${path}?from=2026-05-01&to=2026-05-03&tab=links`);
  const to = `${path}/links.csv?from=2026-05-01&to=2026-05-03`;
  expect(page.text).toContain(`href="${to.replace("&", "&amp;")}">Export these 3 links</a>`);
  const file = await browser.get(to);
  expect(file.headers.get("content-disposition")).toBe(
    'attachment; filename="links-summer-2026-05-01-2026-05-03.csv"',
  );
  const row = (cells: string) => `2026-05-01,2026-05-03,UTC,${cells}`;
  expect(linesOf(file)).toEqual([
    "From,To,Time zone,Title,Slug,Short link,Channel,Clicks,Scans,Share",
    row(`,${plain.slug},${SHORT}/${plain.slug},,30,10,66.7%`),
    row(`,${poster.slug},${SHORT}/${poster.slug},poster,20,0,33.3%`),
    row(`"'=HYPERLINK(""x"")",${quiet.slug},${SHORT}/${quiet.slug},,0,0,0.0%`),
    "",
  ]);
  expect(linksIn(page.text).map(([name]) => name)).toEqual([
    plain.slug,
    poster.slug,
    "=HYPERLINK(&quot;x&quot;)",
  ]);
});

describe("moving links into an Activity Group", () => {
  it("is the list of links with the group chosen, and returns to the group", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [group, previous] = [
      await workspace.group({ name: "<Summer>" }),
      await workspace.group({ name: "Spring" }),
    ];
    const there = await workspace.link({ activity_group_id: previous.id, title: "Beach" });
    const free = await workspace.link({ title: "Beach bar" });
    const path = `/app/${workspace.slug}`;
    const query = `?q=beach&to_group=${group.id}`;
    const { text } = await browser.get(`${path}/links${query}`);
    expect([...text.matchAll(/name="ids" value="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      free.id,
      there.id,
    ]);
    expect(text).toContain(`They leave their group and join <a href="${path}/groups/${group.id}">`);
    expect(text).toContain(`<option value="${group.id}" selected="">&lt;Summer&gt;</option>`);
    // A search of the list keeps the group.
    expect(text).toContain(`<input type="hidden" name="to_group" value="${group.id}"/>`);
    const moved = await browser.post(`${path}/links/change${query}`, {
      change: "move",
      to_group: group.id,
      ids: [there.id, free.id],
    });
    expect([moved.status, moved.location]).toEqual([303, `${path}/groups/${group.id}`]);
    expect(await wordsAfter(browser, moved)).toContain("Moved 2 links to “<Summer>”.");
    for (const { id } of [there, free])
      expect((await linkOf(workspace, id)).activity_group?.id).toBe(group.id);
  });
});

describe("the export of an Activity Group's clicks", () => {
  it("has a line for each day of each link, with no formula in it", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await workspace.call("PATCH", `/api/v1/links/${poster.id}`, { body: { channel: '=HYPERLINK("x")' } });
    await workspace.call("PATCH", `/api/v1/links/${plain.id}`, { body: { status: "archived" } });
    await click(workspace, poster.id, "2026-05-02", { clicks: 3, scans: 20, after_end: 6 });
    await click(workspace, poster.id, "2026-05-01", { clicks: 1, bots: 2 });
    await click(workspace, plain.id, "2026-05-03", { bots: 4 });
    await click(workspace, plain.id, "2026-05-04", { clicks: 9 });
    await click(workspace, outside.id, "2026-05-02", { clicks: 9 });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const page = await browser.get(`${path}?from=2026-05-01&to=2026-05-03`);
    const to = `${path}/clicks.csv?from=2026-05-01&to=2026-05-03`;
    expect(page.text).toContain(`href="${to.replace("&", "&amp;")}"`);
    const file = await browser.get(to);
    expect(file.headers.get("content-disposition")).toBe(
      'attachment; filename="clicks-summer-2026-05-01-2026-05-03.csv"',
    );
    const formula = `"'=HYPERLINK(""x"")"`;
    expect(linesOf(file)).toEqual([
      "Day,Link,Short link,Channel,Clicks,Bots,Scans,After the end",
      `2026-05-01,${poster.slug},${SHORT}/${poster.slug},${formula},1,2,0,0`,
      `2026-05-02,${poster.slug},${SHORT}/${poster.slug},${formula},3,0,20,6`,
      `2026-05-03,${plain.slug},${SHORT}/${plain.slug},,0,4,0,0`,
      "",
    ]);
  });

  it("has a line for each day of each origin, with no formula in it", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const { group, poster, plain, outside } = await clickedGroup(workspace);
    await click(workspace, poster.id, "2026-03-01", { clicks: 4, country: "", referrer: "=news.example" });
    await click(workspace, plain.id, "2026-03-01", { clicks: 2, country: "GB" });
    await click(workspace, poster.id, "2026-05-01", { clicks: 1, device: "desktop" });
    await click(workspace, plain.id, "2026-05-01", { clicks: 3, bots: 2 });
    await click(workspace, plain.id, "2026-05-02", { clicks: 9 });
    await click(workspace, outside.id, "2026-05-01", { clicks: 9 });
    const path = `/app/${workspace.slug}/groups/${group.id}`;
    const page = await browser.get(`${path}?from=2026-03-01&to=2026-05-01`);
    const to = `${path}/origins.csv?from=2026-03-01&to=2026-05-01`;
    expect(page.text).toContain(`href="${to.replace("&", "&amp;")}"`);
    const file = await browser.get(to);
    expect(file.headers.get("content-disposition")).toBe(
      'attachment; filename="origins-summer-2026-03-01-2026-05-01.csv"',
    );
    expect(linesOf(file)).toEqual([
      "Day,Of what,Origin,Visits",
      "2026-03-01,Country,Unknown,4",
      "2026-03-01,Country,United Kingdom,2",
      "2026-03-01,Device,Mobile,6",
      "2026-03-01,Referrer,'=news.example,4",
      "2026-03-01,Referrer,Direct or unknown,2",
      "2026-05-01,Country,Switzerland,4",
      "2026-05-01,Device,Mobile,3",
      "2026-05-01,Device,Desktop,1",
      "2026-05-01,Referrer,Direct or unknown,4",
      "",
    ]);
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
    expect((await browser.get(`${path}?tab=links`)).text).toContain(`href="${path}/print"`);
    const { status, text } = await browser.get(`${path}/print`);
    expect(status).toBe(200);
    expect(
      [...text.matchAll(/<img class="qr" src="data:[^"]+" alt="([^"]+)"/g)].map(([, alt]) => alt),
    ).toEqual([poster, plain].map(({ short_url: url }) => `QR code of ${url}`));
    const captions = [...text.matchAll(/<figcaption>(.*?)<\/figcaption>/g)].map(([, caption = ""]) =>
      wordsIn(caption).replaceAll(" ", ""),
    );
    expect(captions).toEqual([`<Atthedoor>s.example/${poster.slug}`, `s.example/${plain.slug}`]);
    expect(text).not.toContain(outside.short_url);
    expect(text).toMatch(/<noscript><p[^>]*>Print this page with your browser\.<\/p><\/noscript>/);
  });

  it("has at most a hundred, and links to the next sheet", async () => {
    const { workspace, browser } = await makeMember();
    const group = await workspace.group();
    for (let number = 0; number < 101; number++) await workspace.link({ activity_group_id: group.id });
    const first = await browser.get(`/app/${workspace.slug}/groups/${group.id}/print`);
    expect(first.text.match(/<img /g)).toHaveLength(100);
    expect(first.text).toContain("101 QR codes, page 1 of 2");
    const second = await browser.get(linkTo(first));
    expect(second.text.match(/<img /g)).toHaveLength(1);
    expect(second.text).toContain('rel="prev"');
  });
});
