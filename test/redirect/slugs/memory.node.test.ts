import { beforeEach, describe, expect, it } from "vitest";
import { RecentMap } from "../../../src/lib/memory";
import { leased } from "../../../src/redirect/slugs/cache";
import {
  findRemembered,
  isInDoubt,
  isKvOutdated,
  markChanged,
  markPushed,
  remember,
  type SlugMemory,
  slugMemoryOf,
} from "../../../src/redirect/slugs/memory";
import { fakeKv } from "../../fakes";
import { OPEN_LINK } from "./rows";

const READ_AT = 1_000_000;
const entry = leased(OPEN_LINK, READ_AT);

let memory: SlugMemory;
beforeEach(() => {
  memory = slugMemoryOf(fakeKv().kv);
});

const slug = (key: string, workspace = 1) => ({ key, workspace_id: workspace });

const keep = (key: string, own = entry, readAt = READ_AT) =>
  remember(memory, key, own, readAt, memory.changes);

describe("an instance", () => {
  it("has its own memory", () => {
    const { kv } = fakeKv();
    const own = slugMemoryOf(kv);
    expect(own).toEqual({
      remembered: new RecentMap(1_000),
      rememberedWithRules: new RecentMap(100),
      pendingLookups: new RecentMap(1_000),
      outdated: new Map(),
      inDoubt: new Map(),
      changes: 0,
    });
    expect(slugMemoryOf(kv)).toBe(own);
    expect(memory).not.toBe(own);
  });

  it("remembers a hundred links with rules beside the others, and a link that gets some once", () => {
    const withRules = { ...entry, rules: [] };
    keep("first");
    keep("first", withRules);
    for (let number = 0; number < 100; number++) keep(`rules-${number}`, withRules);
    keep("plain");
    expect(findRemembered(memory, "first", READ_AT)).toBeUndefined();
    for (const key of ["rules-0", "rules-99", "plain"]) {
      expect(findRemembered(memory, key, READ_AT), key).toBeDefined();
    }
    markChanged(memory, slug("rules-0"), READ_AT);
    expect(findRemembered(memory, "rules-0", READ_AT)).toBeUndefined();
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
    markChanged(memory, slug("b"), READ_AT);
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
    expect(markChanged(memory, slug("a"), READ_AT)).toBe(1);
    expect(markChanged(memory, slug("c"), READ_AT)).toBe(2);
    expect([...memory.remembered.keys()]).toEqual(["b"]);
    expect(memory.pendingLookups.size).toBe(0);
  });

  it("is outdated in KV until it is pushed or the leases expire", () => {
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(false);
    const change = markChanged(memory, slug("a"), READ_AT);
    expect(isKvOutdated(memory, "a", READ_AT + 299_999)).toBe(true);
    expect(isKvOutdated(memory, "b", READ_AT)).toBe(false);
    markPushed(memory, slug("b"), change);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(true);
    markPushed(memory, slug("a"), change);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(false);

    markChanged(memory, slug("a"), READ_AT);
    expect(isKvOutdated(memory, "a", READ_AT + 300_000)).toBe(false);
  });

  it("stays outdated after the push of an older change, not after that of a newer one", () => {
    const first = markChanged(memory, slug("a"), READ_AT);
    const second = markChanged(memory, slug("a"), READ_AT);
    markPushed(memory, slug("a"), first);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(true);
    markPushed(memory, slug("a"), second + 1);
    expect(isKvOutdated(memory, "a", READ_AT)).toBe(false);
  });

  it("is one of at most 2,000 of its workspace: past that, the workspace is in doubt until the oldest expires", () => {
    for (let number = 0; number < 2_000; number++) markChanged(memory, slug(`s${number}`), READ_AT + number);
    expect(isInDoubt(memory, 1, READ_AT + 2_000)).toBe(false);
    markChanged(memory, slug("one more"), READ_AT + 2_000);
    expect(isKvOutdated(memory, "s0", READ_AT + 2_000)).toBe(false);
    expect(isKvOutdated(memory, "s1", READ_AT + 2_000)).toBe(true);
    expect(isInDoubt(memory, 1, READ_AT + 299_999)).toBe(true);
    expect(isInDoubt(memory, 1, READ_AT + 300_000)).toBe(false);
  });

  it("does not put another workspace in doubt, however many its own changes", () => {
    markChanged(memory, slug("other", 2), READ_AT);
    for (let number = 0; number < 15_000; number++) markChanged(memory, slug(`s${number}`), READ_AT);
    expect([isInDoubt(memory, 1, READ_AT), isInDoubt(memory, 2, READ_AT)]).toEqual([true, false]);
    expect([isKvOutdated(memory, "other", READ_AT), isKvOutdated(memory, "another", READ_AT)]).toEqual([
      true,
      false,
    ]);
  });

  it("is one of at most 20,000 of all: past that, the workspace with most keeps half of its own", () => {
    for (let workspace = 2; workspace < 12; workspace++)
      for (let number = 0; number < 1_999; number++)
        markChanged(memory, slug(`${workspace} ${number}`, workspace), READ_AT);
    for (let number = 0; number < 11; number++) markChanged(memory, slug(`s${number}`), READ_AT);
    const sizes = [...memory.outdated].map(([workspace, { size }]) => [workspace, size]);
    expect(sizes).toEqual([
      [2, 999],
      ...Array.from({ length: 9 }, (_, index) => [index + 3, 1_999]),
      [1, 11],
    ]);
    expect([isInDoubt(memory, 1, READ_AT), isInDoubt(memory, 2, READ_AT)]).toEqual([false, true]);
  });

  it("is removed when it expires, even without a visit", () => {
    for (let number = 0; number < 20_000; number++)
      markChanged(memory, slug(`s${number}`), READ_AT + number * 1_000);
    expect(memory.outdated.get(1)?.size).toBe(300);
    expect(memory.inDoubt.size).toBe(0);
  });
});

it("at most 1,000 lookups are pending; the oldest is evicted", () => {
  const never = new Promise<undefined>(() => undefined);
  for (let number = 0; number < 1_001; number++) memory.pendingLookups.set(`s${number}`, never);
  expect(memory.pendingLookups.size).toBe(1_000);
  memory.pendingLookups.set("s1", never);
  expect(memory.pendingLookups.size).toBe(1_000);
  expect([memory.pendingLookups.has("s0"), memory.pendingLookups.has("s1")]).toEqual([false, true]);
});

describe("changes of all workspaces that KV does not know yet", () => {
  const change = (workspace: number, number: number, now: number) => {
    for (let index = 0; index < number; index++)
      markChanged(memory, slug(`${workspace}-${index}`, workspace), now);
  };

  it("are not in doubt where those that have lapsed make room", () => {
    change(11, 1, READ_AT);
    for (let workspace = 1; workspace <= 10; workspace++) change(workspace, 2_000, READ_AT + 300_000);
    expect(memory.inDoubt.size).toBe(0);
    expect(memory.outdated.has(11)).toBe(false);
  });

  it("put the workspace that has most of them in doubt", () => {
    change(1, 500, READ_AT);
    for (let workspace = 2; workspace <= 11; workspace++) change(workspace, 1_950, READ_AT);
    expect(memory.inDoubt.size).toBe(0);
    change(12, 1, READ_AT);
    expect([...memory.inDoubt.keys()]).toEqual([2]);
    expect(memory.outdated.get(2)?.size).toBe(975);
  });
});
