import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { selectUsage } from "../../../src/access/workspace-statements";
import type { Context } from "../../../src/context";
import { KeyHeld, withIdempotencyKey } from "../../../src/http/idempotency/idempotency";
import {
  deleteReservation,
  type IdempotencyRow,
  type Reservation,
  selectHolder,
  updateAnswer,
  upsertReservation,
} from "../../../src/http/idempotency/idempotency-repository";
import { etagOf } from "../../../src/lib/etag";
import { fakeDatabase, written } from "../../fakes";

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

function withKey(...answers: (readonly unknown[][])[]) {
  const { db, reads, writes, notes } = fakeDatabase(...answers);
  return { ctx: { db, now: Date.now } as unknown as Context, reads, writes, notes };
}
const rule = selectUsage(3);
const reading = (holding?: IdempotencyRow) => [[], holding === undefined ? [] : [holding], ["use"]];

/** What a verb reads while its request has the key. */
const readIn = async (ctx: Context): Promise<unknown> => {
  let results: unknown;
  await withIdempotencyKey(ctx, reservation, async ({ db }) => {
    results = await db.read(rule);
    return {};
  });
  return results;
};

const heldBack = (outcome: object) => ({ outcome: expect.objectContaining(outcome) });

describe("a request with a key", () => {
  it("whose reservation fails because the API key has been revoked meanwhile is 401", async () => {
    await expect(readIn(withKey(reading()).ctx)).rejects.toMatchObject(heldBack({ status: 401 }));
  });

  it("reserves it with what the verb reads", async () => {
    const { ctx, reads } = withKey(reading(ours));
    expect(await readIn(ctx)).toEqual([["use"]]);
    expect(reads).toEqual([
      [
        written(upsertReservation(reservation, NOW, NOW - 30_000, NOW - DAY)),
        written(selectHolder(reservation)),
        written(rule),
      ],
    ]);
  });

  it("that has a stored response gets that, and leaves the key alone", async () => {
    const { ctx, notes } = withKey(reading(done));
    await expect(readIn(ctx)).rejects.toMatchObject(heldBack({ status: 201, body: "{}", etag: '"e"' }));
    expect(notes).toEqual([]);
  });

  it("of a different request is refused, whether that one is finished or not", async () => {
    for (const other of [held({ fingerprint: "g" }), { ...done, fingerprint: "g" }]) {
      await expect(readIn(withKey(reading(other)).ctx)).rejects.toMatchObject(
        heldBack({
          status: 422,
          body: expect.objectContaining({
            errors: { idempotency_key: ["The idempotency key has already been used with another request."] },
          }),
        }),
      );
    }
  });

  it.each([held(), held({ status: 201 }), held({ body: "{}" })])(
    "waits for another request with its key and returns that response: %j",
    async (running) => {
      const { ctx, reads } = withKey(reading(running), [[running]], [[done]], reading(done));
      const answer = expect(readIn(ctx)).rejects.toBeInstanceOf(KeyHeld);
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
    const { ctx, reads } = withKey(reading(held()), [holding === undefined ? [] : [holding]], reading(ours));
    const results = readIn(ctx);
    await vi.advanceTimersByTimeAsync(50);
    expect(await results).toEqual([["use"]]);
    expect([reads.length, vi.getTimerCount()]).toEqual([3, 0]);
  });

  it("keeps waiting for a request that started exactly 30 seconds ago", async () => {
    const running = held({ started_at: NOW - 29_950 });
    const { ctx, reads } = withKey(reading(running), [[running]], [[done]], reading(done));
    const answer = expect(readIn(ctx)).rejects.toBeInstanceOf(KeyHeld);
    await vi.advanceTimersByTimeAsync(149);
    expect(reads.length).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(reads.length).toBe(4);
  });

  it("waits at most five seconds in total", async () => {
    const { ctx, reads } = withKey(reading(held()), ...Array.from({ length: 20 }, () => [[held()]]));
    const times: number[] = [];
    const read = ((...asked) => {
      times.push(Date.now() - NOW);
      return ctx.db.read(...asked);
    }) as typeof ctx.db.read;
    const timed = { ...ctx, db: { ...ctx.db, read } };
    const answer = expect(readIn(timed)).rejects.toMatchObject(
      heldBack({ status: 409, headers: { "Retry-After": "1" } }),
    );
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
    const { ctx, writes, notes } = withKey();
    const resource = { id: "a" };
    await withIdempotencyKey(ctx, reservation, ({ db }) => db.write({ ...CHANGE, answer: resource }, []));
    const [write] = writes;
    expect(write?.statements).toEqual([written(updateAnswer(reservation, await answerTo(resource)))]);
    const guards = write?.change.guards ?? [];
    expect(guards.map((guard) => written(guard).params)).toEqual([[5, "k", "o"]]);
    expect(notes).toEqual([]);
  });

  it("stores its response even if there is nothing to write", async () => {
    const { ctx, notes } = withKey();
    const resource = { id: "a" };
    expect(await withIdempotencyKey(ctx, reservation, async () => resource)).toBe(resource);
    expect(notes).toEqual([[written(updateAnswer(reservation, await answerTo(resource)))]]);
  });

  it("writes nothing without a response to store, and frees the key", async () => {
    const { ctx, writes, notes } = withKey();
    const forgotten = withIdempotencyKey(ctx, reservation, ({ db }) => db.write(CHANGE, []));
    await expect(forgotten).rejects.toThrow(new TypeError("a names no answer to store"));
    expect(writes).toEqual([]);
    expect(notes).toEqual([[written(deleteReservation(reservation))]]);
  });
});
