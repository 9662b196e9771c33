import { DESTINATION_RULES, type DestinationRule } from "./destination-rules";
import { type FieldCode, label } from "./field-codes";
import { eachField } from "./link-fields";
import { ISO_MOMENT_RULE } from "./time";

// What is wrong with a field is a value. Here it becomes a sentence: one for programs, in the words that clients know, and one
// for people, with the name that their form shows. Nothing reads a sentence again.

type Say<P> = (name: string, params: P) => string;

interface Reason<P> {
  /** What strict clients get. */
  code: FieldCode;
  forPrograms: Say<P>;
  forPeople: Say<P>;
}

const sentence = <P = unknown>(
  code: FieldCode,
  forPrograms: Say<P>,
  forPeople: Say<P> = forPrograms,
): Reason<P> => ({ code, forPrograms, forPeople });

/** A rule completes a sentence that begins with the field. */
const rule = <P = unknown>(
  code: FieldCode,
  says: (params: P) => string,
  forPeople: (params: P) => string = says,
): Reason<P> =>
  sentence(
    code,
    (name, params) => `The ${name} field ${says(params)}.`,
    (noun, params) => `The ${noun} ${forPeople(params)}.`,
  );

/** A rule without parameters. */
const fixed = (code: FieldCode, says: string, forPeople: string = says) =>
  rule(
    code,
    () => says,
    () => forPeople,
  );

const missing = (code: FieldCode) =>
  sentence(
    code,
    (name) => `The ${name} field is required.`,
    (noun) => `Enter the ${noun}.`,
  );

const notOffered = (code: FieldCode) => sentence(code, (name) => `The selected ${name} is invalid.`);

const number = (value: number): string => value.toLocaleString("en-GB");

const MAX_NAMED = 10;

