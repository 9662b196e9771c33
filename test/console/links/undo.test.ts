import { env } from "cloudflare:test";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { findAuditEntry } from "../../../src/resources/audit/audit-service";
import { createLink } from "../../../src/resources/links/create-link";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { importLinks } from "../../../src/resources/links/import-links";
import type { Link } from "../../../src/resources/links/link-schema";
import { deleteTag } from "../../../src/resources/links/remove-tag";
import { undoOperation } from "../../../src/resources/links/revert/undo-changes";
import { updateLink } from "../../../src/resources/links/update-link";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { interrupted } from "../../interruption";
import { brokenInvariants } from "../../invariants";
import { selectValue } from "../../sql";
import { type Browser, makeMember, type Page, signInAs } from "../browser";
import { click } from "../clicks";
import { hiddenIn, linkTo, wordsIn } from "../form-fields";
import { linkOf, linksOf, tagsOn, totalOf } from "../state";

const DESTINATION = "https://www.example.com/";
const MANY = 260;

const listOf = (ws: TestWorkspace, query = "") => `/app/${ws.slug}/links${query}`;
const changeOf = (ws: TestWorkspace, query = "") => listOf(ws, `/change${query}`);
const noticeOf = ({ text }: Page) =>
  /<(?:p|div) class="notice[^>]*>(?:<p>)?([^<]*)/.exec(text)?.[1] ?? "no notice";
/** The address and fields of a form whose action ends so. */
function formOf({ text }: Page, ending: string) {
  const [form = "", action = ""] =
    new RegExp(`<form[^>]* action="([^"]*${ending}[^"]*)"[^>]*>.*?</form>`, "s").exec(text) ?? [];
  return { action: action.replaceAll("&amp;", "&"), fields: hiddenIn(form) };
}
const stateOf = async (ws: TestWorkspace) =>
  (await linksOf(ws)).map((link) => [
    ...[link.slug, link.status, link.utm_campaign, link.activity_group?.name],
    tagsOn(link),
  ]);

const newestOperation = async (ws: TestWorkspace): Promise<string> =>
  (await selectValue<string>`select operation_id from audit_log
    where workspace_id = ${ws} order by id desc limit 1`) ?? "";

/** The first entry of the newest change. */
const newestBatch = async (ws: TestWorkspace): Promise<string> =>
  (await selectValue<string>`select coalesce(batch, operation_id) from audit_log
    where workspace_id = ${ws} order by id desc limit 1`) ?? "";

/** Follows the redirect of an action, and presses the button of its notice, which says this. */
async function pressUndo(browser: Browser, answer: Page, said = ""): Promise<Page> {
  const page = await browser.get(answer.location ?? "");
  expect(wordsIn(page.text)).toContain(said);
  const { action, fields } = formOf(page, "/undo");
  const undone = await browser.post(action, fields);
  expect([undone.status, undone.location]).toEqual([303, answer.location]);
  return browser.get(undone.location ?? "");
}

async function makeLinks(ws: TestWorkspace, prefix: string, number: number): Promise<Link[]> {
  const links: Link[] = [];
  for (let made = 0; made < number; made += 20) {
    const some = Array.from({ length: Math.min(20, number - made) }, (_, index) =>
      createLink(ws.ctx, { destination_url: DESTINATION, slug: `${prefix}-${made + index}` }),
    );
    links.push(...(await Promise.all(some)));
  }
  return links;
}
const prefixOf = () => `u${crypto.randomUUID().slice(0, 8)}`;

