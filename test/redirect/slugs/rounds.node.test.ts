import { describe, expect, it } from "vitest";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { nextQueue, planSweepChunk } from "../../../src/redirect/slugs/sweep-chunks";

const START = { push_at: -1, key: "" };
const turn = (workspaceId: number, after = START) => ({ workspaceId, after });
const queueOf = (count: number) => Array.from({ length: count }, (_, id) => turn(id));
const row = (workspace_id: number, key: string, push_at: number | null = 5) => ({
  workspace_id,
  key: slugKey(SHORT_HOST, key),
  push_at,
});

describe("a round", () => {
  it.each([
    [0, 100, 0, 0],
    [1, 100, 1, 100],
    [2, 100, 2, 50],
    [3, 100, 3, 33],
    [60, 100, 60, 1],
    [100, 100, 100, 1],
    [101, 100, 100, 1],
    [5_000, 100, 100, 1],
    [3, 2, 2, 1],
    [1, 0, 0, 0],
  ])(
    "of %i workspaces with %i rows has %i of them, with %i rows each",
    (count, room, taking, rowsPerWorkspace) => {
      const queue = queueOf(count);
      const chunk = planSweepChunk(queue, room);
      expect(chunk).toEqual({ workspaces: queue.slice(0, taking), rowsPerWorkspace });
      expect(chunk.workspaces.length * chunk.rowsPerWorkspace).toBeLessThanOrEqual(room);
    },
  );
});

describe("the queue after a round", () => {
  it.each([
    ["is empty if no rows were read", 2, 2, [], []],
    ["drops a workspace that did not use its share", 1, 2, [row(0, "a")], []],
    [
      "continues after the last row of a workspace that used its share",
      1,
      2,
      [row(0, "a"), row(0, "b", 7)],
      [turn(0, { push_at: 7, key: "b" })],
    ],
    [
      "starts with the workspaces that were not in the round",
      3,
      1,
      [row(0, "a"), row(1, "b")],
      [turn(2), turn(0, { push_at: 5, key: "a" }), turn(1, { push_at: 5, key: "b" })],
    ],
    [
      "distinguishes the workspaces' rows",
      2,
      2,
      [row(1, "a"), row(0, "b"), row(1, "c")],
      [turn(1, { push_at: 5, key: "c" })],
    ],
  ])("%s", (_, count, rowsPerWorkspace, rows, expected) => {
    const queue = queueOf(count);
    expect(nextQueue(queue, { workspaces: queue.slice(0, 2), rowsPerWorkspace }, rows)).toEqual(expected);
  });
});
