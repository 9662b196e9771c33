import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPage, isCursor, metaOf, offsetOf, type Position, readCursor } from "../../src/lib/paging";

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
  ])("of 20 among %i is one of %i", (total, last) => {
    expect(metaOf(1, 20, total)).toEqual({ current_page: 1, last_page: last, per_page: 20, total });
  });

  it("begins behind those before it, and nowhere that SQLite cannot count to", () => {
    expect([offsetOf(1, 20), offsetOf(3, 20)]).toEqual([0, 40]);
    expect(offsetOf(2 ** 31, 1)).toBe(2_147_483_647);
    expect(offsetOf(10 ** 15, 100)).toBe(2_147_483_647);
  });

  it("shows as many rows as it may, and has a next one where another row was read", () => {
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

  it("gives back the position that it was made of, in characters that need no escape", () => {
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

  it("of another list, or of another length, is none of this one", () => {
    const cursor = cursorOf([1, "a"]);
    expect(readCursor(cursor, "clicks", 2)).toBeUndefined();
    expect(readCursor(cursor, "created", 1)).toBeUndefined();
    expect(readCursor(cursor, "created", 3)).toBeUndefined();
    expect(readCursor("!", "created", 0)).toBeUndefined();
  });

  it.each([
    ["nothing", ""],
    ["no base64", "!"],
    ["no JSON", encoded("[")],
    ["an object", encoded('{"0":"created"}')],
    ["a text", encoded('"created"')],
    ["a list in a list", encoded('["created",["a"]]')],
    ["a truth", encoded('["created",true]')],
    ["no UTF-8", encoded('["created","\xff"]')],
  ])("is not %s", (_, text) => {
    expect(isCursor(text)).toBe(false);
  });
});
