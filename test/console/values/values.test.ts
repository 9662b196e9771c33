import { describe, expect, it } from "vitest";
import { createDatabase } from "../../../src/db/client";
import { etagOf } from "../../../src/lib/etag";
import { readStoredConventions, saveConvention } from "../../../src/resources/links/link-conventions";
import { overtakenBy } from "../../faulty";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { makeMember, type Page } from "../browser";
import { fieldsOf, undoOn, wordsAfter, wordsIn } from "../form-fields";
import { checkedAt, press, show } from "../imports/helpers";
import { linksOf } from "../state";

const DESTINATION = "https://www.example.com/";

const pathOf = ({ slug }: TestWorkspace, field = "utm_source", action = "") =>
  `/app/${slug}/values${action}?field=${field}`;

const sourcesOf = async (ws: TestWorkspace) => (await linksOf(ws)).map(({ utm_source }) => utm_source);

const convention = (fields: object = {}) => ({
  strictness: "only",
  letters: "lower",
  space: "-",
  listed: "newsletter\nlinkedin",
  ...fields,
});

/** The address of the form whose button or field is marked so. */
const actionOf = ({ text }: Page, mark: string): string =>
  [...text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)".*?<\/form>/gs)]
    .find(([form]) => form.includes(mark))?.[1]
    ?.replaceAll("&amp;", "&") ?? "";

/** A workspace that an owner has given a convention for sources. */
async function makeStrict(fields: object = {}) {
  const { workspace, browser } = await makeMember("owner");
  expect(actionOf(await browser.get(pathOf(workspace)), 'name="listed"')).toBe(
    pathOf(workspace, "utm_source", "/convention"),
  );
  const answer = await browser.post(pathOf(workspace, "utm_source", "/convention"), convention(fields));
  expect([answer.status, answer.location]).toEqual([303, pathOf(workspace)]);
  return { workspace, browser };
}

describe("the page of values", () => {
  it("has the values in use, the most used first, with links to them, archived ones too", async () => {
    const { workspace, browser } = await makeMember("viewer");
    await (await makeWorkspace()).link({ utm_source: "foreign" });
    await workspace.link({ utm_source: "flyer" });
    const archived = await workspace.link({ utm_source: "mail", utm_medium: "email" });
    await workspace.call("PATCH", `/api/v1/links/${archived.id}`, { body: { status: "archived" } });
    await workspace.link({ utm_source: "mail" });
    const { text } = await browser.get(pathOf(workspace));
    expect([...text.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)).toEqual(
      expect.arrayContaining(["2 links with mail", "1 link with flyer"]),
    );
    expect(text.indexOf("2 links with mail")).toBeLessThan(text.indexOf("1 link with flyer"));
    expect(text).not.toContain("foreign");
    expect(text).not.toContain("Replace");
    const [, to = ""] = /href="([^"]*)" aria-label="2 links with mail"/.exec(text) ?? [];
    expect((await browser.get(to.replaceAll("&amp;", "&"))).text).toContain("2 links");
    expect((await browser.get(pathOf(workspace, "utm_medium"))).text).toContain("1 link with email");
    expect((await browser.get(pathOf(workspace, "utm_campaign"))).text).toContain(
      "No link has a campaign yet.",
    );
  });

  it("puts spellings together, and replaces them in one change that is undone as one", async () => {
    const { workspace, browser } = await makeMember("editor");
    for (const utm_source of ["newsletter", "newsletter", "Newsletter", "news letter", "flyer"]) {
      await workspace.link({ utm_source });
    }
    const before = await sourcesOf(workspace);
    expect(wordsIn((await browser.get(pathOf(workspace))).text)).toContain("Replace in up to 4 links");
    const answer = await browser.post(pathOf(workspace, "utm_source", "/replace"), {
      values: ["newsletter", "Newsletter", "news letter"],
      to: "newsletter",
    });
    expect([answer.status, answer.location]).toEqual([303, pathOf(workspace)]);
    expect(await sourcesOf(workspace)).toEqual([...Array(4).fill("newsletter"), "flyer"]);
    const shown = await browser.get(answer.location ?? "");
    expect(wordsIn(shown.text)).toContain("Set the source “newsletter” in 2 links.");
    expect((await browser.post(undoOn(shown))).status).toBe(303);
    expect(await sourcesOf(workspace)).toEqual(before);
  });

  it("replaces a campaign that links have from their group, and leaves the group's default", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ default_utm_campaign: "spring" });
    await workspace.link({ activity_group_id: group.id });
    await workspace.link({ utm_campaign: "spring" });
    await browser.post(pathOf(workspace, "utm_campaign", "/replace"), { values: ["spring"], to: "summer" });
    expect((await linksOf(workspace)).map((one) => [one.utm_campaign, one.utm_campaign_origin])).toEqual([
      ["summer", "explicit"],
      ["summer", "explicit"],
    ]);
    const { body } = await workspace.call("GET", "/api/v1/activity-groups");
    expect(JSON.stringify(body)).toContain('"default_utm_campaign":"spring"');
  });

  it.each([
    [{ to: "mail" }, "Choose at least one value."],
    [{ values: ["Mail"], to: " " }, "Enter the new value."],
  ])("refuses %j", async (fields, message) => {
    const { workspace, browser } = await makeMember("editor");
    await workspace.link({ utm_source: "Mail" });
    const answer = await browser.post(pathOf(workspace, "utm_source", "/replace"), fields);
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain(message);
    expect(await sourcesOf(workspace)).toEqual(["Mail"]);
  });

  it("keeps what was selected and typed if it is refused, and takes a hundred of the longest values", async () => {
    const { workspace, browser } = await makeMember("editor");
    await workspace.link({ utm_source: "Mail" });
    const to = pathOf(workspace, "utm_source", "/replace");
    const refused = await browser.post(to, { values: ["Mail"], to: "x".repeat(256) });
    expect(wordsIn(refused.text)).toContain("The source must not have more than 255 characters.");
    expect(refused.text).toMatch(/name="values" value="Mail" checked/);
    const values = Array.from({ length: 100 }, (_, index) => "ü".repeat(250) + index);
    expect((await browser.post(to, { values, to: "mail" })).status).toBe(303);
    expect((await browser.post(to, { values: [...values, "Mail"], to: "mail" })).status).toBe(422);
  });
});

