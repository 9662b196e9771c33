import { describe, expect, it } from "vitest";
import { runSql } from "../../sql";
import { makeMember } from "../browser";
import { wordsIn } from "../form-fields";
import { stateOf } from "../import-state";
import { linkAt, linksOf, setTagCount, tagsOf, tagsOn } from "../state";
import { checkedAt, csvOf, DESTINATION, prefix, press, show } from "./helpers";

describe("an import into an Activity Group and with tags", () => {
  it("gives every link the group and the tags, with those of its row; a group of the row wins", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const spring = await workspace.group({ name: "Spring", default_utm_campaign: "spring" });
    const other = await workspace.group({ name: "Other", slug: `${p}-other` });
    const [print, social] = [await workspace.tag({ name: "Print" }), await workspace.tag({ name: "Social" })];
    const form = await browser.get(`/app/${workspace.slug}/import?group=${spring.slug}`);
    expect(form.text).toContain(`<option value="${spring.id}" selected="">Spring</option>`);
    const at = await checkedAt(
      browser,
      workspace,
      [
        "url,slug,group,tags",
        `${DESTINATION}1,${p}-1,,`,
        `${DESTINATION}2,${p}-2,${p}-other,"print, new"`,
      ].join("\n"),
      { activity_group_id: spring.id, tag_ids: [print.id, social.id] },
    );
    const page = await show(browser, at);
    expect(page).toContain("Group of every row without its own Spring");
    expect(page).toContain("Tags of every row, with its own Print, Social");
    await press(browser, `${at}/go-on`);
    const [one, two] = [await linkAt(workspace, `${p}-1`), await linkAt(workspace, `${p}-2`)];
    expect(one).toMatchObject({ activity_group: { id: spring.id }, utm_campaign: "spring" });
    expect(tagsOn(one)).toEqual(["Print", "Social"]);
    expect(two).toMatchObject({ activity_group: { id: other.id } });
    expect(tagsOn(two)).toEqual(["new", "Print", "Social"]);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("refuses a group and a tag of another workspace at their fields, and stores nothing", async () => {
    const { workspace, browser } = await makeMember("editor");
    const stranger = (await makeMember()).workspace;
    const [group, tag] = [await stranger.group(), await stranger.tag()];
    const file = new File([csvOf([prefix()])], "links.csv");
    const path = `/app/${workspace.slug}/import`;
    const ofGroup = await browser.post(path, { activity_group_id: group.id, file });
    const ofTag = await browser.post(path, { tag_ids: tag.id, file });
    expect([ofGroup.status, ofTag.status]).toEqual([422, 422]);
    expect(ofGroup.text).toContain("Activity Group was not found in this workspace.");
    expect(ofTag.text).toContain("A chosen tag was not found in this workspace.");
    expect((await browser.get(path)).text).toContain("Nothing has been imported in the last seven days.");
  });

  it("creates the tags that are typed with the file when it makes its links, and takes those that exist", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const print = await workspace.tag({ name: "Print" });
    const form = await browser.get(`/app/${workspace.slug}/import`);
    expect(form.text).toContain('data-creates="true"');
    const fields = { tag_ids: print.id, new_tags: "PRINT, Spring fair, spring FAIR" };
    const at = await checkedAt(browser, workspace, csvOf([`${p}-1`]), fields);
    const checked = await show(browser, at);
    expect(checked).toContain("A new tag is made with the links: Spring fair");
    expect(await tagsOf(workspace)).toEqual(["Print"]);
    await press(browser, `${at}/go-on`);
    expect(tagsOn(await linkAt(workspace, `${p}-1`))).toEqual(["Print", "Spring fair"]);
    // The same rows lead to their import, which has its tags.
    const again = { ...fields, new_tags: "Another" };
    expect(await checkedAt(browser, workspace, csvOf([`${p}-1`]), again)).toBe(at);
    expect(await tagsOf(workspace)).toEqual(["Print", "Spring fair"]);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("creates no tag with a file or a choice that is refused, and keeps what was typed", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tag = await workspace.tag({ name: "Print" });
    const path = `/app/${workspace.slug}/import`;
    const file = new File([csvOf([prefix()])], "links.csv");
    const many = Array.from({ length: 50 }, (_, index) => `tag ${index}`).join(",");
    const cases: [fields: Record<string, string | File>, says: string][] = [
      [{ new_tags: "Fair", file: new File(["nothing"], "links.csv") }, "The first row must name the columns"],
      [{ new_tags: "Fair", file, activity_group_id: "none" }, "Activity Group was not found"],
      [{ new_tags: "Fair", file, tag_ids: "none" }, "A chosen tag was not found"],
      [{ new_tags: many, tag_ids: tag.id, file }, "The link may not have more than 50 tags."],
      [{ new_tags: "F".repeat(101), file }, "The name of a tag must not have more than 100 characters"],
      [{ new_tags: "F,".repeat(5_001), file }, "The new tags must not have more than 10,000 characters."],
    ];
    for (const [fields, says] of cases) {
      const page = await browser.post(path, fields);
      expect([page.status, wordsIn(page.text)], says).toEqual([422, expect.stringContaining(says)]);
      expect(page.text, says).toContain(`value="${fields["new_tags"]}"`);
      expect(await tagsOf(workspace), says).toEqual(["Print"]);
    }
    await setTagCount(workspace, 1_000);
    const full = await checkedAt(browser, workspace, csvOf([prefix()]), { new_tags: "Fair" });
    await press(browser, `${full}/go-on`);
    await setTagCount(workspace, 1);
    expect(await show(browser, full)).toContain("The workspace has reached its limit of 1,000 tags.");
    expect(await tagsOf(workspace)).toEqual(["Print"]);
  });

  it("makes a tag again that has been deleted since the check, and refuses the rows of a group that is", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const [tag, group] = [await workspace.tag({ name: "Fair" }), await workspace.group()];
    const at = await checkedAt(browser, workspace, csvOf([`${p}-1`]), { tag_ids: tag.id });
    const ofGroup = await checkedAt(browser, workspace, csvOf([`${p}-2`]), { activity_group_id: group.id });
    await workspace.call("DELETE", `/api/v1/tags/${tag.id}`);
    await runSql`delete from activity_groups where public_id = ${group.id}`;
    await press(browser, `${at}/go-on`);
    expect(tagsOn(await linkAt(workspace, `${p}-1`))).toEqual(["Fair"]);
    await press(browser, `${ofGroup}/go-on`);
    expect(await show(browser, ofGroup)).toContain("Activity Group was not found in this workspace.");
    expect(await linksOf(workspace, `slug=${p}-2`)).toEqual([]);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("says nothing of it in the refused rows, which would change the links that they name as updates", async () => {
    const { workspace, browser } = await makeMember("editor");
    const p = prefix();
    const [tag, group] = [await workspace.tag(), await workspace.group()];
    await workspace.link({ slug: `${p}-1` });
    const fields = { tag_ids: tag.id, activity_group_id: group.id };
    const at = await checkedAt(browser, workspace, csvOf([`${p}-1`, `${p}-2`]), fields);
    const { text } = await browser.get(`${at}/refused.csv`);
    expect(text.split("\r\n")[0]).toBe("url,slug,errors");
  });
});

it("the links of an import are a filter of the list, with other filters and in any order, and of no other workspace", async () => {
  const { workspace, browser } = await makeMember("editor");
  const p = prefix();
  await workspace.link({ slug: `${p}-before` });
  const at = await checkedAt(
    browser,
    workspace,
    `url,slug,title,tags,status\n${DESTINATION}1,${p}-1,Zebra,"a,b",\n${DESTINATION}2,${p}-2,Ant,a,\n${DESTINATION}3,${p}-3,,,archived\nx,,,,`,
  );
  await press(browser, `${at}/go-on`);
  const id = at.split("/").at(-1) ?? "";
  const slugsIn = async (query: string, reader = browser, slug = workspace.slug): Promise<string[]> => {
    const { text } = await reader.get(`/app/${slug}/links?import=${id}${query}`);
    const [, rows = ""] = text.split("<tbody>");
    return [...new Set(Array.from(rows.matchAll(new RegExp(`${p}-(\\w+)`, "g")), ([, name = ""]) => name))];
  };
  expect((await browser.get(at)).text).toContain(
    `href="/app/${workspace.slug}/links?import=${id}&amp;status=all"`,
  );
  expect(await slugsIn("")).toEqual(["2", "1"]);
  expect(await slugsIn("&status=all&sort=created_at")).toEqual(["1", "2", "3"]);
  expect(await slugsIn("&q=zebra")).toEqual(["1"]);
  expect(await slugsIn("&status=all&sort=-visits")).toHaveLength(3);
  expect(await slugsIn("&health=taken_down")).toEqual([]);
  expect(await slugsIn("&tag=a&tag=b")).toEqual(["1"]);
  expect(await slugsIn(`&slug=${p}-before`)).toEqual([]);
  const stranger = await makeMember();
  await stranger.workspace.link();
  expect(await slugsIn("", stranger.browser, stranger.workspace.slug)).toEqual([]);
  await press(browser, `${at}/discard`);
  expect(await slugsIn("")).toEqual([]);
});
