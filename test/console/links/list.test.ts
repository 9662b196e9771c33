import { describe, expect, it } from "vitest";
import { DAY_MS, isoTime } from "../../../src/lib/time";
import type { TestWorkspace } from "../../harness";
import { runSql } from "../../sql";
import { makeMember, type Page } from "../browser";
import { click } from "../clicks";
import { watched } from "../depth";
import { linkTo, wordsIn } from "../form-fields";
import { linkOf, tagsOf, tagsOn } from "../state";

const pathOf = (ws: TestWorkspace, query = "") => `/app/${ws.slug}/links${query}`;
/** The slugs of a list, in their order. */
const slugsOf = ({ text }: Page) =>
  [...text.matchAll(/data-copy="https:\/\/s\.example\/([^"]+)"/g)].map(([, slug]) => slug);

describe("the list of links", () => {
  it("is filtered by exact values of UTM, whatever characters they have", async () => {
    const { workspace, browser } = await makeMember();
    const links = [await workspace.link(), await workspace.link()];
    await runSql`update links set utm_source = ${"mail\u200b"} where public_id = ${links[0]?.id ?? ""}`;
    await workspace.call("PATCH", `/api/v1/links/${links[1]?.id}`, { body: { utm_source: "mail" } });
    const list = await browser.get(pathOf(workspace, "?utm_source=mail%E2%80%8B"));
    expect([list.status, slugsOf(list)]).toEqual([200, [links[0]?.slug]]);
    // The totals do not count it.
    await runSql`update links set utm_source = null where public_id = ${links[0]?.id ?? ""}`;
  });

  it("is the page of a refused change whose address is loaded again", async () => {
    const { workspace, browser } = await makeMember("viewer");
    const page = await browser.get(`${pathOf(workspace)}/change?q=poster&status=all&page=2`);
    expect([page.status, page.location]).toEqual([303, `${pathOf(workspace)}?q=poster&status=all&page=2`]);
  });

  it("links to the archived links if there are no others", async () => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link();
    await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { status: "archived" } });
    const watch = watched();
    const { text } = await browser.get(pathOf(workspace), {}, watch.env);
    expect(text).not.toContain("There is none yet");
    expect(text).toContain("Show 1 archived link<");
    expect(text).toContain(`href="${pathOf(workspace)}?status=archived"`);
    expect(watch.depth()).toBeLessThanOrEqual(3);
    expect((await browser.get(`${pathOf(workspace)}?q=nothing`)).text).toContain(
      "No link matches “\u2068nothing\u2069”.",
    );
  });

  it("shows each link with its short URL, destination, group, tags and clicks, in all and in the last 30 days", async () => {
    const { workspace, browser } = await makeMember();
    const [tag, group] = [await workspace.tag({ name: "Window" }), await workspace.group({ name: "Spring" })];
    const link = await workspace.link({
      title: "Shop",
      destination_url: "https://www.example.com/offers",
      activity_group_id: group.id,
      tag_ids: [tag.id],
    });
    await click(workspace, link.id, Date.now(), { clicks: 3 });
    await click(workspace, link.id, Date.now() - 29 * DAY_MS, { clicks: 4, scans: 5 });
    await click(workspace, link.id, Date.now() - 30 * DAY_MS, { clicks: 100 });
    const { text } = await browser.get(pathOf(workspace));
    expect(wordsIn(text)).toContain(
      "107 clicks and 5 scans in all, 7 clicks and 5 scans in the last 30 days",
    );
    for (const part of [
      ">Shop<",
      `data-copy="${link.short_url}"`,
      'href="https://www.example.com/offers"',
      ">Spring<",
      ">Window<",
      "1 link",
    ]) {
      expect(text).toContain(part);
    }
  });

  it("is filtered and ordered as the form says, which keeps what was chosen, and ignores what makes no sense", async () => {
    const { workspace, browser } = await makeMember();
    const [tag, group] = [await workspace.tag(), await workspace.group()];
    const [a, b] = [
      await workspace.link({ title: "Alpha", tag_ids: [tag.id] }),
      await workspace.link({ title: "Beta", activity_group_id: group.slug }),
    ];
    for (const [query, slugs] of [
      ["?sort=title&status=all", [a.slug, b.slug]],
      [`?tag=${tag.slug}&q=alph`, [a.slug]],
      [`?activity_group_id=${group.id}`, [b.slug]],
      ["?channel=print", []],
      ["?q=&tag=&activity_group_id=&channel=&status=nonsense&sort=&page=-1", [b.slug, a.slug]],
    ] as const) {
      expect(slugsOf(await browser.get(pathOf(workspace, query))), query).toEqual(slugs);
    }
    const chosen = await browser.get(pathOf(workspace, `?tag=${tag.id}&q=%22x`));
    expect(chosen.text).toContain(`aria-label="Remove Tag ${tag.name}"`);
    expect(chosen.text).toContain(`<input type="hidden" name="tag" value="${tag.id}"/>`);
    expect(chosen.text).toContain('value="&quot;x"');
    expect(chosen.text).toContain("Show all active links");
  });

  it("is filtered by the external ID, its beginning or several slugs, and the form keeps them", async () => {
    const { workspace, browser } = await makeMember();
    const ours = await workspace.link({ external_id: "site:a" });
    const other = await workspace.link({ external_id: "else" });
    await workspace.link();
    const byPrefix = await browser.get(pathOf(workspace, "?external_id_prefix=site:"));
    expect(slugsOf(byPrefix)).toEqual([ours.slug]);
    expect(byPrefix.text).toContain('<input type="hidden" name="external_id_prefix" value="site:"/>');
    const byId = await browser.get(pathOf(workspace, "?external_id=site:a&external_id=else"));
    expect(slugsOf(byId)).toEqual([other.slug, ours.slug]);
    expect(byId.text).toContain('<input type="hidden" name="external_id" value="else"/>');
    expect(byId.text).toContain(">Show all<");
    const bySlug = await browser.get(pathOf(workspace, `?slug=${ours.slug}`));
    expect(slugsOf(bySlug)).toEqual([ours.slug]);
    expect(bySlug.text).toContain(`name="slug" value="${ours.slug}"`);
    const page = await browser.get(`/app/${workspace.slug}/links/${ours.id}`);
    expect(page.text).toContain("<dt>External ID</dt>");
  });

  it("shows each filter that is on, with a link that removes it alone and keeps the others and the order", async () => {
    const { workspace, browser } = await makeMember();
    const [one, other, group] = [
      await workspace.tag({ name: "Print" }),
      await workspace.tag({ name: "Window" }),
      await workspace.group({ name: "Spring" }),
    ];
    const both = await workspace.link({ tag_ids: [one.id, other.id], activity_group_id: group.id });
    await workspace.link({ tag_ids: [one.id], activity_group_id: group.id });
    const filters = [`tag=${one.slug}`, `tag=${other.slug}`, `activity_group_id=${group.id}`, "status=all"];
    const list = await browser.get(pathOf(workspace, `?${filters.join("&")}&sort=title&page=1`));
    expect(slugsOf(list)).toEqual([both.slug]);
    const removals = new Map(
      [...list.text.matchAll(/href="([^"]+)" aria-label="Remove ([^"]+)"/g)].map(([, to = "", of = ""]) => [
        of,
        new URL(to.replaceAll("&amp;", "&"), "https://any.example").searchParams.toString(),
      ]),
    );
    const without = (left: string) =>
      new URLSearchParams(
        [...filters.filter((filter) => filter !== left), "sort=title"].join("&"),
      ).toString();
    const sorted = (query: string) => query.split("&").toSorted();
    expect([...removals.keys()]).toEqual([
      "State Active and archived",
      "Tag Print",
      "Tag Window",
      "Group Spring",
    ]);
    expect(sorted(removals.get("Tag Print") ?? "")).toEqual(sorted(without(filters[0] ?? "")));
    expect(sorted(removals.get("Group Spring") ?? "")).toEqual(sorted(without(filters[2] ?? "")));
    expect(sorted(removals.get("State Active and archived") ?? "")).toEqual(sorted(without("status=all")));
    expect((await browser.get(pathOf(workspace))).text).not.toContain('aria-label="Remove ');
  });

  it("finds links that have ended, by their own end or that of their group, and those that are not open yet", async () => {
    const { workspace, browser } = await makeMember();
    const now = Date.now();
    const [past, future] = [isoTime(now - DAY_MS), isoTime(now + DAY_MS)];
    const over = await workspace.group({ ends_at: now - DAY_MS, ends_links: true });
    const running = await workspace.group({ ends_at: now - DAY_MS, ends_links: false });
    const make = async (fields: object) => (await workspace.link(fields)).slug;
    const ended = await make({ ends_at: past });
    const early = await make({ starts_at: future });
    const withGroup = await make({ activity_group_id: over.id });
    await make({ activity_group_id: over.id, ends_at: future });
    await make({ activity_group_id: running.id });
    await make({ starts_at: past });
    // It ended before it begins, so it is not open yet.
    const reopened = await make({ starts_at: future, ends_at: isoTime(now + 2 * DAY_MS) });
    expect(slugsOf(await browser.get(pathOf(workspace, "?window=ended")))).toEqual([withGroup, ended]);
    expect(slugsOf(await browser.get(pathOf(workspace, "?window=early")))).toEqual([reopened, early]);
    const both = await browser.get(pathOf(workspace, `?window=ended&activity_group_id=${over.id}`));
    expect(slugsOf(both)).toEqual([withGroup]);
    const file = await browser.get(pathOf(workspace, "/list.csv?window=ended"));
    expect(file.text.trim().split("\n")).toHaveLength(3);
  });

  it("is sorted by the headings of its columns, which say how it is sorted, and shows when links changed", async () => {
    const { workspace, browser } = await makeMember();
    const beta = await workspace.link({ title: "Beta" });
    const alpha = await workspace.link({ title: "Alpha" });
    await workspace.call("PATCH", `/api/v1/links/${beta.id}`, { body: { title: "Bravo" } });
    const sortedBy = ({ text }: Page) =>
      [...text.matchAll(/aria-sort="(\w+)"><a [^>]*href="[^"?]*([^"]*)">(\w+)</g)].map((found) =>
        found.slice(1),
      );
    const first = await browser.get(pathOf(workspace));
    expect(sortedBy(first)).toEqual([["descending", "?sort=created_at", "Created"]]);
    expect(wordsIn(first.text)).toContain("Order: Newest first");
    const oldest = await browser.get(pathOf(workspace, "?sort=created_at"));
    expect([slugsOf(oldest), sortedBy(oldest)]).toEqual([
      [beta.slug, alpha.slug],
      [["ascending", "?sort=-created_at", "Created"]],
    ]);
    expect(slugsOf(await browser.get(pathOf(workspace, "?sort=title")))).toEqual([alpha.slug, beta.slug]);
    const changed = await browser.get(pathOf(workspace, "?sort=-updated_at"));
    expect(sortedBy(changed)).toEqual([["descending", "?sort=updated_at", "Changed"]]);
    const ofBoth = first.text.match(/<a class="plain" href="[^"]*sort=[^"]*">[^<]+/g) ?? [];
    expect(ofBoth.map((link) => link.split(">").at(-1))).toEqual(["Link", "Created", "Visits, in all"]);
  });

  it("has the one search of its page", async () => {
    const { workspace, browser } = await makeMember();
    const searches = async (path: string) =>
      (await browser.get(`/app/${workspace.slug}${path}`)).text.match(/type="search"/g)?.length;
    expect(await searches("/links")).toBe(1);
    expect(await searches("")).toBe(1);
  });

  it("has next and previous pages, with its filters", async () => {
    const { workspace, browser } = await makeMember();
    const links = [];
    for (let number = 0; number < 26; number++) links.push(await workspace.link({ channel: "print" }));
    const newest = links.map(({ slug }) => slug).reverse();
    const first = await browser.get(pathOf(workspace, "?channel=print"));
    expect(slugsOf(first)).toEqual(newest.slice(0, 25));
    expect(first.text).toContain("26 links, page 1 of 2");
    expect([linkTo(first, "prev"), linkTo(first)]).toEqual(["", expect.stringContaining("after=")]);
    const second = await browser.get(linkTo(first));
    expect(slugsOf(second)).toEqual(newest.slice(25));
    expect([linkTo(second, "prev"), linkTo(second)]).toEqual([
      pathOf(workspace, "?channel=print&page=1"),
      "",
    ]);
  });
});

