import { describe, expect, it } from "vitest";
import { GROUP_STATUSES, isStatusMove, statusByDates, statusMoves } from "../../src/lib/group-status";

describe("a group's status", () => {
  it("may be given again", () => {
    for (const status of GROUP_STATUSES) expect(isStatusMove(status, null, status)).toBe(true);
  });

  it.each([
    ["draft", null, "scheduled active completed archived"],
    ["scheduled", null, "active completed archived"],
    ["active", null, "completed archived"],
    ["completed", null, "active archived"],
    ["archived", "scheduled", "scheduled"],
    ["archived", null, ""],
  ] as const)("can change from %s (previous status %s) only to: %s", (from, before, others) => {
    expect(statusMoves(from, before).join(" ")).toBe(others);
  });
});

describe("the status of a group that follows its dates", () => {
  const START = 1_000;
  const END = 2_000;
  const both = { startsAt: START, endsAt: END };
  it.each([
    ["draft", both, START - 1, "draft"],
    ["draft", both, START, "active"],
    ["scheduled", both, START - 1, "scheduled"],
    ["scheduled", both, START, "active"],
    ["active", both, END - 1, "active"],
    ["active", both, END, "completed"],
    ["scheduled", both, END, "completed"],
    ["completed", both, START, "completed"],
    ["archived", both, END, "archived"],
    ["draft", { startsAt: null, endsAt: END }, END - 1, "draft"],
    ["draft", { startsAt: START, endsAt: null }, END, "active"],
    ["scheduled", { startsAt: null, endsAt: null }, END, "scheduled"],
  ] as const)("from %s with %j at %i is %s", (from, dates, now, status) => {
    expect(statusByDates(from, dates, now)).toBe(status);
  });
});
