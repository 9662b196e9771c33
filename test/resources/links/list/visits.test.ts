import { describe, expect, it } from "vitest";
import { listTotalsOfLinks } from "../../../../src/analytics/visits-by-owner";
import type { VisitTotals } from "../../../../src/resources/links/link";
import { getLinkDetails } from "../../../../src/resources/links/link-details";
import { selectLinks } from "../../../../src/resources/links/link-repository";
import { listLinksQuery } from "../../../../src/resources/links/link-schema";
import { type LinkFilter, type ListSort, NO_FILTER } from "../../../../src/resources/links/list/list-filter";
import { countLinks, selectLinkPage } from "../../../../src/resources/links/list/list-query";
import { listLinks, listSomeLinks } from "../../../../src/resources/links/list-links";
import { click } from "../../../console/clicks";
import { makeWorkspace, type TestWorkspace } from "../../../harness";

const NOON = "2026-05-02T12:00:00.000Z";

type Query = Omit<Partial<Parameters<typeof listLinks>[1]>, "sort">;

const list = (ws: TestWorkspace, query: Query = {}, sort: ListSort = "-visits") =>
  listLinks(ws.ctx, { ...listLinksQuery.parse({}), ...query, sort });

/** A workspace whose links have these numbers of clicks, in the order of their creation. */
async function makeClicked(clicks: readonly number[]) {
  const ws = await makeWorkspace();
  const tag = await ws.tag();
  const links: Awaited<ReturnType<typeof ws.link>>[] = [];
  for (const [index, people] of clicks.entries()) {
    const link = await ws.link({ title: `Sale ${index}`, tag_ids: index % 2 === 0 ? [tag.id] : [] });
    if (people > 0) await click(ws, link.id, NOON, { clicks: people });
    links.push(link);
  }
  return { ws, tag, links, ids: links.map(({ id }) => id) };
}

const at = <T>(all: readonly T[], ...indexes: number[]): (T | undefined)[] =>
  indexes.map((index) => all[index]);

describe("the order by all clicks and scans so far", () => {
  it("has the most visited first, and of equal ones the newest, page by page", async () => {
    const { ws, ids } = await makeClicked([1, 5, 0, 5, 2, 0, 5]);
    const expected = at(ids, 6, 3, 1, 4, 0, 5, 2);
    expect((await list(ws)).items.map(({ id }) => id)).toEqual(expected);
    const walked: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await list(ws, { per_page: 2, after });
      walked.push(...page.items.map(({ id }) => id));
      if (page.nextAfter === null) break;
      after = page.nextAfter;
    }
    expect(walked).toEqual(expected);
    const second = await list(ws, { per_page: 3, page: 2 });
    expect(second.items.map(({ id }) => id)).toEqual(at(expected, 3, 4, 5));
  });

  it("combines with filters and every status", async () => {
    const { ws, tag, links, ids } = await makeClicked([1, 9, 4, 8, 6]);
    await ws.call("PATCH", `/api/v1/links/${links[1]?.id}`, { body: { status: "archived" } });
    const listed = async (query: Query) => (await list(ws, query)).items.map(({ id }) => id);
    expect(await listed({})).toEqual(at(ids, 3, 4, 2, 0));
    expect(await listed({ status: "all" })).toEqual(at(ids, 1, 3, 4, 2, 0));
    expect(await listed({ status: "archived" })).toEqual(at(ids, 1));
    expect(await listed({ tag: [tag.id] })).toEqual(at(ids, 4, 2, 0));
    expect(await listed({ q: "sale" })).toEqual(at(ids, 3, 4, 2, 0));
    expect(await listed({ tag: [tag.id], q: "sale", status: "all" })).toEqual(at(ids, 4, 2, 0));
  });

  it("is not an order of the public interface", async () => {
    const { status, body } = await (await makeWorkspace()).call("GET", "/api/v1/links?sort=-visits");
    expect([status, Object.keys(body.errors)]).toEqual([422, ["sort"]]);
  });
});

describe("a list that looks at some links only", () => {
  it("finds a text among them, also one that the search index cannot find", async () => {
    const { ws, ids } = await makeClicked([1, 9, 4]);
    const query = { ...listLinksQuery.parse({ status: "all" }), sort: "-visits" as const };
    const some = async (more: Query) => {
      const { items, meta } = await listSomeLinks(ws.ctx, { ...query, ...more });
      return [meta.total, items.map(({ id }) => id)];
    };
    // The search index finds no text this short.
    expect(await some({ q: "sa" })).toEqual([3, at(ids, 1, 2, 0)]);
    expect(await some({ q: "e 2" })).toEqual([1, at(ids, 2)]);
    expect(await some({ q: "ex", health: "taken_down" })).toEqual([0, []]);
  });

  it("looks at the newest matches of a text that has too many, archived ones last", async () => {
    const { ws, ids } = await makeClicked([0, 0, 0, 0]);
    await ws.call("PATCH", `/api/v1/links/${ids[3]}`, { body: { status: "archived" } });
    await ws.link({ title: "Other" });
    const plan = { set: { index: "search", size: 4 }, most: 2 } as const;
    const found = async (status: LinkFilter["status"]) => {
      const filter = { ...NO_FILTER, status, q: "sale" };
      const page = { after: undefined, offset: 0, limit: 10 };
      const [rows, [counted]] = await ws.ctx.db.read(
        selectLinkPage(ws.ctx.workspace.rowId, { ...plan, filter }, "title", page, selectLinks),
        countLinks(ws.ctx.workspace.rowId, { ...plan, filter }, "title"),
      );
      return [counted?.total, counted?.looked, rows.map((row) => row.public_id)];
    };
    expect(await found("active")).toEqual([2, 2, at(ids, 1, 2)]);
    expect(await found("archived")).toEqual([1, 1, at(ids, 3)]);
    expect(await found("all")).toEqual([2, 2, at(ids, 1, 2)]);
  });
});

describe("the clicks and scans of a link so far", () => {
  it("are read for a list, and are among its details", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const unvisited = await ws.link();
    await click(ws, link.id, "2026-05-01", { clicks: 1 });
    await click(ws, link.id, NOON, { clicks: 2, scans: 3, bots: 9, after_end: 4 });
    const visited: VisitTotals = { clicks: 3, scans: 3, last_visit_at: NOON };
    const none: VisitTotals = { clicks: 0, scans: 0, last_visit_at: null };
    expect([...(await listTotalsOfLinks(ws.ctx, [link.id, unvisited.id]))]).toEqual([
      [link.id, { clicks: 3, scans: 3 }],
      [unvisited.id, { clicks: 0, scans: 0 }],
    ]);
    expect((await getLinkDetails(ws.ctx, link.id)).visitTotals).toEqual(visited);
    expect((await getLinkDetails(ws.ctx, unvisited.id)).visitTotals).toEqual(none);
  });

  it("change without a new version of the link, and an edit keeps them", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const before = await ws.call("GET", `/api/v1/links/${link.id}`);
    await click(ws, link.id, NOON, { clicks: 2 });
    const after = await ws.call("GET", `/api/v1/links/${link.id}`);
    expect(after.body).toEqual(before.body);
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
    const edited = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
      body: { title: "Edited", status: "archived" },
      headers: { "if-match": before.headers.get("etag") },
    });
    expect(edited.status).toBe(200);
    expect((await getLinkDetails(ws.ctx, link.id)).visitTotals.clicks).toBe(2);
  });
});
