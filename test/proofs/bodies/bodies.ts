// Bodies of at most 64 KiB that are as dear as each operation accepts them, or refuses them.

const MAX_BYTES = 64 * 1024;

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** As many repetitions of a text between two others as a body has room for. */
function fill(before: string, part: (index: number) => string, separator: string, after: string): string {
  const parts: string[] = [];
  let bytes = bytesOf(before + after);
  for (let index = 0; ; index++) {
    const next = part(index);
    bytes += bytesOf(next) + bytesOf(separator);
    if (bytes > MAX_BYTES) return before + parts.join(separator) + after;
    parts.push(next);
  }
}

const text = (letter: string) => fill("", () => letter, "", "").slice(0, MAX_BYTES);

const LETTERS = {
  ascii: "a",
  umlaut: "ü",
  ligature: "\ufdfa",
  emoji: "😀",
  accents: "a\u0301\u0316",
  joiner: "\u200d",
  blank: " ",
};

const repeated = (count: number, part: string) => part.repeat(count);

const HOST = `${"b.".repeat(100)}example.com`;
/** 2,048 characters, as the parts of a URL can be. */
const URLS = {
  path: `https://www.example.com/${repeated(2_024, "a")}`,
  unicode: `https://www.example.com/${repeated(2_000, "漢")}`,
  dots: `https://www.example.com/${repeated(700, "../")}`,
  query: `https://www.example.com/?${repeated(500, "a=b&")}`,
  labels: `https://${HOST}/`,
  punycode: `https://${repeated(12, "xn--mgbh0fb.")}example.com/`,
  wide: `https://${repeated(100, "ｂ.")}example.com/${repeated(1_700, "a")}`,
};

/** A rule, a tenth of the room of a body. */
const rule = (destination: string, more: object = {}) => ({
  destination_url: destination,
  countries: ["CH"],
  ...more,
});
const COUNTRIES = [
  "AD",
  "AE",
  "AF",
  "AG",
  "AI",
  "AL",
  "AM",
  "AO",
  "AQ",
  "AR",
  "AS",
  "AT",
  "AU",
  "AW",
  "AX",
  "AZ",
];
const FULL = {
  countries: Array.from({ length: 50 }, (_, index) => COUNTRIES[index % COUNTRIES.length]),
  languages: Array.from({ length: 20 }, (_, index) => `f${"abcdefghijklmnopqrst"[index]}`),
  devices: ["ios", "android", "desktop"],
  starts_at: "2026-01-01T00:00:00+02:00",
  ends_at: "2027-01-01T00:00:00+02:00",
  share: 50,
};

const json = (value: unknown): string => JSON.stringify(value);

/** `{"name": [1, 1, …]}`, with what the operation needs besides. */
const list = (name: string, item: string, needed: string) =>
  fill(`{${needed}"${name}":[`, () => item, ",", "]}");

/** Bodies for each field of an operation, by what they have. `needed` are the fields without which nothing else is looked at. */
function hostileTo(fields: readonly string[], needed: object): Record<string, string> {
  const start = json(needed).slice(1, -1) + (Object.keys(needed).length === 0 ? "" : ",");
  return {
    "unknown fields": fill(`{${start}`, (index) => `"x${index}":1`, ",", "}"),
    "unknown fields with long names": fill(
      `{${start}`,
      (index) => `"${repeated(90, "\ud83d\ude00")}${index}":1`,
      ",",
      "}",
    ),
    "one field many times": fill(`{${start}`, () => `"${fields[0]}":"a"`, ",", "}"),
    "a deep list": `{${start}"${fields[0]}":${repeated(32_000, "[")}${repeated(32_000, "]")}}`,
    "a deep object": `{${start}"${fields[0]}":${repeated(10_000, '{"a":')}1${repeated(10_000, "}")}}`,
    "an object of many fields": fill(`{${start}"${fields[0]}":{`, (index) => `"x${index}":1`, ",", "}}"),
    "malformed JSON": `{${start}"${fields[0]}":"${text("a").slice(200)}`,
    ...Object.fromEntries(
      fields.flatMap((field) => [
        [`${field}: numbers`, list(field, "1", start)],
        [`${field}: empty lists`, list(field, "[]", start)],
        [`${field}: empty objects`, list(field, "{}", start)],
        ...Object.entries(LETTERS).map(([name, letter]) => [
          `${field}: ${name}`,
          fill(`{${start}"${field}":"`, () => letter, "", '"}'),
        ]),
      ]),
    ),
  };
}

const NAMES = (letter: string, length: number) =>
  Array.from({ length: 50 }, (_, index) => `${index}${repeated(length - 2, letter)}`);

