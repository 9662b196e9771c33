import { describe, expect, it } from "vitest";
import type { Device } from "../../src/lib/visitor";
import {
  type Conditions,
  chooseRule,
  conditionsOf,
  describeRule,
  isUnconditional,
  possibleRules,
  type Rule,
  readRules,
  ruleKey,
  type Visitor,
  writeRules,
} from "../../src/lib/visitor-rules";

const NOW = Date.UTC(2026, 5, 1);

interface Named extends Conditions {
  name: string;
}

const rule = (name: string, conditions: Partial<Conditions>): Named => ({
  name,
  countries: null,
  devices: null,
  languages: null,
  startsAt: null,
  endsAt: null,
  share: null,
  ...conditions,
});

const visitor = (
  country: string | null = "CH",
  device: Device = "ios",
  language: string | null = "fr",
): Visitor => ({ country, device, language });

const never = (): number => {
  throw new Error("Nothing should be drawn");
};
const nameOf = (found: Named | undefined) => found?.name;

describe("a rule", () => {
  it.each<[string, Partial<Conditions>, Visitor, boolean]>([
    ["for a country leads visitors from there", { countries: ["AT", "CH"] }, visitor("CH"), true],
    ["for a country leads nobody from elsewhere", { countries: ["AT", "CH"] }, visitor("DE"), false],
    ["for a country leads nobody from an unknown one", { countries: ["AT", "CH"] }, visitor(null), false],
    ["for a device leads it", { devices: ["ios", "android"] }, visitor("CH", "android"), true],
    ["for a device leads no other", { devices: ["ios", "android"] }, visitor("CH", "desktop"), false],
    ["for a language leads its speakers", { languages: ["fr"] }, visitor("DE", "ios", "fr"), true],
    ["for a language leads no others", { languages: ["fr"] }, visitor("DE", "ios", "de"), false],
    ["for a language leads nobody without one", { languages: ["fr"] }, visitor("DE", "ios", null), false],
    ["leads from its start on", { startsAt: NOW }, visitor(), true],
    ["leads nobody before its start", { startsAt: NOW + 1 }, visitor(), false],
    ["leads until its end", { endsAt: NOW + 1 }, visitor(), true],
    ["leads nobody from its end on", { endsAt: NOW }, visitor(), false],
    [
      "leads if all conditions hold",
      { countries: ["CH"], devices: ["ios"], endsAt: NOW + 1 },
      visitor(),
      true,
    ],
    [
      "leads nobody if one condition does not hold",
      { countries: ["CH"], devices: ["android"] },
      visitor(),
      false,
    ],
  ])("%s", (_, conditions, who, holds) => {
    expect(nameOf(chooseRule([rule("it", conditions)], who, NOW, never))).toBe(holds ? "it" : undefined);
  });

  it("that comes first is followed", () => {
    const rules = [rule("none", { devices: ["android"] }), rule("first", {}), rule("second", {})];
    expect(nameOf(chooseRule(rules, visitor(), NOW, never))).toBe("first");
  });
});

describe("a share", () => {
  const draws = (...values: number[]) => {
    const left = [...values];
    return () => left.shift() ?? never();
  };

  it.each([
    [0, "it"],
    [0.299, "it"],
    [0.3, undefined],
    [0.999, undefined],
  ])("of 30 with %d leads to %s", (drawn, name) => {
    expect(nameOf(chooseRule([rule("it", { share: 30 })], visitor(), NOW, draws(drawn)))).toBe(name);
  });

  it("is drawn only where the other conditions hold, and anew for each rule", () => {
    const rules = [
      rule("other", { share: 50, countries: ["DE"] }),
      rule("half", { share: 50 }),
      rule("quarter", { share: 50 }),
    ];
    expect(nameOf(chooseRule(rules, visitor(), NOW, draws(0.1)))).toBe("half");
    expect(nameOf(chooseRule(rules, visitor(), NOW, draws(0.9, 0.1)))).toBe("quarter");
    expect(nameOf(chooseRule(rules, visitor(), NOW, draws(0.9, 0.9)))).toBeUndefined();
  });
});

