import { describe, expect, it } from "vitest";
import { linkHeader, pageLinks } from "../../src/api/page-links";

const ADDRESS = "https://api.example/api/v1/links";

/** The queries of a header's links, by their relation. */
function links(search: string, current: number, last: number, after: string | null = null) {
  const header = pageLinks(ADDRESS, search, { current_page: current, last_page: last }, after);
  return header.split(", ").map((link) => {
    const [, query, relation] =
      /^<https:\/\/api\.example\/api\/v1\/links\?(.*)>; rel="(.*)"$/.exec(link) ?? [];
    return `${relation} ${query}`;
  });
}

describe("the Link header", () => {
  it("has the first, previous and last page, and the next one by a cursor", () => {
    expect(links("", 1, 1)).toEqual(["first page=1", "last page=1"]);
    expect(links("", 1, 3, "abc")).toEqual(["first page=1", "next page=2&after=abc", "last page=3"]);
    expect(links("", 2, 3, "abc")).toEqual([
      "first page=1",
      "prev page=1",
      "next page=3&after=abc",
      "last page=3",
    ]);
    expect(links("", 3, 3)).toEqual(["first page=1", "prev page=2", "last page=3"]);
  });

  it("has the last page as the previous one beyond the end", () => {
    expect(links("", 9, 3)).toEqual(["first page=1", "prev page=3", "last page=3"]);
  });

  it.each([
    ["?tag=a&per_page=5", "tag=a&per_page=5&"],
    ["tag=a", "tag=a&"],
    ["?q=?x&tag[]=a", "q=?x&tag[]=a&"],
    ["q=?x", "q=?x&"],
    ["?page=7&tag=a&after=abc", "tag=a&"],
    ["?page[]=7&after[]=x&%70age=7&page", ""],
    ["?page[]x=7&[]page=7&pages=1&Page=1&q=page", "page[]x=7&[]page=7&pages=1&Page=1&q=page&"],
    ["?&&tag=a&", "tag=a&"],
    ["?", ""],
  ])("keeps the parameters of %s except page and after", (search, kept) => {
    expect(links(search, 1, 1)).toEqual([`first ${kept}page=1`, `last ${kept}page=1`]);
  });

  it("has the next page alone above 4 KB, and nothing on the last page", () => {
    const address = `<${ADDRESS}?q=`;
    const query = "x".repeat(1_400);
    const pages = { current_page: 2, last_page: 3 };
    expect(links(`q=${query.slice(500)}`, 2, 3, "abc")).toHaveLength(4);
    const next = `${address}${query}&page=3&after=abc>; rel="next"`;
    expect(pageLinks(ADDRESS, `q=${query}`, pages, "abc")).toBe(next);
    expect(linkHeader(ADDRESS, `q=${query}`, pages, "abc")).toEqual({ Link: next });
    expect(linkHeader(ADDRESS, `q=${query}`, { current_page: 3, last_page: 3 }, null)).toEqual({});
  });
});
