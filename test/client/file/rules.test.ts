import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLinkSchema } from "../../../src/resources/links/link-schema";
import { problemsOf } from "./problems";
import { DESTINATION, textOf } from "./setup";

describe("the rules are those of the service", () => {
  const schemaAccepts = (body: object) => createLinkSchema.safeParse(body).success;
  const parses = (fields: Record<string, unknown>) => problemsOf(textOf({ a: fields })).length === 0;
  const text = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.integer({ min: 1, max: 300 }).map((length) => "é".repeat(length)),
    fc.integer({ min: 1, max: 300 }).map((length) => "😀".repeat(length)),
  );
  const trims = (value: string) => value.trim() === value && value !== "" && value !== "inherit";

  it.each([
    ["title", "title"],
    ["channel", "channel"],
    ["slug", "slug"],
    ["destination", "destination_url"],
    ["ended_url", "ended_url"],
    ["utm.source", "utm_source"],
    ["utm.medium", "utm_medium"],
    ["utm.campaign", "utm_campaign"],
  ])("for %s", (field, name) => {
    fc.assert(
      fc.property(text.filter(trims), (value) => {
        const [first = "", second] = field.split(".");
        const fields = { [first]: second === undefined ? value : { [second]: value } };
        expect(parses(fields)).toBe(schemaAccepts({ destination_url: DESTINATION, [name]: value }));
      }),
      { numRuns: 300 },
    );
  });

  it.each(["title", "channel", "utm_source"])("for invisible characters in %s", (name) => {
    for (const value of ["a\u200bb", "a\ufeffb", "a\u00adb", "a\u202eb", "a\u200db"]) {
      const fields = name === "utm_source" ? { utm: { source: value } } : { [name]: value };
      expect(parses(fields)).toBe(schemaAccepts({ destination_url: DESTINATION, [name]: value }));
    }
  });

  it.each([..."api API Docs a -a _a a_b a.b ä 1 health1".split(" "), "a".repeat(64), "a".repeat(65)])(
    "for the slug %s",
    (slug) => {
      expect(parses({ slug })).toBe(schemaAccepts({ destination_url: DESTINATION, slug }));
    },
  );

  it.each([
    { countries: ["CH", "XK"] },
    { countries: ["UK"] },
    { countries: ["ch"] },
    { countries: [] },
    { countries: Array(51).fill("CH") },
    { languages: ["fr", "gsw"] },
    { languages: ["xx"] },
    { languages: Array(21).fill("fr") },
    { devices: ["ios", "android", "desktop", "ios"] },
    { devices: ["phone"] },
    { share: 1 },
    { share: 99 },
    { share: 0 },
    { share: 1.5 },
    { share: null, starts_at: "2026-06-01T08:00:00+02:00", ends_at: "2026-06-01T06:00:00.001Z" },
    { starts_at: "2026-06-01T08:00:00+02:00", ends_at: "2026-06-01T06:00:00Z" },
  ])("for a rule with %j", (conditions) => {
    const ofFile = parses({ rules: [{ destination: DESTINATION, ...conditions }] });
    const rules = [{ destination_url: DESTINATION, ...conditions }];
    expect(ofFile).toBe(schemaAccepts({ destination_url: DESTINATION, rules }));
  });
});
