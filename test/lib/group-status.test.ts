import { describe, expect, it } from "vitest";
import { GROUP_STATUSES, isStatusMove } from "../../src/lib/group-status";

describe("a group's status", () => {
  it("is one of five", () => {
    expect(GROUP_STATUSES).toEqual(["draft", "scheduled", "active", "completed", "archived"]);
  });

  it.each([
    ["draft", "draft scheduled active completed archived"],
    ["scheduled", "scheduled active completed archived"],
    ["active", "active completed archived"],
    ["completed", "active completed archived"],
  ] as const)("goes from %s to %s and nowhere else", (from, reached) => {
    expect(GROUP_STATUSES.filter((to) => isStatusMove(from, null, to)).join(" ")).toBe(reached);
  });

  it.each(["draft", "scheduled", "active", "completed"] as const)(
    "goes out of the archive to %s alone, where it was that before",
    (before) => {
      expect(GROUP_STATUSES.filter((to) => isStatusMove("archived", before, to))).toEqual([
        before,
        "archived",
      ]);
    },
  );

  it("stays in the archive where nobody knows what was before", () => {
    expect(GROUP_STATUSES.filter((to) => isStatusMove("archived", null, to))).toEqual(["archived"]);
  });
});
