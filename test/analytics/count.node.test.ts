import { describe, expect, it } from "vitest";
import { countVisits as countWith, deviceOf, splitCounts } from "../../src/analytics/count";
import type { HourCount, Visit } from "../../src/analytics/visit-buffer";
import agents from "../corpora/agents.json";

const HOUR = 3_600_000;
const QUARTER = HOUR / 4;
const DAY = 24 * HOUR;
const NOON = 20_000 * DAY + 12 * HOUR;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148";

const visit = (fields: Partial<Visit> = {}): Visit => ({
  link: "L",
  asset: null,
  isAfterEnd: false,
  rule: null,
  at: NOON,
  follows: true,
  agent: FIREFOX,
  referrer: null,
  country: "CH",
  ...fields,
});

const countVisits = (visits: readonly Visit[]) => countWith(visits, new Set());

/** The counts of a link in the hour of noon. */
const NONE: HourCount = {
  link: "L",
  asset: null,
  hour: NOON,
  clicks: 0,
  scans: 0,
  bots: 0,
  after_end: 0,
  last: NOON,
};

it("the agents of 51 browsers and apps are people, those of 87 programs are none", () => {
  const isPerson = (agent: string) => countVisits([visit({ agent })]).hours[0]?.clicks === 1;
  const found = Object.entries({ ...agents.people, ...agents.others }).filter(([, agent]) => isPerson(agent));
  expect(found.map(([name]) => name)).toEqual(Object.keys(agents.people));
});

it.each([
  ["iPad; CPU OS 16", "tablet"],
  ["Linux; Android 14; SM-X200", "tablet"],
  ["Android 14; Tablet; rv:140", "tablet"],
  ["Android 14", "tablet"],
  ["Kindle/3.0", "tablet"],
  ["Silk/94", "tablet"],
  ["PlayBook", "tablet"],
  ["Linux; Android 14; Pixel 8 Mobile", "mobile"],
  ["Opera Mobi", "mobile"],
  ["iPhone", "mobile"],
  ["Windows Phone 10", "mobile"],
  ["Mobile Safari; Android 4", "tablet"],
  ["Windows NT 10.0", "desktop"],
  ["Macintosh; Intel Mac OS X", "desktop"],
  ["X11; CrOS x86_64", "desktop"],
  ["Linux x86_64", "desktop"],
  ["SmartTV", "other"],
  ["", "other"],
])("a device with the user agent “%s” is %s", (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});

