import { describe, expect, it } from "vitest";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { importLinks } from "../../../src/resources/links/import-links";
import type { TestWorkspace } from "../../harness";
import { runSql, selectValue } from "../../sql";
import { type Browser, makeMember } from "../browser";
import { wordsIn } from "../form-fields";
import { totalOf } from "../state";
import { checkedAt, csvOf, DESTINATION, goOn, prefix, pressThrough, show } from "./helpers";

const itemsIn = (html: string, list: RegExp): string[] =>
  (list.exec(html)?.[1] ?? "")
    .split("<li")
    .slice(1)
    .map((item) => wordsIn(`<li${item.split("<time")[0]}`).trim());

/** What a new workspace has. */
const isOfWorkspace = /added the member|created the API key/;

/** The lines of the trail, and of "Last changes" on the overview. */
const linesOf = async (browser: Browser, { slug }: TestWorkspace) => {
  const [trail, overview] = await Promise.all([
    browser.get(`/app/${slug}/audit`),
    browser.get(`/app/${slug}`),
  ]);
  return {
    trail: itemsIn(trail.text, /<ol class="trail">([\s\S]*?)<\/ol>/).filter(
      (line) => !isOfWorkspace.test(line),
    ),
    last: itemsIn(overview.text, /<ol class="changes">([\s\S]*?)<\/ol>/),
    undo: /<ol class="changes">[\s\S]*?action="([^"]*\/undo)"/.exec(overview.text)?.[1],
  };
};

const idOf = (at: string): string => at.split("/").at(-1) ?? "";

async function makeFile(rows: number) {
  const { workspace, browser } = await makeMember("editor");
  const p = prefix();
  const slugs = Array.from({ length: rows }, (_, index) => `${p}-${index}`);
  const [heading, ...lines] = csvOf(slugs).split("\n");
  const tagged = [`${heading},tags`, ...lines.map((line, index) => `${line},Tag ${Math.floor(index / 30)}`)];
  const at = await checkedAt(browser, workspace, tagged.join("\n"));
  return { workspace, browser, at };
}

describe("an import is one entry", () => {
  it("of the trail and the last changes, with its number so far, its file and its undo", async () => {
    const { workspace, browser, at } = await makeFile(120);
    for (let time = 0; time < 6; time++) await workspace.link();
    await continueImport({ ...workspace.ctx, actor: `member:${browser.email}` }, idOf(at), 1);
    const running = await linesOf(browser, workspace);
    const [started] = running.trail;
    expect(started).toBe(`${browser.email} imported 1 link from links.csv`);
    expect(running.undo).toBeUndefined();

    await goOn(browser, at);
    const { trail, last, undo } = await linesOf(browser, workspace);
    const line = `${browser.email} imported 120 links from links.csv`;
    expect(trail[0]).toBe(line);
    expect(trail.filter((one) => one.includes("import") || one.includes("tag"))).toEqual([line]);
    expect(last[0]).toBe(line);
    expect(last).toHaveLength(5);
    expect(undo).toBe(`${at}/undo`);
    const each = await show(browser, `/app/${workspace.slug}/audit?batch=${idOf(at)}:import`);
    expect(each).toContain("Part of a change of 120 links");
    expect(each).not.toContain("imported");

    await pressThrough(browser, undo ?? "");
    expect(await totalOf(workspace, "status=archived")).toBe(120);
    const undone = await linesOf(browser, workspace);
    const words = `${browser.email} undid the import of 120 links from links.csv`;
    expect(undone.trail.slice(0, 2)).toEqual([words, line]);
    expect(undone.last.slice(0, 2)).toEqual([words, line]);
    expect(undone.undo).toBeUndefined();
    await browser.post(`${at}/discard`);
    expect((await linesOf(browser, workspace)).trail[1]).toBe(line);
  });

  it("also if several requests begin it at once, or operators import lines", async () => {
    const { workspace, browser, at } = await makeFile(60);
    await Promise.all([1, 2, 3].map(() => browser.post(`${at}/go-on`)));
    expect((await linesOf(browser, workspace)).trail).toEqual([
      `${browser.email} imported 60 links from links.csv`,
    ]);
    const rows = Array.from({ length: 120 }, (_, index) => ({
      number: index + 1,
      input: { destination_url: `${DESTINATION}${index}` },
    }));
    for (const _ of [1, 2]) await importLinks(workspace.ctx, "lines", rows);
    expect((await linesOf(browser, workspace)).trail).toEqual([
      "The operator imported 120 links",
      `${browser.email} imported 60 links from links.csv`,
    ]);
  });

  it("and one whose rows were imported meanwhile has none", async () => {
    const { workspace, browser, at } = await makeFile(2);
    const file = await selectValue<string>`select digest from imports where public_id = ${idOf(at)}`;
    await runSql`insert into imports (public_id, workspace_id, name, row_count, digest, about, created_at, started_at)
      values (${`S${idOf(at).slice(1)}`}, ${workspace}, 'same.csv', 2, ${file}, '{}', 1, 1)`;
    await browser.post(`${at}/go-on`);
    expect((await linesOf(browser, workspace)).trail).toEqual([]);
  });
});

it("the last changes are five behind an import of more rows than a page of the trail looks through", async () => {
  const { workspace, browser } = await makeMember("editor");
  for (let time = 0; time < 5; time++) await workspace.link();
  await runSql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 6000)
    insert into audit_log (operation_id, workspace_id, actor, action, subject, at, batch)
    select ${workspace.slug} || '.' || i, ${workspace}, 'operator', 'link.create', 'S', ${Date.now()} + 1000, ${`${workspace.slug}.0`} from n`;
  const { trail, last } = await linesOf(browser, workspace);
  expect(last).toHaveLength(5);
  expect([last[0], trail[0]]).toEqual(Array(2).fill("The operator created more than 1,000 links"));
  expect(trail).toHaveLength(6);
});
