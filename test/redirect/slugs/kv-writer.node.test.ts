import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newMeter } from "../../../src/db/meter";
import { parseEntry } from "../../../src/redirect/slugs/cache";
import { toCacheEntry } from "../../../src/redirect/slugs/lookup";
import { remember, slugMemoryOf } from "../../../src/redirect/slugs/slug-memory";
import { updateWritten } from "../../../src/redirect/slugs/statements/outbox";
import { writeToKv } from "../../../src/redirect/slugs/kv-writer";
import { fakeDatabase, fakeKv, written } from "../../fakes";
import { targetRow as row } from "./rows";

const NOW = 10_000_000;
const READ_AT = NOW - 50;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function context(put?: (key: string) => Promise<void>, remove?: (key: string) => Promise<void>) {
  const { kv, values } = fakeKv(put, remove);
  const { db, notes } = fakeDatabase();
  const behind: Promise<unknown>[] = [];
  const ctx = {
    ...{ db, kv, now: Date.now, config: { cacheEpoch: "1" } },
    waitUntil: (work: Promise<unknown>) => void behind.push(work),
  };
  const push = (rows: Parameters<typeof writeToKv>[1], more: object = {}) =>
    writeToKv({ ...ctx, ...more } as unknown as Parameters<typeof writeToKv>[0], rows, READ_AT);
  return { ctx, push, memory: slugMemoryOf(kv), values, notes, behind };
}

const away = () => Promise.reject(new Error("KV is away"));
const recorded = (...keys: string[]) =>
  written(
    updateWritten(
      keys.map((key) => [key, 3] as const),
      { readAt: READ_AT, secondAt: NOW + 45_000, doubtUntil: NOW + 120_000 },
    ),
  );

describe("the write of a request", () => {
  it("without slugs makes no call", async () => {
    const { push, behind, notes } = context();
    await push([]);
    expect([behind, notes]).toEqual([[], []]);
  });

  it("puts the slugs on the instance's list, writes them, and queues a second write after 45 s", async () => {
    const { push, memory, values, notes, behind } = context(async (name) => {
      expect(memory.doubts.has(name.slice(2))).toBe(true);
    });
    remember(memory, "a", toCacheEntry(row("a"), READ_AT), READ_AT, 0);
    await push([row("a"), row("b")]);
    await Promise.all(behind);
    expect(vi.getTimerCount()).toBe(0);
    expect(parseEntry(values.get("1:a") ?? null)).toEqual(toCacheEntry(row("a"), READ_AT));
    expect([...values.keys()]).toEqual(["1:a", "1:b"]);
    expect(memory.remembered.size).toBe(0);
    expect(notes).toEqual([[recorded("a", "b")]]);
  });

  it("tries a delete where KV refuses a write, and leaves due what it refuses both", async () => {
    const isA = (name: string) => name === "1:a";
    const { push, values, notes, behind } = context(
      () => away(),
      async (name) => (isA(name) ? away() : undefined),
    );
    for (const name of ["1:a", "1:b"]) values.set(name, "old");
    await push([row("a"), row("b")]);
    await Promise.all(behind);
    expect([...values]).toEqual([["1:a", "old"]]);
    expect(notes).toEqual([[recorded("b")]]);
  });

  it("of a read that is older than ten seconds is left to the job", async () => {
    const { push, values, notes, behind } = context();
    vi.setSystemTime(READ_AT + 10_001);
    await push([row("a")]);
    await Promise.all(behind);
    expect([values.size, notes]).toEqual([0, []]);
  });

  it("delays the response by at most a second, then continues in the background", async () => {
    let end = () => undefined as unknown;
    const { push, values, notes, behind } = context(
      () =>
        new Promise((resolve) => {
          end = () => resolve();
        }),
    );
    let answered = false;
    const pushing = push([row("a")]).then(() => {
      answered = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(answered).toBe(true);
    await pushing;
    expect([values.size, notes]).toEqual([0, []]);
    end();
    await Promise.all(behind);
    expect([values.size, notes.length]).toEqual([1, 1]);
  });

  it("of more than 20 slugs and codes writes 20, slugs first, each kind in its order, and counts them", async () => {
    const { push, memory, values, behind } = context();
    const meter = newMeter();
    const codes = Array.from({ length: 15 }, (_, index) => ({ ...row(`c${index}`), asset: "A" }));
    await push(
      codes.flatMap((code, index) => [code, row(`s${index}`)]),
      { meter },
    );
    await Promise.all(behind);
    const slugs = codes.map((_, index) => `1:s${index}`);
    expect([...values.keys()]).toEqual([...slugs, "1:c0", "1:c1", "1:c2", "1:c3", "1:c4"]);
    // More than 20 slugs of a workspace are listed as the workspace.
    expect([meter.kvWrites, memory.doubts.size]).toEqual([20, 21]);
  });

  it("does not throw if D1 rejects the record", async () => {
    const { ctx, push, values, behind } = context();
    ctx.db.writeGuarded = () => Promise.reject(new Error("D1 is away"));
    await push([row("a")]);
    await expect(Promise.all(behind)).resolves.toEqual([1]);
    expect(values.size).toBe(1);
  });
});
