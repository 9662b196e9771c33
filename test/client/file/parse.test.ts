import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { formatProblem, parseFile } from "../../../src/client/file/parse";
import type { LinkFile } from "../../../src/client/file/types";
import { createLinkSchema } from "../../../src/links/schema";

const EXAMPLE = `version: 1
name: site                      # owns the external ids "site:*"
defaults: { group: summer-2026, tags: [Website], utm: { source: site } }
on_removed: archive             # archive | delete | keep
links:
  home-hero:                    # stable key: a new slug is a rename, not a new link
    slug: summer
    destination: https://www.example.com/sale
    title: Summer sale
    channel: poster
    tags: [Print, Partner]      # the full set
    utm: { campaign: inherit }  # a text, or inherit; absent leaves it alone
`;

const DESTINATION = "https://www.example.com/";

function fileOf(text: string): LinkFile {
  const parsed = parseFile(text);
  if (parsed.ok) return parsed.file;
  throw new Error(parsed.problems.map((problem) => formatProblem("waymark.yaml", problem)).join("\n"));
}

function problemsOf(text: string): string[] {
  const parsed = parseFile(text);
  return parsed.ok ? [] : parsed.problems.map((problem) => formatProblem("f", problem));
}

/** A file with these lines in its only link, whose key is in line 4. */
const withLink = (...lines: string[]): string =>
  ["version: 1", "name: site", "links:", "  a:", ...lines.map((line) => `    ${line}`)].join("\n");
const fieldsOf = (...lines: string[]) =>
  fileOf(withLink(`destination: ${DESTINATION}`, ...lines)).links[0]?.fields;

describe("a file", () => {
  it("has its links with the defaults applied", () => {
    expect(fileOf(EXAMPLE)).toEqual({
      name: "site",
      onRemoved: "archive",
      links: [
        {
          key: "home-hero",
          line: 6,
          groupLine: 3,
          fields: {
            slug: "summer",
            destination: "https://www.example.com/sale",
            title: "Summer sale",
            channel: "poster",
            group: "summer-2026",
            tags: ["Print", "Partner"],
            utm_source: "site",
            utm_campaign: { kind: "inherit" },
          },
        },
      ],
    });
  });

  it("archives removed links unless it says otherwise", () => {
    expect(fileOf("version: 1\nname: s\nlinks: {}")).toEqual({ name: "s", onRemoved: "archive", links: [] });
    expect(fileOf("version: 1\nname: s\non_removed: keep\nlinks: {}").onRemoved).toBe("keep");
  });

  it("leaves absent fields alone", () => {
    expect(fieldsOf()).toEqual({ destination: DESTINATION });
  });

  it.each([
    ["title: null", { title: null }],
    ["title:", { title: null }],
    ['title: ""', { title: null }],
    ['title: "  "', { title: null }],
    ["channel: ~", { channel: null }],
    ["group: null", { group: null }],
    ["tags: null", { tags: [] }],
    ["tags: []", { tags: [] }],
    ["utm: { source: null }", { utm_source: null }],
    ["utm: { campaign: null }", { utm_campaign: { kind: "inherit" } }],
    ["utm: null", { utm_source: null, utm_medium: null, utm_campaign: { kind: "inherit" } }],
  ])("clears a field: %s", (line, fields) => {
    expect(fieldsOf(line)).toEqual({ destination: DESTINATION, ...fields });
  });

  it.each([
    ["title: '  Sale '", { title: "Sale" }],
    ["title: |\n      Sale", { title: "Sale" }],
    ["utm: { campaign: sale }", { utm_campaign: { kind: "give", value: "sale" } }],
    ["tags: [Print, print, PRINT, Web]", { tags: ["Print", "Web"] }],
    ["title: 'on'", { title: "on" }],
    ["title: yes", { title: "yes" }],
    ["title: !!str 404", { title: "404" }],
  ])("reads a value as the service would: %s", (line, fields) => {
    expect(fieldsOf(line)).toEqual({ destination: DESTINATION, ...fields });
  });

  it("lets a link replace the defaults, also by null", () => {
    const file = fileOf(`version: 1
name: site
defaults: { group: summer, channel: web, tags: [One, Two], utm: { source: site, medium: web, campaign: x } }
links:
  plain: { destination: ${DESTINATION} }
  own: { destination: ${DESTINATION}, group: null, channel: mail, tags: [Three], utm: { medium: null } }
`);
    expect(file.links.map(({ fields }) => fields)).toEqual([
      {
        destination: DESTINATION,
        group: "summer",
        channel: "web",
        tags: ["One", "Two"],
        utm_source: "site",
        utm_medium: "web",
        utm_campaign: { kind: "give", value: "x" },
      },
      {
        destination: DESTINATION,
        group: null,
        channel: "mail",
        tags: ["Three"],
        utm_source: "site",
        utm_medium: null,
        utm_campaign: { kind: "give", value: "x" },
      },
    ]);
  });

  it("keeps keys as they are written", () => {
    const keys = ["404", "1e3", "true", "null", "constructor", "toString", "a.b_c-d"];
    const links = keys.map((key) => `  ${key}: { destination: ${DESTINATION} }`).join("\n");
    expect(fileOf(`version: 1\nname: s\nlinks:\n${links}`).links.map(({ key }) => key)).toEqual(keys);
  });

  it("reads anchors and aliases", () => {
    const file = fileOf(`version: 1
name: site
links:
  a: &a { destination: ${DESTINATION}, tags: &tags [One] }
  b: *a
  c: { destination: ${DESTINATION}, tags: *tags }
`);
    expect(file.links.map(({ fields }) => fields)).toEqual(
      Array(3).fill({ destination: DESTINATION, tags: ["One"] }),
    );
  });

  it("may have a byte order mark and Windows line ends", () => {
    expect(fileOf(`\uFEFF${EXAMPLE.replaceAll("\n", "\r\n")}`)).toEqual(fileOf(EXAMPLE));
  });
});