describe("conventions", () => {
  it("are kept by the form of a link: a known spelling is corrected, and another value is refused", async () => {
    const { workspace, browser } = await makeStrict();
    const form = `/app/${workspace.slug}/links/new`;
    const page = await browser.get(form);
    expect(page.text).toMatch(
      /<datalist id="utm_source-used"><option value="newsletter">.*?value="linkedin"/s,
    );
    expect(
      (await browser.post(form, { destination_url: DESTINATION, utm_source: "News Letter" })).status,
    ).toBe(303);
    const refused = await browser.post(form, { destination_url: DESTINATION, utm_source: "fair" });
    expect(refused.status).toBe(422);
    expect(wordsIn(refused.text)).toContain(
      "The source must be one of the workspace's values: newsletter, linkedin.",
    );
    expect(await sourcesOf(workspace)).toEqual(["newsletter"]);
  });

  it("let a link keep the value it has while another field is edited", async () => {
    const { workspace, browser } = await makeStrict();
    const link = await workspace.link({ utm_source: "Old Fair" });
    const edit = `/app/${workspace.slug}/links/${link.id}/edit`;
    const fields = fieldsOf(await browser.get(edit));
    expect((await browser.post(edit, { ...fields, title: "Fair" })).status).toBe(303);
    const later = fieldsOf(await browser.get(edit));
    expect((await browser.post(edit, { ...later, utm_source: "New Fair" })).status).toBe(422);
    expect((await linksOf(workspace))[0]).toMatchObject({ title: "Fair", utm_source: "Old Fair" });
  });

  it("refuse a value that is too long once it is written", async () => {
    const { workspace, browser } = await makeStrict({ listed: "" });
    const fields = { destination_url: DESTINATION, utm_source: "İ".repeat(255) };
    const answer = await browser.post(`/app/${workspace.slug}/links/new`, fields);
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain("must not have more than 255 characters");
  });

  it("do not bind API keys; the page marks what does not fit", async () => {
    const { workspace, browser } = await makeStrict();
    await workspace.link({ utm_source: "LinkedIn" });
    await workspace.link({ utm_source: "fair" });
    const text = wordsIn((await browser.get(pathOf(workspace))).text);
    expect(text).toContain("Should be linkedin");
    expect(text).toContain("Not in the list");
  });

  it("are kept by files: a known spelling is corrected, and other rows are refused", async () => {
    const { workspace, browser } = await makeStrict();
    const at = await checkedAt(
      browser,
      workspace,
      ["url,utm_source", `${DESTINATION}1,NEWSLETTER`, `${DESTINATION}2,fair`].join("\n"),
    );
    expect(await show(browser, at)).toContain("must be one of the workspace's values");
    await press(browser, `${at}/go-on`);
    expect(await sourcesOf(workspace)).toEqual(["newsletter"]);
  });

  it("are kept by changes of many links", async () => {
    const { workspace, browser } = await makeStrict();
    const { id } = await workspace.link();
    const change = `/app/${workspace.slug}/links/change`;
    const set = (value: string) =>
      browser.post(change, { ids: [id], change: "set_value", value_field: "utm_source", value });
    expect((await set("fair")).status).toBe(422);
    expect(await wordsAfter(browser, await set("Linked In"))).toContain(
      "Set the source “linkedin” in 1 link.",
    );
    const replaced = await browser.post(pathOf(workspace, "utm_source", "/replace"), {
      values: ["linkedin"],
      to: "fair",
    });
    expect(replaced.status).toBe(422);
    expect(await sourcesOf(workspace)).toEqual(["linkedin"]);
  });

  it("that only suggest change nothing, and say so beside the form", async () => {
    const { workspace, browser } = await makeStrict({ strictness: "suggest" });
    const fields = { destination_url: DESTINATION, utm_source: "Newsletter", utm_medium: "email" };
    const preview = await browser.post(`/app/${workspace.slug}/links/preview`, fields);
    expect(wordsIn(preview.text)).toContain("The source is usually written “newsletter”.");
    expect((await browser.post(`/app/${workspace.slug}/links/new`, fields)).status).toBe(303);
    expect(await sourcesOf(workspace)).toEqual(["Newsletter"]);
  });

  it("are listed as they are written, changed field by field, and in the audit trail", async () => {
    const { workspace, browser } = await makeStrict({ listed: "News Letter\n\nnews-letter\nLinkedIn" });
    await browser.post(
      pathOf(workspace, "channel", "/convention"),
      convention({ strictness: "suggest", listed: "poster" }),
    );
    const page = await browser.get(pathOf(workspace));
    expect(page.text).toMatch(/<textarea[^>]*>\s*news-letter\s+linkedin\s*<\/textarea>/);
    const trail = wordsIn((await browser.get(`/app/${workspace.slug}/audit`)).text);
    expect(trail).toContain("Source: only these; lower case; spaces become -; news-letter, linkedin");
    expect(trail).toContain("Channel: suggested; lower case; spaces become -; poster");
    expect(trail).not.toContain("utm_source");
  });

  it("are not overwritten by an older form, which says what was saved meanwhile and keeps what was typed", async () => {
    const { workspace, browser } = await makeStrict();
    const at = pathOf(workspace, "utm_source", "/convention");
    const { etag = "" } = fieldsOf(await browser.get(pathOf(workspace)));
    const mine = { ...convention({ listed: "newsletter\nlinkedin\nmine" }), etag };
    expect((await browser.post(at, { ...convention({ listed: "newsletter\ntheirs" }), etag })).status).toBe(
      303,
    );
    const refused = await browser.post(at, mine);
    expect(refused.status).toBe(412);
    const said = wordsIn(refused.text);
    expect(said).toContain("The list has changed meanwhile, so nothing is saved yet.");
    expect(said).toContain("Source: only these; lower case; spaces become -; newsletter, theirs");
    const shown = fieldsOf(refused);
    expect(refused.text).toMatch(/<textarea[^>]*>\s*newsletter\s+linkedin\s+mine\s*<\/textarea>/);
    // A list that is refused for another reason is still an older one.
    const invalid = await browser.post(at, { ...mine, strictness: "never" });
    expect([invalid.status, fieldsOf(invalid)["etag"]]).toEqual([422, etag]);
    expect((await browser.post(at, { ...mine, etag: shown["etag"] ?? "" })).status).toBe(303);
    const page = await browser.get(pathOf(workspace));
    expect(page.text).toMatch(/<textarea[^>]*>\s*newsletter\s+linkedin\s+mine\s*<\/textarea>/);
  });

  it("are saved twice at once by one form with one winner", async () => {
    const { workspace } = await makeStrict();
    const of = (value: string) =>
      ({ strictness: "only", letters: "any", space: "keep", values: [value] }) as const;
    const ifMatch = [await etagOf((await readStoredConventions(workspace.ctx)).utm_source)];
    const other = () => saveConvention({ ...workspace.ctx, ifMatch }, "utm_source", of("theirs"));
    const ctx = { ...workspace.ctx, ifMatch, db: createDatabase(overtakenBy(other).DB) };
    await expect(saveConvention(ctx, "utm_source", of("mine"))).rejects.toMatchObject({ status: 412 });
    expect((await readStoredConventions(workspace.ctx)).utm_source.values).toEqual(["theirs"]);
    // A change of another field stays.
    const channel = () => saveConvention(workspace.ctx, "channel", of("poster"));
    const db = createDatabase(overtakenBy(channel).DB);
    await saveConvention({ ...workspace.ctx, db }, "utm_source", of("mine"));
    const { utm_source, channel: kept } = await readStoredConventions(workspace.ctx);
    expect([utm_source.values, kept.values]).toEqual([["mine"], ["poster"]]);
  });

  it("name the listed values as they are in an error, whatever characters they have", async () => {
    const { workspace, browser } = await makeStrict({
      letters: "any",
      space: "keep",
      listed: "$& $1 $$\n$`x",
    });
    const answer = await browser.post(`/app/${workspace.slug}/channels`, { name: "A", utm_source: "other" });
    expect(answer.status).toBe(422);
    const list = "The source must be one of the workspace's values: $& $1 $$, $`x.";
    // Above the form, and at the field.
    expect(wordsIn(answer.text).split(list)).toHaveLength(3);
  });

  it.each([
    [{ listed: "newsletter\nnews_letter" }, "newsletter and news_letter look alike. List one of them."],
    [{ listed: Array.from({ length: 101 }, (_, index) => `v${index}`).join("\n") }, "At most 100 values"],
    [{ strictness: "never" }, "The selected strictness is invalid."],
  ])("refuse %j", async (fields, message) => {
    const { workspace, browser } = await makeMember("owner");
    const answer = await browser.post(pathOf(workspace, "utm_source", "/convention"), convention(fields));
    expect(answer.status).toBe(422);
    expect(wordsIn(answer.text)).toContain(message);
  });
});

