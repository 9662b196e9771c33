import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newMeter } from "../../../src/db/meter";
import { writeToKv } from "../../../src/redirect/slugs/kv-writer";
import { slugMemoryOf } from "../../../src/redirect/slugs/slug-memory";
import { fakeDatabase, fakeKv } from "../../fakes";
import { targetRow as row } from "./rows";

const NOW = 10_000_000;
const READ_AT = NOW - 50;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function context(put?: (key: string) => Promise<void>) {
  const { kv, values } = fakeKv(put);
  const { db, notes } = fakeDatabase();
  const behind: Promise<unknown>[] = [];
  const ctx = {
    ...{ db, kv, now: Date.now, config: { cacheEpoch: "1" } },
    waitUntil: (work: Promise<unknown>) => void behind.push(work),
  };
  const push = (rows: Parameters<typeof writeToKv>[1], more: object = {}) =>
    writeToKv({ ...ctx, ...more } as unknown as Parameters<typeof writeToKv>[0], rows, READ_AT);
  return { push, memory: slugMemoryOf(kv), values, notes, behind };
}

describe("the write of a request", () => {
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
});
