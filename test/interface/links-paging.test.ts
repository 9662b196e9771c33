import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/resources/links/link-schema";
import { type Answer, API, makeWorkspace, type TestWorkspace } from "../harness";

const LINKS = "/api/v1/links";
const SORTS = ["-created_at", "created_at", "-updated_at", "updated_at", "slug", "title"] as const;
const DAY = Date.UTC(2030, 0, 1);

interface List {
  links: Link[];
  meta: { current_page: number; last_page: number; per_page: number; total: number };
}

const list = (ws: TestWorkspace, query = "") => ws.call<List>("GET", `${LINKS}?${query}`);
const ids = (answer: Answer<List>) => answer.body.links.map((link) => link.id);

/** Parses a `Link` header to addresses by relation. */
const relations = (answer: Answer<List>): Record<string, URL> =>
  Object.fromEntries(
    [...(answer.headers.get("link") ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(
      ([, url = "", relation = ""]) => [relation, new URL(url)],
    ),
  );

const pathOf = (url: URL) => url.pathname + url.search;

/** All ids that a client sees by following `next`. */
async function readsAllPages(ws: TestWorkspace, query: string): Promise<string[]> {
  const seen: string[] = [];
  let path = `${LINKS}?${query}`;
  for (let page = 1; ; page++) {
    const answer = await ws.call<List>("GET", path);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.meta.current_page).toBe(page);
    seen.push(...ids(answer));
    const { next } = relations(answer);
    expect(next === undefined).toBe(page === answer.body.meta.last_page);
    if (next === undefined) return seen;
    path = pathOf(next);
  }
}

afterEach(() => {
  vi.useRealTimers();
});

describe("a sorted list", () => {
  let ws: TestWorkspace;
  let links: Link[];

  // Three creation times, two later update times, and equal and null titles.
  beforeAll(async () => {
    ws = await makeWorkspace();
    vi.useFakeTimers({ toFake: ["Date"] });
    const id = crypto.randomUUID();
    const titles = [
      "Banana",
      null,
      "apple",
      "APPLE",
      "Äpfel",
      null,
      "apple",
      "Zebra",
      null,
      "\u{1f600}",
      "ａＢ",
    ];
    const slugs = ["b", "C", "a", "B2", "D", "c2", "Z", "0", "9", "x_y", "X-Y"];
    const made: Link[] = [];
    for (const [index, title] of titles.entries()) {
      vi.setSystemTime(DAY + (index % 3) * 1000);
      made.push(await ws.link({ title, slug: `${slugs[index]}-${id}` }));
    }
    for (const [index, link] of made.slice(2, 6).entries()) {
      vi.setSystemTime(DAY + 5000 + (index % 2));
      await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { channel: "touched" } });
    }
    links = (await list(ws, "per_page=100")).body.links;
    expect(links).toHaveLength(titles.length);
  });

  const KEYS: Record<string, (link: Link) => string | null> = {
    created_at: (link) => link.created_at,
    updated_at: (link) => link.updated_at,
    slug: (link) => link.slug.toLowerCase(),
    title: (link) => link.title?.normalize("NFKC").toLowerCase() ?? null,
  };

  function expected(sort: string): string[] {
    const key = KEYS[sort.replace("-", "")] ?? (() => null);
    const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    const ascending = [...links].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      if ((x === null) !== (y === null)) return x === null ? 1 : -1;
      return compare(x ?? "", y ?? "") || compare(a.id, b.id);
    });
    return (sort.startsWith("-") ? ascending.reverse() : ascending).map((link) => link.id);
  }

  it.each(SORTS)("by %s has nulls last and ties by id on one page", async (sort) => {
    expect(ids(await list(ws, `sort=${sort}&per_page=100`))).toEqual(expected(sort));
  });

  it.each(SORTS)("by %s is the same in pages, by page number and by following next", async (sort) => {
    for (const perPage of [1, 4]) {
      const query = `sort=${sort}&per_page=${perPage}`;
      expect(await readsAllPages(ws, query), query).toEqual(expected(sort));
      const numbered: string[] = [];
      for (let page = 1; page <= Math.ceil(links.length / perPage); page++) {
        numbered.push(...ids(await list(ws, `${query}&page=${page}`)));
      }
      expect(numbered, query).toEqual(expected(sort));
    }
  });

  it("is sorted by -created_at if sort is omitted or empty", async () => {
    expect(ids(await list(ws))).toEqual(expected("-created_at"));
    expect(ids(await list(ws, "sort=%20"))).toEqual(expected("-created_at"));
  });
});