/** "a, b and 3 more". */
function named(values: readonly string[]): string {
  const more = values.length - MAX_NAMED;
  return `${values.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** By reason. A type parameter has what the sentences need to know. */
const REASONS = {
  ...eachField(DESTINATION_RULES, (reason) => {
    const [code, says, forPeople] = DESTINATION_RULES[reason] as DestinationRule;
    return fixed(code, says, forPeople);
  }),
  empty: missing("required"),
  required: missing("required"),
  too_few: missing("too_short"),
  type: rule<{ kind: "an object" | "an array" | "a string" | "an integer" }>(
    "type",
    ({ kind }) => `must be ${kind}`,
    ({ kind }) => `must be ${kind === "an integer" ? "a whole number" : kind}`,
  ),
  once: fixed("type", "must be given once, as a single value"),
  list_name: sentence("type", (name) => {
    const parameter = name.replaceAll(" ", "_");
    return `The ${name} field must be given as ${parameter}, ${parameter}[] or ${parameter}[0].`;
  }),
  not_offered: notOffered("enum"),
  unknown_selection: notOffered("unknown"),
  too_many_characters: rule<{ max: number }>(
    "too_long",
    ({ max }) => `must not be greater than ${max} characters`,
    ({ max }) => `must not have more than ${max} characters`,
  ),
  too_long_to_keep: rule<{ max: number }>(
    "too_long",
    ({ max }) => `must not have more than ${number(max)} characters. Only its beginning is kept here`,
  ),
  too_many_items: rule<{ max: number }>("too_long", ({ max }) => `must not have more than ${max} items`),
  pattern: fixed("format", "format is invalid", "is not valid"),
  /** A rule of one field. */
  rule: rule<{ code: FieldCode; rule: string }>("format", (params) => params.rule),
  unicode: fixed("format", "must be well-formed Unicode text"),
  invisible: fixed("format", "must not contain invisible characters"),
  range: rule<{ min: number; max: number }>("range", ({ min, max }) =>
    max === Number.MAX_SAFE_INTEGER ? `must be at least ${min}` : `must be between ${min} and ${max}`,
  ),
  too_great: rule<{ max: number }>("range", ({ max }) => `must not be greater than ${max}`),
  time: fixed("format", "must be an ISO 8601 time such as 2026-05-01T09:00:00Z", "must be a date and a time"),
  moment: fixed("format", ISO_MOMENT_RULE, "must be a date and a time"),
  day_or_moment: fixed("format", ISO_MOMENT_RULE, "must be a day, or a day with a time"),
  ends_too_early: sentence(
    "range",
    (name) =>
      `The ${name} field must be a date after ${name.slice(0, -"ends_at".length)}starts${name.slice(-"_at".length)}.`,
    (noun) => `The ${noun} must be after the start.`,
  ),
  ends_before_start: fixed(
    "range",
    "must be a time after or equal to starts at",
    "must not be before the start",
  ),
  slug: fixed(
    "format",
    "must be 1 to 64 letters, digits, hyphens or underscores and start with a letter or digit",
  ),
  reserved: sentence<{ slug: string }>("reserved", (name, { slug }) => `The ${name} ${slug} is reserved.`),
  taken: sentence(
    "taken",
    (name) => `The ${name} has already been taken.`,
    (noun) => `The ${noun} is taken.`,
  ),
  taken_in_row: sentence<{ row: number }>(
    "taken",
    (name, { row }) => `The ${name} is already in row ${row} of this file.`,
  ),
  taken_down: sentence(
    "taken_down",
    (name) => `The ${name} has been taken down.`,
    (noun) => `The ${noun} was taken down by the operator of this service. It cannot be used again.`,
  ),
  refused_host: rule<{
    because: "this service does not allow" | "serves short links itself" | "is known to spread malware";
  }>("forbidden_host", ({ because }) => `leads to a host that ${because}`),
  convention: rule<{ values: readonly string[] }>(
    "enum",
    ({ values }) => `must be one of the workspace's values: ${named(values)}`,
  ),
  workspace_full: sentence<{ limit: number; noun: string }>(
    "limit",
    (_, { limit, noun }) => `The workspace has reached its limit of ${number(limit)} ${noun}.`,
  ),
  link_full: sentence<{ limit: number; noun: string }>(
    "limit",
    (_, { limit, noun }) => `The link may not have more than ${limit} ${noun}.`,
  ),
  not_in_workspace: sentence<{ resource: string }>(
    "unknown",
    (_, { resource }) => `${resource} was not found in this workspace.`,
  ),
  unknown_field: sentence<{ name: string }>("unknown", (_, { name }) => `The ${name} field is not known.`),
  unknown_parameter: sentence<{ name: string }>(
    "unknown",
    (_, { name }) => `The ${name} parameter is not supported.`,
  ),
};

type Reasons = typeof REASONS;

/** What is wrong, without the field. A sentence of one feature says the same to programs and to people. */
export type Fault =
  | { reason?: undefined; code: FieldCode; message: string }
  | {
      [R in keyof Reasons]: { reason: R } & (Reasons[R] extends Reason<infer P> ? P : never);
    }[keyof Reasons];

export type Failure = Fault & {
  /** Its name as sent. */
  field: string;
  /** What sentences call it, if not by that name. */
  of?: string;
  /** The id of the workspace's own link, tag or group that is in the way. */
  conflict?: string;
};

const voicesOf = (reason: keyof Reasons): Reason<never> => REASONS[reason];

export const codeOf = (failure: Fault): FieldCode =>
  "code" in failure ? failure.code : voicesOf(failure.reason).code;

export const messageOf = (failure: Failure): string =>
  failure.reason === undefined
    ? failure.message
    : voicesOf(failure.reason).forPrograms(failure.of ?? label(failure.field), failure as never);

/** The sentence for people; `noun` is what they call the field within it. */
export const sayToPeople = (failure: Failure, noun: string): string =>
  failure.reason === undefined
    ? failure.message
    : voicesOf(failure.reason).forPeople(failure.of ?? noun, failure as never);
