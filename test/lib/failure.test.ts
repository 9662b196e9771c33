import { expect, it } from "vitest";
import { codeOf, type Failure, type Fault, messageOf, sayToPeople } from "../../src/lib/failure";
import type { FieldCode } from "../../src/lib/field-codes";

type Reason = NonNullable<Fault["reason"]>;
type Params<R extends Reason> = Omit<Extract<Failure, { reason: R }>, "reason" | "field">;
type Said = readonly [code: FieldCode, forPrograms: string, forPeople: string];

const field = (code: FieldCode, rule: string, forPeople = rule): Said => [
  code,
  `The some field field ${rule}.`,
  `The title ${forPeople}.`,
];
const REQUIRED: Said = ["required", "The some field field is required.", "Enter the title."];
const ADDRESS = "must be an address such as https://www.example.com/page";
const REFUSED_HOST = "leads to a host that this service does not allow";

/** Every reason, so a new one does not compile until it stands here. */
const SAID: { readonly [R in Reason]: readonly [Params<R>, Said] } = {
  required: [{}, REQUIRED],
  empty: [{}, REQUIRED],
  too_few: [{}, ["too_short", REQUIRED[1], REQUIRED[2]]],
  type: [{ kind: "an integer" }, field("type", "must be an integer", "must be a whole number")],
  once: [{}, field("type", "must be given once, as a single value")],
  list_name: [
    {},
    [
      "type",
      "The some field field must be given as some_field, some_field[] or some_field[0].",
      "The title field must be given as title, title[] or title[0].",
    ],
  ],
  not_offered: [{}, ["enum", "The selected some field is invalid.", "The selected title is invalid."]],
  unknown_selection: [
    {},
    ["unknown", "The selected some field is invalid.", "The selected title is invalid."],
  ],
  too_many_characters: [
    { max: 5 },
    field("too_long", "must not be greater than 5 characters", "must not have more than 5 characters"),
  ],
  too_long_to_keep: [
    { max: 20_000 },
    field("too_long", "must not have more than 20,000 characters. Only its beginning is kept here"),
  ],
  too_many_items: [{ max: 5 }, field("too_long", "must not have more than 5 items")],
  pattern: [{}, field("format", "format is invalid", "is not valid")],
  rule: [{ code: "exclusive", rule: "must be alone" }, field("exclusive", "must be alone")],
  unicode: [{}, field("format", "must be well-formed Unicode text")],
  invisible: [{}, field("format", "must not contain invisible characters")],
  range: [{ min: 1, max: 9 }, field("range", "must be between 1 and 9")],
  too_great: [{ max: 9 }, field("range", "must not be greater than 9")],
  time: [
    {},
    field("format", "must be an ISO 8601 time such as 2026-05-01T09:00:00Z", "must be a date and a time"),
  ],
  moment: [
    {},
    field(
      "format",
      "must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z",
      "must be a date and a time",
    ),
  ],
  day_or_moment: [
    {},
    field(
      "format",
      "must be an ISO 8601 time with a zone, such as 2026-05-01T09:00:00Z",
      "must be a day, or a day with a time",
    ),
  ],
  ends_too_early: [
    { of: "ends at" },
    ["range", "The ends at field must be a date after starts at.", "The ends at must be after the start."],
  ],
  ends_before_start: [
    {},
    field("range", "must be a time after or equal to starts at", "must not be before the start"),
  ],
  slug: [
    {},
    field(
      "format",
      "must be 1 to 64 letters, digits, hyphens or underscores and start with a letter or digit",
    ),
  ],
  reserved: [{ slug: "$&" }, ["reserved", "The some field $& is reserved.", "The title $& is reserved."]],
  taken: [{}, ["taken", "The some field has already been taken.", "The title is taken."]],
  taken_in_row: [
    { row: 3, of: "old slug $&" },
    [
      "taken",
      "The old slug $& is already in row 3 of this file.",
      "The old slug $& is already in row 3 of this file.",
    ],
  ],
  taken_down: [
    {},
    [
      "taken_down",
      "The some field has been taken down.",
      "The title was taken down by the operator of this service. It cannot be used again.",
    ],
  ],
  refused_host: [{ because: "this service does not allow" }, field("forbidden_host", REFUSED_HOST)],
  convention: [
    { values: ["$&", "$1", ..."abcdefghij"] },
    field("enum", "must be one of the workspace's values: $&, $1, a, b, c, d, e, f, g, h and 2 more"),
  ],
  workspace_full: [
    { limit: 1_000, noun: "tags" },
    [
      "limit",
      "The workspace has reached its limit of 1,000 tags.",
      "The workspace has reached its limit of 1,000 tags.",
    ],
  ],
  link_full: [
    { limit: 50, noun: "tags" },
    ["limit", "The link may not have more than 50 tags.", "The link may not have more than 50 tags."],
  ],
  not_in_workspace: [
    { resource: "Tag" },
    ["unknown", "Tag was not found in this workspace.", "Tag was not found in this workspace."],
  ],
  unknown_field: [
    { name: "$&_x" },
    ["unknown", "The $&_x field is not known.", "The $&_x field is not known."],
  ],
  unknown_parameter: [
    { name: "$&_x" },
    ["unknown", "The $&_x parameter is not supported.", "The $&_x parameter is not supported."],
  ],
  too_long: [
    {},
    field("too_long", "must not be greater than 2048 characters", "must not have more than 2048 characters"),
  ],
  control_character: [{}, field("format", "must not contain control characters")],
  whitespace: [{}, field("format", "must not contain unencoded white space", "must not have spaces")],
  malformed_unicode: [{}, field("format", "must not contain malformed Unicode")],
  invisible_character: [{}, field("format", "must not contain invisible or direction characters")],
  backslash: [{}, field("format", "must not contain a backslash")],
  no_scheme: [{}, field("format", "must be a valid URL", ADDRESS)],
  not_absolute: [{}, field("format", "must be a valid URL", ADDRESS)],
  unparseable: [{}, field("format", "must be a valid URL", ADDRESS)],
  scheme: [{}, field("scheme", "must use http or https")],
  credentials: [{}, field("format", "must not contain a user name or password")],
  ip_literal: [{}, field("forbidden_host", "must not point to an IP address")],
  internal_host: [{}, field("forbidden_host", "must not point to a host of an internal network")],
  address_in_name: [
    {},
    field("forbidden_host", "must not use a domain that hides an IP address in its name"),
  ],
  host_shape: [
    {},
    field("format", "must have a valid host name", "must have a valid host name, such as www.example.com"),
  ],
  own_host: [{}, field("forbidden_host", "must not point to this service itself")],
  shortener: [{}, field("forbidden_host", "must not point to another link shortener")],
  homograph: [
    {},
    field("forbidden_host", "must not use a host name whose letters imitate those of another script"),
  ],
};

it.each(Object.entries(SAID))(
  "%s is said to programs and to people, with its code",
  (reason, [params, said]) => {
    const failure = { field: "some_field", reason, ...params } as Failure;
    expect([codeOf(failure), messageOf(failure), sayToPeople(failure, "title")]).toEqual(said);
  },
);

it("a sentence of one feature is the same for both", () => {
  const failure: Failure = { field: "some_field", code: "state", message: "It is $&." };
  expect([codeOf(failure), messageOf(failure), sayToPeople(failure, "title")]).toEqual([
    "state",
    "It is $&.",
    "It is $&.",
  ]);
});

it("the end of a rule is compared with its start, and a number without a greatest one says the least", () => {
  expect(messageOf({ field: "rules.0.ends_at", reason: "ends_too_early" })).toBe(
    "The rules.0.ends_at field must be a date after rules.0.starts_at.",
  );
  expect(messageOf({ field: "limit", reason: "range", min: 1, max: Number.MAX_SAFE_INTEGER })).toBe(
    "The limit field must be at least 1.",
  );
});
