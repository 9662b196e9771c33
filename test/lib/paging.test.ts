import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPage, isCursor, metaOf, offsetOf, type Position, pageOf, readCursor } from "../../src/lib/paging";

const encoded = (bytes: string) => btoa(bytes).replace(/=+$/, "");
const cursorOf = (position: Position, sort = "created") =>
  cutPage([0, 1], 1, sort, () => position).nextAfter ?? "";

describe("a page", () => {
  it.each([
    [0, 1],
    [1, 1],
    [20, 1],
    [21, 2],
    [40, 2],
  ])("of 20 rows among %i is one of %i pages", (total, last) => {
    expect(metaOf(1, 20, total)).toEqual({ current_page: 1, last_page: last, per_page: 20, total });
  });

  it.each([
    [1, 1, [1, 2]],
    [3, 3, [5]],
    [4, 3, [5]],
    [1_000_000, 3, [5]],
  ])("%i of a complete list is page %i", (asked, shown, items) => {
    const meta = { current_page: shown, last_page: 3, per_page: 2, total: 5 };
    expect(pageOf([1, 2, 3, 4, 5], asked, 2)).toEqual({ items, meta });
  });

  it("of an empty list is the first", () => {
    expect(pageOf([], 7, 2)).toEqual({
      items: [],
      meta: { current_page: 1, last_page: 1, per_page: 2, total: 0 },
    });
  });

  it("starts after the previous pages, at most at the largest offset of SQLite", () => {
    expect([offsetOf(1, 20), offsetOf(3, 20)]).toEqual([0, 40]);
    expect(offsetOf(2 ** 31, 1)).toBe(2_147_483_647);
    expect(offsetOf(10 ** 15, 100)).toBe(2_147_483_647);
  });

  it("shows up to its number of rows, and has a next page if another row was read", () => {
    const cut = (rows: readonly string[]) => cutPage(rows, 2, "name", (row) => [row]);
    expect(cut([])).toEqual({ shown: [], nextAfter: null });
    expect(cut(["a", "b"])).toEqual({ shown: ["a", "b"], nextAfter: null });
    const { shown, nextAfter } = cut(["a", "b", "c"]);
    expect(shown).toEqual(["a", "b"]);
    expect(readCursor(nextAfter ?? "", "name", 1)).toEqual(["b"]);
  });
});

describe("a cursor", () => {
  const part = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.constant(null));

  it("converts back to its position, and needs no URL encoding", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (position) => {
        const cursor = cursorOf(position);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(isCursor(cursor)).toBe(true);
        expect(readCursor(cursor, "created", position.length)).toEqual(position);
      }),
    );
    expect(readCursor(cursorOf(["???>>>~~~ÿÿ"]), "created", 1)).toEqual(["???>>>~~~ÿÿ"]);
    expect(["", "a", "aa"].map((text) => cursorOf([text]))).not.toContainEqual(expect.stringContaining("="));
  });

  it("of another list or length is invalid for this list", () => {
    const cursor = cursorOf([1, "a"]);
    expect(readCursor(cursor, "clicks", 2)).toBeUndefined();
    expect(readCursor(cursor, "created", 1)).toBeUndefined();
    expect(readCursor(cursor, "created", 3)).toBeUndefined();
    expect(readCursor("!", "created", 0)).toBeUndefined();
  });

  it.each([
    ["nothing", ""],
    ["invalid base64", "!"],
    ["invalid JSON", encoded("[")],
    ["an object", encoded('{"0":"created"}')],
    ["a string", encoded('"created"')],
    ["a list in a list", encoded('["created",["a"]]')],
    ["a boolean", encoded('["created",true]')],
    ["invalid UTF-8", encoded('["created","\xff"]')],
  ])("is not %s", (_, text) => {
    expect(isCursor(text)).toBe(false);
  });
});