it.each<[string, Named[], (string | undefined)[]]>([
  ["is the own destination without rules", [], [undefined]],
  ["is the first rule that holds", [rule("a", { countries: ["DE"] }), rule("b", {}), rule("c", {})], ["b"]],
  [
    "is each draw and what follows",
    [rule("a", { share: 50 }), rule("b", { share: 1 })],
    ["a", "b", undefined],
  ],
  [
    "ends at the first rule without a share",
    [rule("a", { share: 50 }), rule("b", {}), rule("c", {})],
    ["a", "b"],
  ],
])("where a visitor may be led: %s", (_, rules, names) => {
  expect(possibleRules(rules, visitor(), NOW).map(nameOf)).toEqual(names);
});

describe("the rules of a link", () => {
  const DESTINATION = { destination_url: "https://www.example.com/" };
  const START = "2026-06-01T00:00:00.000Z";
  const END = "2026-07-01T00:00:00.000Z";
  const BARE: Rule = {
    ...DESTINATION,
    countries: null,
    devices: null,
    languages: null,
    starts_at: null,
    ends_at: null,
    share: null,
  };
  const FULL: Rule = {
    ...DESTINATION,
    countries: ["CH", "AT"],
    devices: ["ios"],
    languages: ["fr"],
    starts_at: START,
    ends_at: END,
    share: 30,
  };

  it("are kept with every field in its order, and lists without duplicates", () => {
    const given = [
      { ...DESTINATION, countries: ["CH", "AT", "CH"], devices: [], share: 0 },
      { share: 30, ends_at: END, starts_at: START, languages: ["fr"], ...DESTINATION },
    ];
    expect(writeRules(given)).toBe(
      JSON.stringify([
        { ...BARE, countries: ["CH", "AT"], share: 0 },
        { ...FULL, countries: null, devices: null },
      ]),
    );
    expect(readRules(writeRules([FULL]))).toEqual([FULL]);
    expect([writeRules([]), writeRules(null), writeRules(undefined)]).toEqual([null, null, null]);
    expect(readRules(null)).toEqual([]);
  });

  it.each([
    [{}, true],
    [{ countries: [], share: null }, true],
    [{ countries: ["CH"] }, false],
    [{ share: 30 }, false],
    [{ starts_at: START }, false],
  ])("with %j hold for every visit: %s", (rule, holds) => {
    expect(isUnconditional(rule)).toBe(holds);
  });

  it("have times in milliseconds for visits", () => {
    expect(conditionsOf(FULL)).toMatchObject({ startsAt: Date.parse(START), endsAt: Date.parse(END) });
    expect(conditionsOf(BARE)).toEqual({
      countries: null,
      devices: null,
      languages: null,
      startsAt: null,
      endsAt: null,
      share: null,
    });
  });

  it("are described in a line", () => {
    expect(describeRule(FULL)).toBe(
      `CH or AT, ios, fr, from ${START}, until ${END}, 30 of 100 → ${DESTINATION.destination_url}`,
    );
    expect(describeRule({ ...BARE, share: 30 })).toBe(`30 of 100 → ${DESTINATION.destination_url}`);
    expect(describeRule(BARE)).toBe(` → ${DESTINATION.destination_url}`);
  });

  it("are counted by a key that stays with a new share alone", () => {
    expect(ruleKey(FULL)).toBe("1nz0z4g0wop8vm");
    expect(ruleKey({ ...FULL, share: 50 })).toBe(ruleKey(FULL));
    expect(ruleKey({ ...FULL, countries: ["CH"] })).not.toBe(ruleKey(FULL));
    const keys = Array.from({ length: 2_000 }, (_, number) => ruleKey({ ...BARE, starts_at: `${number}` }));
    expect(keys.every((key) => /^[0-9a-z]{14}$/.test(key))).toBe(true);
    expect(new Set(keys).size).toBe(2_000);
  });
});
