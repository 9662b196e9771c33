import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planFile } from "../../../src/client/file/make-plan";
import { messageOf } from "../../../src/lib/failure";
import { ENDS_TOO_EARLY } from "../../../src/resources/links/link-errors";
import { createLinkSchema } from "../../../src/resources/links/link-schema";
import { link, state } from "./links";
import { problemsOf, refusedFor, withField } from "./problems";
import { DESTINATION, type Fields, fileOf, parsed } from "./setup";

const START = "2026-06-01T06:00:00.000Z";
const END = "2026-08-31T22:00:00.000Z";
const OVER = "https://www.example.com/over";

const NO_ZONE = "must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z";
const TOO_EARLY = "must be a date after starts at";

const startIn = (text: string) => parsed(text).links[0]?.fields.starts_at;

describe("a moment in a file", () => {
  const SPELLINGS = [
    "2026-06-01T08:00:00+02:00",
    '"2026-06-01T08:00:00+02:00"',
    "'2026-06-01T06:00Z'",
    "2026-06-01T06:00:00.000Z",
    "2026-06-01T06:00:00.000000999Z",
    "!!str 2026-06-01T06:00:00Z",
    "!!timestamp 2026-06-01T06:00:00Z",
    "|\n      2026-06-01T06:00:00Z",
  ];

  it.each(SPELLINGS)("is the same instant in every spelling: %s", (written) => {
    expect(startIn(withField(`starts_at: ${written}`))).toBe(START);
  });

  it.each(SPELLINGS)("is read alike by YAML 1.1, which knows dates: %s", (written) => {
    expect(startIn(`%YAML 1.1\n---\n${withField(`starts_at: ${written}`)}`)).toBe(START);
  });

  it.each(["2026-06-01T08:00:00", '"2026-06-01T08:00:00"', "2026-06-01", "20260601", "tomorrow"])(
    "is refused in the words of the service, quoted or not, in both versions of YAML: %s",
    (written) => {
      const text = withField(`starts_at: ${written}`, `ends_at: ${written}`);
      const problems = [`a: starts_at ${NO_ZONE}.`, `a: ends_at ${NO_ZONE}.`];
      expect(problemsOf(text)).toEqual(problems.map((problem, index) => `f:${6 + index}: ${problem}`));
      expect(problemsOf(`%YAML 1.1\n---\n${text}`)).toEqual(
        problems.map((problem, index) => `f:${8 + index}: ${problem}`),
      );
    },
  );

  it("keeps a date in a text field as its text, in both versions of YAML", () => {
    const text = withField("title: 2026-06-01");
    for (const one of [text, `%YAML 1.1\n---\n${text}`]) {
      expect(parsed(one).links[0]?.fields.title).toBe("2026-06-01");
    }
  });
});

describe("the end of a link in a file", () => {
  it.each<[name: string, lines: string[], problems: string[]]>([
    [
      "at its start, in another zone",
      ["ends_at: 2026-06-01T08:00:00+02:00", `starts_at: ${START}`],
      [`f:6: a: ends_at ${TOO_EARLY}.`],
    ],
    [
      "on an earlier day by its text alone",
      ["starts_at: 2026-06-02T01:00:00+02:00", "ends_at: 2026-06-01T23:30:00Z"],
      [],
    ],
    ["cleared", [`starts_at: ${START}`, "ends_at: null"], []],
  ])("%s", (_, lines, problems) => {
    expect(problemsOf(withField(...lines))).toEqual(problems);
  });

  it("is refused by the same sentence as in the service", () => {
    expect(messageOf(ENDS_TOO_EARLY)).toBe(`The ends at field ${TOO_EARLY}.`);
  });

  it("from the defaults must be after the start of each link", () => {
    const file = [
      "version: 1",
      "name: site",
      `defaults: { ends_at: ${START}, ended_url: ${OVER} }`,
      "links:",
    ];
    const link = ["  a:", `    destination: ${DESTINATION}`, `    starts_at: ${END}`];
    expect(problemsOf([...file, ...link].join("\n"))).toEqual([`f:7: a: ends_at ${TOO_EARLY}.`]);
  });
});

describe("the rules are those of the service", () => {
  const number = (max: number) => fc.nat(max).map((value) => String(value).padStart(2, "0"));
  const moment = fc
    .tuple(
      fc.constantFrom("2026", "0000", "9999", "10000", "26"),
      number(13),
      number(32),
      fc.constantFrom("T", " ", "t", ""),
      fc.tuple(number(25), number(60)).map((parts) => parts.join(":")),
      fc.constantFrom("", ":00", ":60", ":00.5", ":00.123456789", ":00.1234567890"),
      fc.constantFrom("Z", "z", "", "+02:00", "-23:59", "+24:00", "+0200", "+02"),
    )
    .map(([year, month, day, separator, time, seconds, zone]) =>
      [year, "-", month, "-", day, separator, time, seconds, zone].join(""),
    );

  it("for a moment", () => {
    fc.assert(
      fc.property(moment, (starts_at) => {
        const result = createLinkSchema.safeParse({ destination_url: DESTINATION, starts_at });
        const read = problemsOf(withField(`starts_at: ${JSON.stringify(starts_at)}`));
        expect(read).toEqual(
          result.success ? [] : result.error.issues.map(() => `f:6: a: starts_at ${NO_ZONE}.`),
        );
        if (result.success) {
          expect(startIn(withField(`starts_at: ${starts_at}`))).toBe(result.data.starts_at);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a plan", () => {
  const planOf = (fields: Fields, was: Fields = {}) => planFile(fileOf({ a: fields }), state([link(was)]));

  it.each<[fields: Fields, was: Fields, has: string]>([
    [{ starts_at: END }, { ends_at: START }, `ends_at ${START}`],
    [{ ends_at: START }, { starts_at: START }, `starts_at ${START}`],
  ])("foretells that the service would refuse %j on a link with %j", (fields, was, has) => {
    const how = "Give both in the file, or clear one with null.";
    expect(refusedFor(() => planOf(fields, was))).toEqual([
      `waymark.yaml:6: a: ends_at ${TOO_EARLY}. The link has ${has}. ${how}`,
    ]);
    expect(refusedFor(() => planOf({ starts_at: null, ends_at: null, ...fields }, was))).toEqual([]);
  });
});
