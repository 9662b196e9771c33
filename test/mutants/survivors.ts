/** Why a mutant may live, and which: its file, the code as it is and as the mutant has it. */
export const SURVIVORS: readonly { why: string; mutants: readonly string[] }[] = [
  {
    why: "A shorter way to what comes out anyhow: what follows refuses or finds the same.",
    mutants: [
      "src/clicks/count.ts: referrer === null → false",
      "src/lib/group-status.ts: ORDER.indexOf(to) > ORDER.indexOf(from) → ORDER.indexOf(to) >= ORDER.indexOf(from)",
      'src/lib/group-status.ts: from === "completed" → true',
      "src/lib/destination.ts: value.length <= MAX_CHARACTERS → false",
      "src/lib/destination.ts: value.length <= MAX_CHARACTERS → value.length < MAX_CHARACTERS",
      "src/lib/destination.ts: value.length > 2 * MAX_CHARACTERS → false",
      "src/lib/destination.ts: value.length > 2 * MAX_CHARACTERS → value.length >= 2 * MAX_CHARACTERS",
      "src/lib/homograph.ts: index > MAX_DELTA → false",
      "src/lib/homograph.ts: index > MAX_DELTA → index >= MAX_DELTA",
      "src/lib/validation.ts: max === Number.POSITIVE_INFINITY → false",
      "src/redirect/target.ts: search.length === first → false",
      "src/redirect/target.ts: start < search.length → start <= search.length",
      "src/redirect/target.ts: start < end → start <= end",
      "src/slugs/cache.ts: text === null → false",
      'src/slugs/cache.ts: value === null || typeof value !== "object" → false',
      'src/slugs/cache.ts: value === null || typeof value !== "object" → value === null && typeof value !== "object"',
      "src/slugs/cache.ts: value === null → false",
      'src/slugs/cache.ts: typeof value !== "object" → false',
      "src/slugs/isolate.ts: isolate.outdated.size === 0 → false",
      "src/slugs/sync.ts: last === undefined → false",
      "src/workspaces/keys.ts: key === undefined → false",
    ],
  },
  {
    why: "Grouping visits more finely than needed changes no count.",
    mutants: ["src/clicks/count.ts: at % HOUR_MS → at * HOUR_MS"],
  },
  {
    why: "What stands in for nothing matches nothing either: no tag, address, total or cursor is `Stryker was here`.",
    mutants: [
      'src/hosts/resolver.ts: "" → "Stryker was here!"',
      'src/hosts/resolver.ts: [] → ["Stryker was here"]',
      'src/lib/etag.ts: [] → ["Stryker was here"]',
      'src/lib/paging.ts: [] → ["Stryker was here"]',
      'src/links/totals.ts: [] → ["Stryker was here"]',
      'src/links/rules.ts: "unknown" → ""',
      'src/workspaces/keys.ts: "" → "Stryker was here!"',
    ],
  },
  {
    why: "For the types alone: no input comes by there.",
    mutants: [
      'src/clicks/count.ts: "" → "Stryker was here!"',
      'src/lib/destination.ts: "" → "Stryker was here!"',
      'src/lib/homograph.ts: "" → "Stryker was here!"',
      'src/lib/homograph.ts: [] → ["Stryker was here"]',
      'src/lib/validation.ts: [] → ["Stryker was here"]',
      "src/lib/paging.ts: last !== undefined → true",
    ],
  },
  {
    why: "The end of a function gives undefined, as the statement did that was taken out.",
    mutants: [
      "src/lib/destination.ts: { return undefined; } → {}",
      "src/lib/paging.ts: { return undefined; } → {}",
      "src/lib/validation.ts: default: return undefined; → default:",
      "src/slugs/cache.ts: { return undefined; } → {}",
    ],
  },
  {
    why: "The text has no other place where the pattern could match.",
    mutants: [
      "src/clicks/count.ts: /^https?:$/ → /^https?:/",
      "src/lib/paging.ts: /=+$/ → /=+/",
      "src/lib/slug-text.ts: /[A-Z]+/g → /[A-Z]/g",
    ],
  },
  {
    why: "An apostrophe beside what is no letter becomes a hyphen with it, or goes: the slug is the same.",
    mutants: [
      "src/lib/slug-text.ts: /(?<=[\\p{L}\\p{M}\\p{N}])['\\u00b4`\\u2018\\u2019\\u02bb\\u02bc\\uff07](?=[\\p{L}\\p{N}])/… → /(?<=[\\p{L}\\p{M}\\p{N}])['\\u00b4`\\u2018\\u2019\\u02bb\\u02bc\\uff07](?=[\\p{L}\\P{N}])/…",
      "src/lib/slug-text.ts: /(?<=[\\p{L}\\p{M}\\p{N}])['\\u00b4`\\u2018\\u2019\\u02bb\\u02bc\\uff07](?=[\\p{L}\\p{N}])/… → /(?<=[\\p{L}\\P{M}\\p{N}])['\\u00b4`\\u2018\\u2019\\u02bb\\u02bc\\uff07](?=[\\p{L}\\p{N}])/…",
      "src/lib/slug-text.ts: /(?<=[\\p{L}\\p{M}\\p{N}])['\\u00b4`\\u2018\\u2019\\u02bb\\u02bc\\uff07](?=[\\p{L}\\p{N}])/… → /(?<=[\\p{L}\\p{M}\\P{N}])['\\u00b4`\\u2018\\u2019\\u02bb\\u02bc\\uff07](?=[\\p{L}\\p{N}])/…",
    ],
  },
  {
    why: "Parsers disagree on what is no punycode: the one in Node refuses it before this is asked.",
    mutants: [
      "src/lib/destination.ts: labels === undefined → false",
      'src/lib/destination.ts: "host_shape" → ""',
    ],
  },
  {
    why: "Not worth a test: a byte order mark before a cursor that nobody made, the text of an error that nobody sees.",
    mutants: ["src/lib/paging.ts: false → true", 'src/slugs/sync.ts: "too slow" → ""'],
  },
];