describe("the notice of a change", () => {
  it("says how many links were changed, and undoes each kind of change, with campaigns", async () => {
    const { workspace, browser } = await makeMember("editor");
    const tags = [await workspace.tag({ name: "One" }), await workspace.tag({ name: "Two" })];
    const group = await workspace.group({ name: "Spring", default_utm_campaign: "spring" });
    const other = await workspace.group({ name: "Autumn", default_utm_campaign: "autumn" });
    const ids = [
      (await workspace.link({ activity_group_id: other.id, tag_ids: [tags[0]?.id] })).id,
      (await workspace.link({ utm_campaign: "own", tag_ids: tags.map(({ id }) => id) })).id,
      (await workspace.link({})).id,
    ];
    await updateLink(workspace.ctx, ids[2] ?? "", { status: "archived" });
    for (const [fields, said] of [
      [{ change: "tag", with_tag: tags[1]?.id ?? "" }, "Added “Two” to 2 links. 1 had it already."],
      [{ change: "untag", with_tag: tags[0]?.id ?? "" }, "Removed “One” from 2 links. 1 did not have it."],
      [{ change: "move", to_group: group.id }, "Moved 3 links to “Spring”."],
      [{ change: "move", to_group: "none" }, "Removed 1 link from their group."],
      [{ change: "archive" }, "Archived 2 links. 1 had been archived already."],
      [{ change: "restore" }, "Restored 1 link. 2 had not been archived."],
    ] as const) {
      const before = await stateOf(workspace);
      const answer = await browser.post(changeOf(workspace, "?status=all"), { ids, ...fields });
      expect([answer.status, answer.location]).toEqual([303, listOf(workspace, "?status=all")]);
      expect(await stateOf(workspace), fields.change).not.toEqual(before);
      const page = await pressUndo(browser, answer, said);
      expect(noticeOf(page), fields.change).toMatch(/^Undid the change of \d links?\.$/);
      expect(await stateOf(workspace), fields.change).toEqual(before);
      expect(await brokenInvariants(), fields.change).toEqual([]);
    }
  });

  it.each([2, 1])(
    "says of the undo of an undo of %i that the change is redone, as the trail does",
    async (many) => {
      const { workspace, browser } = await makeMember("editor");
      const links = await makeLinks(workspace, prefixOf(), many);
      const ids = links.map(({ id }) => id);
      const trail = `/app/${workspace.slug}/audit`;
      const [of, noun] = many === 1 ? ["1 link", `the link /${links[0]?.slug}`] : ["2 links", "2 links"];
      await browser.post(changeOf(workspace, "?status=all"), { ids, change: "archive" });
      await browser.get(listOf(workspace));
      for (const isAgain of [false, true, false, true]) {
        const { status, location } = await browser.post(
          `/app/${workspace.slug}/audit/${await newestBatch(workspace)}/undo`,
          { back: trail },
        );
        expect([status, location]).toEqual([303, trail]);
        const page = await browser.get(trail);
        expect(noticeOf(page)).toBe(isAgain ? `Redid the change of ${of}.` : `Undid the change of ${of}.`);
        const [, newest = ""] = /<ol class="trail"><li>(.*?)<\/li>/s.exec(page.text) ?? [];
        expect(wordsIn(newest)).toContain(
          isAgain ? `redid a change of ${noun}` : `undid a change of ${noun}`,
        );
        const [link] = await linksOf(workspace);
        expect(link?.status).toBe(isAgain ? "archived" : "active");
      }
      const [last] = (await browser.get(`/app/${workspace.slug}`)).text.split("Last changes").slice(1);
      expect(wordsIn(last ?? "").match(/undid a change|redid a change/g)).toEqual([
        ...["redid a change", "undid a change", "redid a change", "undid a change"],
      ]);
      const details = wordsIn((await browser.get(`${trail}?subject=${ids[0]}`)).text);
      expect(details).not.toMatch(/\bAgain\b/);
    },
  );

  it("has no button after a save that changes nothing, although a change of many came just before", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [link] = await makeLinks(workspace, prefixOf(), 1);
    const path = listOf(workspace, `/${link?.id}`);
    await browser.post(changeOf(workspace), { ids: [link?.id ?? ""], change: "archive" });
    const saved = await browser.post(`${path}/status`, { status: "archived" });
    expect(saved.headers.getAll("Set-Cookie").join()).not.toMatch(/__Host-undo=\w/);
  });
});

