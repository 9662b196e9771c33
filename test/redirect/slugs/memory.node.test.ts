import { beforeEach, describe, expect, it } from "vitest";
import { leased } from "../../../src/redirect/slugs/cache";
import {
  findRemembered,
  isKvOutdated,
  markChanged,
  markPushed,
  remember,
  type SlugMemory,
  shareLookup,
  slugMemoryOf,
} from "../../../src/redirect/slugs/memory";
import { fakeKv } from "../../fakes";

const READ_AT = 1_000_000;
const entry = leased(
  { rev: 1, target: "https://a.example/", link: "L", asset: null, activeWindow: null },
  READ_AT,
);

let memory: SlugMemory;
beforeEach(() => {
  memory = slugMemoryOf(fakeKv().kv);
});

const keep = (key: string, own = entry, readAt = READ_AT) =>
  remember(memory, key, own, readAt, memory.changes);

describe("an instance", () => {
  it("has its own memory", () => {
    const { kv } = fakeKv();
    const own = slugMemoryOf(kv);
    expect(own).toEqual({
      remembered: new Map(),
      pendingLookups: new Map(),
      outdated: new Map(),
      changes: 0,
    });
    expect(slugMemoryOf(kv)).toBe(own);
    expect(memory).not.toBe(own);
  });

  it.each([
    [0, true],
    [4_999, true],
    [5_000, false],
    [-1, false],
  ])("returns a stored entry %i ms after the read: %s", (ms, known) => {
    keep("a");
    expect(findRemembered(memory, "a", READ_AT + ms)).toBe(known ? entry : undefined);
    expect(memory.remembered.has("a")).toBe(known);
    expect(findRemembered(memory, "b", READ_AT + ms)).toBeUndefined();
  });

  it("forgets an entry whose lease has expired", () => {
    const ending = { ...entry, expiresAt: READ_AT + 100 };
    keep("a", ending);
    expect(findRemembered(memory, "a", READ_AT + 99)).toBe(ending);
    expect(findRemembered(memory, "a", READ_AT + 100)).toBeUndefined();
  });

  it("stores no entry read before one of its own changes", () => {
    const { changes } = memory;
    markChanged(memory, "b", READ_AT);
    remember(memory, "a", entry, READ_AT, changes);
    expect(findRemembered(memory, "a", READ_AT)).toBeUndefined();
    remember(memory, "a", entry, READ_AT, memory.changes);
    expect(findRemembered(memory, "a", READ_AT)).toBe(entry);
  });

  it("remembers 1,000 slugs, and evicts the oldest", () => {
    for (let number = 0; number < 1_000; number++) keep(`s${number}`);
    keep("s0");
    expect(memory.remembered.size).toBe(1_000);
    keep("s1000");
    expect(memory.remembered.size).toBe(1_000);
    expect(["s0", "s1", "s2", "s1000"].map((key) => memory.remembered.has(key))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});

describe("a slug that this instance changed", () => {
  it("is forgotten, with its pending lookup", () => {
    keep("a");
    keep("b");
    memory.pendingLookups.set("a", Promise.resolve(entry));
    expect(markChanged(memory, "a", READ_AT)).toBe(1);
    expect(markChanged(memory, "c", READ_AT)).toBe(2);
    expect([...memory.remembered.keys()]).toEqual(["b"]);
    expect(memory.pendingLookups.size).toBe(0);
  });

  it("is outdated in KV until it is pushed or the leases expire", () => {
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(false);
    const change = markChanged(memory, "a", READ_AT);
    expect(isKvOutdated(memory, "a", READ_AT + 299_999)).toBe(true);
    expect(isKvOutdated(memory, "b", READ_AT)).toBe(false);
    markPushed(memory, "b", change);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(true);
    markPushed(memory, "a", change);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(false);

    markChanged(memory, "a", READ_AT);
    expect(isKvOutdated(memory, "a", READ_AT + 300_000)).toBe(false);
    expect(memory.outdated.size).toBe(0);
  });

  it("stays outdated after the push of an older change, not after that of a newer one", () => {
    const first = markChanged(memory, "a", READ_AT);
    const second = markChanged(memory, "a", READ_AT);
    markPushed(memory, "a", first);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(true);
    markPushed(memory, "a", second + 1);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(false);
  });

  it("is one of at most 10,000: past that, every slug is outdated until the oldest expires", () => {
    for (let number = 0; number < 10_000; number++) markChanged(memory, `s${number}`, READ_AT + number);
    expect(isKvOutdated(memory, "another", READ_AT + 10_000)).toBe(false);
    markChanged(memory, "one more", READ_AT + 10_000);
    expect(memory.outdated.size).toBe(10_000);
    for (const key of ["s0", "s1", "another"])
      expect(isKvOutdated(memory, key, READ_AT + 299_999)).toBe(true);
    expect(isKvOutdated(memory, "s0", READ_AT + 300_000)).toBe(false);
    expect(isKvOutdated(memory, "s1", READ_AT + 300_000)).toBe(true);
  });

  it("is removed when it expires, even without a visit", () => {
    for (let number = 0; number < 20_000; number++)
      markChanged(memory, `s${number}`, READ_AT + number * 1_000);
    expect(memory.outdated.size).toBe(300);
    expect(memory.allOutdatedUntil).toBeUndefined();
  });
});

it("at most 1,000 lookups are pending; the oldest is evicted", () => {
  const never = new Promise<undefined>(() => undefined);
  for (let number = 0; number < 1_001; number++) shareLookup(memory, `s${number}`, never);
  expect(memory.pendingLookups.size).toBe(1_000);
  shareLookup(memory, "s1", never);
  expect(memory.pendingLookups.size).toBe(1_000);
  expect([memory.pendingLookups.has("s0"), memory.pendingLookups.has("s1")]).toEqual([false, true]);
});
