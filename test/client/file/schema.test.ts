import Ajv from "ajv/dist/2020";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fileSchema } from "../../../src/client/file/file-schema";
import { problemsOf } from "./problems";

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
const validate = ajv.compile(fileSchema());
const isValid = (text: string): boolean => validate(parse(text)) as boolean;

const EXAMPLE = `version: 1
name: site
defaults: { group: summer-2026, tags: [Website], utm: { source: site } }
on_removed: archive
links:
  home-hero:
    slug: summer
    destination: https://www.example.com/sale
    title: Summer sale
    channel: poster
    tags: [Print, Partner]
    utm: { campaign: inherit }
`;

const link = (line: string) =>
  `version: 1\nname: s\nlinks:\n  a: { destination: https://example.com/, ${line} }`;

describe("the JSON Schema", () => {
  it("is of draft 2020-12, and plain JSON", () => {
    const schema = fileSchema();
    expect(schema["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  it.each([
    ["the example", EXAMPLE],
    ["no links", "version: 1\nname: s\nlinks: {}"],
    ["empty defaults", "version: 1\nname: s\ndefaults:\nlinks: {}"],
    ["cleared fields", link("title: null, channel: null, group: null, tags: null, utm: null")],
    ["cleared moments", link("starts_at: null, ends_at: null, ended_url: null")],
    [
      "moments with a zone, quoted or not",
      link('starts_at: 2026-06-01T08:00+02:00, ends_at: "2026-08-31T22:00:00.123456789Z"'),
    ],
    [
      "rules",
      link('rules: [{ destination: "https://a.example/", countries: [CH], share: 1, ends_at: null }]'),
    ],
    ["no rules", link("rules: []")],
    ["a URL for after the end", link("ended_url: HTTPS://example.com/over")],
    [
      "an end for all links",
      EXAMPLE.replace(
        "{ group:",
        "{ ends_at: 2026-08-31T22:00:00Z, ended_url: https://example.com/over, group:",
      ),
    ],
    ["a reserved word in a longer slug", link("slug: docs-2026")],
    ["255 characters outside the first plane", link(`title: ${"😀".repeat(255)}`)],
  ])("accepts %s, as the parser does", (_, text) => {
    expect([isValid(text), problemsOf(text)]).toEqual([true, []]);
  });

  it.each([
    ["another version", EXAMPLE.replace("version: 1", "version: 2")],
    ["a name with a colon", EXAMPLE.replace("name: site", "name: a:b")],
    ["no links", "version: 1\nname: s"],
    ["an unknown field", `${EXAMPLE}other: 1`],
    ["an unknown default", EXAMPLE.replace("group:", "title:")],
    ["an unknown parameter", EXAMPLE.replace("campaign:", "id:")],
    ["a key with a space", EXAMPLE.replace("home-hero:", "home hero:")],
    ["no destination", EXAMPLE.replace(/ *destination: .*\n/, "")],
    ["a relative destination", EXAMPLE.replace("https://www.example.com/sale", "/sale")],
    ["a slug with a space", link('slug: "a b"')],
    ["a reserved slug", link("slug: API")],
    ["a slug of 65", link(`slug: ${"a".repeat(65)}`)],
    ["a long title", link(`title: ${"x".repeat(256)}`)],
    ["51 tags", link(`tags: [${Array.from({ length: 51 }, (_, number) => `t${number}`)}]`)],
    ["an empty tag", link('tags: [""]')],
    ["a moment without a zone", link("starts_at: 2026-06-01T08:00:00")],
    ["a country in lower case", link('rules: [{ destination: "https://a.example/", countries: [ch] }]')],
    ["a share of 100", link('rules: [{ destination: "https://a.example/", share: 100 }]')],
    ["a start for all links", EXAMPLE.replace("{ group:", "{ starts_at: 2026-06-01T08:00:00Z, group:")],
  ])("refuses %s, as the parser does", (_, text) => {
    expect([isValid(text), problemsOf(text).length > 0]).toEqual([false, true]);
  });
});