describe("visits", () => {
  const day = (dimension: string, value: string, visits: number, at = NOON, link = "L") => ({
    link,
    day: at,
    dimension,
    value,
    visits,
  });

  it("are counted by quarter hour, and people also by origin", () => {
    const { hours, days } = countVisits([
      visit({ referrer: "https://a.example/" }),
      visit({ at: NOON + QUARTER - 1, agent: IPHONE }),
      visit({ at: NOON + QUARTER, country: undefined }),
    ]);
    expect(hours).toEqual([
      { ...NONE, hour: NOON, clicks: 2, last: NOON + QUARTER - 1 },
      { ...NONE, hour: NOON + QUARTER, clicks: 1, last: NOON + QUARTER },
    ]);
    expect(days).toEqual([
      day("country", "CH", 2),
      day("referrer", "a.example", 1),
      day("device", "desktop", 1),
      day("referrer", "", 1),
      day("device", "mobile", 1),
      day("country", "", 1, NOON + QUARTER),
      day("referrer", "", 1, NOON + QUARTER),
      day("device", "desktop", 1, NOON + QUARTER),
    ]);
  });

  it("count in their own quarter hours, also where two differ by less than one", () => {
    const hours = [NOON + 0.9 * QUARTER, NOON + 1.4 * QUARTER].map((at) => visit({ at }));
    expect(countVisits(hours).hours.map(({ hour }) => hour)).toEqual([NOON, NOON + QUARTER]);
  });

  it("have the time of the last one, in any order", () => {
    const both = [visit({ at: NOON + 50 }), visit({ at: NOON + 10, agent: IPHONE })];
    expect(countVisits(both).hours.map(({ last }) => last)).toEqual([NOON + 50]);
  });

  it("count for the rule that led them, where their link has rules", () => {
    const rulesIn = (...visits: Visit[]) =>
      countVisits(visits)
        .days.filter(({ dimension }) => dimension === "rule")
        .map(({ value, visits: number }) => [value, number]);
    expect(rulesIn(visit({ rule: "r" }), visit({ rule: "" }), visit({ rule: "r" }))).toEqual([
      ["r", 2],
      ["", 1],
    ]);
    expect(rulesIn(visit())).toEqual([]);
  });

  it("of another link or another day are counted separately", () => {
    const { hours, days } = countVisits([visit(), visit({ link: "M" }), visit({ at: NOON + DAY })]);
    expect(hours.map(({ link, hour }) => [link, hour])).toEqual([
      ["L", NOON],
      ["M", NOON],
      ["L", NOON + DAY],
    ]);
    expect(days.filter(({ dimension }) => dimension === "country")).toEqual([
      day("country", "CH", 1),
      day("country", "CH", 1, NOON, "M"),
      day("country", "CH", 1, NOON + DAY),
    ]);
  });

  it.each([
    ["does not follow", { follows: false }],
    ["has no user agent", { agent: null }],
    ["has an empty user agent", { agent: "" }],
    ["is a known bot", { agent: "Googlebot/2.1 (+http://www.google.com/bot.html)" }],
  ])("of a client that %s do not count as people", (_, fields) => {
    expect(countVisits([visit(fields), visit(fields)])).toEqual({
      hours: [{ ...NONE, bots: 2, last: null }],
      days: [],
    });
  });

  it.each<[string, Partial<Visit>[], Partial<HourCount>[]]>([
    ["one click", [{}], [{ clicks: 1 }]],
    ["clicks in any order", [{ at: NOON + 9 }, { at: NOON + 5 }], [{ clicks: 2, last: NOON + 9 }]],
    [
      "a bot and a person after the end after a click",
      [{}, { at: NOON + 7, agent: null }, { at: NOON + 8, isAfterEnd: true }],
      [{ clicks: 1, bots: 1, after_end: 1 }],
    ],
    ["a person after the end", [{ isAfterEnd: true }], [{ after_end: 1, last: null }]],
    [
      "a click and scans of two assets",
      [{}, { at: NOON + 7, asset: "A" }, { asset: "B" }, { asset: "A" }],
      [{ clicks: 1 }, { asset: "A", scans: 2, last: NOON + 7 }, { asset: "B", scans: 1 }],
    ],
  ])("have the time of the last person before the end, by link, asset and hour: %s", (_, visits, counted) => {
    expect(countVisits(visits.map(visit)).hours).toEqual(counted.map((fields) => ({ ...NONE, ...fields })));
  });

  it("of bots, and of people after the end, are counted apart and not by origin", () => {
    const late = { isAfterEnd: true };
    expect(
      countVisits([
        visit({ agent: null, asset: "A", ...late }),
        visit({ asset: "A", ...late }),
        visit({ asset: "A", ...late }),
        visit(late),
      ]),
    ).toEqual({
      hours: [
        { ...NONE, asset: "A", bots: 1, after_end: 2, last: null },
        { ...NONE, after_end: 1, last: null },
      ],
      days: [],
    });
  });
});

it.each([
  ["CH", "CH"],
  ["XX", ""],
  ["ch", ""],
  ["CHE", ""],
  ["", ""],
  [undefined, ""],
])("a country: %s counts as %j", (country, counted) => {
  const { days } = countVisits([visit({ country })]);
  expect(days.find(({ dimension }) => dimension === "country")?.value).toBe(counted);
});

describe("splitting counts into parts", () => {
  const hour = (link: string) => ({ ...NONE, link });
  const day = (link: string) => ({ link, day: 0, dimension: "country" as const, value: "CH", visits: 1 });
  const HOUR_BYTES = JSON.stringify(hour("a")).length + 1;
  const DAY_BYTES = JSON.stringify(day("a")).length + 1;

  it.each<[name: string, hours: string, days: string, maxBytes: number, parts: string[]]>([
    ["no counts have no parts", "", "", HOUR_BYTES, []],
    ["what fits is one part", "ab", "c", 2 * HOUR_BYTES + DAY_BYTES, ["ab, c"]],
    ["a part is filled to its last byte", "abcde", "", 2 * HOUR_BYTES, ["ab, ", "cd, ", "e, "]],
    ["a part never exceeds the limit", "abc", "", 2 * HOUR_BYTES - 1, ["a, ", "b, ", "c, "]],
    ["days start in the last part of hours", "abc", "d", 2 * HOUR_BYTES, ["ab, ", "c, d"]],
    ["a larger count is a part of its own", "ab", "c", 1, ["a, ", "b, ", ", c"]],
  ])("%s", (_, hours, days, maxBytes, parts) => {
    const split = splitCounts({ hours: [...hours].map(hour), days: [...days].map(day) }, maxBytes);
    const names = (counts: readonly { link: string }[]) => counts.map(({ link }) => link).join("");
    expect(split.flatMap((part) => [...part.hours, ...part.days])).toEqual([
      ...[...hours].map(hour),
      ...[...days].map(day),
    ]);
    expect(split.map((part) => `${names(part.hours)}, ${names(part.days)}`)).toEqual(parts);
  });
});
