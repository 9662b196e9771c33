import { describe, expect, it } from "vitest";
import { z } from "zod";
import { codeOf, messageOf } from "../../src/lib/failure";
import { label } from "../../src/lib/field-codes";
import {
  check,
  destination,
  flag,
  isoMoment,
  plainSlug,
  refusal,
  text,
  trimmed,
  utcMoment,
  wholeNumber,
} from "../../src/lib/validation";
import { toProgram } from "../failures";

/** The error message for `value` in a field `link_title`. */
function said(schema: z.ZodType, value: unknown): string[] {
  const checked = check(z.object({ link_title: schema }), { link_title: value });
  return checked.ok ? [] : checked.failures.map(messageOf);
}

const failuresOf = (schema: z.ZodType, value: unknown) => {
  const checked = check(schema, value);
  return checked.ok ? [] : checked.failures.map(toProgram);
};

const readAs = (schema: z.ZodType, value: unknown) => {
  const checked = check(schema, value);
  return checked.ok ? checked.value : undefined;
};

describe("an error message", () => {
  it("names a field without underscores, and an item by its index", () => {
    expect(label("destination_url_")).toBe("destination url ");
    expect(label("tag_ids.0")).toBe("tag_ids.0");
    expect(label("")).toBe("");
  });

  it.each<[string, z.ZodType, unknown, string, string]>([
    ["a text that is missing", z.string(), undefined, "field is required.", "required"],
    ["a text that is null", z.string(), null, "field is required.", "required"],
    ["a text that is a number", z.string(), 1, "field must be a string.", "type"],
    ["a value that is not a list", z.array(z.string()), "a", "field must be an array.", "type"],
    ["a number that is a text", z.number(), "1", "field must be an integer.", "type"],
    ["a value that is not a whole number", z.int(), 1.5, "field must be an integer.", "type"],
    ["a choice that is missing", z.enum(["a"]), undefined, "field is required.", "required"],
    ["a choice that is null", z.enum(["a"]), null, "field is required.", "required"],
    ["a long text", text(2), "abc", "field must not be greater than 2 characters.", "too_long"],
    ["a long list", z.array(z.int()).max(0), [1], "field must not have more than 0 items.", "too_long"],
    ["an empty list", z.array(z.int()).min(1), [], "field is required.", "too_short"],
    ["a text of another form", z.string().regex(/^a$/), "b", "field format is invalid.", "format"],
    ["a lone surrogate", text(), "a\n\ud800", "field must be well-formed Unicode text.", "format"],
    ["a control character", text(), "a\nb", "field must not contain control characters.", "format"],
  ])("is correct for %s, and so is its code", (_, schema, value, message, code) => {
    const failures = [{ field: "link_title", message: `The link title ${message}`, code }];
    expect(failuresOf(z.object({ link_title: schema }), { link_title: value })).toEqual(failures);
  });

  it.each<[string, z.ZodType, unknown, string, string]>([
    ["a value that is no choice", z.enum(["a"]), "c", "The selected link title is invalid.", "enum"],
    ["an error without our own message", z.strictObject({}), { b: 1 }, 'Unrecognized key: "b"', "format"],
  ])("is as it is for %s", (_, schema, value, message, code) => {
    const failures = [{ field: "link_title", message, code }];
    expect(failuresOf(z.object({ link_title: schema }), { link_title: value })).toEqual(failures);
  });

  it("is given once for every invalid field, in the order of the schema", () => {
    const schema = z.object({
      title: z.string().max(1).regex(/^a/),
      tag_ids: z.array(z.string()),
      name: z.string(),
    });
    expect(failuresOf(schema, { name: 1, tag_ids: ["a", 1, 2], title: "bb" })).toEqual([
      { field: "title", message: "The title field must not be greater than 1 characters.", code: "too_long" },
      { field: "tag_ids.1", message: "The tag_ids.1 field must be a string.", code: "type" },
      { field: "tag_ids.2", message: "The tag_ids.2 field must be a string.", code: "type" },
      { field: "name", message: "The name field must be a string.", code: "type" },
    ]);
    expect(check(schema, { title: "a", tag_ids: [], name: "" })).toEqual({
      ok: true,
      value: { title: "a", tag_ids: [], name: "" },
    });
  });
});

it("the code of a rule with a fixed message is that of the rule", () => {
  const problem = { code: "taken", message: "It is taken." } as const;
  expect(
    check(
      z.string().superRefine((_, context) => context.addIssue(refusal(problem))),
      "a",
    ),
  ).toEqual({
    ok: false,
    failures: [{ field: "", ...problem }],
  });
});