describe("a page of links", () => {
  it("has 15 links by default and 1 to 100 on request, and last_page is at least 1", async () => {
    const ws = await makeWorkspace();
    expect((await list(ws)).body).toEqual({
      links: [],
      meta: { current_page: 1, last_page: 1, per_page: 15, total: 0 },
    });
    for (let count = 0; count < 16; count++) await ws.link();
    const CASES: [string, number, List["meta"]][] = [
      ["", 15, { current_page: 1, last_page: 2, per_page: 15, total: 16 }],
      ["page=2", 1, { current_page: 2, last_page: 2, per_page: 15, total: 16 }],
      ["per_page=1&page=16", 1, { current_page: 16, last_page: 16, per_page: 1, total: 16 }],
      ["per_page=100", 16, { current_page: 1, last_page: 1, per_page: 100, total: 16 }],
      ["per_page=8&page=2", 8, { current_page: 2, last_page: 2, per_page: 8, total: 16 }],
      ["per_page=16&page=", 16, { current_page: 1, last_page: 1, per_page: 16, total: 16 }],
    ];
    for (const [query, count, meta] of CASES) {
      const answer = await list(ws, query);
      expect(answer.body.links, query).toHaveLength(count);
      expect(answer.body.meta).toEqual(meta);
    }
  });

  it.each([2, 2 ** 31, 2 ** 53 - 1])("past the end is 200 and empty: page %i of 1", async (page) => {
    const ws = await makeWorkspace();
    await ws.link();
    const answer = await list(ws, `page=${page}&per_page=100`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      links: [],
      meta: { current_page: page, last_page: 1, per_page: 100, total: 1 },
    });
    expect(Object.keys(relations(answer))).toEqual(["first", "prev", "last"]);
    expect(relations(answer)["prev"]?.searchParams.get("page")).toBe("1");
  });

  it("has first, prev, next and last as absolute addresses that keep the filters", async () => {
    const ws = await makeWorkspace();
    const tags = [await ws.tag(), await ws.tag()];
    for (let count = 0; count < 5; count++) {
      await ws.link({ title: "Große Aktion & mehr", tag_ids: tags.map((tag) => tag.id) });
    }
    // `api/page-links.test.ts` has other queries.
    const query = `tag=${tags[0]?.slug}&tag[]=${tags[1]?.id}&q=gro%C3%9Fe%20aktion%20%26&sort=title&per_page=2`;
    const shapes = (answer: Answer<List>) =>
      Object.entries(relations(answer)).map(([relation, url]) => {
        const [kept, page] = pathOf(url).split("&page=");
        expect(url.origin + kept).toBe(`${API}${LINKS}?${query}`);
        return `${relation} ${page?.replace(/&after=.+/, " after")}`;
      });
    const one = await list(ws, query);
    expect(shapes(one)).toEqual(["first 1", "next 2 after", "last 3"]);
    const two = await ws.call<List>("GET", pathOf(relations(one)["next"] ?? new URL(API)));
    expect(shapes(two)).toEqual(["first 1", "prev 1", "next 3 after", "last 3"]);
    const three = await ws.call<List>("GET", pathOf(relations(two)["next"] ?? new URL(API)));
    expect(shapes(three)).toEqual(["first 1", "prev 2", "last 3"]);
    expect([one, two, three].map((answer) => answer.body.links.length)).toEqual([2, 2, 1]);

    expect(Object.keys(relations(await list(ws)))).toEqual(["first", "last"]);
    const empty = await list(ws, "q=nothing");
    expect(Object.values(relations(empty)).map((url) => url.searchParams.get("page"))).toEqual(["1", "1"]);
    const head = await ws.call("HEAD", `${LINKS}?${query}`);
    expect([head.status, head.text, head.headers.get("link")]).toEqual([200, "", one.headers.get("link")]);
  });
});

