import { describe, expect, it } from "vitest";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { importLinks } from "../../../src/resources/links/import-links";
import { runSql } from "../../sql";
import { makeMember } from "../browser";
import { click } from "../clicks";
import { wordsAfter, wordsIn } from "../form-fields";
import { linkOf, tagsOn } from "../state";

const idsIn = (text: string) => [...text.matchAll(/name="ids" value="([^"]+)"/g)].map(([, id]) => id);

async function makeGroup(role: "viewer" | "editor" = "editor") {
  const { workspace, browser } = await makeMember(role);
  const group = await workspace.group({ name: "Winter" });
  const make = (fields: object) => workspace.link({ activity_group_id: group.id, ...fields });
  const home = `/app/${workspace.slug}`;
  return { workspace, browser, group, make, home, tab: `${home}/groups/${group.id}?tab=links` };
}

describe("the tab Links of an Activity Group", () => {
  it("has the states of its links, and a box for each, whose actions come back to it", async () => {
    const { workspace, browser, make, tab, group, home } = await makeGroup();
    const ended = await make({ title: "Over", ends_at: isoTime(Date.now() - DAY_MS) });
    const early = await make({ title: "Soon", starts_at: isoTime(Date.now() + DAY_MS) });
    const archived = await make({ title: "Old" });
    await workspace.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    const page = await browser.get(tab);
    expect(idsIn(page.text)).toEqual([early.id, ended.id, archived.id]);
    const words = wordsIn(page.text);
    for (const state of ["Over Ended", "Soon Not open yet", "Old Archived"]) expect(words).toContain(state);
    const action = /action="([^"]+\/links\/change[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
    const change = { change: "tag", with_tag: "Print" };
    const tagged = await browser.post(action ?? "", { ...change, ids: [ended.id, early.id] });
    expect([tagged.status, tagged.location]).toEqual([303, tab]);
    expect(await wordsAfter(browser, tagged)).toContain("Added “Print” to 2 links.");
    expect(tagsOn(await linkOf(workspace, ended.id))).toEqual(["Print"]);
    expect(tagsOn(await linkOf(workspace, archived.id))).toEqual([]);
    const elsewhere = await browser.post(`${home}/links/change?back=https%3A%2F%2Fevil.example%2F`, {
      ...change,
      ids: [ended.id],
    });
    expect(elsewhere.location).toMatch(`${home}/links`);
    const refused = await browser.post(action ?? "", { change: "tag", ids: [ended.id] });
    expect([refused.status, idsIn(refused.text).length]).toEqual([422, 3]);
    expect(refused.text).toContain(`aria-label="Remove Group ${group.name}"`);
  });

  it("is searched with the days that are shown, and says that nothing is found", async () => {
    const { workspace, browser, make, tab } = await makeGroup();
    const [few, many] = [await make({ title: "Beach bar" }), await make({ title: "Beach" })];
    await make({ title: "Mountain" });
    await workspace.link({ title: "Beach elsewhere" });
    await click(workspace, few.id, Date.now(), { clicks: 1 });
    await click(workspace, many.id, Date.now(), { clicks: 2 });
    await click(workspace, few.id, Date.now() - 20 * DAY_MS, { clicks: 9 });
    const search = async (last: number, q: string) => (await browser.get(`${tab}&last=${last}&q=${q}`)).text;
    expect(idsIn(await search(7, "beach"))).toEqual([many.id, few.id]);
    const longer = await search(30, "beach");
    expect(idsIn(longer)).toEqual([few.id, many.id]);
    expect(longer).toContain('<input type="hidden" name="last" value="30"/>');
    expect(wordsIn(await search(30, "desert"))).toContain("No link of this group has these words.");
  });

  it("says how many links a search finds, and offers all of them, where it lists fewer", async () => {
    const { workspace, browser, group, tab } = await makeGroup();
    const rows = Array.from({ length: 103 }, (_, index) => ({
      number: index + 1,
      input: { destination_url: "https://www.example.com/", title: "Beach", activity_group_id: group.id },
    }));
    await importLinks(workspace.ctx, "beach", rows);
    const words = wordsIn((await browser.get(`${tab}&q=beach`)).text);
    expect(words).toContain("Select all 103 results");
    expect(words).toContain("The search finds 103 links, of which 100 are listed here.");
  });

  it("is sorted by its headings and its menu, archived links always in a table of their own at the end", async () => {
    const { workspace, browser, make, tab } = await makeGroup();
    const [two, ten, old] = [
      await make({ title: "Beach 2" }),
      await make({ title: "Beach 10" }),
      await make({ title: "Alps" }),
    ];
    await workspace.call("PATCH", `/api/v1/links/${old.id}`, { body: { status: "archived" } });
    await click(workspace, old.id, Date.now(), { clicks: 9 });
    await click(workspace, two.id, Date.now(), { clicks: 1, scans: 3 });
    await click(workspace, ten.id, Date.now(), { clicks: 2 });
    const listed = async (query: string) => idsIn((await browser.get(`${tab}${query}`)).text);
    const [twoFirst, tenFirst] = [
      [two.id, ten.id, old.id],
      [ten.id, two.id, old.id],
    ];
    for (const [sort, ids] of [
      ["-visits", twoFirst],
      ["-clicks", tenFirst],
      ["-scans", twoFirst],
      ["title", twoFirst],
      ["created_at", twoFirst],
      ["-created_at", tenFirst],
      ["nonsense", twoFirst],
    ] as const) {
      expect(await listed(`&sort=${sort}`), sort).toEqual(ids);
      if (sort !== "nonsense") expect(await listed(`&sort=${sort}&q=beach`)).toEqual(ids.slice(0, 2));
    }
    const { text } = await browser.get(`${tab}&sort=title`);
    expect(text).toMatch(/aria-sort="ascending"><a class="plain" href="[^"]*tab=links&amp;sort=title"/);
    expect(text).toMatch(/sort=title" aria-current="true">By title</);
    const [active = "", archived = ""] = text.split('<h2 id="archived">Archived</h2>');
    expect([idsIn(active), idsIn(archived)]).toEqual([[two.id, ten.id], [old.id]]);
    expect(wordsIn(text)).toContain("2 links, 1 archived");
    expect(wordsIn(text)).toContain("Export these 3 links, archived ones too");
  });

  it("has the archived ones apart also in a group of more than a thousand links", async () => {
    const { workspace, browser, group, make, tab } = await makeGroup();
    const [beach, old] = [await make({ title: "Beach" }), await make({ title: "Alps" })];
    await workspace.call("PATCH", `/api/v1/links/${old.id}`, { body: { status: "archived" } });
    await click(workspace, old.id, Date.now() - 20 * DAY_MS, { clicks: 9 });
    await click(workspace, beach.id, Date.now(), { clicks: 1 });
    await runSql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000)
      insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
        utm_campaign_origin, created_at, created_by, updated_at, activity_group_id)
      select 'B' || groups.id || '-' || n, ${workspace}, 'b-' || n, 'b-' || groups.id || '-' || n,
        'https://www.example.com/', 'k', 'www.example.com', 'explicit', 0, 'a', 0, groups.id
      from numbers, activity_groups as groups where groups.public_id = ${group.id}`;
    const count = (more: number) =>
      runSql`update link_totals set active = active + ${more} where workspace_id = ${workspace} and kind = 'group'`;
    await count(1_000);
    const { text } = await browser.get(tab);
    const ofWeek = wordsIn((await browser.get(`${tab}&last=7`)).text);
    await count(-1_000);
    await runSql`delete from links where workspace_id = ${workspace} and public_id like 'B%-%'`;
    expect(wordsIn(text)).toContain("The group has too many links to list those that nobody visited");
    expect(wordsIn(text)).toContain("1 link, 1 archived");
    for (const words of [wordsIn(text), ofWeek])
      expect(words).toContain("Select all 1,002 results, archived ones too");
    expect(idsIn(text)).toEqual([beach.id, old.id]);
  });

  it("has where its links lead, with their source and medium", async () => {
    const { browser, make, tab } = await makeGroup("viewer");
    await make({
      destination_url: "https://www.example.com/beach",
      utm_source: "paper",
      utm_medium: "flyer",
    });
    await make({ destination_url: "https://www.example.com/alps", utm_medium: "email" });
    const words = wordsIn((await browser.get(tab)).text).replaceAll(/\s+/g, " ");
    expect(words).toMatch(/leads to → https:\/\/ ?www\.example\.com\/beach · UTM paper \/ flyer/);
    expect(words).toMatch(/www\.example\.com\/alps · UTM email/);
  });

  it("has neither boxes nor actions for viewers", async () => {
    const { browser, make, tab } = await makeGroup("viewer");
    await make({ title: "Beach" });
    const { text } = await browser.get(tab);
    expect(text).toContain(">Beach<");
    for (const part of ['name="ids"', "data-counts", "New link"]) expect(text).not.toContain(part);
  });
});
