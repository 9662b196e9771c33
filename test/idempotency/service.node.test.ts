import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Context, Reservation } from "../../src/context";
import { Replay } from "../../src/errors";
import {
  deleteReservation,
  deleteStartedBefore,
  type IdempotencyRow,
  selectHolder,
  updateAnswer,
  upsertReservation,
} from "../../src/idempotency/repository";
import {
  deleteOldKeys,
  readRules,
  releaseReservation,
  withStoredAnswer,
} from "../../src/idempotency/service";
import { etagOf } from "../../src/lib/etag";
import { selectUsage } from "../../src/workspaces/repository";
import { fakeDatabase, written } from "../fakes";

const NOW = 1_000_000_000;
const DAY = 86_400_000;

const reservation: Reservation = {
  apiKeyId: 5,
  key: "k",
  fingerprint: "f",
  operationId: "o",
  status: 201,
};

const held = (fields: Partial<IdempotencyRow> = {}): IdempotencyRow => ({
  api_key_id: 5,
  key: "k",
  fingerprint: "f",
  operation_id: "other",
  started_at: NOW,
  status: null,
  body: null,
  etag: null,
  ...fields,
});
const ours = held({ operation_id: "o" });
const done = held({ status: 201, body: "{}", etag: '"e"' });

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

function context(own: Reservation | undefined, ...answers: (readonly unknown[][])[]) {
  const { db, reads, notes } = fakeDatabase(...answers);
  const ctx = { db, now: Date.now, ...(own === undefined ? {} : { reservation: own }) } as unknown as Context;
  return { ctx, reads, notes };
}
const rule = selectUsage(3);
const reading = (holding?: IdempotencyRow) => [[], holding === undefined ? [] : [holding], ["use"]];

describe("a request without a key", () => {
  it("reads its rules, and checks the path before the state", async () => {
    const { ctx, reads } = context(undefined, [["use"]]);
    const judged: unknown[] = [];
    const results = await readRules(
      ctx,
      [rule],
      (found) => judged.push("there", found),
      async (found) => void judged.push("unchanged", found),
    );
    expect(results).toEqual([["use"]]);
    expect(judged).toEqual(["there", [["use"]], "unchanged", [["use"]]]);
    expect(reads).toEqual([[written(rule)]]);
    expect(await readRules(context(undefined, [["use"]]).ctx, [rule])).toEqual([["use"]]);
  });
});

