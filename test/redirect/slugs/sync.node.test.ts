import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newMeter } from "../../../src/db/meter";
import { parseEntry } from "../../../src/redirect/slugs/cache";
import { toCacheEntry } from "../../../src/redirect/slugs/lookup";
import { isKvOutdated, markChanged, remember, slugMemoryOf } from "../../../src/redirect/slugs/memory";
import {
  selectDueOfEachWorkspace,
  selectOldestDue,
  updatePushedSlugs,
} from "../../../src/redirect/slugs/push-queue";
import { selectTargetsOfSlugs } from "../../../src/redirect/slugs/statements/targets";
import { pushTargets, sweep } from "../../../src/redirect/slugs/sync";
import { fakeDatabase, fakeKv, written } from "../../fakes";
import { targetRow as row } from "./rows";

const NOW = 10_000_000;
const READ_AT = NOW - 50;

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
    expect(notes).toEqual([
      [
        written(
          updatePushedSlugs(
            [
              ["a", 3],
              ["b", 3],
            ],
            READ_AT,
            NOW + 35_000,
          ),
        ),
      ],
    ]);
  });

  it("that KV refuses stays due, and the slug stays outdated in KV", async () => {
    const { ctx, memory, notes, behind } = context(async (key) => {
      if (key === "a") throw new Error("KV is away");
    });
    await pushTargets(ctx, [row("a"), row("b")], READ_AT);
    await Promise.all(behind);
    expect([isKvOutdated(memory, "a", NOW), isKvOutdated(memory, "b", NOW)]).toEqual([true, false]);
    expect(notes).toEqual([[written(updatePushedSlugs([["b", 3]], READ_AT, NOW + 35_000))]]);
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
    ctx.db.writeGuarded = () => Promise.reject(new Error("D1 is away"));
    await pushTargets(ctx, [row("a")], READ_AT);
    await expect(Promise.all(behind)).resolves.toEqual([1]);
    expect(values.size).toBe(1);
  });
});

describe("a sweep", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => row(`s${index}`));
  const keysOf = (due: readonly ReturnType<typeof row>[]) => due.map(({ key }) => ({ key }));
  /** D1 results for a sweep whose rows come in the given chunks. */
  const dueIn = (...chunks: ReturnType<typeof row>[][]) => [
    [[], keysOf(chunks.flat())],
    ...chunks.map((chunk) => [chunk]),
  ];
  /** Different slugs in chunks of 100. */
  const chunksOf100 = (count: number) =>
    Array.from({ length: count }, (_, nth) => rows(100).map(({ key }) => row(`${nth}-${key}`)));

  it("pushes due slugs and counts them", async () => {
    const { ctx, memory, values, reads, notes } = context(undefined, ...dueIn([row("a"), row("b")]));
    markChanged(memory, row("a"), NOW);
    expect(await sweep(ctx)).toEqual({ pushed: 2, failed: 0 });
    expect(vi.getTimerCount()).toBe(0);
    expect(reads).toEqual([
      [written(selectDueOfEachWorkspace(NOW, 450)), written(selectOldestDue(NOW, 900))],
      [written(selectTargetsOfSlugs(["a", "b"]))],
    ]);
    expect(parseEntry(values.get("b") ?? null)).toEqual(toCacheEntry(row("b"), NOW));
    expect(notes).toEqual([
      [
        written(
          updatePushedSlugs(
            [
              ["a", 3],
              ["b", 3],
            ],
            NOW,
            NOW + 35_000,
          ),
        ),
      ],
    ]);
    expect(memory.outdated.size).toBe(0);
  });

  it("does not count as the push of a change made after its read", async () => {
    const { ctx, memory } = context(
      async (key) => {
        markChanged(memory, row(key), NOW);
      },
      ...dueIn([row("a")]),
    );
    await sweep(ctx);
    expect(isKvOutdated(memory, "a", NOW)).toBe(true);
  });

  it("counts a write that KV refuses or that takes more than five seconds as failed", async () => {
    const { ctx, notes } = context(
      (key) => (key === "a" ? Promise.reject(new Error("no")) : key === "b" ? never() : Promise.resolve()),
      ...dueIn([row("a"), row("b"), row("c")]),
    );
    const sweeping = sweep(ctx);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(notes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await sweeping).toEqual({ pushed: 1, failed: 2 });
    expect(notes.map((statements) => statements.length)).toEqual([1]);
  });

  it("reads and pushes 100 slugs at once, each slug once", async () => {
    const [first = [], second = []] = chunksOf100(2);
    const { ctx, reads } = context(
      undefined,
      [keysOf(first), keysOf([...first, ...second].toReversed())],
      [first],
      [second.toReversed()],
    );
    expect(await sweep(ctx)).toEqual({ pushed: 200, failed: 0 });
    expect(reads.slice(1)).toEqual(
      [first, second.toReversed()].map((chunk) => [
        written(selectTargetsOfSlugs(chunk.map(({ key }) => key))),
      ]),
    );
  });

  it("goes on with the statements of one chunk left, and not with fewer", async () => {
    const sweepWith = (left: number) => {
      const { ctx } = context(undefined, ...dueIn([row("a")]));
      return sweep({ ...ctx, db: { ...ctx.db, statementsLeft: () => left } });
    };
    expect(await sweepWith(2)).toEqual({ pushed: 1, failed: 0 });
    expect(await sweepWith(1)).toEqual({ pushed: 0, failed: 0 });
  });

  it("records nothing if no write succeeds", async () => {
    const { ctx, notes } = context(() => Promise.reject(new Error("no")), ...dueIn([row("a")]));
    expect(await sweep(ctx)).toEqual({ pushed: 0, failed: 1 });
    expect(notes).toEqual([]);
  });

  it("reads no rows if no push is due", async () => {
    const { ctx, reads, notes } = context(undefined, [[], []]);
    expect(await sweep(ctx)).toEqual({ pushed: 0, failed: 0 });
    expect([reads.length, notes]).toEqual([1, []]);
  });

  it("stops at its time limit", async () => {
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 4_900));
    const { ctx, reads } = context(slow, ...dueIn(...chunksOf100(9)));
    const sweeping = sweep(ctx);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await sweeping).toEqual({ pushed: 600, failed: 0 });
    expect(reads.length).toBe(1 + 6);

    const exact = context(
      () => new Promise<void>((resolve) => setTimeout(resolve, 3_125)),
      ...dueIn(...chunksOf100(9)),
    );
    const ending = sweep(exact.ctx);
    await vi.advanceTimersByTimeAsync(60_000);
    await ending;
    expect(exact.reads.length).toBe(1 + 8);
  });

  it("stops after 900 pushes, failed ones included, and when its statements are used up", async () => {
    const { ctx, reads } = context(
      (key) => (key.endsWith("-s1") ? Promise.reject(new Error("no")) : Promise.resolve()),
      ...dueIn(...chunksOf100(20)),
    );
    expect(await sweep(ctx)).toEqual({ pushed: 891, failed: 9 });
    expect(reads.length).toBe(1 + 9);

    const short = context(undefined, ...dueIn(...chunksOf100(9)));
    const sent = () => [...short.reads, ...short.notes].flat().length;
    const db = { ...short.ctx.db, statementsLeft: () => 11 - sent() };
    expect(await sweep({ ...short.ctx, db })).toEqual({ pushed: 400, failed: 0 });
    expect(sent()).toBe(10);
  });
});
