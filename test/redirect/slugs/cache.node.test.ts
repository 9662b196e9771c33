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

const ENTRY = { ...OPEN_LINK, read_at: 1_000 };

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
    { active_window: { ...LIFE, startsAt: 6 } },
    { active_window: { ...LIFE, endsAt: 6 } },
    { active_window: { ...LIFE, endedUrl: null } },
    { active_window: undefined },
    { not_found: "https://c.example/" },
    { rules: [RULE] },
    { preview: PREVIEW },
    { brand: BRAND },
  ])("is another with %j, but not with another time of its read", (changed) => {
    const entry = { ...ENTRY, active_window: LIFE };
    expect(isSame(entry, { ...entry, ...changed })).toBe(false);
    expect(isSame(entry, { ...entry, read_at: 2_000 })).toBe(true);
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

  it.each<Partial<CacheEntry>>([
    {},
    { target: null, link: null },
    { target: null },
    { asset: "A" },
    { active_window: LIFE },
    { group: "G" },
    { rules: [RULE] },
    { preview: PREVIEW },
    { brand: BRAND },
    { not_found: "https://c.example/" },
    { asset: "A", active_window: LIFE },
  ])("is read as it was written, and takes no room for what it does not have: %j", async (fields) => {
    const { kv, values } = fakeKv();
    const cache = { kv, epoch: "1" };
    await writeEntry(cache, KEY, { ...ENTRY, asset: undefined, ...fields });
    expect(await readEntry(cache, KEY)).toStrictEqual({ ...ENTRY, ...fields });
    const names = ["rev", "workspace", "target", "link", "read_at", ...Object.keys(fields)];
    expect(new Set(Object.keys(JSON.parse(values.get("1:a") ?? "{}")))).toEqual(new Set(names));
  });

  it.each([
    ...[null, "", "{", "null", "1", '"text"', "[]", "{}"],
    ...["rev", "read_at", "workspace"].flatMap((name) =>
      [undefined, null, "3", true].map((value) => JSON.stringify({ ...ENTRY, [name]: value })),
    ),
    ...["target", "link"].flatMap((name) =>
      [undefined, 1, {}].map((value) => JSON.stringify({ ...ENTRY, [name]: value })),
    ),
  ])("is not %s", (text) => {
    expect(parseEntry(text)).toBeUndefined();
  });

  const FOREIGN = [
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "https:evil.example",
    "a.example",
  ];
  const BROKEN = [
    "https://a.example/\r\nSet-Cookie: a=b",
    "https://é.example/",
    1,
    {},
    ["https://a.example/"],
  ];
  const NO_ADDRESS = [...FOREIGN, ...BROKEN, undefined];

  it.each<[string, readonly unknown[], (value: unknown) => object]>([
    ["target", [...NO_ADDRESS, ""], (target) => ({ target })],
    ["address for unknown slugs", [...NO_ADDRESS.slice(0, -1), "", null], (not_found) => ({ not_found })],
    ["address after the end", NO_ADDRESS, (endedUrl) => ({ active_window: { ...LIFE, endedUrl } })],
    ["image of a preview", NO_ADDRESS, (image) => ({ preview: { ...PREVIEW, image } })],
    ["target of a rule", [...NO_ADDRESS, ""], (target) => ({ rules: [RULE, { ...RULE, target }] })],
    ["start", ["5", undefined], (startsAt) => ({ active_window: { ...LIFE, startsAt } })],
    ["condition", ["CH", undefined, {}], (countries) => ({ rules: [{ ...RULE, countries }] })],
    ["share", ["50", undefined], (share) => ({ rules: [{ ...RULE, share }] })],
    ["list of rules", [{}, "", null, [null], ["a"]], (rules) => ({ rules })],
    ["colour", ["red", "#12345", "#123456;}", 1, undefined], (colour) => ({ brand: { ...BRAND, colour } })],
    ["group", [1, null, {}], (group) => ({ group })],
    ["brand", [null, "", []], (brand) => ({ brand })],
  ])("with a wrong %s is none", (_, values, change) => {
    const entries = values.map((value) => JSON.stringify({ ...ENTRY, ...change(value) }));
    expect(entries.filter((text) => parseEntry(text) !== undefined)).toEqual([]);
  });

  it("may have empty addresses, of hosts that are blocked", () => {
    const entry = {
      ...ENTRY,
      active_window: { ...LIFE, endedUrl: "" },
      preview: { ...PREVIEW, image: "" },
      brand: { name: null, colour: "#00aaFF" },
    };
    expect(parseEntry(JSON.stringify(entry))).toEqual(entry);
  });

  it("from the future is none: it would never be compared with D1", () => {
    const text = (read_at: number) => JSON.stringify({ ...ENTRY, read_at });
    expect(parseEntry(text(161_000), 100_000)).toBeUndefined();
    expect(parseEntry(text(159_000), 100_000)).toBeDefined();
    expect(parseEntry(text(9e15))).toBeUndefined();
  });
});
