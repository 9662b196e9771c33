import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { undoImport } from "../../../src/resources/imports/undo-import";
import type { BulkResult } from "../../../src/resources/links/bulk-change";
import { type TestWorkspace, testEnv, visit } from "../../harness";
import { metered } from "../../metered";
import { selectRows } from "../../sql";
import { makeMember, signInAs } from "../browser";
import { fieldsOf, wordsIn } from "../form-fields";
import { stateOf } from "../import-state";
import { linkAt, linkOf, totalOf } from "../state";
import { checkedAt, csvOf, DESTINATION, prefix, press, pressThrough, show, undoIn } from "./helpers";

/** An import of `rows` links, in a workspace of its own. */
async function imported(rows: number) {
  const { workspace, browser } = await makeMember("editor");
  const p = prefix();
  const slugs = Array.from({ length: rows }, (_, index) => `${p}-${index}`);
  const at = await checkedAt(browser, workspace, csvOf(slugs));
  await press(browser, `${at}/go-on`, Math.ceil(rows / 500));
  const link = (index: number) => linkAt(workspace, `${p}-${index}`);
  const archived = () => totalOf(workspace, "status=archived");
  return { workspace, browser, at, link, archived, p };
}

/** The batches of undone changes, with their first entries and their links. */
const undoings = (ws: TestWorkspace) =>
  selectRows`select batch, count(iif(operation_id = batch, 1, null)) as heads, count(distinct subject) as links
    from audit_log where workspace_id = ${ws} and action = 'link.revert' group by batch`;