describe("the last changes", () => {
  it("offer no undo beside a change that was undone, nor beside the undoing", async () => {
    const { workspace, browser } = await makeMember("editor");
    const links = await makeLinks(workspace, prefixOf(), 2);
    const ids = links.map(({ id }) => id);
    const overview = `/app/${workspace.slug}`;
    const undosOn = async (path: string) => (await browser.get(path)).text.match(/\/undo"/g)?.length ?? 0;
    const answer = await browser.post(changeOf(workspace), { ids, change: "archive" });
    await browser.get(answer.location ?? "");
    expect(await undosOn(overview)).toBe(1);
    const again = await browser.post(changeOf(workspace, "?status=all"), { ids, change: "restore" });
    await pressUndo(browser, again);
    // Only the first change is left.
    expect(await undosOn(overview)).toBe(1);
    expect(await undosOn(listOf(workspace, `/${ids[0]}`))).toBe(0);
  });

  it("name a tag whose name has a comma as one", async () => {
    const { workspace, browser } = await makeMember("editor");
    const ids = (await makeLinks(workspace, prefixOf(), 2)).map(({ id }) => id);
    for (const name of ["a", "a, b"]) {
      const tag = await workspace.tag({ name });
      await browser.post(changeOf(workspace), { ids, change: "tag", with_tag: tag.id });
      expect((await browser.get(`/app/${workspace.slug}`)).text).toContain(
        `added the tag “\u2068${name}\u2069” to 2 links`,
      );
    }
  });

  it("of a link undo its own part of a change of many, also of the first of them", async () => {
    const { workspace, browser } = await makeMember("editor");
    const links = await makeLinks(workspace, prefixOf(), 3);
    const archived = async () => (await linksOf(workspace, "status=archived")).map(({ id }) => id);
    await browser.post(changeOf(workspace), { ids: links.map(({ id }) => id), change: "archive" });
    // This page shows the notice, which undoes all of it.
    await browser.get(listOf(workspace));
    for (let left = links; left.length > 0; left = left.slice(1)) {
      const page = await browser.get(listOf(workspace, `/${left[0]?.id}`));
      const { action, fields } = formOf(page, "/undo");
      const undone = await browser.post(action, fields);
      expect(noticeOf(await browser.get(undone.location ?? ""))).toBe("Undid the change of 1 link.");
      const ids = left.slice(1).map(({ id }) => id);
      expect((await archived()).toSorted()).toEqual(ids.toSorted());
    }
  });
});

describe("an undo", () => {
  it("leaves links that have changed since, were deleted, or lost the tag, and names them", async () => {
    const { workspace, browser } = await makeMember("editor");
    const prefix = prefixOf();
    const tag = await workspace.tag({ name: "Gone soon" });
    const links = await makeLinks(workspace, prefix, 4);
    const ids = links.map(({ id }) => id);
    const [changed = "", deleted = ""] = ids;
    await browser.post(changeOf(workspace), { ids, change: "tag", with_tag: tag.id });
    const answer = await browser.post(changeOf(workspace), { ids, change: "untag", with_tag: tag.id });
    await updateLink(workspace.ctx, changed, { title: "Changed" });
    await deleteLink(workspace.ctx, deleted);
    await deleteTag(workspace.ctx, tag.id);
    const page = await pressUndo(browser, answer);
    expect(noticeOf(page)).toContain(`Not undone: ${prefix}-0. Changed since.`);
    expect(noticeOf(page)).toContain(`Not undone: ${deleted}. Deleted since.`);
    expect(noticeOf(page)).toContain("A tag of it has been deleted.");
  });

  it("of one link never takes back a change that somebody makes at the same time", async () => {
    const { workspace } = await makeMember("editor");
    const undo = async (at?: number) => {
      const link = await workspace.link({ title: "Before" });
      await updateLink(workspace.ctx, link.id, { title: "After" });
      const operation = await newestOperation(workspace);
      const meanwhile = () => updateLink(workspace.ctx, link.id, { title: "Of somebody else" });
      const { db, kv, seen } = interrupted(env.DB, env.KV, at === undefined ? undefined : { at, meanwhile });
      const ctx = { ...workspace.ctx, db, kv };
      const { outcomes } = await undoOperation(ctx, await findAuditEntry(ctx, operation));
      const { title } = await linkOf(workspace, link.id);
      return { calls: seen.calls, outcome: outcomes[0]?.outcome, title };
    };
    const { calls, ...alone } = await undo();
    expect(alone).toEqual({ outcome: "changed", title: "Before" });
    expect(calls).toBeGreaterThan(3);
    for (let at = 1; at <= calls; at++) {
      expect(await undo(at), `before call ${at}`).toMatchObject({
        outcome: "refused",
        title: "Of somebody else",
      });
    }
  });
});

describe("all results of a list", () => {
  it("are changed in steps as one batch, which is one entry of the trail and undone as one", async () => {
    const { workspace, browser } = await makeMember("editor");
    const prefix = prefixOf();
    await makeLinks(workspace, prefix, MANY);
    const outside = await workspace.link({ destination_url: "https://else.example/" });
    const tag = await workspace.tag({ name: "Poster" });
    const query = `?q=${prefix}&sort=slug&page=2`;
    const list = await browser.get(listOf(workspace, query));
    expect(list.text).toContain(`Select all ${MANY} results`);

    const path = changeOf(workspace, query);
    const first = await browser.post(path, { all: "1", change: "tag", with_tag: tag.id });
    expect(first.status).toBe(200);
    expect(first.text).toContain("Added “\u2068Poster\u2069” to 250 links.");
    expect(first.text).toContain("data-continues");
    const next = formOf(first, "/change");
    expect(next.action).toBe(`/app/${workspace.slug}/links/change?q=${prefix}&sort=slug&page=2`);
    const second = await browser.post(next.action, next.fields);
    expect(second.status).toBe(303);
    const page = await browser.get(second.location ?? "");
    expect(noticeOf(page)).toBe(`Added “\u2068Poster\u2069” to ${MANY} links.`);
    const tagged = () => totalOf(workspace, `tag=${tag.slug}&status=all`);
    expect(await tagged()).toBe(MANY);

    const trail = await browser.get(`/app/${workspace.slug}/audit?action=link.attach_tags`);
    expect(trail.text.match(/<li><p><span>/g)).toHaveLength(1);
    expect(trail.text).toContain(`added the tag “\u2068Poster\u2069” to ${MANY} links`);
    expect(wordsIn(trail.text)).toContain(`Details of ${MANY} links`);
    const opened = /href="([^"]*audit\?batch=[^"]*)"/.exec(trail.text)?.[1] ?? "";
    const rows = await browser.get(opened);
    expect(rows.text.match(/<li><p><span>/g)).toHaveLength(50);
    expect((await browser.get(linkTo(rows))).text.match(/<li><p><span>/g)).toHaveLength(50);
    const history = await browser.get(`/app/${workspace.slug}/audit?subject=${prefix}-7`);
    expect(history.text).toContain(`Part of a change of ${MANY} links`);

    const undo = formOf(page, "/undo");
    const step = await browser.post(undo.action, undo.fields);
    expect(step.text).toContain("Undid the change of 250 links.");
    const rest = formOf(step, "/undo");
    const done = await browser.post(rest.action, rest.fields);
    expect(done.location).toBe(second.location);
    expect(noticeOf(await browser.get(done.location ?? ""))).toBe(`Undid the change of ${MANY} links.`);
    expect(await tagged()).toBe(0);
    expect((await linkOf(workspace, outside.id)).tags).toEqual([]);
    const all = await browser.get(`/app/${workspace.slug}/audit?action=link.revert`);
    expect(all.text.match(/<li><p><span>/g)).toHaveLength(1);
    expect(all.text).toContain(`undid a change of ${MANY} links`);
    expect(await brokenInvariants()).toEqual([]);
  }, 60_000);

  it("stay in the list's filter while they leave it, and nobody adds to the batch of another person", async () => {
    const { workspace, browser } = await makeMember("editor");
    const prefix = prefixOf();
    await makeLinks(workspace, prefix, MANY);
    const first = await browser.post(changeOf(workspace), { all: "1", change: "archive" });
    const { action, fields } = formOf(first, "/change");
    const colleague = await signInAs(workspace, "editor");
    expect((await colleague.post(action, fields)).status).toBe(404);
    expect((await browser.post(action, { ...fields, change: "tag", with_tag: "x" })).status).not.toBe(303);
    const second = await browser.post(action, fields);
    expect(noticeOf(await browser.get(second.location ?? ""))).toBe(`Archived ${MANY} links.`);
    expect(await totalOf(workspace, "")).toBe(0);
    const again = await browser.post(changeOf(workspace), { all: "1", change: "archive" });
    expect(again.status).toBe(404);
  }, 60_000);

  it("are no more than a search that is cut has found, also if the change takes them out of it", async () => {
    const { workspace, browser } = await makeMember("editor");
    const rows = Array.from({ length: 1_300 }, (_, row) => ({
      number: row + 1,
      input: { destination_url: `${DESTINATION}findable/${row}` },
    }));
    await importLinks(workspace.ctx, "many", rows);
    const list = await browser.get(listOf(workspace, "?q=findable"));
    expect(list.text).toContain("Select all 1,000 results");
    expect(list.text).toContain(
      "The search has looked at 1,000 links, the newest first if possible. There may be more",
    );
    expect((await browser.get(listOf(workspace, "?q=findable/77"))).text).not.toContain("has looked at");
    let page = await browser.post(changeOf(workspace, "?q=findable"), { all: "1", change: "archive" });
    while (page.status === 200) {
      const { action, fields } = formOf(page, "/change");
      page = await browser.post(action, fields);
    }
    expect(noticeOf(await browser.get(page.location ?? ""))).toBe("Archived 1,000 links.");
    expect(await totalOf(workspace, "")).toBe(300);
  }, 60_000);

  it("are no more than the list has counted", async () => {
    const { workspace, browser } = await makeMember("editor");
    await makeLinks(workspace, prefixOf(), 26);
    const list = await browser.get(listOf(workspace, "?sort=slug"));
    expect(list.text).toContain("Select all 26 results");
    const { action, fields } = formOf(list, "/change");
    await makeLinks(workspace, prefixOf(), 4);
    const answer = await browser.post(action, { ...fields, all: "1", change: "archive" });
    expect(noticeOf(await browser.get(answer.location ?? ""))).toBe("Archived 26 links.");
    expect(await totalOf(workspace, "")).toBe(4);
  });

  it("are those that the list shows if it ignores a filter for health that nobody checks", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [link] = await makeLinks(workspace, prefixOf(), 1);
    expect((await browser.get(listOf(workspace, "?health=broken"))).text).toContain(link?.slug);
    expect((await browser.get(listOf(workspace, "/list.csv?health=broken"))).text).toContain(link?.slug);
    const path = changeOf(workspace, "?health=broken");
    const answer = await browser.post(path, { all: "1", change: "archive" });
    expect(noticeOf(await browser.get(answer.location ?? ""))).toBe("Archived 1 link.");
  });
});

