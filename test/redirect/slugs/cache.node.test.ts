import { describe, expect, it } from "vitest";
import { SHORT_HOST, slugKey } from "../../../src/lib/slug-text";
import {
  type CacheEntry,
  isSame,
  parseEntry,
  readEntry,
  writeEntry,
} from "../../../src/redirect/slugs/cache";
import { fakeKv } from "../../fakes";
import { OPEN_LINK } from "./rows";

const KEY = slugKey(SHORT_HOST, "a");

const ENTRY = { ...OPEN_LINK, readAt: 1_000 };
/** The same as KV has it. */
const VALUE = { ...OPEN_LINK, read_at: 1_000 };

const LIFE = { startsAt: 5, endsAt: 7, endedUrl: "https://over.example/" };

const BRAND = { name: "Acme", colour: null };
const PREVIEW = { title: "Sale", text: null, image: "https://b.example/sale.png" };
const RULE = {
  ...{ key: "k", target: "https://rule.example/", countries: ["CH"], devices: null, languages: null },
  ...{ startsAt: null, endsAt: 7, share: 50 },
};

describe("an entry", () => {
  it.each<Partial<CacheEntry>>([
    { rev: 4 },
    { target: "https://b.example/" },
    { target: null },
    { link: "M" },
    { asset: "A" },
    { group: "G" },
    { activeWindow: { ...LIFE, startsAt: 6 } },
    { activeWindow: { ...LIFE, endsAt: 6 } },
    { activeWindow: { ...LIFE, endedUrl: null } },
    { activeWindow: null },
    { notFound: "https://c.example/" },
    { rules: [RULE] },
    { preview: PREVIEW },
    { brand: BRAND },
  ])("is another with %j, but not with another time of its read", (changed) => {
    const entry = { ...ENTRY, activeWindow: LIFE };
    expect(isSame(entry, { ...entry, ...changed })).toBe(false);
    expect(isSame(entry, { ...entry, readAt: 2_000 })).toBe(true);
  });

  it("is written for 35 days under its epoch, and read with a cacheTtl of 30 s", async () => {
    const { kv, values, options } = fakeKv();
    const cache = { kv, epoch: "7" };
    expect(await readEntry(cache, KEY)).toBeUndefined();
    await writeEntry(cache, KEY, ENTRY);
    expect([...values.keys()]).toEqual(["7:a"]);
    expect(await readEntry(cache, KEY)).toEqual(ENTRY);
    const reading = { type: "text", cacheTtl: 30 };
    expect(options).toEqual([reading, { expirationTtl: 35 * 86_400 }, reading]);
  });

  it.each(["asset", "active_window"])("without %s is that of an open link", (name) => {
    const old = Object.fromEntries(Object.entries(VALUE).filter(([field]) => field !== name));
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
    { group: "G" },
    { asset: "A", activeWindow: LIFE },
  ])(
    "is read as it was written, and without asset and active window takes no room for them: %j",
    async (fields) => {
      const { kv, values } = fakeKv();
      const cache = { kv, epoch: "1" };
      await writeEntry(cache, KEY, { ...ENTRY, ...fields });
      expect(await readEntry(cache, KEY)).toEqual({ ...ENTRY, ...fields });
      const more = Object.keys(fields).map((name) =>
        name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
      );
      const names = ["rev", "workspace", "target", "link", "read_at", ...more];
      expect(new Set(Object.keys(JSON.parse(values.get("1:a") ?? "{}")))).toEqual(new Set(names));
    },
  );

  it("keeps only known fields", () => {
    expect(parseEntry(JSON.stringify({ ...VALUE, more: 1 }))).toEqual(ENTRY);
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
    ...["rev", "read_at", "workspace"].flatMap((name) =>
      [undefined, null, "3", 1.5, true].map((value) => JSON.stringify({ ...VALUE, [name]: value })),
    ),
    ...["target", "link"].flatMap((name) =>
      [undefined, 1, {}].map((value) => JSON.stringify({ ...VALUE, [name]: value })),
    ),
    ...[1, {}, true].map((group) => JSON.stringify({ ...VALUE, group })),
    ...[1, {}, true].map((asset) => JSON.stringify({ ...VALUE, asset })),
    ...[0, "", "never", true, [], {}].map((activeWindow) =>
      JSON.stringify({ ...VALUE, active_window: activeWindow }),
    ),
    ...["startsAt", "endsAt"].flatMap((name) =>
      [undefined, "5", 5.5, true, {}].map((value) =>
        JSON.stringify({ ...VALUE, active_window: { ...LIFE, [name]: value } }),
      ),
    ),
    ...[undefined, 5, {}].map((endedUrl) =>
      JSON.stringify({ ...VALUE, active_window: { ...LIFE, endedUrl } }),
    ),
    ...[0, "", true, {}, [null], [{}], [RULE, {}]].map((rules) => JSON.stringify({ ...VALUE, rules })),
    ...[0, "", true, [], {}].map((preview) => JSON.stringify({ ...VALUE, preview })),
    ...[0, "", true, [], {}, { name: 1, colour: null }, { name: null }].map((brand) =>
      JSON.stringify({ ...VALUE, brand }),
    ),
    ...Object.keys(PREVIEW).map((name) => JSON.stringify({ ...VALUE, preview: { ...PREVIEW, [name]: 1 } })),
    ...Object.keys(RULE).flatMap((name) =>
      [undefined, {}, true].map((value) => JSON.stringify({ ...VALUE, rules: [{ ...RULE, [name]: value }] })),
    ),
  ])("is not %s", (text) => {
    expect(parseEntry(text)).toBeUndefined();
  });
});
