import { describe, expect, it } from "vitest";
import { MAX_TAGS_ON_LINK } from "../../../src/lib/link-fields";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { saveConvention } from "../../../src/resources/links/link-conventions";
import type { Link } from "../../../src/resources/links/link-schema";
import { updateLink } from "../../../src/resources/links/update-link";
import { makeWorkspace, type TestWorkspace, visit } from "../../harness";
import { brokenInvariants } from "../../invariants";
import { runSql, selectRows } from "../../sql";
import { type Browser, makeMember } from "../browser";
import { wordsIn } from "../form-fields";
import { stateOf } from "../import-state";
import { linkOf, setTagCount, tagsOn } from "../state";
import { checkedAt, DESTINATION, prefix, press, pressThrough, show, undoIn } from "./helpers";

const UPDATE = { existing: "update" };

/** The outcome of each row on the page of an import, without the names of several changes above them. */
async function outcomesOf(browser: Browser, at: string): Promise<string[]> {
  const { text } = await browser.get(at);
  const rows = [
    ...text.replace(/<summary>.*?<\/summary>/gs, "").matchAll(/<tr>(<th scope="row".*?)<\/tr>/gs),
  ].map(([, row = ""]) => row);
  return rows.map((row) => wordsIn(row.slice(row.lastIndexOf("<td"))).trim());
}

/** Checks a file that updates links. */
const checkedUpdate = (browser: Browser, ws: TestWorkspace, rows: readonly string[]) =>
  checkedAt(browser, ws, rows.join("\n"), UPDATE);

async function finished(browser: Browser, at: string) {
  await press(browser, `${at}/go-on`);
  return outcomesOf(browser, at);
}

