import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { entryOf } from "../../src/slugs/claim";
import {
  dueSlugs,
  lastWorkspaceToPush,
  settleSlug,
  settleSlugs,
  type Turn,
  workspacesToPush,
} from "../../src/slugs/due";
import { forget, isOutdated, isolateOf, remember } from "../../src/slugs/isolate";
import { pushTargets, sweep } from "../../src/slugs/sync";
import { fakeDatabase, fakeKv, written } from "../fakes";

const NOW = 10_000_000;
const READ_AT = NOW - 50;

const row = (key: string, push_at: number | null = 7) => ({
  key,
  rev: 4,
  push_at,
  link: "L",
  destination_url: "https://a.example/",
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  taken_down: 0,
  workspace_id: 1,
});
const never = () => new Promise<void>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function context(put?: (key: string) => Promise<void>, ...answers: (readonly unknown[][])[]) {
  const { kv, values } = fakeKv(put);
  const { db, reads, notes } = fakeDatabase(...answers);
  const behind: Promise<unknown>[] = [];
  const ctx = { db, kv, now: Date.now, waitUntil: (work: Promise<unknown>) => void behind.push(work) };
  return { ctx, isolate: isolateOf(kv), values, reads, notes, behind };
}

describe("a push", () => {
  it("of nothing asks nobody", async () => {
    const { ctx, behind, notes } = context();
    await pushTargets(ctx, [], READ_AT);
    expect([behind, notes]).toEqual([[], []]);
  });

  it("writes the rows as they were read, and books them for 35 s after", async () => {
    const { ctx, isolate, values, notes, behind } = context(async (key) => {
      expect(isOutdated(isolate, key, NOW)).toBe(true);
      expect(isolate.remembered.has(key)).toBe(false);
    });
    remember(isolate, "a", entryOf(row("a"), READ_AT), READ_AT, 0);
    await pushTargets(ctx, [row("a"), row("b")], READ_AT);
    await Promise.all(behind);
    expect(vi.getTimerCount()).toBe(0);
    expect(JSON.parse(values.get("a") ?? "")).toEqual(entryOf(row("a"), READ_AT));
    expect([...values.keys()]).toEqual(["a", "b"]);
    expect([...isolate.outdated.keys()]).toEqual([]);
    expect(notes).toEqual([[written(settleSlugs([row("a"), row("b")], READ_AT, NOW + 35_000))]]);
  });

  it("that KV refuses settles nothing, and this instance does not believe KV of that slug", async () => {
    const { ctx, isolate, notes, behind } = context(async (key) => {
      if (key === "a") throw new Error("KV is away");
    });
    await pushTargets(ctx, [row("a"), row("b")], READ_AT);
    await Promise.all(behind);
    expect([isOutdated(isolate, "a", NOW), isOutdated(isolate, "b", NOW)]).toEqual([true, false]);
    expect(notes).toEqual([[written(settleSlug("b", 4, READ_AT, NOW + 35_000))]]);
  });

  it("is waited for a second, and goes on behind the answer", async () => {
    let end = () => undefined as unknown;
    const { ctx, isolate, values, notes, behind } = context(
      () =>
        new Promise((resolve) => {
          end = () => resolve();
        }),
    );
    let answered = false;
    const push = pushTargets(ctx, [row("a")], READ_AT).then(() => {
      answered = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(answered).toBe(true);
    await push;
    expect([isOutdated(isolate, "a", NOW), values.size, notes]).toEqual([true, 0, []]);
    end();
    await Promise.all(behind);
    expect([isOutdated(isolate, "a", NOW), values.size, notes.length]).toEqual([false, 1, 1]);
  });

  it("of more than 20 writes the first 20, and this instance does not believe KV of the others", async () => {
    const { ctx, isolate, values, behind } = context();
    const rows = Array.from({ length: 25 }, (_, index) => row(`s${index}`));
    for (const { key } of rows) remember(isolate, key, entryOf(row(key), READ_AT), READ_AT, 0);
    await pushTargets(ctx, rows, READ_AT);
    await Promise.all(behind);
    expect([...values.keys()]).toEqual(rows.slice(0, 20).map(({ key }) => key));
    expect([...isolate.outdated.keys()]).toEqual(rows.slice(20).map(({ key }) => key));
    expect(isolate.remembered.size).toBe(0);
  });

  it("fails nothing where D1 rejects the write", async () => {
    const { ctx, values, behind } = context();
    ctx.db.writeUnaudited = () => Promise.reject(new Error("D1 is away"));
    await pushTargets(ctx, [row("a")], READ_AT);
    await expect(Promise.all(behind)).resolves.toEqual([1]);
    expect(values.size).toBe(1);
  });
});

describe("a sweep", () => {
  const rows = (count: number, at: number | null) =>
    Array.from({ length: count }, (_, index) => row(`s${index}`, at));
  /** The answers of a sweep that finds one workspace, whose rows come in these portions. */
  const ofOne = (...portions: unknown[][]) => [
    [[{ last: 1 }]],
    [[{ workspace_id: 1, oldest: 7 }], []],
    ...portions.map((portion) => [portion]),
  ];
  const firstTurn: Turn = { workspaceId: 1, after: { push_at: -1, key: "" } };

  beforeEach(() => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("pushes what is due and says how much", async () => {
    const { ctx, isolate, values, reads, notes } = context(undefined, ...ofOne([row("a"), row("b")]));
    forget(isolate, "a", NOW);
    expect(await sweep(ctx)).toEqual({ pushed: 2, failed: 0 });
    expect(vi.getTimerCount()).toBe(0);
    expect(reads).toEqual([
      [written(lastWorkspaceToPush())],
      [written(workspacesToPush(1, 2, 500)), written(workspacesToPush(0, 1, 500))],
      [written(dueSlugs(NOW, [firstTurn], 100))],
    ]);
    expect(JSON.parse(values.get("b") ?? "")).toEqual(entryOf(row("b"), NOW));
    expect(notes).toEqual([[written(settleSlugs([row("a"), row("b")], NOW, NOW + 35_000))]]);
    expect(isolate.outdated.size).toBe(0);
  });

  it("does not pass for the push of a change made after its read", async () => {
    const { ctx, isolate } = context(
      async (key) => {
        forget(isolate, key, NOW);
      },
      ...ofOne([row("a")]),
    );
    await sweep(ctx);
    expect(isOutdated(isolate, "a", NOW)).toBe(true);
  });

  it("counts what KV refuses or does not take within five seconds as failed", async () => {
    const { ctx, notes } = context(
      (key) => (key === "a" ? Promise.reject(new Error("no")) : key === "b" ? never() : Promise.resolve()),
      ...ofOne([row("a"), row("b"), row("c")]),
    );
    const sweeping = sweep(ctx);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(notes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await sweeping).toEqual({ pushed: 1, failed: 2 });
    expect(notes.map((statements) => statements.length)).toEqual([1]);
  });

  it("goes on behind the last of a hundred, with what was due when it began", async () => {
    const { ctx, reads } = context(
      undefined,
      ...ofOne(rows(100, 8), rows(100, null), rows(99, 9), rows(1, 9)),
    );
    expect(await sweep(ctx)).toEqual({ pushed: 299, failed: 0 });
    expect(reads.slice(2).flat()).toEqual(
      [
        { push_at: -1, key: "" },
        { push_at: 8, key: "s99" },
        { push_at: 0, key: "s99" },
      ].map((after) => written(dueSlugs(NOW, [{ workspaceId: 1, after }], 100))),
    );
  });

  it("asks for no rows where no workspace has any, or all are due later", async () => {
    for (const answers of [
      [[[{ last: null }]]],
      [[[{ last: 1 }]], [[{ workspace_id: 1, oldest: NOW + 1 }], []]],
    ]) {
      const { ctx, reads, notes } = context(undefined, ...answers);
      expect(await sweep(ctx)).toEqual({ pushed: 0, failed: 0 });
      expect([reads.length, notes]).toEqual([answers.length, []]);
    }
  });

  it("begins with the workspace that has waited longest", async () => {
    const { ctx, reads } = context(
      undefined,
      [[{ last: 9 }]],
      [
        [
          { workspace_id: 5, oldest: 7 },
          { workspace_id: 9, oldest: 3 },
        ],
        [{ workspace_id: 2, oldest: NOW }],
      ],
    );
    await sweep(ctx);
    const turns = [9, 5, 2].map((workspaceId) => ({ workspaceId, after: firstTurn.after }));
    expect(reads.slice(1)).toEqual([
      [written(workspacesToPush(5, 10, 500)), written(workspacesToPush(0, 5, 500))],
      [written(dueSlugs(NOW, turns, 33))],
    ]);
  });

  it("ends when its own time is up", async () => {
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 4_900));
    const { ctx, reads } = context(slow, ...ofOne(...Array.from({ length: 9 }, () => rows(100, 8))));
    const sweeping = sweep(ctx);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await sweeping).toEqual({ pushed: 600, failed: 0 });
    expect(reads.length).toBe(2 + 6);

    const exact = context(
      () => new Promise<void>((resolve) => setTimeout(resolve, 3_125)),
      ...ofOne(...Array.from({ length: 20 }, () => rows(100, 8))),
    );
    const ending = sweep(exact.ctx);
    await vi.advanceTimersByTimeAsync(60_000);
    await ending;
    expect(exact.reads.length).toBe(2 + 8);
  });

  it("ends after 900 pushes, whether they failed or not, and after 24 statements", async () => {
    const { ctx, reads } = context(
      (key) => (key === "s1" ? Promise.reject(new Error("no")) : Promise.resolve()),
      ...ofOne(...Array.from({ length: 20 }, () => rows(100, 8))),
    );
    expect(await sweep(ctx)).toEqual({ pushed: 891, failed: 9 });
    expect(reads.length).toBe(2 + 9);

    // Sixty workspaces that each have more than their share: 60 rows a round.
    const workspaces = Array.from({ length: 60 }, (_, id) => ({ workspace_id: id, oldest: 1 }));
    const portion = workspaces.map(({ workspace_id }) => ({ ...row(`w${workspace_id}`, 1), workspace_id }));
    const wide = context(
      undefined,
      [[{ last: 59 }]],
      [workspaces, []],
      ...Array.from({ length: 20 }, () => [portion]),
    );
    expect(await sweep(wide.ctx)).toEqual({ pushed: 600, failed: 0 });
    expect([...wide.reads, ...wide.notes].flat()).toHaveLength(23);
  });
});
