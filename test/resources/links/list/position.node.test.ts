import { describe, expect, it } from "vitest";
import { cutPage, type Position } from "../../../../src/lib/paging";
import type { ListSort } from "../../../../src/resources/links/list/list-filter";
import { positionOf, toPosition } from "../../../../src/resources/links/list/list-order";

const ROW = {
  created_at: 1,
  updated_at: 2,
  visitTotals: { clicks: 3, scans: 4, last_visit_at: null },
  folded_slug: "s",
  title_key: "t",
  public_id: "l",
};

/** The `after` cursor of a position. */
const cursorAt = (position: Position, sort: string): string =>
  cutPage([0, 1], 1, sort, () => position).nextAfter ?? "";

describe("the position of a link", () => {
  it.each<[ListSort, Position]>([
    ["created_at", [1, "l"]],
    ["-created_at", [1, "l"]],
    ["updated_at", [2, "l"]],
    ["-updated_at", [2, "l"]],
    ["-visits", [7, "l"]],
    ["slug", ["s", "l"]],
    ["title", ["t", "l"]],
  ])("by %s is %j, and its cursor converts back to it", (sort, position) => {
    expect(positionOf(ROW, sort)).toEqual(position);
    expect(toPosition(cursorAt(position, sort), sort)).toEqual(position);
  });

  it("without a title is null and the id", () => {
    const position = positionOf({ ...ROW, title_key: null }, "title");
    expect(position).toEqual([null, "l"]);
    expect(toPosition(cursorAt(position, "title"), "title")).toEqual(position);
  });
});

it.each<[string, string, ListSort]>([
  ["that is not a cursor", "x", "slug"],
  ["of another sort", cursorAt([1, "l"], "created_at"), "-created_at"],
  ["with a value too few", cursorAt(["l"], "slug"), "slug"],
  ["with a value too many", cursorAt(["s", "l", "l"], "slug"), "slug"],
  ["whose id is a number", cursorAt(["s", 1], "slug"), "slug"],
  ["whose id is null", cursorAt(["s", null], "slug"), "slug"],
  ["whose time is a text", cursorAt(["1", "l"], "created_at"), "created_at"],
  ["whose time is null", cursorAt([null, "l"], "updated_at"), "updated_at"],
  ["whose visits are a text", cursorAt(["7", "l"], "-visits"), "-visits"],
  ["whose slug is a number", cursorAt([1, "l"], "slug"), "slug"],
  ["whose slug is null", cursorAt([null, "l"], "slug"), "slug"],
  ["whose title is a number", cursorAt([1, "l"], "title"), "title"],
])("a cursor is refused: %s", (_, cursor, sort) => {
  expect(() => toPosition(cursor, sort)).toThrow(
    expect.objectContaining({
      status: 422,
      body: {
        message: "The after field is malformed.",
        errors: { after: ["The after field is malformed."] },
      },
      failures: [{ field: "after", message: "The after field is malformed.", code: "format" }],
    }),
  );
});