describe("many links of the list", () => {
  it.each([
    [{ change: "archive", ids: [] }, "Choose at least one link."],
    [{ change: "tag" }, "Choose a tag."],
    [{ change: "move" }, "Choose a group, or “No group”."],
    [{ change: "tag", with_tag: "01JZ8Q4V6T3K9M2N5P7R8S0W1X" }, "Tag was not found in this workspace."],
  ])("stay selected if the form is refused (%#)", async (fields, message) => {
    const { workspace, browser } = await makeMember();
    const link = await workspace.link();
    const answer = await browser.post(pathOf(workspace, "/change"), { ids: [link.id], ...fields });
    expect([answer.status, answer.text.includes(message)]).toEqual([422, true]);
    const isChosen = /type="checkbox" name="ids"[^>]*checked/.test(answer.text);
    expect(isChosen).toBe(!("ids" in fields));
  });

  it("get a tag by its name, which is created with the change if it is new", async () => {
    const { workspace, browser } = await makeMember("editor");
    await workspace.tag({ name: "Print" });
    const { id } = await workspace.link();
    const change = async (fields: object) =>
      await browser.post(pathOf(workspace, "/change"), { ids: [id], ...fields });
    for (const with_tag of ["PRINT", "Été"]) {
      const answer = await change({ change: "tag", with_tag });
      expect(answer.status, with_tag).toBe(303);
    }
    expect(tagsOn(await linkOf(workspace, id))).toEqual(["Print", "Été"]);
    expect((await change({ change: "untag", with_tag: "print" })).status).toBe(303);
    expect(tagsOn(await linkOf(workspace, id))).toEqual(["Été"]);
    const refused = await change({ change: "untag", with_tag: "Prnt" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("The workspace has no tag of this name.");
    expect(refused.text).toContain('value="Prnt"');
    const none = await browser.post(pathOf(workspace, "/change"), { change: "tag", with_tag: "Never" });
    expect(none.status).toBe(422);
    expect(await tagsOf(workspace)).toEqual(["Print", "Été"]);
  });
});
