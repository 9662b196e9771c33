import { describe, expect, it } from "vitest";
import { dayName } from "../../../src/console/clicks/dates";
import { firstIdAt } from "../../../src/lib/ids";
import { toDate } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS, isoTime, startOfUtcDay } from "../../../src/lib/time";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { updateLink } from "../../../src/resources/links/update-link";
import { makeWorkspace, visit } from "../../harness";
import { runSql } from "../../sql";
import { makeMember, signInAs } from "../browser";
import { addVisits, click } from "../clicks";
import { watched } from "../depth";
import { linkTo, wordsIn } from "../form-fields";

const daysAgo = (days: number) => Date.now() - days * DAY_MS;
const URL = "https://www.example.com/spring";

describe("the overview", () => {
  it("has the figures of the range with their change, the best links and groups, and where visitors came from", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const group = await ws.group({ name: "Spring" });
    const best = await ws.link({ title: "Best", activity_group_id: group.id });
    const second = await ws.link({ title: "Second" });
    await click(ws, best.id, daysAgo(3), { clicks: 30, scans: 6, referrer: "l.facebook.com", country: "CH" });
    await click(ws, best.id, daysAgo(4), { bots: 7 });
    await click(ws, second.id, daysAgo(3), { clicks: 4, referrer: "facebook.com", device: "desktop" });
    await click(ws, best.id, daysAgo(35), { clicks: 17, scans: 12 });
    const observed = watched();
    const page = await browser.get(`/app/${ws.slug}`, {}, observed.env);
    expect(page.status).toBe(200);
    expect(observed.depth()).toBeLessThanOrEqual(4);
    const text = wordsIn(page.text);
    for (const part of [
      "34 clicks ▲ 100% 100% more than in the 30 days before, up to the same hour, which had 17",
      "6 scans ▼ 50% 50% less than in the 30 days before, up to the same hour, which had 12",
      "2 links now",
      "2 new links none before",
      "7 by bots and previews",
      "Best 36 90%",
      "Second 4 10%",
      "Spring 36 90%",
      "Facebook 40 100%",
      "Switzerland 40 100%",
      "Mobile 36 90%",
      "Nothing now.",
      "An API key created the link",
    ]) {
      expect(text).toContain(part);
    }
    expect(page.text).toContain(`href="/app/${ws.slug}/links/${best.id}"`);
    expect(page.text).toContain(`href="/app/${ws.slug}/groups/${group.id}"`);
    expect(page.text).not.toContain("counted by day in UTC");
    // A day of the chart and its table leads to the page of that day, which has hours.
    const [date = ""] = isoTime(daysAgo(3)).split("T");
    const toDay = `/app/${ws.slug}?from=${date}&amp;to=${date}`;
    expect(page.text).toContain(`<g data-href="${toDay}">`);
    expect(page.text).toContain(`<a href="${toDay}">`);
    const day = await browser.get(toDay.replace("&amp;", "&"));
    expect(wordsIn(day.text)).toContain("34 clicks");
    expect(day.text).not.toContain("data-href");
  });

  it("has the number of new links after an import of thousands, and compares it", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { rowId } = ws.ctx.workspace;
    const insert = (links: number, at: number) => runSql`with recursive made (n) as
        (select 0 union all select n + 1 from made where n + 1 < ${links})
      insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
        utm_campaign_origin, created_by, created_at, updated_at)
      select ${firstIdAt(at).slice(0, 10)} || printf('%016d', n), ${rowId}, n, n, ${URL}, ${URL}, 'www.example.com',
        'inherited', 'operator', ${at}, ${at} from made`;
    const shown = async () => wordsIn((await browser.get(`/app/${ws.slug}`)).text);
    await insert(2_500, daysAgo(1));
    expect(await shown()).toContain(" 2,500 new links none before ");
    await insert(1_250, daysAgo(40));
    expect(await shown()).toContain(
      " 2,500 new links ▲ 100% 100% more than in the 30 days before, up to the same hour, which had 1,250 ",
    );
    await insert(7_500, daysAgo(2));
    expect(await shown()).toMatch(/ 10,000 or more new links (?!▲|none)/);
    await runSql`update links set archived_at = 1 where workspace_id = ${rowId}`;
    expect(await shown()).not.toContain("10,000 or more new links");
    await runSql`delete from links where workspace_id = ${rowId}`;
  });

  it("counts the links that its number leads to: ended ones too, archived ones not", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    await ws.link();
    await ws.link({ ends_at: isoTime(daysAgo(1)) });
    const archived = await ws.link();
    await updateLink(ws.ctx, archived.id, { status: "archived" });
    const { text } = await browser.get(`/app/${ws.slug}`);
    expect(wordsIn(text)).toContain(" 2 links now ");
    const [, path = ""] = /<a href="([^"]*)">links<\/a> now/.exec(text) ?? [];
    expect(wordsIn((await browser.get(path)).text)).toContain(" 2 links ");
  });

  it("has the change of the number of links since the start of the range, or the last day before it that has a number", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    const { rowId } = ws.ctx.workspace;
    for (let made = 0; made < 3; made++) await ws.link();
    const activeLinks = async (query: string) => {
      const { text } = await browser.get(`/app/${ws.slug}?${query}`);
      const [, stat = ""] =
        /<p class="stat">((?:(?!<p).)*<a href="[^"]*">links<\/a> now.*?)<\/p>/s.exec(text) ?? [];
      return wordsIn(stat).replace("3 links now", "").trim();
    };
    expect(await activeLinks("last=7")).toBe("none before");
    await runSql`update workspaces set created_at = ${Date.UTC(2026, 3, 1)} where id = ${rowId}`;
    const may = `from=2026-05-04&to=${toDate(Math.floor(Date.now() / DAY_MS))}`;
    expect(await activeLinks(may)).toBe("");
    await runSql`insert into active_link_days (workspace_id, day, active_links)
      values (${rowId}, ${Date.UTC(2026, 4, 2)}, ${4})`;
    expect(await activeLinks(may)).toBe("▼ 25% since 2 May 2026 25% less than on 2 May 2026, which had 4");
    expect(await activeLinks(`${may}&compare=0`)).toBe("");
    const today = startOfUtcDay(Date.now());
    await runSql`insert into active_link_days (workspace_id, day, active_links) values
      (${rowId}, ${today - DAY_MS}, ${4}), (${rowId}, ${today}, ${3})`;
    const yesterday = dayName(today / DAY_MS - 1);
    expect(await activeLinks("last=today")).toContain(`than on ${yesterday}, which had 4`);
  });

  it("leaves the number of links now out of a range that is over", async () => {
    const { workspace: ws, browser } = await makeMember("viewer");
    await ws.link();
    const words = async (query: string) => wordsIn((await browser.get(`/app/${ws.slug}?${query}`)).text);
    expect(await words("last=today")).toContain(" 1 link now ");
    const over = await words("last=yesterday");
    expect(over).not.toContain("link now");
    expect(over).toContain("0 new links");
  });

  it("shows the hours of today, and compares them with the day before up to the same hour", async () => {
    const { workspace: ws, browser } = await makeMember();
    const hour = Date.now() - (Date.now() % HOUR_MS);
    const midnight = hour - (hour % DAY_MS);
    const link = await ws.link();
    const count = (at: number, clicks: number) => addVisits(ws, link.id, at, { clicks });
    await count(hour, 3);
    await count(hour - DAY_MS, 2);
    // An hour of the day before that today has not reached, unless it is the last one.
    if (hour + HOUR_MS < midnight + DAY_MS) await count(hour - DAY_MS + HOUR_MS, 100);
    const { text } = await browser.get(`/app/${ws.slug}?last=today`);
    expect(wordsIn(text)).toContain(
      "3 clicks ▲ 50% 50% more than in the day before, up to the same hour, which had 2",
    );
    expect(text.match(/class="place"/g)).toHaveLength(24);
    expect(text).toContain(", so far\nClicks\t3\nScans\t0\nBefore\t2</title>");
  });

  it("ignores a range that makes no sense", async () => {
    const { workspace: ws, browser } = await makeMember();
    for (const query of ["last=8", "from=2026-02-31", "to=0001-01-01", "compare=7"]) {
      const page = await browser.get(`/app/${ws.slug}?${query}`);
      expect([page.status, wordsIn(page.text).includes("Last 30 days")], query).toEqual([200, true]);
    }
  });

  it("names what needs attention, and only owners see that a key expires", async () => {
    const { workspace: ws, browser } = await makeMember("owner");
    const editor = await signInAs(ws, "editor");
    const group = await ws.group({ name: "<Late>", status: "active", ends_at: daysAgo(1) });
    await runSql`update api_keys set expires_at = ${Date.now() + 7 * DAY_MS - 60_000}
      where public_id = ${ws.keyId}`;
    const page = await browser.get(`/app/${ws.slug}`);
    expect(page.text).toContain(`<a href="/app/${ws.slug}/groups/${group.id}"><bdi>&lt;Late&gt;</bdi></a>`);
    expect(wordsIn(page.text)).toContain("1 group is past its end");
    expect(wordsIn(page.text)).toContain("1 API key expires within 7 days");
    expect(wordsIn((await editor.get(`/app/${ws.slug}`)).text)).not.toContain("expires within");
    await runSql`update api_keys set expires_at = null where public_id = ${ws.keyId}`;
  });

  it("leads to lists that show what needs attention", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    for (const status of ["draft", "scheduled", "active"] as const)
      await ws.group({ name: `Late ${status}`, status, ends_at: daysAgo(1) });
    await ws.group({ name: "Not yet", status: "active", ends_at: daysAgo(-1) });
    await ws.group({ name: "Over", status: "completed", ends_at: daysAgo(1) });
    const link = await ws.link();
    const assets: string[] = [];
    for (const name of ["Silent", "Scanned"])
      assets.push((await createAsset(ws.ctx, { name, link: link.id, status: "live" })).id);
    await runSql`update offline_assets set live_at = ${daysAgo(15)}, updated_at = ${daysAgo(15)}
      where public_id = ${assets[0]}`;
    await runSql`update slugs set created_at = ${daysAgo(16)} where asset = ${assets[0]}`;
    const { text } = await browser.get(`/app/${ws.slug}`);
    const [ofAssets, ofGroups, ...others] = await Promise.all(
      Array.from(text.matchAll(/class="all" href="([^"]*)"/g), async ([, path = ""]) =>
        Array.from(
          (await browser.get(path.replaceAll("&amp;", "&"))).text.matchAll(
            /<th scope="row"[^>]*>\s*<a href="[^"]*"[^>]*>(?:<[^>]*>)?([^<]*)/g,
          ),
          ([, name]) => name,
        ),
      ),
    );
    expect([ofAssets, others]).toEqual([["Silent"], []]);
    expect(ofGroups).toEqual(["Late active", "Late draft", "Late scheduled"]);
  });
});

