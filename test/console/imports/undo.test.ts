import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { undoImport } from "../../../src/resources/imports/undo";
import { testEnv, visit } from "../../harness";
import { type Browser, makeMember, signInAs } from "../browser";
import { stateOf } from "../import-state";
import { checkedAt, csvOf, DESTINATION, prefix, press, textOf } from "./helpers";

/** An import of `rows` links, in a workspace of its own. */
async function imported(rows: number) {
  const { workspace, browser } = await makeMember("editor");
  const p = prefix();
  const slugs = Array.from({ length: rows }, (_, index) => `${p}-${index}`);
  const at = await checkedAt(browser, workspace, csvOf(slugs));
  await press(browser, `${at}/go-on`, Math.ceil(rows / 500));
  const linkAt = async (index: number) =>
    (await workspace.call("GET", `/api/v1/links?status=all&slug=${p}-${index}`)).body.links[0];
  const archived = async (): Promise<number> =>
    (await workspace.call("GET", "/api/v1/links?per_page=1&status=archived")).body.meta.total;
  return { workspace, browser, at, linkAt, archived, p };
}

/** D1 that counts its statements. */
function statementsOf(binding: D1Database) {
  let count = 0;
  const db = new Proxy(binding, {
    get(target, name) {
      if (name === "batch")
        return (statements: D1PreparedStatement[]) => {
          count += statements.length;
          return target.batch(statements);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { db, statements: () => count };
}

const show = async (browser: Browser, at: string): Promise<string> => textOf((await browser.get(at)).text);

describe("the undo of an import", () => {
  it("archives the links that nobody has changed, and names the rows of the others", async () => {
    const { workspace, browser, at, linkAt, archived, p } = await imported(4);
    const [changed, deleted] = [await linkAt(1), await linkAt(2)];
    await workspace.call("PATCH", `/api/v1/links/${changed.id}`, { body: { title: "mine" } });
    await workspace.call("DELETE", `/api/v1/links/${deleted.id}`);
    expect(await show(browser, at)).toContain("Archives the 4 links that this import has made");
    await press(browser, `${at}/undo`);
    const page = await show(browser, at);
    expect(page).toContain("The import is undone: 2 links are archived, and 1 link changed since is kept.");
    expect(page).toContain("1 link was changed since and is kept: row 3.");
    expect(page).toContain("Undone 2 links were archived.");
    expect(page).not.toContain("Finished");
    expect([(await linkAt(0)).status, (await linkAt(1)).status, (await linkAt(3)).status]).toEqual([
      "archived",
      "active",
      "archived",
    ]);
    expect((await visit(`/${p}-0`)).headers.get("location")).toBe(`${DESTINATION}0`);
    await press(browser, `${at}/undo`);
    expect(await archived()).toBe(2);
    expect(await stateOf(workspace)).toEqual([]);
    expect((await browser.get(`/app/${workspace.slug}/import`)).text).toContain("Undone");
  });

  it("names 100 rows of changed links and counts the others", async () => {
    const { workspace, browser, at, archived } = await imported(102);
    await env.DB.prepare("update links set version = version + 1 where workspace_id = ?")
      .bind(workspace.ctx.workspace.rowId)
      .run();
    await press(browser, `${at}/undo`);
    const page = await show(browser, at);
    expect(page).toContain("102 links were changed since and are kept: rows 2, 3, 4,");
    expect(page).toContain(", 100, 101 and 2 more.");
    expect(await archived()).toBe(0);
  });

  it("takes chunks, is one batch in the audit trail, and each link is archived once", async () => {
    const { workspace, browser, at, archived } = await imported(1_100);
    for (const archivedSoFar of ["500", "1,000"]) {
      const { db, statements } = statementsOf(env.DB);
      await browser.post(`${at}/undo`, {}, {}, { ...testEnv, DB: db });
      expect(statements()).toBeLessThanOrEqual(50);
      expect(statements()).toBeGreaterThan(10);
      expect(await show(browser, at)).toContain(`${archivedSoFar} links are archived so far.`);
    }
    await Promise.all([1, 2, 3].map(() => press(browser, `${at}/undo`)));
    expect(await show(browser, at)).toContain("1,100 links were archived.");
    expect(await archived()).toBe(1_100);
    const { results } = await env.DB.prepare(
      `select batch, count(*) as entries, count(distinct subject) as links from audit_log
       where workspace_id = ? and action = 'link.update' group by batch`,
    )
      .bind(workspace.ctx.workspace.rowId)
      .all();
    expect(results).toEqual([{ batch: expect.any(String), entries: 1_100, links: 1_100 }]);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("goes on where it was after a call that failed before or after it took effect", async () => {
    const { workspace, at, archived } = await imported(600);
    const id = at.split("/").at(-1) ?? "";
    const { db } = workspace.ctx;
    for (const [name, isBefore] of [
      ["write", true],
      ["write", false],
      ["writeUnaudited", true],
      ["writeUnaudited", false],
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
      await expect(undoImport({ ...workspace.ctx, db: failing }, id)).rejects.toThrow("the line is cut");
    }
    const { done, undo } = await undoImport(workspace.ctx, id);
    expect([done, undo.archived, undo.changed]).toEqual([true, 600, 0]);
    expect(await archived()).toBe(600);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("can itself be undone from its notice", async () => {
    const { workspace, browser, at, archived } = await imported(3);
    await press(browser, `${at}/undo`);
    const { text } = await browser.get(at);
    const undo = /action="(\/app\/[^"]*\/audit\/[^"]*\/undo)"/.exec(text)?.[1];
    await press(browser, undo ?? "");
    expect(await archived()).toBe(0);
    expect(await stateOf(workspace)).toEqual([]);
  });

  it("is offered once the import has finished", async () => {
    const { workspace, browser } = await makeMember("editor");
    const slugs = Array.from({ length: 501 }, (_, index) => `${prefix()}-${index}`);
    const at = await checkedAt(browser, workspace, csvOf(slugs));
    await press(browser, `${at}/go-on`);
    expect(await show(browser, at)).not.toContain("Undo this import");
    await press(browser, `${at}/undo`);
    expect(await show(browser, at)).toContain("An import can be undone once it has finished.");
    await press(browser, `${at}/go-on`);
    expect((await workspace.call("GET", "/api/v1/links?per_page=1")).body.meta.total).toBe(501);
  });

  it("is offered above the rows, and says of each row what its link is now", async () => {
    const { workspace, browser, at, linkAt } = await imported(3);
    const { text } = await browser.get(at);
    expect(text.indexOf("Undo this import")).toBeGreaterThan(0);
    expect(text.indexOf("Undo this import")).toBeLessThan(text.indexOf("<table"));
    const [changed, deleted] = [await linkAt(1), await linkAt(2)];
    await workspace.call("PATCH", `/api/v1/links/${changed.id}`, { body: { title: "mine" } });
    await press(browser, `${at}/undo`);
    await workspace.call("DELETE", `/api/v1/links/${deleted.id}`);
    const page = (await browser.get(at)).text;
    const outcomes = Array.from(page.matchAll(/data-label="Outcome">(.*?)<\/td>/gs), ([, cell = ""]) =>
      textOf(cell).trim(),
    );
    expect(outcomes).toEqual(["Archived", "Made", "Made, deleted since"]);
  });

  it("is followed by a refusal of the same slugs that leads to the links that have them", async () => {
    const { workspace, browser, at, linkAt, p } = await imported(2);
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
    expect(text).toContain(`/links/${(await linkAt(0)).id}"`);
    expect(text).toContain(`/links/${active.id}"`);
    const says = textOf(text);
    expect(says.match(/The slug is taken\. See the link/g)).toHaveLength(3);
    expect(says.match(/The slug is taken\./g)).toHaveLength(4);
    expect(says).not.toContain("Secret");
    const csv = (await browser.get(`${again}/refused.csv`)).text.split("\r\n");
    expect(csv.slice(1, -1).map((line) => line.split(",").at(-1))).toEqual([
      ...["The slug is taken.", "The slug is taken.", "The slug is taken.", "The slug is taken."],
    ]);
  });

  it("is taken back by restoring its links, in chunks, and the same rows then lead to it again", async () => {
    const { workspace, browser, at, archived, linkAt, p } = await imported(260);
    const changed = await linkAt(0);
    await press(browser, `${at}/undo`);
    await workspace.call("PATCH", `/api/v1/links/${changed.id}`, { body: { title: "mine" } });
    const viewer = await signInAs(workspace, "viewer");
    expect(await show(viewer, at)).not.toContain("Restore the links of this import");
    expect((await viewer.post(`${at}/restore`)).status).toBe(403);
    expect((await browser.get(at)).text).toContain(`action="${at}/restore"`);
    const step = await browser.post(`${at}/restore`);
    expect([step.status, textOf(step.text)]).toEqual([200, expect.stringContaining("Undid the change of")]);
    const fields = Object.fromEntries(
      Array.from(
        step.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g),
        ([, name = "", value = ""]) => [name, value],
      ),
    );
    expect((await browser.post(`${at}/restore`, fields)).location).toBe(at);
    expect(await archived()).toBe(1);
    const page = await show(browser, at);
    expect(page).toContain("Finished It was undone, and its links were restored.");
    expect(page).not.toContain("Undo this import");
    await press(browser, `${at}/undo`);
    expect(await show(browser, at)).toContain("The links of this import were restored. Archive them");
    await press(browser, `${at}/restore`);
    expect(await show(browser, at)).toContain("has changed no link that could be restored.");
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
    expect((await workspace.call("GET", "/api/v1/links?per_page=1")).body.meta.total).toBe(1);
  });
});
