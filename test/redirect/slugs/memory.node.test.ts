import { beforeEach, describe, expect, it } from "vitest";
import type { CacheEntry } from "../../../src/redirect/slugs/cache";
import {
  findDoubt,
  listChange,
  listWideChange,
  replaceList,
  takesList,
} from "../../../src/redirect/slugs/doubts";
import {
  type Doubt,
  findRemembered,
  remember,
  type SlugMemory,
  slugMemoryOf,
} from "../../../src/redirect/slugs/slug-memory";
import { fakeKv } from "../../fakes";
import { OPEN_LINK } from "./rows";

const READ_AT = 1_000_000;
const entry: CacheEntry = { ...OPEN_LINK, read_at: READ_AT };

let memory: SlugMemory;
beforeEach(() => {
  memory = slugMemoryOf(fakeKv().kv);
});

const keep = (key: string, own = entry, readAt = READ_AT) =>
  remember(memory, key, own, readAt, memory.changes);
const change = (key: string, state: Doubt["state"] = null, workspace = 1) =>
  listChange(memory, { key, workspace_id: workspace }, state);
const isKept = (key: string, now = READ_AT) => findRemembered(memory, key, now) !== undefined;

describe("an instance", () => {
  it.each([
    [-1, false],
    [0, true],
    [4_999, true],
    [5_000, false],
  ])("has a slug %i ms after its read: %s", (age, found) => {
    keep("a");
    expect(isKept("a", READ_AT + age)).toBe(found);
  });

  it("does not remember a read from before a change of its own", () => {
    const { changes } = memory;
    change("b", null);
    remember(memory, "a", entry, READ_AT, changes);
    expect(isKept("a")).toBe(false);
  });

  it("forgets a slug that it changes, and a lookup of it that is pending", () => {
    keep("a");
    keep("b");
    memory.pendingLookups.set("a", Promise.resolve(undefined));
    change("a", null);
    expect([isKept("a"), isKept("b"), memory.pendingLookups.size]).toEqual([false, true, 0]);
  });
});

const ALWAYS = { countries: null, devices: null, languages: null, startsAt: null, endsAt: null, share: null };
const other: CacheEntry = { ...entry, workspace: 2, target: "https://www.other.example/x" };

describe("the list of doubts", () => {
  const doubtOf = (key: string, own: CacheEntry = entry) => findDoubt(memory, key, own)?.state;

  it("is asked for once a minute, and when the clock was set back", () => {
    const asked = [0, 59_999, 60_000, 119_999, 120_000, 30_000].map((time) =>
      takesList(memory, READ_AT + time),
    );
    expect(asked).toEqual([true, false, true, false, true, true]);
  });

  it.each<[string, string, CacheEntry, boolean]>([
    ["a", "a", entry, true],
    ["a", "b", entry, false],
    ["workspace::1", "b", entry, true],
    ["workspace::2", "b", entry, false],
    // A tombstone may be that of a former owner.
    ["workspace::2", "b", { ...entry, target: null, link: null }, true],
    ["workspace::2", "group:b/", { ...entry, target: null, link: null }, false],
    ["domain::go.example.com", "go.example.com/b", entry, true],
    ["domain::go.example.com", "b", entry, false],
    ["host::other.example", "b", other, true],
    ["host::www.other.example", "b", other, true],
    ["host::example", "b", other, true],
    ["host::ther.example", "b", other, false],
    ["host::other.example", "b", entry, false],
    [
      "host::over.example",
      "b",
      { ...entry, active_window: { startsAt: null, endsAt: 1, endedUrl: "https://over.example/" } },
      true,
    ],
    [
      "host::pic.example",
      "b",
      { ...entry, preview: { title: null, text: null, image: "https://pic.example/a.png" } },
      true,
    ],
    [
      "host::none.example",
      "go.example.com/",
      { ...entry, target: null, not_found: "https://none.example/" },
      true,
    ],
    ["host::none.example", "b", { ...entry, target: null }, true],
    ["host::none.example", "b", { ...entry, target: null, link: null }, false],
  ])("with %s has a doubt of %s: %#", (listed, key, own, isDoubtful) => {
    keep(key, own);
    replaceList(memory, [[listed, null]], false, 0);
    expect(findDoubt(memory, key, own) !== undefined).toBe(isDoubtful);
    // What is listed is forgotten when the list arrives.
    expect(isKept(key)).toBe(!isDoubtful);
  });

  it("keeps the changes of this instance that the asked D1 may not have had, and forgets the others", () => {
    change("before", null);
    const { changes } = memory;
    change("meanwhile", "gone");
    replaceList(memory, [["listed", "taken_down"]], false, changes);
    expect(["before", "meanwhile", "listed"].map((key) => doubtOf(key))).toEqual([
      undefined,
      "gone",
      "taken_down",
    ]);
  });

  it("prefers what visitors see without D1", () => {
    change("a", null);
    listWideChange(memory, "workspace", 1, "taken_down");
    expect(doubtOf("a")).toBe("taken_down");
  });

  it.each<[string, CacheEntry, Doubt["state"]]>([
    ["target", other, "taken_down"],
    [
      "address afterwards",
      { ...entry, active_window: { startsAt: null, endsAt: 1, endedUrl: other.target } },
      null,
    ],
    ["picture", { ...entry, preview: { title: null, text: null, image: other.target } }, null],
    ["rule", { ...entry, rules: [{ ...ALWAYS, key: "r", target: String(other.target) }] }, null],
  ])("says what visitors see of a link whose %s leads below a blocked host", (_, own, state) => {
    replaceList(memory, [["host::other.example", "taken_down"]], false, 0);
    expect(doubtOf("b", own)).toBe(state);
    // The narrower host was allowed a moment ago.
    replaceList(
      memory,
      [
        ["host::www.other.example", null],
        ["host::other.example", "taken_down"],
      ],
      false,
      0,
    );
    expect(doubtOf("b", own)).toBe(state);
  });

  it("of a whole forgets its slugs and all pending lookups, at once", () => {
    keep("a");
    keep("b", other);
    memory.pendingLookups.set("c", Promise.resolve(undefined));
    listWideChange(memory, "host", "other.example", "taken_down");
    expect([isKept("a"), isKept("b"), memory.pendingLookups.size]).toEqual([true, false, 0]);
  });

  it("with more than a thousand entries has a doubt of everything, until a shorter one arrives", () => {
    const long = Array.from({ length: 1_001 }, (_, index) => [`s${index}`, null] as const);
    keep("a");
    replaceList(memory, long, false, 0);
    expect([doubtOf("a"), isKept("a")]).toEqual([null, false]);
    replaceList(memory, long.slice(1), false, 0);
    expect(doubtOf("a")).toBeUndefined();
    replaceList(memory, [], true, 0);
    expect(doubtOf("a")).toBeNull();
  });

  it("has the workspace in place of more than 20 slugs that the instance has changed itself", () => {
    keep("a");
    keep("b", other);
    for (let number = 0; number < 20; number++) change(`s${number}`);
    expect([doubtOf("a"), isKept("a")]).toEqual([undefined, true]);
    change("more", "gone");
    change("again", "gone");
    expect([doubtOf("a"), isKept("a"), doubtOf("b", other), isKept("b")]).toEqual([
      null,
      false,
      undefined,
      true,
    ]);
    expect([doubtOf("s3"), doubtOf("more"), memory.doubts.size]).toEqual([null, null, 21]);
  });
});