describe("the field that shortens an address", () => {
  it.each([URL, "  www.example.com/spring ", "//www.example.com/spring"])(
    "makes a link of %j at once, and shows it with what one does next",
    async (typed) => {
      const { workspace: ws, browser } = await makeMember("editor");
      const answer = await browser.post(`/app/${ws.slug}`, { destination_url: typed });
      expect(answer.status).toBe(303);
      const page = await browser.get(answer.location ?? "");
      const [, slug] = /data-copy="https:\/\/s\.example\/([^"]+)"/.exec(page.text) ?? [];
      expect((await visit(`/${slug}`)).headers.get("location")).toBe(URL);
      expect(page.text).toContain('/qr?download=1">Download QR code (SVG)</a>');
      expect(page.text).toContain("/edit");
    },
  );

  it("says what looks damaged in the address, and where to mend it", async () => {
    const { workspace: ws, browser } = await makeMember("editor");
    const damaged = "https://www.example.com/list?page=2&amp;sort=price";
    const { location } = await browser.post(`/app/${ws.slug}`, { destination_url: damaged });
    const { text } = await browser.get(location ?? "");
    expect(wordsIn(text)).toContain("It has “&amp;” where “&” is meant. Mend it");
    const [, edit = ""] = /<a href="([^"]+)">Mend it</.exec(text) ?? [];
    expect((await browser.get(edit)).text).toContain('name="preview" value="mend"');
  });

  it("shows no link of another workspace as new", async () => {
    const { workspace: ws, browser } = await makeMember();
    const foreign = await (await makeWorkspace()).link();
    for (const made of [foreign.id, "junk", "01JZ8Q4V6T3K9M2N5P7R8S0W1X"]) {
      const page = await browser.get(`/app/${ws.slug}?made=${made}`);
      expect([page.status, page.text.includes(foreign.slug)]).toEqual([200, false]);
    }
  });
});

describe("the time range of a page", () => {
  it("goes back and forward by its length, up to today, and keeps the comparison", async () => {
    const { workspace: ws, browser } = await makeMember();
    const stepsOf = async (query: string) => {
      const page = await browser.get(`/app/${ws.slug}?${query}`);
      return [linkTo(page, "prev"), linkTo(page)].map((to) => to.split("?")[1]);
    };
    const date = (days: number) => isoTime(daysAgo(days)).slice(0, 10);
    expect(await stepsOf("")).toEqual([`from=${date(59)}&to=${date(30)}`, undefined]);
    expect(await stepsOf("last=today&compare=0")).toEqual([
      `compare=0&from=${date(1)}&to=${date(1)}`,
      undefined,
    ]);
    expect(await stepsOf(`from=${date(4)}&to=${date(2)}`)).toEqual([
      `from=${date(7)}&to=${date(5)}`,
      `from=${date(1)}&to=${date(0)}`,
    ]);
  });
});
