import { describe, expect, it } from "vitest";
import { GROUP_STATUSES, isStatusMove, statusMoves } from "../../src/lib/group-status";

describe("a group's status", () => {
  it("is one of five", () => {
    expect(GROUP_STATUSES).toEqual(["draft", "scheduled", "active", "completed", "archived"]);
  });

  it.each([
    ["draft", "draft scheduled active completed archived"],
    ["scheduled", "scheduled active completed archived"],
    ["active", "active completed archived"],
    ["completed", "active completed archived"],
  ] as const)("can change from %s only to %s", (from, reached) => {
    expect(GROUP_STATUSES.filter((to) => isStatusMove(from, null, to)).join(" ")).toBe(reached);
  });

  it.each(["draft", "scheduled", "active", "completed"] as const)(
    "can only leave the archive to its former status %s",
    (before) => {
      expect(GROUP_STATUSES.filter((to) => isStatusMove("archived", before, to))).toEqual([
        before,
        "archived",
      ]);
    },
  );

  it.each([
    ["draft", null, "scheduled active completed archived"],
    ["scheduled", null, "active completed archived"],
    ["active", null, "completed archived"],
    ["completed", null, "active archived"],
    ["archived", "scheduled", "scheduled"],
    ["archived", null, ""],
  ] as const)("can change from %s (former status %s) only to: %s", (from, before, others) => {
    expect(statusMoves(from, before).join(" ")).toBe(others);
  });

  it("cannot leave the archive if its former status is unknown", () => {
    expect(GROUP_STATUSES.filter((to) => isStatusMove("archived", null, to))).toEqual(["archived"]);
  });
});