describe("a problem has its line", () => {
  const LINK = `  a: { destination: ${DESTINATION} }`;
  it.each<[name: string, text: string, problems: string[]]>([
    [
      "an empty file",
      "",
      ["f:1: The file must be a mapping with version, name, defaults, on_removed, links."],
    ],
    ["a list", "- a", ["f:1: The file must be a mapping with version, name, defaults, on_removed, links."]],
    [
      "an empty mapping",
      "{}",
      ['f:1: version is required: write "version: 1".', "f:1: name is required.", "f:1: links is required."],
    ],
    [
      "another version",
      `version: 2\nname: s\nlinks:\n${LINK}`,
      ["f:1: version must be 1, the only one that this program knows."],
    ],
    [
      "a name with a colon",
      `version: 1\nname: "a:b"\nlinks:\n${LINK}`,
      ["f:2: name must not contain a colon."],
    ],
    ["no name", `version: 1\nname:\nlinks:\n${LINK}`, ["f:2: name must not be empty."]],
    [
      "a number as name",
      `version: 1\nname: 12\nlinks:\n${LINK}`,
      ['f:2: name must be a text. Put it in quotes: "12".'],
    ],
    [
      "a word for removals that is not known",
      `version: 1\nname: s\non_removed: drop\nlinks:\n${LINK}`,
      ["f:3: on_removed must be one of archive, delete, keep."],
    ],
    [
      "a file that was cut after links",
      "version: 1\nname: s\nlinks:\n",
      ["f:3: links must be a mapping of keys to links. For no links write {}."],
    ],
    [
      "a list of links",
      "version: 1\nname: s\nlinks:\n  - a",
      ["f:3: links must be a mapping of keys to links. For no links write {}."],
    ],
    [
      "an unknown field of the file",
      `version: 1\nname: s\nlink: {}\nlinks:\n${LINK}`,
      ['f:3: "link" is not known. Did you mean links?'],
    ],
    [
      "an unknown default",
      `version: 1\nname: s\ndefaults:\n  title: x\nlinks:\n${LINK}`,
      ['f:4: defaults."title" is not known. Known are group, channel, tags, utm.'],
    ],
    [
      "defaults that are a list",
      `version: 1\nname: s\ndefaults: []\nlinks:\n${LINK}`,
      ["f:3: defaults must be a mapping with group, channel, tags, utm."],
    ],
    [
      "a key with a space",
      `version: 1\nname: s\nlinks:\n  a b: { destination: ${DESTINATION} }`,
      [
        'f:4: "a b": a key must be 1 to 100 letters, digits, dots, hyphens or underscores, and start with a letter or digit.',
      ],
    ],
    [
      "a key twice",
      `version: 1\nname: s\nlinks:\n${LINK}\n${LINK}`,
      ['f:5: The key "a" is already used in line 4, without regard to case.'],
    ],
    [
      "a key in another case",
      `version: 1\nname: s\nlinks:\n${LINK}\n${LINK.replace("a:", "A:")}`,
      ['f:5: The key "A" is already used in line 4, without regard to case.'],
    ],
    [
      "a mapping as key",
      `version: 1\nname: s\nlinks:\n  ? { a: b }\n  : { destination: ${DESTINATION} }`,
      ["f:4: A key must be a plain text."],
    ],
    [
      "a slug twice",
      `version: 1\nname: s\nlinks:\n  a: { slug: x, destination: ${DESTINATION} }\n  b:\n    slug: X\n    destination: ${DESTINATION}`,
      ['f:6: b: slug "X" is already used in line 4, without regard to case.'],
    ],
    [
      "a link that is a text",
      "version: 1\nname: s\nlinks:\n  a: x",
      ["f:4: a: must be a mapping with at least a destination."],
    ],
    [
      "a merge key",
      withLink(`destination: ${DESTINATION}`, "<<: {}"),
      ["f:6: a: merge keys are not supported. Use defaults."],
    ],
    [
      "a field twice",
      withLink(`destination: ${DESTINATION}`, "title: a", "title: b"),
      ["f:7: a: title is given twice."],
    ],
    ["no destination", withLink("title: a"), ["f:4: a: destination is required."]],
    ["an empty destination", withLink("destination:"), ["f:5: a: destination must not be empty."]],
    ["a relative destination", withLink("destination: /sale"), ["f:5: a: destination must be a valid URL."]],
    [
      "the name of the interface",
      withLink(`destination: ${DESTINATION}`, "destination_url: x"),
      ['f:6: a: "destination_url" is not known. Did you mean destination?'],
    ],
    [
      "a slip of the pen",
      withLink(`destination: ${DESTINATION}`, "chanel: x"),
      ['f:6: a: "chanel" is not known. Did you mean channel?'],
    ],
    ["a slug of null", withLink("slug:", `destination: ${DESTINATION}`), ["f:5: a: slug must not be empty."]],
    [
      "a reserved slug",
      withLink("slug: Docs", `destination: ${DESTINATION}`),
      ['f:5: a: slug "Docs" is reserved by the service.'],
    ],
    [
      "a boolean",
      withLink(`destination: ${DESTINATION}`, "title: true"),
      ['f:6: a: title must be a text. Put it in quotes: "true".'],
    ],
    [
      "a list as text",
      withLink(`destination: ${DESTINATION}`, "title: [a]"),
      ["f:6: a: title must be a text."],
    ],
    [
      "two lines",
      withLink(`destination: ${DESTINATION}`, 'title: "a\\nb"'),
      ["f:6: a: title must not contain control characters, such as line breaks."],
    ],
    [
      "tags that are a text",
      withLink(`destination: ${DESTINATION}`, "tags: Print"),
      ["f:6: a: tags must be a list of names."],
    ],
    [
      "an empty tag",
      withLink(`destination: ${DESTINATION}`, "tags:", "  - Print", "  - "),
      ["f:8: a: tags must not be empty."],
    ],
    [
      "a tag that is a list",
      withLink(`destination: ${DESTINATION}`, "tags:", "  - [a]"),
      ["f:7: a: tags must be a text."],
    ],
    [
      "51 tags",
      withLink(`destination: ${DESTINATION}`, `tags: [${Array.from({ length: 51 }, (_, n) => `t${n}`)}]`),
      ["f:6: a: tags must not have more than 50 tags."],
    ],
    [
      "utm that is a text",
      withLink(`destination: ${DESTINATION}`, "utm: x"),
      ["f:6: a: utm must be a mapping with source, medium, campaign."],
    ],
    [
      "an unknown parameter",
      withLink(`destination: ${DESTINATION}`, "utm: { term: x }"),
      ['f:6: a: utm."term" is not known. Known are source, medium, campaign.'],
    ],
    [
      "a default that is wrong",
      `version: 1\nname: s\ndefaults:\n  channel: ${"x".repeat(121)}\nlinks:\n${LINK}`,
      ["f:4: defaults.channel must not be longer than 120 characters."],
    ],
  ])("%s", (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it("and all are told at once, by line", () => {
    const text = `version: 1
name: site
defaults: { colour: red }
links:
  a:
    slug: -x
    destination: ftp://example.com
    tiltle: x
  b: { destination: http://localhost, utm: { campaign: 1 } }
other: true
`;
    expect(problemsOf(text)).toEqual([
      'f:3: defaults."colour" is not known. Known are group, channel, tags, utm.',
      "f:6: a: slug must consist of letters, digits, hyphens and underscores, and start with a letter or digit.",
      "f:7: a: destination must use http or https.",
      'f:8: a: "tiltle" is not known. Did you mean title?',
      "f:9: b: destination must not point to a host of an internal network.",
      'f:9: b: utm.campaign must be a text. Put it in quotes: "1".',
      'f:10: "other" is not known. Known are version, name, defaults, on_removed, links.',
    ]);
  });
});

describe("a text that is no YAML", () => {
  it.each([
    ["a bracket that stays open", "version: 1\nname: [", 2],
    ["a tab as indentation", "version: 1\nlinks:\n\ta: 1", 3],
    ["an unknown alias", "version: 1\nname: *none", 2],
    ["an unknown tag", "version: 1\nname: !env NAME", 2],
    ["two documents", "version: 1\n---\nversion: 1", 2],
  ])("is refused with its line: %s", (_, text, line) => {
    const parsed = parseFile(text);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.line)).toContain(line);
  });

  it.each([
    ["more than 1 MB", "#".repeat(1_000_001), "f:1: The file must not be larger than 1000000 bytes."],
    [
      "deep nesting",
      `a: ${"[".repeat(100_000)}${"]".repeat(100_000)}`,
      "f:1: The file is nested too deeply.",
    ],
    [
      "10,001 links",
      `links: {${Array.from({ length: 10_001 }, (_, number) => `k${number}: {}`)}}`,
      "f:1: links must not have more than 10000 links.",
    ],
  ])("is bounded: %s", (_, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it("does not expand a billion laughs", () => {
    const laughs = Array.from({ length: 30 }, (_, level) => {
      const item = level === 0 ? "lol" : `*l${level - 1}`;
      return `  - &l${level} [${Array(10).fill(item)}]`;
    });
    const text = `version: 1\nname: s\nlinks:\n  a:\n    destination: ${DESTINATION}\n    tags: *l29\nx:\n${laughs.join("\n")}`;
    expect(problemsOf(text.replace("tags: *l29", "tags: []"))).toHaveLength(1);
    const wide = `x: &x {${Array.from({ length: 5_000 }, (_, number) => `k${number}: 1`)}}`;
    const links = Array.from({ length: 5_000 }, (_, number) => `  k${number}: *x`).join("\n");
    const started = performance.now();
    expect(problemsOf(`version: 1\nname: s\n${wide}\nlinks:\n${links}`)).toEqual([
      "f:1: The file expands to too many values. Use fewer aliases.",
    ]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("resolves an alias that contains itself", () => {
    expect(problemsOf(`version: 1\nname: s\nlinks: &l\n  a: *l`)).not.toEqual([]);
  });
});

describe("the rules are those of the service", () => {
  const schemaAccepts = (body: object) => createLinkSchema.safeParse(body).success;
  const parses = (fields: object) =>
    parseFile(stringify({ version: 1, name: "s", links: { a: { destination: DESTINATION, ...fields } } })).ok;
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

  it.each([
    "api",
    "API",
    "Docs",
    "a",
    "a".repeat(64),
    "a".repeat(65),
    "-a",
    "_a",
    "a_b",
    "a.b",
    "ä",
    "1",
    "health1",
  ])("for the slug %s", (slug) => {
    expect(parses({ slug })).toBe(schemaAccepts({ destination_url: DESTINATION, slug }));
  });
});