describe("a client that follows next", () => {
  it("neither skips nor repeats a link while others are created and deleted", async () => {
    const ws = await makeWorkspace();
    vi.useFakeTimers({ toFake: ["Date"] });
    const made: Link[] = [];
    for (let count = 0; count < 6; count++) {
      vi.setSystemTime(DAY + count * 1000);
      made.push(await ws.link());
    }
    const newestFirst = made.map((link) => link.id).reverse();
    const one = await list(ws, "per_page=2");
    await ws.call("DELETE", `${LINKS}/${newestFirst[0]}`);
    await ws.call("DELETE", `${LINKS}/${newestFirst[1]}`);
    vi.setSystemTime(DAY + 60_000);
    await ws.link();
    const two = await ws.call<List>("GET", pathOf(relations(one)["next"] ?? new URL(API)));
    expect(ids(two)).toEqual(newestFirst.slice(2, 4));
  });

  it.each([
    ["-created_at", "once"],
    ["created_at", "once"],
    ["updated_at", "at least once"],
  ])("by %s has each link that existed throughout %s, whatever changes meanwhile", async (sort, promise) => {
    const ws = await makeWorkspace();
    const links: Link[] = [];
    for (let at = 0; at < 9; at++) links.push(await ws.link({ title: `t${at}` }));
    const seen: string[] = [];
    let path = `${LINKS}?sort=${sort}&per_page=3`;
    for (let page = 0; page < 6; page++) {
      const answer = await ws.call<List>("GET", path);
      seen.push(...ids(answer));
      const { next } = relations(answer);
      if (next === undefined) break;
      // One that was read, one that comes next, and one at the other end.
      if (page < 2) {
        for (const at of [page, 3 * page + 4, 8 - page]) {
          await ws.call("PATCH", `${LINKS}/${links[at]?.id}`, { body: { title: `z${page}` } });
        }
      }
      path = pathOf(next);
    }
    const existing = links.map(({ id }) => id);
    expect(new Set(seen)).toEqual(new Set(existing));
    if (promise === "once") expect(seen).toHaveLength(existing.length);
    else expect(seen.length).toBeGreaterThan(existing.length);
  });

  it("reaches the end even with the longest possible titles", async () => {
    const ws = await makeWorkspace();
    // One letter that becomes eighteen when case-folded.
    const title = "\ufdfa".repeat(255);
    const made = [
      await ws.link({ title }),
      await ws.link({ title }),
      await ws.link({ title: "\u{1f600}".repeat(255) }),
    ];
    expect((await readsAllPages(ws, "sort=title&per_page=1")).sort()).toEqual(
      made.map((link) => link.id).sort(),
    );
  });

  it("gets 422 on after if it is malformed", async () => {
    const ws = await makeWorkspace();
    await ws.link();
    await ws.link();
    // `proofs/fuzz/contract.test.ts` forges cursors.
    const cursors: [string, string][] = ["x", "e30", "A".repeat(20_000)].map((after) => [
      "-created_at",
      after,
    ]);
    for (const sort of SORTS) {
      const cursor =
        relations(await list(ws, `sort=${sort}&per_page=1`))["next"]?.searchParams.get("after") ?? "";
      expect(cursor).not.toBe("");
      for (const other of SORTS.filter((name) => name !== sort)) cursors.push([other, cursor]);
      cursors.push([sort, cursor.slice(0, -3)], [sort, `${cursor}x`]);
    }
    for (const [sort, after] of cursors) {
      const answer = await ws.call("GET", `${LINKS}?sort=${sort}&after=${after}`);
      expect(answer.status, `${sort} after ${after}`).toBe(422);
      expect(Object.keys(answer.body.errors), `${sort} after ${after}`).toEqual(["after"]);
    }
    expect((await list(ws, "after=")).body.links).toHaveLength(2);
  });
});