describe("a request with a key", () => {
  it("whose reservation fails because the API key has been revoked meanwhile is 401", async () => {
    const judged: unknown[] = [];
    const answer = readRules(
      context(reservation, reading()).ctx,
      [rule],
      undefined,
      async (found) => void judged.push(found),
    );
    await expect(answer).rejects.toMatchObject({ status: 401 });
    expect(judged).toEqual([]);
  });

  it("that it has reserved continues with its rules", async () => {
    const { ctx, reads } = context(reservation, reading(ours));
    const judged: unknown[] = [];
    const results = await readRules(
      ctx,
      [rule],
      (found) => judged.push("there", found),
      async (found) => void judged.push("unchanged", found),
    );
    expect(results).toEqual([["use"]]);
    expect(judged).toEqual(["there", [["use"]], "unchanged", [["use"]]]);
    expect(reads).toEqual([
      [
        written(upsertReservation(reservation, NOW, NOW - 30_000, NOW - DAY)),
        written(selectHolder(reservation)),
        written(rule),
      ],
    ]);
  });

  it("that has a stored response replays it, whatever has changed since", async () => {
    const { ctx } = context(reservation, reading(done));
    const stale = () => Promise.reject(new Error("stale"));
    const answer = readRules(ctx, [rule], undefined, stale);
    await expect(answer).rejects.toBeInstanceOf(Replay);
    await expect(answer).rejects.toMatchObject({ status: 201, body: "{}", etag: '"e"' });
  });

  it.each([ours, held({ fingerprint: "g" })])(
    "reports an unknown path first, then a stale version: %j",
    async (holding) => {
      const gone = () => {
        throw new Error("gone");
      };
      const stale = () => Promise.reject(new Error("stale"));
      const { ctx } = context(reservation, reading(holding), reading(holding));
      await expect(readRules(ctx, [rule], gone, stale)).rejects.toThrow("gone");
      await expect(readRules(ctx, [rule], undefined, stale)).rejects.toThrow("stale");
    },
  );

  it("of a different request is refused, whether that one is finished or not", async () => {
    for (const other of [held({ fingerprint: "g" }), { ...done, fingerprint: "g" }]) {
      await expect(readRules(context(reservation, reading(other)).ctx, [rule])).rejects.toMatchObject({
        status: 422,
        body: {
          errors: { idempotency_key: ["The idempotency key has already been used with another request."] },
        },
      });
    }
  });

  it.each([held(), held({ status: 201 }), held({ body: "{}" })])(
    "waits for another request with its key and returns that response: %j",
    async (running) => {
      const { ctx, reads } = context(reservation, reading(running), [[running]], [[done]], reading(done));
      const answer = expect(readRules(ctx, [rule])).rejects.toBeInstanceOf(Replay);
      await vi.advanceTimersByTimeAsync(49);
      expect(reads.length).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(reads.length).toBe(2);
      await vi.advanceTimersByTimeAsync(99);
      expect(reads.length).toBe(2);
      await vi.advanceTimersByTimeAsync(1);
      await answer;
      expect(reads.slice(1, 3)).toEqual([
        [written(selectHolder(reservation))],
        [written(selectHolder(reservation))],
      ]);
      expect(reads[3]?.[0]).toEqual(
        written(upsertReservation(reservation, NOW + 150, NOW - 29_850, NOW + 150 - DAY)),
      );
    },
  );

  it.each([
    ["is free again", undefined],
    ["has lapsed", held({ started_at: NOW - 29_951 })],
  ])("takes over the key of another request if it %s", async (_, holding) => {
    const { ctx, reads } = context(
      reservation,
      reading(held()),
      [holding === undefined ? [] : [holding]],
      reading(ours),
    );
    const results = readRules(ctx, [rule]);
    await vi.advanceTimersByTimeAsync(50);
    expect(await results).toEqual([["use"]]);
    expect([reads.length, vi.getTimerCount()]).toEqual([3, 0]);
  });

  it("keeps waiting for a request that started exactly 30 seconds ago", async () => {
    const running = held({ started_at: NOW - 29_950 });
    const { ctx, reads } = context(reservation, reading(running), [[running]], [[done]], reading(done));
    const answer = expect(readRules(ctx, [rule])).rejects.toBeInstanceOf(Replay);
    await vi.advanceTimersByTimeAsync(149);
    expect(reads.length).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(reads.length).toBe(4);
  });

  it("waits at most five seconds in total", async () => {
    const { ctx, reads } = context(
      reservation,
      reading(held()),
      ...Array.from({ length: 20 }, () => [[held()]]),
    );
    const times: number[] = [];
    const read = ((...asked) => {
      times.push(Date.now() - NOW);
      return ctx.db.read(...asked);
    }) as typeof ctx.db.read;
    const timed = { ...ctx, db: { ...ctx.db, read } };
    const answer = expect(readRules(timed, [rule])).rejects.toMatchObject({
      status: 409,
      headers: { "Retry-After": "1" },
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await answer;
    expect(times).toEqual([0, 50, 150, 350, 750, 1_500, 2_500, 3_750, 5_000]);
    expect([reads.length, vi.getTimerCount()]).toEqual([9, 0]);
    // The free plan allows 50 queries per invocation.
    expect(reads.flat()).toHaveLength(2 + 1 + 8);
  });

  const answerTo = async (resource: object) => ({
    status: 201,
    body: JSON.stringify(resource),
    etag: await etagOf(resource),
  });
  const CHANGE = { workspaceId: 1, actor: "a", action: "a", subject: "s", at: NOW };

  it("stores its response in the same batch as its write, while it holds the key", async () => {
    const { db, writes, notes } = fakeDatabase();
    const resource = { id: "a" };
    const own = { db } as unknown as Context;
    await withStoredAnswer(own, reservation, ({ db: keeping }) =>
      keeping.write({ ...CHANGE, answer: resource }, []),
    );
    const [write] = writes;
    expect(write?.statements).toEqual([written(updateAnswer(reservation, await answerTo(resource)))]);
    const guards = write?.change.guards ?? [];
    expect(guards.map((guard) => written((orm) => orm.run(guard)).params)).toEqual([[5, "k", "o"]]);
    expect(notes).toEqual([]);
  });

  it("stores its response even if there is nothing to write", async () => {
    const { db, notes } = fakeDatabase();
    const resource = { id: "a" };
    expect(await withStoredAnswer({ db } as unknown as Context, reservation, async () => resource)).toBe(
      resource,
    );
    expect(notes).toEqual([[written(updateAnswer(reservation, await answerTo(resource)))]]);
  });

  it("writes nothing without a response to store", async () => {
    const { db, writes } = fakeDatabase();
    const own = { db } as unknown as Context;
    const forgotten = withStoredAnswer(own, reservation, ({ db: keeping }) => keeping.write(CHANGE, []));
    await expect(forgotten).rejects.toThrow(new TypeError("a names no answer to store"));
    expect(writes).toEqual([]);
  });

  it("releases the key if it does not succeed", async () => {
    const { ctx, notes } = context(reservation);
    await releaseReservation(ctx, reservation);
    expect(notes).toEqual([[written(deleteReservation(reservation))]]);
  });
});

it("a key is deleted after a day", () => {
  const { ctx } = context(undefined);
  expect(written(deleteOldKeys(ctx))).toEqual(written(deleteStartedBefore(NOW - DAY)));
});