describe("values of links", () => {
  it("and times of many links are set and removed, within the rules of each", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [one, other] = [
      await workspace.link({ utm_medium: "mail" }),
      await workspace.link({ starts_at: "2026-06-01T00:00:00Z" }),
    ];
    const change = async (fields: object) =>
      wordsAfter(
        browser,
        await browser.post(`/app/${workspace.slug}/links/change`, { ids: [one.id, other.id], ...fields }),
      );
    expect(await change({ change: "set_value", value_field: "utm_medium", value: " email " })).toContain(
      "Set the medium “email” in 2 links.",
    );
    expect(await change({ change: "set_value", value_field: "utm_medium", value: "email" })).toContain(
      "No link was changed. 2 links had the medium “email” already.",
    );
    expect(
      await change({ change: "set_moment", moment_field: "ends_at", moment: "2026-05-01T12:00" }),
    ).toMatch(
      /Set the end “1 May 2026, 12:00 UTC” in 1 link. Not changed: \w+\. The end must be after the start\./,
    );
    expect(await change({ change: "remove_moment", moment_field: "ends_at" })).toContain(
      "Removed the end from 1 link. 1 had none.",
    );
    expect(await change({ change: "remove_value", value_field: "utm_medium" })).toContain(
      "Removed the medium from 2 links.",
    );
    for (const link of await linksOf(workspace))
      expect(link).toMatchObject({ utm_medium: null, ends_at: null });
  });

  it("lose their own campaign for that of the group", async () => {
    const { workspace, browser } = await makeMember("editor");
    const group = await workspace.group({ default_utm_campaign: "spring" });
    const [own, inherited] = [
      await workspace.link({ activity_group_id: group.id, utm_campaign: "own" }),
      await workspace.link({ activity_group_id: group.id }),
    ];
    const answer = await browser.post(`/app/${workspace.slug}/links/change`, {
      ids: [own.id, inherited.id],
      change: "remove_value",
      value_field: "utm_campaign",
    });
    expect(await wordsAfter(browser, answer)).toContain(
      "Removed the own campaign of 1 link. A link in a group has the group’s. 1 had no campaign of their own.",
    );
    expect((await linksOf(workspace)).map(({ utm_campaign }) => utm_campaign)).toEqual(["spring", "spring"]);
  });
});