describe("the export of a list", () => {
  it("has exactly the links that are listed, in their order, with all pages", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const tag = await workspace.tag({ name: "Poster" });
    const [a, b] = [
      await workspace.link({ title: "Beta", tag_ids: [tag.id] }),
      await workspace.link({ title: "Alpha", tag_ids: [tag.id] }),
    ];
    await workspace.link({ title: "Gamma" });
    const slugs = async (query: string) => {
      const { text, headers } = await browser.get(listOf(workspace, `/list.csv${query}`));
      expect(headers.get("content-type")).toContain("text/csv");
      return Papa.parse<{ slug: string }>(text, { header: true, skipEmptyLines: true }).data.map(
        ({ slug }) => slug,
      );
    };
    expect(await slugs(`?tag=${tag.slug}&sort=title&per_page=1`)).toEqual([b.slug, a.slug]);
    expect(await slugs("?q=poster&sort=title&page=2")).toEqual([b.slug, a.slug]);
    expect(await slugs("?q=nothing")).toEqual([]);
    const list = await browser.get(listOf(workspace, `?tag=${tag.slug}`));
    expect(list.text).toContain(`/links/list.csv?tag=${tag.slug}`);
  });

  it("ends with all clicks and scans so far, in a list and in a selection, which an import leaves aside", async () => {
    const { workspace, browser } = await makeMember("editor");
    const link = await workspace.link({ title: "Visited" });
    await click(workspace, link.id, Date.now(), { clicks: 3, scans: 2 });
    const files = [
      await browser.get(`/app/${workspace.slug}/links/list.csv`),
      await browser.post(changeOf(workspace), { ids: [link.id], change: "export" }),
    ].map(({ text }) => text);
    for (const file of files) {
      const [head = "", row = ""] = file.trim().split("\r\n");
      expect(head).toMatch(/,created_at,clicks_before,clicks,scans$/);
      expect(row).toMatch(/Z,,3,2$/);
    }
    const { workspace: other, browser: there } = await makeMember("editor");
    const bytes = files[0]?.replaceAll(link.slug, `${link.slug}-2`) ?? "";
    const { location } = await there.post(`/app/${other.slug}/import`, {
      file: new File([bytes], "list.csv"),
    });
    const checked = await there.get(location ?? "");
    expect(checked.text).toContain("Create 1 link");
    expect(checked.text).not.toContain("ignored");
  });

  it("of a selection has those links alone; of all results it is that of the list", async () => {
    const { workspace, browser } = await makeMember("editor");
    const [a, b] = [await workspace.link(), await workspace.link()];
    const foreign = await (await makeWorkspace()).link();
    const file = await browser.post(changeOf(workspace), { ids: [a.id, foreign.id], change: "export" });
    expect([a, b, foreign].map(({ slug }) => file.text.includes(slug))).toEqual([true, false, false]);
    const all = await browser.post(changeOf(workspace, "?q=x"), { all: "1", change: "export" });
    expect([all.status, all.location]).toEqual([303, `/app/${workspace.slug}/links/list.csv?q=x`]);
    const none = await browser.post(changeOf(workspace), { change: "export" });
    expect([none.status, none.text.includes("Choose at least one link.")]).toEqual([422, true]);
  });
});
