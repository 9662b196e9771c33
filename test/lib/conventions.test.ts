import { expect, it } from "vitest";
import {
  CONVENTION_FIELDS,
  type Convention,
  fitOf,
  hasConvention,
  lookAlike,
  readConventions,
} from "../../src/lib/conventions";
import { VALUE_FIELD_NAMES } from "../../src/lib/link-fields";

const of = (fields: Partial<Convention>): Convention => ({
  strictness: "only",
  letters: "any",
  space: "keep",
  values: [],
  ...fields,
});

it.each([
  ["Newsletter", "NEWSLETTER"],
  ["news letter", "news-letter"],
  ["news_letter", "newsletter"],
  ["Café", "cafe"],
  ["--", "--"],
])("%j looks like %j", (one, other) => {
  expect(lookAlike(one)).toBe(lookAlike(other));
});

it.each([
  ["newsletter", "newsletters"],
  ["-", "_"],
  ["a.b", "ab"],
])("%j does not look like %j", (one, other) => {
  expect(lookAlike(one)).not.toBe(lookAlike(other));
});

it.each<[string, Partial<Convention>, string, object]>([
  ["fits without a convention", { strictness: "off", values: ["a"] }, "Any Thing", { kind: "fits" }],
  ["fits if it is listed", { values: ["Social Media"] }, "Social Media", { kind: "fits" }],
  [
    "is spelt as in the list",
    { values: ["Social Media"] },
    "social-media",
    { kind: "spelt", as: "Social Media" },
  ],
  ["is unknown to the list", { values: ["email"] }, "mail", { kind: "unknown" }],
  [
    "is unknown to a list that is suggested",
    { strictness: "suggest", values: ["email"] },
    "mail",
    { kind: "unknown" },
  ],
  ["is in lower case", { letters: "lower" }, "Social Media", { kind: "spelt", as: "social media" }],
  ["has single spaces", { letters: "lower" }, "social\tmedia", { kind: "spelt", as: "social media" }],
  ["has no spaces", { space: "_" }, "Social  Media", { kind: "spelt", as: "Social_Media" }],
  ["fits an empty list", { letters: "lower", space: "-" }, "social-media", { kind: "fits" }],
])("a value: %s", (_, convention, value, fit) => {
  expect(fitOf(of(convention), value)).toEqual(fit);
});

it("are off for every field where none is stored", () => {
  const none = readConventions(null);
  expect(Object.keys(none)).toEqual([...CONVENTION_FIELDS]);
  expect(Object.values(none).every(({ strictness }) => strictness === "off")).toBe(true);
});

it("are stored by field", () => {
  const stored = {
    utm_source: of({ values: ["newsletter"] }),
    utm_medium: of({ letters: "lower" }),
    channel: of({ space: "-" }),
  };
  const others = { utm_term: of({ strictness: "off" }), utm_content: of({ strictness: "off" }) };
  expect(readConventions(JSON.stringify(stored))).toEqual({ ...stored, ...others });
});

it("are of every value but the campaign", () => {
  expect(VALUE_FIELD_NAMES.filter((name) => !hasConvention(name))).toEqual(["utm_campaign"]);
});