describe("the undo of an import", () => {
  it("archives the links that nobody has changed, and names the others", async () => {
    const { workspace, browser, at, link, archived, p } = await imported(4);
    const [changed, deleted] = [await link(1), await link(2)];
    await workspace.call("PATCH", `/api/v1/links/${changed.id}`, { body: { title: "mine" } });
    await workspace.call("DELETE", `/api/v1/links/${deleted.id}`);
    const page = await pressThrough(browser, `${at}/undo`);
    expect(page).toContain(
      `Undid the import of 2 links. Not undone: ${p}-1. Changed since. Not undone: ${deleted.id}. Deleted since.`,
    );
    expect([(await link(0)).status, (await link(1)).status, (await link(3)).status]).toEqual([
      "archived",
      "active",
      "archived",
    ]);
    expect((await visit(`/${p}-0`)).headers.get("location")).toBe(`${DESTINATION}0`);
    expect(await pressThrough(browser, `${at}/undo`)).toContain(
      `Nothing was undone. Not undone: ${p}-0, ${p}-3. Undone already.`,
    );
    expect(await archived()).toBe(2);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("of one link speaks of one", async () => {
    const { browser, at } = await imported(1);
    const shown = await show(browser, at);
    expect(shown).toContain(
      "This archives the link that the import created, unless somebody has changed it since. An archived link goes on working, keeps its slug, and can be restored. Archive its link",
    );
  });

  it("takes steps, is one change in the audit trail, and each link is archived once", async () => {
    const { workspace, browser, at, archived } = await imported(600);
    let fields = {};
    for (const archivedSoFar of [250, 500]) {
      const { db, rows } = metered(env.DB);
      const step = await browser.post(`${at}/undo`, fields, {}, { ...testEnv, DB: db });
      expect(rows.statements).toBeLessThanOrEqual(50);
      expect(rows.statements).toBeGreaterThan(10);
      expect(wordsIn(step.text)).toContain(`Undid the import of ${archivedSoFar} links.`);
      expect(step.text).toContain("data-continues");
      fields = fieldsOf(step);
    }
    await Promise.all([1, 2, 3].map(() => browser.post(`${at}/undo`, fields)));
    expect(await show(browser, at)).toContain("Undone This import was undone. Its links are archived");
    expect(await archived()).toBe(600);
    expect(await undoings(workspace)).toEqual([{ batch: at.split("/").at(-1), heads: 1, links: 600 }]);
    expect(await stateOf(workspace)).toEqual([]);
    const trail = await show(browser, `/app/${workspace.slug}/audit?action=link.revert`);
    expect(trail).toContain("undid the import of 600 links from links.csv");
  });

  it("reaches no link but its own, whatever the form says", async () => {
    const { workspace, browser, at, archived } = await imported(2);
    const link = await workspace.link({ title: "Before" });
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: "After" } });
    const stranger = await signInAs((await makeMember("editor")).workspace, "editor");
    expect((await stranger.post(`${at}/undo`)).status).toBe(404);
    await browser.post(`${at}/undo`, { after: "0", batch: "01JZ8Q4V6T3K9M2N5P7R8S0W1X", left: "-1" });
    expect((await linkOf(workspace, link.id)).title).toBe("After");
    expect(await archived()).toBe(2);
    expect(await undoings(workspace)).toEqual([{ batch: at.split("/").at(-1), heads: 1, links: 2 }]);
  });

  it("goes on where it was after a call that failed before or after it took effect", async () => {
    const { workspace, browser, at, archived } = await imported(600);
    const id = at.split("/").at(-1) ?? "";
    const { db } = workspace.ctx;
    const undoAll = async (ctx = workspace.ctx): Promise<void> => {
      let undone: BulkResult | undefined;
      do undone = await undoImport(ctx, id, { after: undone?.next ?? "" });
      while (undone.next !== null);
    };
    for (const [name, isBefore] of [
      ["write", true],
      ["write", false],
      ["writeGuarded", true],
      ["writeGuarded", false],
    ] as const) {
      const failing = new Proxy(db, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (key !== name || typeof value !== "function") return value;
          return async (...args: unknown[]) => {
            if (!isBefore) await Reflect.apply(value, target, args);
            throw new Error("the line is cut");
          };
        },
      });
      await expect(undoAll({ ...workspace.ctx, db: failing })).rejects.toThrow("the line is cut");
    }
    await undoAll();
    expect(await show(browser, at)).toContain("Undone");
    expect(await archived()).toBe(600);
    expect(await undoings(workspace)).toEqual([{ batch: id, heads: 1, links: 600 }]);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("is offered once the import has finished", async () => {
    const { workspace, browser } = await makeMember("editor");
    const slugs = Array.from({ length: 501 }, (_, index) => `${prefix()}-${index}`);
    const at = await checkedAt(browser, workspace, csvOf(slugs));
    await press(browser, `${at}/go-on`);
    expect(await show(browser, at)).not.toContain("Undo this import");
    const { status, text } = await browser.post(`${at}/undo`);
    expect([status, wordsIn(text)]).toEqual([
      422,
      expect.stringContaining("An import can be undone once it has finished."),
    ]);
    await press(browser, `${at}/go-on`);
    expect(await totalOf(workspace, "")).toBe(501);
  });

  it("is followed by a refusal of the same slugs that leads to the links that have them", async () => {
    const { workspace, browser, at, link, p } = await imported(2);
    await press(browser, `${at}/undo`);
    const page = await show(browser, at);
    expect(page).toContain("a file with these slugs is refused until the links are restored or deleted.");
    const active = await workspace.link({ slug: `${p}-active`, title: "Mine" });
    const stranger = await makeMember();
    await stranger.workspace.link({ slug: `${p}-strange`, title: "Secret" });
    const again = await checkedAt(
      browser,
      workspace,
      csvOf([`${p}-0`, `${p}-1`.toUpperCase(), `${p}-active`, `${p}-strange`]),
    );
    const { text } = await browser.get(again);
    expect(text).toContain(`/links/${(await link(0)).id}"`);
    expect(text).toContain(`/links/${active.id}"`);
    const says = wordsIn(text);
    expect(says.match(/The slug is taken\. See the link/g)).toHaveLength(3);
    expect(says.match(/The slug is taken\./g)).toHaveLength(4);
    expect(says).not.toContain("Secret");
    const csv = (await browser.get(`${again}/refused.csv`)).text.split("\r\n");
    expect(csv.slice(1, -1).map((line) => line.split(",").at(-1))).toEqual(
      Array(4).fill("The slug is taken."),
    );
  });

  it("is taken back by restoring its links, in steps, and the same rows then lead to it again", async () => {
    const { workspace, browser, at, archived, link, p } = await imported(260);
    const changed = await link(0);
    expect(await show(browser, at)).toContain(
      "This archives the 260 links that the import created, except those that somebody has changed since, which are named. Archived links go on working",
    );
    const undone = await pressThrough(browser, `${at}/undo`);
    // The button for that is on the page itself, and no other one beside it.
    expect(undone).not.toMatch(/Undid the import of 260 links\. Undo/);
    expect(undone).toContain("You can restore them to what the import made of them.");
    await workspace.call("PATCH", `/api/v1/links/${changed.id}`, { body: { title: "mine" } });
    const viewer = await signInAs(workspace, "viewer");
    expect(await show(viewer, at)).not.toContain("Restore the links of this import");
    const restore = await undoIn(browser, at);
    expect((await viewer.post(restore)).status).toBe(403);
    const step = await browser.post(restore, { back: at });
    expect([step.status, wordsIn(step.text)]).toEqual([200, expect.stringContaining("Redid the change of")]);
    expect(await show(browser, at)).toContain("Restore the links of this import");
    expect((await browser.post(restore, fieldsOf(step))).location).toBe(at);
    expect(await archived()).toBe(1);
    const page = await show(browser, at);
    expect(page).toContain("Finished It was undone, and its links were restored.");
    expect(page).not.toContain("Undo this import");
    expect(wordsIn((await browser.post(`${at}/undo`)).text)).toContain(
      "The links of this import were restored. Archive them",
    );
    const slugs = Array.from({ length: 260 }, (_, index) => `${p}-${index}`);
    expect(await checkedAt(browser, workspace, csvOf(slugs))).toBe(at);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("lets the same rows be sent again", async () => {
    const { workspace, browser } = await makeMember("editor");
    const csv = `url\n${DESTINATION}1\n`;
    const at = await checkedAt(browser, workspace, csv);
    await press(browser, `${at}/go-on`);
    expect(await checkedAt(browser, workspace, csv)).toBe(at);
    await press(browser, `${at}/undo`);
    const again = await checkedAt(browser, workspace, csv);
    expect(again).not.toBe(at);
    await press(browser, `${again}/go-on`);
    expect(await totalOf(workspace, "")).toBe(1);
  });
});