describe("a file whose rows exist", () => {
  it("is refused row by row as long as nobody chooses that it updates them", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link({ title: "Old", external_id: "a" });
    const at = await checkedAt(
      browser,
      workspace,
      `url,slug,external_id,title\n${DESTINATION},${link.slug},,New\n${DESTINATION},,a,New`,
    );
    expect(await outcomesOf(browser, at)).toEqual([
      expect.stringContaining("The slug is taken."),
      expect.stringContaining("The external ID is taken."),
    ]);
    expect((await linkOf(workspace, link.id)).title).toBe("Old");
  });

  it("refuses the rows with a new tag if the workspace has as many as it may", async () => {
    const { workspace, browser } = await makeMember("editor");
    await workspace.tag({ name: "Print" });
    await workspace.link({ external_id: "a" });
    await workspace.link({ external_id: "b" });
    const rows = ["external_id,title,tags", "a,Uno,New", "b,Due,PRINT"];
    const at = await checkedUpdate(browser, workspace, rows);
    await setTagCount(workspace, 1_000);
    const outcomes = await finished(browser, at);
    await setTagCount(workspace, 1);
    expect(outcomes).toEqual([
      expect.stringContaining("The workspace has reached its limit of 1,000 tags."),
      "Changed Title: from nothing → to Due Tags: from nothing → to Print",
    ]);
  });

  it("says what each row would change, changes that, and gives it back", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const { id: tag } = await workspace.tag({ name: "Print" });
    const spring = await workspace.group({ name: "Spring", slug: "spring", default_utm_campaign: "spring" });
    const first = await workspace.link({
      external_id: "a,1",
      title: "One",
      channel: "print",
      tag_ids: [tag],
      activity_group_id: spring.id,
    });
    const second = await workspace.link({ slug: `${p}-second`, title: "Two", channel: "mail" });
    const third = await workspace.link({ slug: `${p}-third`, title: "Three" });
    const before = await Promise.all([first, second, third].map(({ id }) => linkOf(workspace, id)));
    await visit(`/${second.slug}`);
    const at = await checkedUpdate(browser, workspace, [
      "external_id,slug,destination_url,title,tags,activity_group",
      `"a,1",,,Uno,"New, PRINT",spring`,
      `,${p}-SECOND,https://www.example.com/second,,,`,
      `,${p}-third,${third.destination_url},Three,,`,
      `,${p}-fresh,${DESTINATION},Fresh,,`,
      `,${p}-none,,No destination,,`,
    ]);
    expect(await outcomesOf(browser, at)).toEqual([
      "Will be changed Title: from One → to Uno Tags: from Print → to New, Print",
      `Will be changed Destination: from ${second.destination_url} → to https://www.example.com/second Title: from Two → to nothing`,
      "No change",
      "Will be created",
      expect.stringContaining("Enter the destination."),
    ]);
    expect(await show(browser, at)).toContain(
      "1 row would create a link, 2 rows would change one, 1 row would change nothing, and 1 row is refused.",
    );
    expect((await browser.get(at)).text).toContain("Create 1 and change 2");
    expect((await browser.get(at)).text).toContain("<summary>Title, Tags</summary>");
    const shown = async (show: string) => wordsIn((await browser.get(`${at}?show=${show}`)).text);
    expect(await show(browser, at)).toContain("All rows (5) Refused rows (1) New and changed (3)");
    expect(await shown("changes")).toMatch(
      /Rows that create or change a link .* 2 .* 3 .* 5 .*3 rows that create or change a link/,
    );
    expect(await shown("changes")).not.toContain("No change");
    expect(await shown("refused")).toContain("Enter the destination. 1 refused row");
    expect((await linkOf(workspace, first.id)).title).toBe("One");

    expect((await finished(browser, at)).slice(0, 4)).toEqual([
      expect.stringContaining("Changed Title: from One → to Uno"),
      expect.stringContaining("Changed Destination: from"),
      "No change",
      "Created",
    ]);
    expect(await show(browser, at)).toContain(
      "1 link was created, 2 links were changed, 1 row changed nothing, and 1 row was refused.",
    );
    const [one, two, three] = await Promise.all(
      [first, second, third].map(({ id }) => linkOf(workspace, id)),
    );
    expect(one).toMatchObject({ title: "Uno", channel: "print", utm_campaign: "spring" });
    expect(one && tagsOn(one)).toEqual(["New", "Print"]);
    const destination_url = "https://www.example.com/second";
    expect(two).toMatchObject({ title: null, channel: "mail", slug: `${p}-second`, destination_url });
    expect(three).toEqual(before[2]);
    expect((await visit(`/${second.slug}`)).headers.get("location")).toBe("https://www.example.com/second");
    expect(await stateOf(workspace)).toEqual([]);

    const trail = await show(browser, `/app/${workspace.slug}/audit`);
    expect(trail).toContain("imported 1 link and updated 2 links by an import from links.csv");
    expect(await show(browser, `/app/${workspace.slug}/audit?subject=${first.id}`)).toContain(
      `edited the link /${(await linkOf(workspace, first.id)).slug} by an import : Title`,
    );

    expect(await pressThrough(browser, `${at}/undo`)).toContain("Undid the import of 3 links.");
    expect(await outcomesOf(browser, at)).toEqual([
      expect.stringContaining("Changed before the undo Title: from One → to Uno"),
      expect.stringContaining("Changed before the undo Destination: from"),
      ...["No change", "Archived", expect.stringContaining("Enter the destination.")],
    ]);
    const comparable = ({ updated_at: _, ...link }: Link) => link;
    const back = await Promise.all([first, second, third].map(({ id }) => linkOf(workspace, id)));
    expect(back.map(comparable)).toEqual(before.map(comparable));
    expect((await visit(`/${second.slug}`)).headers.get("location")).toBe(before[1]?.destination_url);
    await pressThrough(browser, await undoIn(browser, at));
    expect((await linkOf(workspace, first.id)).title).toBe("Uno");
    expect([await stateOf(workspace), await brokenInvariants()]).toEqual([[], []]);
  });

  it("says of a row whose end is in the past that its link has ended, also if it changes one", async () => {
    const { workspace, browser } = await makeMember();
    const [p, past, future] = [prefix(), "2020-01-01T10:00:00Z", "2099-01-01T10:00:00Z"];
    await workspace.link({ slug: `${p}-there`, ends_at: past });
    await workspace.link({ slug: `${p}-here` });
    const at = await checkedUpdate(browser, workspace, [
      "slug,destination_url,ends_at",
      `${p}-a,${DESTINATION},${past}`,
      `${p}-b,${DESTINATION},${future}`,
      `${p}-c,${DESTINATION},`,
      `${p}-here,,${past}`,
      `${p}-there,,${past}`,
      `${p}-a,${DESTINATION},${past}`,
      `${p}-d,${DESTINATION},nonsense`,
    ]);
    const HAS_ENDED = "The link has ended already: its end is in the past.";
    const outcomes = await outcomesOf(browser, at);
    expect(outcomes.slice(0, -2)).toEqual([
      `Will be created ${HAS_ENDED}`,
      "Will be created",
      "Will be created",
      `Will be changed Ends: from nothing → to 1 Jan 2020, 10:00 UTC ${HAS_ENDED}`,
      "No change",
    ]);
    for (const refused of outcomes.slice(-2)) expect(refused).not.toContain(HAS_ENDED);
    expect(await show(browser, at)).toContain(
      "2 links would have ended already: their ends are in the past.",
    );
  });

  it("says so of a day that is over, and not of today", async () => {
    const { workspace, browser } = await makeMember();
    const p = prefix();
    const dayIn = (days: number) => isoTime(Date.now() + days * DAY_MS).slice(0, 10);
    const rows = [-1, 0, 1].map((days, index) => `${p}-${index},${DESTINATION},${dayIn(days)}`);
    const at = await checkedUpdate(browser, workspace, ["slug,destination_url,ends_at", ...rows]);
    expect(await outcomesOf(browser, at)).toEqual([
      "Will be created The link has ended already: its end is in the past.",
      "Will be created",
      "Will be created",
    ]);
  });

  it("can be the service's own export, which changes nothing but what was edited in it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const group = await workspace.group({ name: "Spring", slug: "spring", default_utm_campaign: "spring" });
    const tag = (await workspace.tag({ name: "Print" })).id;
    await workspace.link({ activity_group_id: group.id, tag_ids: [tag], title: "Inherits" });
    await workspace.link({ activity_group_id: group.id, utm_campaign: "spring", title: "Own" });
    const renamed = await workspace.link({
      slug: `${p}-old`,
      starts_at: "2026-06-01T08:00:00Z",
      ends_at: "2030-06-01T08:00:00Z",
      ended_url: "https://www.example.com/over",
      rules: [{ destination_url: "https://www.example.com/ch", countries: ["CH"] }],
    });
    await updateLink(workspace.ctx, renamed.id, { slug: `${p}-new`, status: "archived" });
    // The campaign of the group changes, and the links keep theirs.
    await runSql`update activity_groups set default_utm_campaign = 'summer'
      where public_id = ${group.id}`;
    const file = (await browser.get(`/app/${workspace.slug}/export.csv`)).text;
    const same = await checkedAt(browser, workspace, file, UPDATE);
    expect(await outcomesOf(browser, same)).toEqual(["No change", "No change", "No change"]);
    expect(await show(browser, same)).toContain(
      "Nothing to import 3 rows would change nothing, as their links have these values already.",
    );
    expect((await browser.get(same)).text).not.toContain("/go-on");
    expect((await browser.get(`/app/${workspace.slug}`)).text).not.toContain("import is not finished");
    await press(browser, `${same}/go-on`);
    expect(await show(browser, same)).toContain("Finished 3 rows changed nothing.");
    expect(await show(browser, same)).not.toContain("Undo this import");
    const edited = await checkedAt(browser, workspace, file.replace("Inherits", "Edited"), UPDATE);
    expect((await outcomesOf(browser, edited)).sort()).toEqual([
      "No change",
      "No change",
      "Will be changed Title: from Inherits → to Edited",
    ]);
    const again = await checkedAt(browser, workspace, file, UPDATE);
    expect(again).not.toBe(same);
  });

  it("names each link once, by its external id and short link alike", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const one = await workspace.link({ slug: `${p}-one`, external_id: "one" });
    await workspace.link({ slug: `${p}-two`, external_id: "two" });
    const at = await checkedUpdate(browser, workspace, [
      "slug,external_id,title,old_slugs,destination_url",
      `${p}-one,two,x,,`,
      `${p}-three,one,x,,`,
      `${p}-one,renamed,x,,`,
      `${p}-one,,x,,`,
      `${p}-two,two,x,${p}-other,`,
      `${p}-fresh,renamed,x,,${DESTINATION}`,
    ]);
    expect(await outcomesOf(browser, at)).toEqual([
      expect.stringContaining("The slug is not that of the link with this external id."),
      expect.stringContaining("The slug is not that of the link with this external id."),
      "Will be changed Title: from nothing → to x External ID: from one → to renamed",
      expect.stringContaining("The link is already in row 4 of this file."),
      expect.stringContaining(`The old slug ${p}-other is none of the link.`),
      expect.stringContaining("The external ID is taken."),
    ]);
    await press(browser, `${at}/go-on`);
    expect((await linkOf(workspace, one.id)).external_id).toBe("renamed");
  });

  it("refuses the rows that the rules of an update refuse", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const slugs = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `${p}-${name}`);
    for (const slug of slugs) await workspace.link({ slug, utm_source: "legacy" });
    const host = `${crypto.randomUUID().slice(0, 8)}.example`;
    await blockHost(workspace.ctx, host);
    await saveConvention(workspace.ctx, "utm_source", {
      ...{ strictness: "only", letters: "any", space: "keep" },
      values: ["mail"],
    });
    const tags = Array.from({ length: MAX_TAGS_ON_LINK + 1 }, (_, index) => `t${index}`).join(";");
    const at = await checkedUpdate(browser, workspace, [
      "slug,destination_url,starts_at,ends_at,activity_group,tags,utm_source,status",
      `${slugs[0]},https://${host}/,,,,,legacy,`,
      `${slugs[1]},,2026-06-02T00:00:00Z,2026-06-01T00:00:00Z,,,legacy,`,
      `${slugs[2]},,,,Nowhere,,legacy,`,
      `${slugs[3]},,,,,${tags},legacy,`,
      `${slugs[4]},,,,,,other,`,
      `${slugs[5]},,,,,,MAIL,archived`,
      `${slugs[6]},,,,,,legacy,deleted`,
    ]);
    expect(await outcomesOf(browser, at)).toEqual([
      expect.stringContaining("a host that this service does not allow"),
      expect.stringContaining("The end must be after the start."),
      expect.stringContaining("Activity Group was not found in this workspace."),
      expect.stringContaining("may not have more than 50 tags"),
      expect.stringContaining("must be one of the workspace's values: mail."),
      "Will be changed Status: from active → to archived UTM source: from legacy → to mail",
      expect.stringContaining("status"),
    ]);
    await unblockHost(workspace.ctx, host);
    const [outcome] = (await finished(browser, at)).slice(5);
    expect(outcome).toBe("Changed Status: from active → to archived UTM source: from legacy → to mail");
  });

  it("refuses a row whose link was changed or deleted since the check", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const links = [];
    for (const slug of [`${p}-a`, `${p}-b`, `${p}-c`]) links.push(await workspace.link({ slug }));
    const at = await checkedUpdate(browser, workspace, [
      "slug,title,destination_url",
      `${p}-a,New,`,
      `${p}-b,New,`,
      `${p}-c,New,`,
      `${p}-d,New,${DESTINATION}`,
    ]);
    await updateLink(workspace.ctx, links[0]?.id ?? "", { channel: "mail" });
    await deleteLink(workspace.ctx, links[1]?.id ?? "");
    await workspace.link({ slug: `${p}-d`, title: "Meanwhile" });
    expect(await finished(browser, at)).toEqual([
      expect.stringContaining("changed or deleted since the file was checked"),
      expect.stringContaining("changed or deleted since the file was checked"),
      "Changed Title: from nothing → to New",
      expect.stringContaining("The slug is taken."),
    ]);
    expect((await linkOf(workspace, links[0]?.id ?? "")).title).toBe(null);
    await updateLink(workspace.ctx, links[2]?.id ?? "", { title: "Later" });
    expect(await pressThrough(browser, `${at}/undo`)).toContain(`Not undone: ${p}-c. Changed since.`);
    expect((await linkOf(workspace, links[2]?.id ?? "")).title).toBe("Later");
  });

  it("can be sent again as its refused rows, which have the columns of the file and no others", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link({ title: "Old", channel: "mail", utm_source: "newsletter" });
    const at = await checkedAt(
      browser,
      workspace,
      `url,slug,title\n${link.destination_url},${link.slug},New`,
    );
    const file = (await browser.get(`${at}/refused.csv`)).text;
    expect(file).toContain("url,slug,title,errors\r\n");
    const again = await checkedAt(browser, workspace, file, UPDATE);
    expect(await outcomesOf(browser, again)).toEqual(["Will be changed Title: from Old → to New"]);
    const other = await checkedUpdate(browser, workspace, [
      "slug,title,utm_source",
      `${link.slug},,BAD\u0007`,
    ]);
    const refused = (await browser.get(`${other}/refused.csv`)).text;
    expect(refused).toContain("slug,title,utm_source,errors\r\n");
  });

  it("updates no link of another workspace", async () => {
    const { workspace, browser } = await makeMember("editor");
    const foreign = await makeWorkspace();
    const link = await foreign.link({ external_id: "theirs", title: "Theirs" });
    const at = await checkedUpdate(browser, workspace, [
      "slug,external_id,title,destination_url",
      `${link.slug},,Mine,${DESTINATION}`,
      `,theirs,Mine,${DESTINATION}`,
    ]);
    expect(await outcomesOf(browser, at)).toEqual([
      expect.stringContaining("The slug is taken."),
      "Will be created",
    ]);
    await press(browser, `${at}/go-on`);
    expect((await linkOf(foreign, link.id)).title).toBe("Theirs");
  });

  it("is imported once by two runs at the same time", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const slugs = Array.from({ length: 60 }, (_, index) => `${p}-${index}`);
    for (const slug of slugs) await workspace.link({ slug });
    const at = await checkedUpdate(browser, workspace, ["slug,title", ...slugs.map((slug) => `${slug},New`)]);
    const id = at.split("/").at(-1) ?? "";
    await Promise.all([continueImport(workspace.ctx, id), continueImport(workspace.ctx, id)]);
    expect(await show(browser, at)).toContain("Finished 60 links were changed.");
    const results = await selectRows`select count(*) as entries from audit_log
      where workspace_id = ${workspace} and action = 'link.update_by_import'`;
    expect(results).toEqual([{ entries: 60 }]);
    expect(await stateOf(workspace)).toEqual([]);
  });
});
