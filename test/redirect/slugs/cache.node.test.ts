import { describe, expect, it } from "vitest";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import {
  type CacheEntry,
  leased,
  parseEntry,
  readEntry,
  STALE_SECONDS,
  writeEntry,
} from "../../../src/redirect/slugs/cache";
import { fakeKv } from "../../fakes";
import { OPEN_LINK } from "./rows";

const KEY = slugKey(SHORT_HOST, "a");

const ENTRY = {
  ...OPEN_LINK,
  refreshAt: 61_000,
  expiresAt: 301_000,
};

const LIFE = { startsAt: 5, endsAt: 7, endedUrl: "https://over.example/" };

const BRAND = { name: "Acme", colour: null };
const PREVIEW = { title: "Sale", text: null, image: "https://b.example/sale.png" };
const RULE = {
  ...{ key: "k", target: "https://rule.example/", countries: ["CH"], devices: null, languages: null },
  ...{ startsAt: null, endsAt: 7, share: 50 },
};

describe("an entry", () => {
  it("is fresh for one minute and valid for five, counted from before the read", () => {
    expect(leased(OPEN_LINK, 1_000)).toEqual(ENTRY);
  });

  it.each([
    ["a minute old", 60, 120],
    ["kept for two minutes", 120, 240],
    ["kept for four", 240, 240],
    ["with its own time", 9_000_000, 240],
    ["due before it was read", -5, 60],
  ])("that is refreshed and unchanged is fresh for twice as long, up to four minutes: %s", (_, was, is) => {
    const before = { ...ENTRY, refreshAt: 1_000 + was * 1000 };
    const entry = leased(ENTRY, 500_000, before);
    expect(entry).toEqual({ ...ENTRY, refreshAt: 500_000 + is * 1000, expiresAt: 800_000 });
  });

  it.each([
    { rev: 4 },
    { target: "https://b.example/" },
    { target: null },
    { link: "M" },
    { asset: "A" },
    { activeWindow: { ...LIFE, startsAt: 6 } },
    { activeWindow: { ...LIFE, endsAt: 6 } },
    { activeWindow: { ...LIFE, endedUrl: null } },
    { activeWindow: null },
    { notFound: "https://c.example/" },
    { rules: [RULE] },
    { preview: PREVIEW },
    { brand: BRAND },
  ])("that is refreshed and changed is fresh for a minute: %j", (changed) => {
    const before = { ...ENTRY, activeWindow: LIFE, refreshAt: 241_000 };
    expect(leased({ ...before, ...changed }, 500_000, before)).toMatchObject({ refreshAt: 560_000 });
  });

  it.each([null, LIFE, { startsAt: null, endsAt: 0, endedUrl: null }])(
    "that is refreshed with the same active window is fresh for longer: %j",
    (activeWindow) => {
      const before = { ...ENTRY, activeWindow: activeWindow && { ...activeWindow }, refreshAt: 121_000 };
      expect(leased({ ...ENTRY, activeWindow }, 500_000, before)).toMatchObject({ refreshAt: 740_000 });
    },
  );

  it("is written with a TTL of lease plus stale time, and read with a cacheTtl of 30 s", async () => {
    const { kv, values, options } = fakeKv();
    expect(await readEntry(kv, KEY)).toBeUndefined();
    await writeEntry(kv, KEY, ENTRY);
    expect([...values.keys()]).toEqual(["a"]);
    expect(await readEntry(kv, KEY)).toEqual(ENTRY);
    const reading = { type: "text", cacheTtl: 30 };
    expect(options).toEqual([reading, { expirationTtl: 300 + STALE_SECONDS }, reading]);
    expect(STALE_SECONDS).toBe(3600);
  });

  it.each(["asset", "active_window"])("without %s is that of an open link", (name) => {
    const old = Object.fromEntries(Object.entries(ENTRY).filter(([field]) => field !== name));
    expect(parseEntry(JSON.stringify(old))).toEqual(ENTRY);
  });

  it.each<Partial<CacheEntry>>([
    {},
    { target: null, link: null },
    { target: null },
    { asset: "A" },
    { activeWindow: LIFE },
    { activeWindow: { startsAt: 0, endsAt: null, endedUrl: null } },
    { activeWindow: { startsAt: null, endsAt: -1, endedUrl: null } },
    { rules: [RULE] },
    { preview: PREVIEW },
    { brand: BRAND },
    { notFound: "https://c.example/" },
    { asset: "A", activeWindow: LIFE },
  ])(
    "is read as it was written, and without asset and active window takes no room for them: %j",
    async (fields) => {
      const { kv, values } = fakeKv();
      await writeEntry(kv, KEY, { ...ENTRY, ...fields });
      expect(await readEntry(kv, KEY)).toEqual({ ...ENTRY, ...fields });
      const more = Object.keys(fields).map((name) =>
        name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
      );
      const names = ["rev", "workspace", "target", "link", "refreshAt", "expiresAt", ...more];
      expect(new Set(Object.keys(JSON.parse(values.get("a") ?? "{}")))).toEqual(new Set(names));
    },
  );

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
    ...[1, {}, true].map((asset) => JSON.stringify({ ...ENTRY, asset })),
    ...[0, "", "never", true, [], {}].map((activeWindow) =>
      JSON.stringify({ ...ENTRY, active_window: activeWindow }),
    ),
    ...["startsAt", "endsAt"].flatMap((name) =>
      [undefined, "5", 5.5, true, {}].map((value) =>
        JSON.stringify({ ...ENTRY, active_window: { ...LIFE, [name]: value } }),
      ),
    ),
    ...[undefined, 5, {}].map((endedUrl) =>
      JSON.stringify({ ...ENTRY, active_window: { ...LIFE, endedUrl } }),
    ),
    ...[0, "", true, {}, [null], [{}], [RULE, {}]].map((rules) => JSON.stringify({ ...ENTRY, rules })),
    ...[0, "", true, [], {}].map((preview) => JSON.stringify({ ...ENTRY, preview })),
    ...[0, "", true, [], {}, { name: 1, colour: null }, { name: null }].map((brand) =>
      JSON.stringify({ ...ENTRY, brand }),
    ),
    ...Object.keys(PREVIEW).map((name) => JSON.stringify({ ...ENTRY, preview: { ...PREVIEW, [name]: 1 } })),
    ...Object.keys(RULE).flatMap((name) =>
      [undefined, {}, true].map((value) => JSON.stringify({ ...ENTRY, rules: [{ ...RULE, [name]: value }] })),
    ),
  ])("is not %s", (text) => {
    expect(parseEntry(text)).toBeUndefined();
  });
});
