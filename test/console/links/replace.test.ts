import { describe, expect, it } from "vitest";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { updateLink } from "../../../src/resources/links/update-link";
import { type TestWorkspace, visit } from "../../harness";
import { brokenInvariants } from "../../invariants";
import { makeMember, type Page } from "../browser";
import { hiddenIn, undoOn, wordsAfter, wordsIn } from "../form-fields";
import { linksOf } from "../state";

const OLD = "https://old.example/page?from=old.example";
const NEW = "https://new.example/page?from=new.example";

const pathOf = (ws: TestWorkspace, query = "") => `/app/${ws.slug}/links${query}`;

/** The form of a page that changes links: its address, its hidden fields and its button. */
function formOf({ text }: Page) {
  const [form = "", action = "", body = ""] =
    /<form class="row" method="post" action="([^"]*links\/change[^"]*)"[^>]*>(.*?)<\/form>/s.exec(text) ?? [];
  const button = /<button[^>]*>([^<]*)</.exec(body)?.[1];
  return { action: action.replaceAll("&amp;", "&"), fields: hiddenIn(form), button };
}

const destinationsOf = async (ws: TestWorkspace): Promise<string[]> =>
  (await linksOf(ws)).map((link) => link.destination_url);

describe("a text in the destinations of many links", () => {
  it("is shown as it would be replaced, then replaced in one change with one undo", async () => {
    const { workspace, browser } = await makeMember("editor");
    const links = [
      await workspace.link({ destination_url: OLD }),
      await workspace.link({ destination_url: "https://www.example.com/" }),
      await workspace.link({ destination_url: OLD }),
    ];
    const before = await destinationsOf(workspace);
    const preview = await browser.post(pathOf(workspace, "/change?sort=slug"), {
      ids: links.map(({ id }) => id),
      change: "preview",
      find: "old.example",
      replacement: "new.example",
    });
    expect(preview.status).toBe(200);
    expect(wordsIn(preview.text)).toContain(
      "2 links would change by replacing “old.example” by “new.example”. 1 link did not have the text.",
    );
    for (const url of [OLD, NEW]) expect(preview.text).toContain(url);
    expect(await destinationsOf(workspace)).toEqual(before);

    for (const { slug } of links) await visit(`/${slug}`);
    const { action, fields, button } = formOf(preview);
    expect(button).toBe("Replace in 2 links");
    const answer = await browser.post(action, fields);
    expect([answer.status, answer.location]).toEqual([303, pathOf(workspace, "?sort=slug")]);
    expect(await wordsAfter(browser, answer)).toContain(
      "Replaced “old.example” by “new.example” in 2 links. 1 did not have the text.",
    );
    expect(await destinationsOf(workspace)).toEqual([NEW, "https://www.example.com/", NEW]);
    expect((await visit(`/${links[0]?.slug}`)).headers.get("location")).toBe(NEW);
    const undone = await browser.post(undoOn(await browser.get(`/app/${workspace.slug}/audit`)));
    expect(await wordsAfter(browser, undone)).toContain("Undid the change of 2 links.");
    expect(await destinationsOf(workspace)).toEqual(before);
    expect(await brokenInvariants()).toEqual([]);
  });

  it("is left where a rule of destinations refuses the new one, with the reason", async () => {
    const { workspace, browser } = await makeMember("editor");
    const host = `${crypto.randomUUID().slice(0, 8)}.example`;
    const blocked = await workspace.link({ destination_url: `https://www.example.com/${host}` });
    const broken = await workspace.link({ destination_url: "https://www.example.com/x" });
    await blockHost(workspace.ctx, host);
    const fields = { ids: [blocked.id, broken.id], find: "www.example.com/" };
    const refused = await browser.post(pathOf(workspace, "/change"), {
      ...fields,
      change: "preview",
      replacement: "",
    });
    for (const said of [
      "No link would change by replacing “www.example.com/” by nothing.",
      `Cannot be changed: ${blocked.slug}. The destination leads to a host that this service does not allow.`,
      "a host of an internal network",
    ])
      expect(wordsIn(refused.text)).toContain(said);
    expect(formOf(refused).button).toBeUndefined();
    const mixed = await browser.post(pathOf(workspace, "/change"), {
      ids: fields.ids,
      change: "replace",
      find: "www.example.com/x",
      replacement: "x",
    });
    expect(await wordsAfter(browser, mixed)).toContain(
      `No link was changed. 1 link did not have the text. Not changed: ${broken.slug}.`,
    );
    await unblockHost(workspace.ctx, host);
  });

  it.each([
    [{ find: "" }, "Enter the text to find."],
    [{ find: "old", replacement: "old" }, "This is the text that is found, so nothing would change."],
    [{ find: "x".repeat(2_049) }, "2048 characters"],
    [{ ids: [], find: "old" }, "Choose at least one link."],
  ])("is refused beside its field, and the links stay selected (%#)", async (fields, message) => {
    const { workspace, browser } = await makeMember("editor");
    const { id } = await workspace.link();
    for (const change of ["preview", "replace"]) {
      const answer = await browser.post(pathOf(workspace, "/change"), { ids: [id], ...fields, change });
      expect([answer.status, answer.text.includes(message)]).toEqual([422, true]);
      expect(answer.text).toMatch(/<details class="more" open=/);
    }
  });

  it("is escaped wherever it is shown", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { id } = await workspace.link({ destination_url: "https://www.example.com/?q=a&lt=b" });
    const preview = await browser.post(pathOf(workspace, "/change"), {
      ids: [id],
      change: "preview",
      find: "a&lt",
      replacement: '"><script>$&',
    });
    expect(preview.text).not.toContain("<script>$");
    const { action, fields } = formOf(preview);
    expect(fields["replacement"]).toEqual(['"><script>$&']);
    await browser.post(action, fields);
    expect(await destinationsOf(workspace)).toEqual(['https://www.example.com/?q="><script>$&=b']);
  });

  it("is replaced in all results in steps of 250", async () => {
    const { workspace, browser } = await makeMember("editor");
    await workspace.link({ destination_url: "https://www.example.com/other" });
    const made = [];
    for (let count = 0; count < 260; count++)
      made.push(workspace.link({ destination_url: `${OLD}&n=${count}` }));
    await Promise.all(made);
    const preview = await browser.post(pathOf(workspace, "/change?q=old.example"), {
      all: "1",
      left: "260",
      change: "preview",
      find: "old.example",
      replacement: "new.example",
    });
    expect(wordsIn(preview.text)).toContain("260 links would change");
    expect(wordsIn(preview.text)).toContain("And 250 more.");
    const first = formOf(preview);
    const step = await browser.post(first.action, first.fields);
    expect(step.text).toContain("There are more links");
    expect(step.text).toContain("data-continues");
    const second = formOf(step);
    const answer = await browser.post(second.action, second.fields);
    expect(await wordsAfter(browser, answer)).toContain(
      "Replaced “old.example” by “new.example” in 260 links.",
    );
    expect((await destinationsOf(workspace)).filter((url) => url.includes("old.example"))).toEqual([]);
  });

  it("is replaced in a link that somebody changes meanwhile as the link is then", async () => {
    const { workspace, browser } = await makeMember("editor");
    const { id } = await workspace.link({ destination_url: OLD });
    const preview = await browser.post(pathOf(workspace, "/change"), {
      ids: [id],
      change: "preview",
      find: "old.example",
      replacement: "new.example",
    });
    await updateLink(workspace.ctx, id, { destination_url: "https://old.example/other" });
    const { action, fields } = formOf(preview);
    await browser.post(action, fields);
    expect(await destinationsOf(workspace)).toEqual(["https://new.example/other"]);
  });
});
