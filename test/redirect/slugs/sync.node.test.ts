import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newMeter } from "../../../src/db/client";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import { parseEntry } from "../../../src/redirect/slugs/cache";
import { toCacheEntry } from "../../../src/redirect/slugs/lookup";
import { isKvOutdated, markChanged, remember, slugMemoryOf } from "../../../src/redirect/slugs/memory";
import {
  type QueuedWorkspace,
  selectDuePushes,
  selectLastQueuedWorkspace,
  selectQueuedWorkspaces,
  updatePushedSlug,
  updatePushedSlugs,
} from "../../../src/redirect/slugs/push-queue";
import { pushTargets, sweep } from "../../../src/redirect/slugs/sync";
import { fakeDatabase, fakeKv, written } from "../../fakes";

const NOW = 10_000_000;
const READ_AT = NOW - 50;

const row = (key: string, push_at: number | null = 7) => ({
  key: slugKey(SHORT_HOST, key),
  rev: 4,
  push_at,
  link: "L",
  destination_url: "https://a.example/",
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  asset: null,
  starts_at: null,
  ends_at: null,
  ended_url: null,
  taken_down: 0,
  is_old: 0,
  workspace_id: 1,
  is_served: 1,
  asset_name: null,
  rules: null,
  refused_rules: null,
  preview_title: null,
  preview_text: null,
  preview_image_url: null,
  brand_name: null,
  brand_colour: null,
  not_found_url: null,
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
  return { ctx, memory: slugMemoryOf(kv), values, reads, notes, behind };
}

describe("a push", () => {
  it("without slugs makes no call", async () => {
    const { ctx, behind, notes } = context();
    await pushTargets(ctx, [], READ_AT);
    expect([behind, notes]).toEqual([[], []]);
  });

  it("writes the rows, and queues a second push after 35 s", async () => {
    const { ctx, memory, values, notes, behind } = context(async (key) => {
      expect(isKvOutdated(memory, key, NOW)).toBe(true);
      expect(memory.remembered.has(key)).toBe(false);
    });
    remember(memory, "a", toCacheEntry(row("a"), READ_AT), READ_AT, 0);
    await pushTargets(ctx, [row("a"), row("b")], READ_AT);
    await Promise.all(behind);
    expect(vi.getTimerCount()).toBe(0);
    expect(parseEntry(values.get("a") ?? null)).toEqual(toCacheEntry(row("a"), READ_AT));
    expect([...values.keys()]).toEqual(["a", "b"]);
    expect(memory.outdated.size).toBe(0);
    expect(notes).toEqual([[written(updatePushedSlugs([row("a"), row("b")], READ_AT, NOW + 35_000))]]);
  });

  it("that KV refuses stays due, and the slug stays outdated in KV", async () => {
    const { ctx, memory, notes, behind } = context(async (key) => {
      if (key === "a") throw new Error("KV is away");
    });
    await pushTargets(ctx, [row("a"), row("b")], READ_AT);
    await Promise.all(behind);
    expect([isKvOutdated(memory, "a", NOW), isKvOutdated(memory, "b", NOW)]).toEqual([true, false]);
    expect(notes).toEqual([[written(updatePushedSlug(slugKey(SHORT_HOST, "b"), 4, READ_AT, NOW + 35_000))]]);
  });

  it("delays the response by at most a second, then continues in the background", async () => {
    let end = () => undefined as unknown;
    const { ctx, memory, values, notes, behind } = context(
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
    expect([isKvOutdated(memory, "a", NOW), values.size, notes]).toEqual([true, 0, []]);
    end();
    await Promise.all(behind);
    expect([isKvOutdated(memory, "a", NOW), values.size, notes.length]).toEqual([false, 1, 1]);
  });

  it("of more than 20 slugs writes 20, and the others stay outdated in KV", async () => {
    const { ctx, memory, values, behind } = context();
    const rows = Array.from({ length: 25 }, (_, index) => row(`s${index}`));
    for (const { key } of rows) remember(memory, key, toCacheEntry(row(key), READ_AT), READ_AT, 0);
    await pushTargets(ctx, rows, READ_AT);
    await Promise.all(behind);
    expect([...values.keys()]).toEqual(rows.slice(0, 20).map(({ key }) => key));
    expect([...(memory.outdated.get(1)?.keys() ?? [])]).toEqual(rows.slice(20).map(({ key }) => key));
    expect(memory.remembered.size).toBe(0);
  });

  it("of more than 20 slugs and codes writes slugs first, each kind in its order", async () => {
    const { ctx, values, behind } = context();
    const codes = Array.from({ length: 15 }, (_, index) => ({ ...row(`c${index}`), asset: "A" }));
    const mixed = codes.flatMap((code, index) => [code, row(`s${index}`)]);
    await pushTargets(ctx, mixed, READ_AT);
    await Promise.all(behind);
    const slugs = codes.map((_, index) => `s${index}`);
    expect([...values.keys()]).toEqual([...slugs, "c0", "c1", "c2", "c3", "c4"]);
  });

  it("leaves old slugs but four to the sweep, and counts what it writes", async () => {
    const { ctx, memory, values, behind } = context();
    const meter = newMeter();
    await pushTargets(
      { ...ctx, meter },
      [...["o1", "o2", "o3", "o4", "old"].map((key) => ({ ...row(key), is_old: 1 })), row("a")],
      READ_AT,
    );
    await Promise.all(behind);
    expect([...values.keys()]).toEqual(["a", "o1", "o2", "o3", "o4"]);
    expect([meter.kvWrites, isKvOutdated(memory, "old", NOW)]).toEqual([5, true]);
  });

  it("does not throw if D1 rejects the write", async () => {
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
  /** D1 results for a sweep of one workspace, whose rows come in the given chunks. */
  const ofOne = (...chunks: unknown[][]) => [
    [[{ last: 1 }]],
    [[{ workspace_id: 1, oldest: 7 }], []],
    ...chunks.map((chunk) => [chunk]),
  ];
  const firstTurn: QueuedWorkspace = { workspaceId: 1, after: { push_at: -1, key: "" } };

  beforeEach(() => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("pushes due slugs and counts them", async () => {
    const { ctx, memory, values, reads, notes } = context(undefined, ...ofOne([row("a"), row("b")]));
    markChanged(memory, row("a"), NOW);
    expect(await sweep(ctx)).toEqual({ pushed: 2, failed: 0 });
    expect(vi.getTimerCount()).toBe(0);
    expect(reads).toEqual([
      [written(selectLastQueuedWorkspace())],
      [written(selectQueuedWorkspaces(1, 2, 500)), written(selectQueuedWorkspaces(0, 1, 500))],
      [written(selectDuePushes(NOW, [firstTurn], 100))],
    ]);
    expect(parseEntry(values.get("b") ?? null)).toEqual(toCacheEntry(row("b"), NOW));
    expect(notes).toEqual([[written(updatePushedSlugs([row("a"), row("b")], NOW, NOW + 35_000))]]);
    expect(memory.outdated.size).toBe(0);
  });

  it("does not count as the push of a change made after its read", async () => {
    const { ctx, memory } = context(
      async (key) => {
        markChanged(memory, row(key), NOW);
      },
      ...ofOne([row("a")]),
    );
    await sweep(ctx);
    expect(isKvOutdated(memory, "a", NOW)).toBe(true);
  });

  it("counts a write that KV refuses or that takes more than five seconds as failed", async () => {
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

  it("continues after the last of 100 rows, with the pushes due at its start", async () => {
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
      ].map((after) => written(selectDuePushes(NOW, [{ workspaceId: 1, after }], 100))),
    );
  });

  it("reads no rows if no workspace has a due push", async () => {
    for (const answers of [
      [[[{ last: null }]]],
      [[[{ last: 1 }]], [[{ workspace_id: 1, oldest: NOW + 1 }], []]],
    ]) {
      const { ctx, reads, notes } = context(undefined, ...answers);
      expect(await sweep(ctx)).toEqual({ pushed: 0, failed: 0 });
      expect([reads.length, notes]).toEqual([answers.length, []]);
    }
  });

  it("starts with the workspace that has waited longest", async () => {
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
      [written(selectQueuedWorkspaces(5, 10, 500)), written(selectQueuedWorkspaces(0, 5, 500))],
      [written(selectDuePushes(NOW, turns, 33))],
    ]);
  });

  it("stops at its time limit", async () => {
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

  it("stops after 900 pushes, failed ones included, and when its statements are used up", async () => {
    const { ctx, reads } = context(
      (key) => (key === "s1" ? Promise.reject(new Error("no")) : Promise.resolve()),
      ...ofOne(...Array.from({ length: 20 }, () => rows(100, 8))),
    );
    expect(await sweep(ctx)).toEqual({ pushed: 891, failed: 9 });
    expect(reads.length).toBe(2 + 9);

    // 60 workspaces with more rows than their share: 60 rows per round.
    const workspaces = Array.from({ length: 60 }, (_, id) => ({ workspace_id: id, oldest: 1 }));
    const chunk = workspaces.map(({ workspace_id }) => ({ ...row(`w${workspace_id}`, 1), workspace_id }));
    const wide = context(
      undefined,
      [[{ last: 59 }]],
      [workspaces, []],
      ...Array.from({ length: 20 }, () => [chunk]),
    );
    const sent = () => [...wide.reads, ...wide.notes].flat().length;
    const db = { ...wide.ctx.db, statementsLeft: () => 24 - sent() };
    expect(await sweep({ ...wide.ctx, db })).toEqual({ pushed: 600, failed: 0 });
    expect(sent()).toBe(23);
  });
});