const RULES: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(URLS).map(([name, url]) => [
      `ten full rules, ${name}`,
      json(Array(10).fill(rule(url, FULL))),
    ]),
  ),
  "ten rules with wrong items": json(
    Array(10).fill(
      rule("https://a.example/", {
        countries: Array(50).fill(1),
        languages: Array(20).fill(1),
        devices: Array(20).fill(1),
      }),
    ),
  ),
  "ten rules with wrong words": json(
    Array(10).fill(
      rule("https://a.example/", {
        countries: Array(50).fill("zz"),
        languages: Array(20).fill("z"),
        devices: Array(20).fill("z"),
      }),
    ),
  ),
  "ten rules with too many countries": json(
    Array(10).fill({ destination_url: "x", countries: Array(1_200).fill("CH") }),
  ),
  "ten rules with unknown fields": json(
    Array(10).fill({
      ...rule("https://a.example/"),
      ...Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`x${index}`, 1])),
    }),
  ),
  "ten rules with long names": json(
    Array(10).fill({
      ...rule("https://a.example/"),
      ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${repeated(90, "x")}${index}`, 1])),
    }),
  ),
  "ten deep rules": json(Array(10).fill("@")).replaceAll(
    '"@"',
    `${repeated(3_000, "[")}${repeated(3_000, "]")}`,
  ),
  "ten rules of long destinations": json(Array(10).fill(rule(repeated(6_000, "a")))),
  "ten rules of long emoji": json(Array(10).fill(rule(`https://a.example/${repeated(1_500, "😀")}`))),
};

/** Bodies that are dear together: as long as every field may be. */
const LONGEST = Object.fromEntries(
  Object.entries({ ascii: "a", umlaut: "ü", ligature: "\ufdfa", emoji: "😀" }).map(([name, letter]) => [
    `every field as long as it may be, ${name}`,
    {
      title: `:n${repeated(250 - letter.length, letter)}`,
      channel: repeated(120, letter),
      external_id: `:n${repeated(240, letter)}`,
      utm_source: repeated(255, letter),
      utm_medium: repeated(255, letter),
      utm_campaign: repeated(255, letter),
      utm_term: repeated(255, letter),
      utm_content: repeated(255, letter),
      ended_url: URLS.unicode,
      starts_at: FULL.starts_at,
      ends_at: FULL.ends_at,
    },
  ]),
);

const LINK_FIELDS = [
  "title",
  "slug",
  "domain",
  "activity_group_id",
  "utm_campaign",
  "external_id",
  "starts_at",
  "ended_url",
  "destination_url",
  "rules",
  "tag_ids",
  "tag_names",
];
const PLAIN = { destination_url: "https://www.example.com/" };

const linkBodies = (needed: object): Record<string, string> => ({
  ...hostileTo(LINK_FIELDS, needed),
  ...Object.fromEntries(
    Object.entries(URLS).map(([name, url]) => [`destination: ${name}`, json({ destination_url: url })]),
  ),
  ...Object.fromEntries(
    Object.entries(RULES).map(([name, rules]) => [
      name,
      `{"destination_url":"https://www.example.com/","rules":${rules}}`,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(LONGEST).map(([name, fields]) => [name, json({ ...PLAIN, ...fields })]),
  ),
  ...Object.fromEntries(
    Object.entries(LONGEST).map(([name, fields]) => [
      `${name}, and ten rules`,
      json({ ...PLAIN, ...fields, rules: Array(10).fill(rule(URLS.path, FULL)) }),
    ]),
  ),
  "fifty unknown tags": json({ ...PLAIN, tag_names: NAMES("\ufdfa", 100) }),
  "fifty unknown ids of tags": json({ ...PLAIN, tag_ids: NAMES("a", 600) }),
});

const TAG_FIELDS = ["name", "slug", "colour", "description"];
const tagBodies = (needed: object): Record<string, string> => ({
  ...hostileTo(TAG_FIELDS, needed),
  ...Object.fromEntries(
    Object.values(LETTERS).map((letter) => [
      `the longest name, ${letter.codePointAt(0)?.toString(16)}`,
      json({ name: repeated(100, letter), description: repeated(255, letter), colour: repeated(32, letter) }),
    ]),
  ),
});

export interface Operation {
  method: "POST" | "PATCH";
  /** `:link` and `:tag` are ids. */
  path: string;
  least: string;
  bodies: Record<string, string>;
}

/** Every operation with a body. */
export const OPERATIONS: Record<string, Operation> = {
  createLink: { method: "POST", path: "/links", least: json(PLAIN), bodies: linkBodies(PLAIN) },
  updateLink: {
    method: "PATCH",
    path: "/links/:link",
    least: json({ channel: "a" }),
    bodies: linkBodies({}),
  },
  attachTagsToLink: {
    method: "POST",
    path: "/links/:link/tags",
    least: json({ tag_ids: [":tag"] }),
    bodies: { ...hostileTo(["tag_ids"], {}), "fifty unknown ids": json({ tag_ids: NAMES("a", 1_200) }) },
  },
  createTag: { method: "POST", path: "/tags", least: json({ name: "a" }), bodies: tagBodies({ name: "b" }) },
  updateTag: { method: "PATCH", path: "/tags/:tag", least: json({ colour: "a" }), bodies: tagBodies({}) },
};
