import { beforeEach, describe, expect, it } from "vitest";
import { leased } from "../../src/slugs/cache";
import {
  caughtUp,
  forget,
  type Isolate,
  isOutdated,
  isolateOf,
  recall,
  remember,
  shareLookup,
} from "../../src/slugs/isolate";
import { fakeKv } from "../fakes";

const READ_AT = 1_000_000;
const entry = leased({ rev: 1, target: "https://a.example/", link: "L" }, READ_AT);

let isolate: Isolate;
beforeEach(() => {
  isolate = isolateOf(fakeKv().kv);
});

const keep = (key: string, own = entry, readAt = READ_AT) =>
  remember(isolate, key, own, readAt, isolate.changes);

describe("an instance", () => {
  it("has a memory of its own, and the same one every time", () => {
    const { kv } = fakeKv();
    const own = isolateOf(kv);
    expect(own).toEqual({
      remembered: new Map(),
      pendingLookups: new Map(),
      outdated: new Map(),
      changes: 0,
    });
    expect(isolateOf(kv)).toBe(own);
    expect(isolate).not.toBe(own);
  });

  it.each([
    [0, true],
    [4_999, true],
    [5_000, false],
    [-1, false],
  ])("recalls %i ms after the read what it remembers: %s", (ms, known) => {
    keep("a");
    expect(recall(isolate, "a", READ_AT + ms)).toBe(known ? entry : undefined);
    expect(isolate.remembered.has("a")).toBe(known);
    expect(recall(isolate, "b", READ_AT + ms)).toBeUndefined();
  });

  it("recalls nothing whose lease is over", () => {
    const ending = { ...entry, expiresAt: READ_AT + 100 };
    keep("a", ending);
    expect(recall(isolate, "a", READ_AT + 99)).toBe(ending);
    expect(recall(isolate, "a", READ_AT + 100)).toBeUndefined();
  });

  it("remembers nothing that was read before a change of its own", () => {
    const { changes } = isolate;
    forget(isolate, "b", READ_AT);
    remember(isolate, "a", entry, READ_AT, changes);
    expect(recall(isolate, "a", READ_AT)).toBeUndefined();
    remember(isolate, "a", entry, READ_AT, isolate.changes);
    expect(recall(isolate, "a", READ_AT)).toBe(entry);
  });

  it("remembers a thousand slugs, and gives up the one read longest ago", () => {
    for (let number = 0; number < 1_000; number++) keep(`s${number}`);
    keep("s0");
    expect(isolate.remembered.size).toBe(1_000);
    keep("s1000");
    expect(isolate.remembered.size).toBe(1_000);
    expect(["s0", "s1", "s2", "s1000"].map((key) => isolate.remembered.has(key))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});

describe("a slug that this instance changed", () => {
  it("is forgotten, with the look-up of it that is under way", () => {
    keep("a");
    keep("b");
    isolate.pendingLookups.set("a", Promise.resolve(entry));
    expect(forget(isolate, "a", READ_AT)).toBe(1);
    expect(forget(isolate, "c", READ_AT)).toBe(2);
    expect([...isolate.remembered.keys()]).toEqual(["b"]);
    expect(isolate.pendingLookups.size).toBe(0);
  });

  it("is not believed of KV until its own push is there, or leases are over", () => {
    expect(isOutdated(isolate, "a", READ_AT)).toBe(false);
    const change = forget(isolate, "a", READ_AT);
    expect(isOutdated(isolate, "a", READ_AT + 299_999)).toBe(true);
    expect(isOutdated(isolate, "b", READ_AT)).toBe(false);
    caughtUp(isolate, "b", change);
    expect(isOutdated(isolate, "a", READ_AT)).toBe(true);
    caughtUp(isolate, "a", change);
    expect(isOutdated(isolate, "a", READ_AT)).toBe(false);

    forget(isolate, "a", READ_AT);
    expect(isOutdated(isolate, "a", READ_AT + 300_000)).toBe(false);
    expect(isolate.outdated.size).toBe(0);
  });

  it("is not believed after the push of an older change, and is after that of a newer one", () => {
    const first = forget(isolate, "a", READ_AT);
    const second = forget(isolate, "a", READ_AT);
    caughtUp(isolate, "a", first);
    expect(isOutdated(isolate, "a", READ_AT)).toBe(true);
    caughtUp(isolate, "a", second + 1);
    expect(isOutdated(isolate, "a", READ_AT)).toBe(false);
  });

  it("is one of ten thousand at most: beyond them KV is believed of no slug until the oldest's time is up", () => {
    for (let number = 0; number < 10_000; number++) forget(isolate, `s${number}`, READ_AT + number);
    expect(isOutdated(isolate, "another", READ_AT + 10_000)).toBe(false);
    forget(isolate, "one more", READ_AT + 10_000);
    expect(isolate.outdated.size).toBe(10_000);
    for (const key of ["s0", "s1", "another"]) expect(isOutdated(isolate, key, READ_AT + 299_999)).toBe(true);
    expect(isOutdated(isolate, "s0", READ_AT + 300_000)).toBe(false);
    expect(isOutdated(isolate, "s1", READ_AT + 300_000)).toBe(true);
  });

  it("leaves no trace when its time is up, visited or not", () => {
    for (let number = 0; number < 20_000; number++) forget(isolate, `s${number}`, READ_AT + number * 1_000);
    expect(isolate.outdated.size).toBe(300);
    expect(isolate.distrustsKvUntil).toBeUndefined();
  });
});

it("look-ups that never end are a thousand at most, the oldest is no longer shared", () => {
  const never = new Promise<undefined>(() => undefined);
  for (let number = 0; number < 1_001; number++) shareLookup(isolate, `s${number}`, never);
  shareLookup(isolate, "s1", never);
  expect(isolate.pendingLookups.size).toBe(1_000);
  expect([isolate.pendingLookups.has("s0"), isolate.pendingLookups.has("s1")]).toEqual([false, true]);
});
