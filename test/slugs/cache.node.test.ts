import { describe, expect, it } from "vitest";
import { leased, parseEntry, readEntry, STALE_SECONDS, writeEntry } from "../../src/slugs/cache";
import { fakeKv } from "../fakes";

const ENTRY = {
  rev: 3,
  target: "https://a.example/",
  link: "L",
  asset: null,
  life: null,
  refreshAt: 61_000,
  expiresAt: 301_000,
};

describe("an entry", () => {
  it("is fresh for one minute and valid for five, counted from before the read", () => {
    expect(
      leased({ rev: 3, target: "https://a.example/", link: "L", asset: null, life: null }, 1_000),
    ).toEqual(ENTRY);
  });

  it.each([
    ["a minute old, as every value of the release before", 60, 120],
    ["kept for two minutes", 120, 240],
    ["kept for four", 240, 240],
    ["with its own time", 9_000_000, 240],
    ["due before it was read", -5, 60],
  ])("that is refreshed and unchanged is fresh for twice as long, up to four minutes: %s", (_, was, is) => {
    const before = { ...ENTRY, refreshAt: 1_000 + was * 1000 };
    const entry = leased(ENTRY, 500_000, before);
    expect(entry).toEqual({ ...ENTRY, refreshAt: 500_000 + is * 1000, expiresAt: 800_000 });
  });

  it.each([{ rev: 4 }, { target: "https://b.example/" }, { target: null }, { link: "M" }])(
    "that is refreshed and changed is fresh for a minute: %j",
    (changed) => {
      const before = { ...ENTRY, refreshAt: 241_000 };
      expect(leased({ ...ENTRY, ...changed }, 500_000, before)).toMatchObject({ refreshAt: 560_000 });
    },
  );

  it("is written with a TTL of lease plus stale time, and read with a cacheTtl of 30 s", async () => {
    const { kv, values, options } = fakeKv();
    expect(await readEntry(kv, "a")).toBeUndefined();
    await writeEntry(kv, "a", ENTRY);
    expect([...values.keys()]).toEqual(["a"]);
    expect(await readEntry(kv, "a")).toEqual(ENTRY);
    const reading = { type: "text", cacheTtl: 30 };
    expect(options).toEqual([reading, { expirationTtl: 300 + STALE_SECONDS }, reading]);
    expect(STALE_SECONDS).toBe(3600);
  });

  it.each([
    ["a slug without a link", { target: null, link: null }],
    ["a link that was taken down", { target: null }],
  ])("can be that of %s", (_, fields) => {
    expect(parseEntry(JSON.stringify({ ...ENTRY, ...fields }))).toEqual({ ...ENTRY, ...fields });
  });

  it("keeps only known fields", () => {
    expect(parseEntry(JSON.stringify({ ...ENTRY, more: 1 }))).toEqual(ENTRY);
  });

  it.each([
    null,
    "",
    "{",
    "null",
    "1",
    '"text"',
    "[]",
    "{}",
    ...["rev", "refreshAt", "expiresAt"].flatMap((name) =>
      [undefined, null, "3", 1.5, true].map((value) => JSON.stringify({ ...ENTRY, [name]: value })),
    ),
    ...["target", "link"].flatMap((name) =>
      [undefined, 1, {}].map((value) => JSON.stringify({ ...ENTRY, [name]: value })),
    ),
  ])("is not %s", (text) => {
    expect(parseEntry(text)).toBeUndefined();
  });
});