it("the client's input is trimmed with empty strings as null, also inside lists and objects", () => {
  expect(
    trimmed({ a: " a ", b: " \t", c: "", d: 1, e: [" a ", " ", 2, [" b "]], f: { g: " h " }, i: null }),
  ).toEqual({ a: "a", b: null, c: null, d: 1, e: ["a", null, 2, ["b"]], f: { g: "h" }, i: null });
});

describe("a text", () => {
  it("has at most the given number of characters, if there is a limit", () => {
    expect(said(text(3), "abc")).toEqual([]);
    expect(said(text(3), "abcd")).toEqual(["The link title field must not be greater than 3 characters."]);
    expect(said(text(3), "😀😀😀")).toEqual([]);
    expect(said(text(3), "😀😀😀😀")).toEqual([
      "The link title field must not be greater than 3 characters.",
    ]);
    expect(said(text(), "a".repeat(100_000))).toEqual([]);
  });
});

describe("a whole number", () => {
  const schema = wholeNumber(1, 100);

  it.each([
    ["1", 1],
    ["100", 100],
    ["007", 7],
  ])("%s is %i", (digits, number) => {
    expect(readAs(schema, digits)).toBe(number);
  });

  it.each(["0", "101", "-1", "-50", "9".repeat(400)])("%s is out of bounds", (digits) => {
    expect(said(schema, digits)).toEqual(["The link title field must be between 1 and 100."]);
  });

  it.each(["", "a", "1.5", "1e1", "+1", " 1", "1 ", "--5", "-", "1-"])(
    "%j is not a whole number",
    (digits) => {
      expect(said(schema, digits)).toEqual(["The link title field must be an integer."]);
    },
  );

  it("is at most the greatest safe integer", () => {
    const any = wholeNumber(1);
    expect(readAs(any, "9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    for (const digits of ["9007199254740992", "9".repeat(400)]) {
      expect(said(any, digits)).toEqual(["The link title field must not be greater than 9007199254740991."]);
    }
    expect(said(any, "0")).toEqual(["The link title field must be at least 1."]);
  });
});

it("a plain slug is at most 120 lower-case letters, digits and hyphens", () => {
  for (const slug of ["a", "2026-a", "-", "a".repeat(120)]) expect(said(plainSlug(), slug)).toEqual([]);
  for (const slug of ["A", "aB", "Ba", "a b", "a_b", "é", ""]) {
    expect(said(plainSlug(), slug), slug).toEqual([
      "The link title field must only contain lowercase letters, digits and hyphens.",
    ]);
  }
  expect(said(plainSlug(), "a".repeat(121))).toEqual([
    "The link title field must not be greater than 120 characters.",
  ]);
});

describe("a time", () => {
  it("is an ISO 8601 time", () => {
    expect(readAs(isoMoment(), "1970-01-02")).toBe(86_400_000);
    expect(said(isoMoment(), "tomorrow")).toEqual([
      "The link title field must be an ISO 8601 time such as 2026-05-01T09:00:00Z.",
    ]);
  });

  it("with a zone is written in UTC", () => {
    expect(readAs(utcMoment(), "2026-05-01T09:00:00+02:00")).toBe("2026-05-01T07:00:00.000Z");
    const message = "The ends at field must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z.";
    expect(failuresOf(z.object({ ends_at: utcMoment() }), { ends_at: "2026-05-01T09:00:00" })).toEqual([
      { field: "ends_at", message, code: "format" },
    ]);
  });
});

describe("a destination", () => {
  it("keeps its spelling", () => {
    expect(readAs(destination(), "HTTPS://Example.com")).toBe("HTTPS://Example.com");
  });

  it("is refused with the rule that it breaks and the name of its field", () => {
    expect(failuresOf(destination(), "ftp://example.com/")).toEqual([
      { field: "", message: "The  field must use http or https.", code: "scheme" },
    ]);
  });
});

it("a flag is true, false or nothing", () => {
  expect(["true", "false", null, undefined].map((value) => readAs(flag(), value))).toEqual([
    true,
    false,
    null,
    undefined,
  ]);
  expect(said(flag(), "yes")).toHaveLength(1);
});

it("texts deeper than a request has are not trimmed", () => {
  const nested = { a: [{ b: [" c ", [" d "]] }] };
  expect(trimmed(nested)).toEqual({ a: [{ b: ["c", [" d "]] }] });
});

it("a value that is no object is said to be none, and a number has its code", () => {
  expect(said(z.object({}), "a")).toEqual(["The link title field must be an object."]);
  const codesOf = (value: string) => {
    const checked = check(z.object({ size: wholeNumber(1, 5) }), { size: value });
    return checked.ok ? undefined : checked.failures.map(codeOf);
  };
  expect(["3", "9", "x"].map(codesOf)).toEqual([undefined, ["range"], ["type"]]);
});
