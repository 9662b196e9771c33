import { describe, expect, it } from "vitest";
import { problemsOf, withField } from "./problems";
import { DESTINATION } from "./setup";

describe("a problem has its line", () => {
  const LINK = `  a: { destination: ${DESTINATION} }`;
  /** A file with these lines from the third on, before its only link. */
  const withLines = (...lines: string[]) => ["version: 1", "name: s", ...lines, "links:", LINK].join("\n");
  it.each<[name: string, text: string, problems: string[]]>([
    [
      "an empty file",
      "",
      ["f:1: The file must be a mapping with version, name, defaults, on_removed, links."],
    ],
    [
      "a file that was cut after links",
      "version: 1\nname: s\nlinks:\n",
      ["f:3: links must be a mapping of keys to links. For no links write {}."],
    ],
    ["a key twice", `${withLines()}\n${LINK}`, ['f:5: "a" is already given in line 4.']],
    [
      "a key in another case",
      `${withLines()}\n${LINK.replace("a:", "A:")}`,
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
    ["a merge key", withField("<<: {}"), ["f:6: a: merge keys are not supported. Use defaults."]],
    [
      "the name of the interface",
      withField("destination_url: x"),
      ['f:6: a: "destination_url" is not known. Did you mean destination?'],
    ],
    [
      "a number, with its digits as they are written",
      withField("title: 3.10"),
      ['f:6: a: title must be a text. Put it in quotes: "3.10".'],
    ],
    [
      "numbers of JSON, of a list and of an alias",
      `{ "version": 1, "name": "s", "links": {
        "a": { "destination": "${DESTINATION}", "title": 1.50, "tags": ["Print", 0020] },
        "b": { "destination": "${DESTINATION}", "title": &n 1e3, "channel": *n } } }`,
      [
        'f:2: a: title must be a text. Put it in quotes: "1.50".',
        'f:2: a: tags must be a text. Put it in quotes: "0020".',
        'f:3: b: title must be a text. Put it in quotes: "1e3".',
        'f:3: b: channel must be a text. Put it in quotes: "1e3".',
      ],
    ],
    [
      "11 rules",
      withField(`rules: [${Array(11).fill(`{ destination: ${DESTINATION}, share: 1 }`)}]`),
      ["f:6: a: rules must not have more than 10 rules."],
    ],
    [
      "a rule without a condition",
      withField("rules:", `  - destination: ${DESTINATION}`, "    countries: []"),
      ["f:7: a: rules.0 must have at least one condition."],
    ],
    [
      "values of rules that are not valid",
      withField(
        "rules:",
        "  - countries:",
        "      - CH",
        "      - ch",
        "    destination: /fr",
        `  - destination: ${DESTINATION}`,
        "    devices: [phone]",
        "    languages: [FR]",
        "    starts_at: 2026-06-01",
        "    share: 100",
        "    country: CH",
      ),
      [
        "f:9: a: rules.0.countries.1 must be a country of ISO 3166-1 in capitals, such as CH.",
        "f:10: a: rules.0.destination must be a valid URL.",
        "f:12: a: rules.1.devices.0 must be one of ios, android, desktop.",
        "f:13: a: rules.1.languages.0 must be a language of ISO 639 in lower case, such as fr.",
        "f:14: a: rules.1.starts_at must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z.",
        "f:15: a: rules.1.share must be a whole number from 1 to 99.",
        'f:16: a: rules.1."country" is not known. Did you mean countries?',
      ],
    ],
    [
      "51 tags",
      withField(`tags: [t1, ${Array.from({ length: 51 }, (_, n) => `T${n}`)}]`),
      ["f:6: a: tags must not have more than 50 tags."],
    ],
    [
      "a default that is wrong",
      withLines("defaults:", `  channel: ${"x".repeat(121)}`),
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
      'f:3: defaults."colour" is not known. Known are domain, group, channel, tags, utm, ends_at, ended_url.',
      "f:6: a: slug must consist of letters, digits, hyphens and underscores, and start with a letter or digit.",
      "f:7: a: destination must use http or https.",
      'f:8: a: "tiltle" is not known. Did you mean title?',
      "f:9: b: destination must not point to a host of an internal network.",
      'f:9: b: utm.campaign must be a text. Put it in quotes: "1".',
      'f:10: "other" is not known. Known are version, name, defaults, on_removed, links.',
    ]);
  });
});
