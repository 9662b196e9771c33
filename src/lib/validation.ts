import { z } from "zod";
import { destinationProblem } from "./destination";
import type { Failure } from "./failure";
import { type FieldCode, label, MAX_FAILURES } from "./field-codes";
import { isObject } from "./json";
import { ISO_MOMENT_RULE, parseIsoMoment, parseIsoTime } from "./time";

const labelAt = (path: readonly PropertyKey[] = []): string => label(path.map(String).join("."));

type RawIssue = Parameters<NonNullable<ReturnType<typeof z.config>["customError"]>>[0];

/** Builds a message from the field name, which a refinement does not know. */
type Sentence = (field: string) => string;

export const refusal = (code: FieldCode, sentence: Sentence) => ({
  code: "custom" as const,
  params: { code, sentence },
});

const sentenceOf = (params: Record<string, unknown> | undefined): Sentence | undefined => {
  const sentence = params?.["sentence"];
  return typeof sentence === "function" ? (field) => String(sentence(field)) : undefined;
};

function laravelMessage(issue: RawIssue): string | undefined {
  const field = `The ${labelAt(issue.path)} field`;
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return `${field} is required.`;
      if (issue.expected === "object") return `${field} must be an object.`;
      if (issue.expected === "array") return `${field} must be an array.`;
      if (issue.expected === "int" || issue.expected === "number") return `${field} must be an integer.`;
      return `${field} must be a string.`;
    case "invalid_value":
      if (issue.input === undefined || issue.input === null) return `${field} is required.`;
      return `The selected ${labelAt(issue.path)} is invalid.`;
    case "too_big":
      return issue.origin === "array"
        ? `${field} must not have more than ${issue.maximum} items.`
        : `${field} must not be greater than ${issue.maximum} characters.`;
    case "too_small":
      return `${field} is required.`;
    case "invalid_format":
      return `${field} format is invalid.`;
    case "custom":
      return sentenceOf(issue.params)?.(labelAt(issue.path));
    default:
      return undefined;
  }
}

z.config({ customError: laravelMessage });

const ISSUE_CODES: Partial<Record<z.core.$ZodIssue["code"], FieldCode>> = {
  invalid_type: "type",
  invalid_value: "enum",
  too_big: "too_long",
  too_small: "too_short",
};

function codeOf(issue: z.core.$ZodIssue): FieldCode {
  if (issue.code === "custom") return (issue.params?.["code"] as FieldCode | undefined) ?? "format";
  if (issue.input === undefined || issue.input === null) return "required";
  return ISSUE_CODES[issue.code] ?? "format";
}

export type Checked<T> = { ok: true; value: T } | { ok: false; failures: Failure[] };

/** An issue of a refinement with a fixed message. */
export const issueOf = ({ code, message }: Pick<Failure, "code" | "message">) => ({
  code: "custom" as const,
  message,
  params: { code },
});

/** The items of a list and how many it may have; undefined for the schema of anything else. */
export function listOf(schema: unknown): { item: unknown; max: number } | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return listOf(schema.unwrap());
  if (!(schema instanceof z.ZodArray)) return undefined;
  const bounds = (schema.def.checks ?? []).map(({ _zod: { def } }) => (def as { maximum?: number }).maximum);
  return { item: schema.element, max: bounds.find((max) => max !== undefined) ?? Number.POSITIVE_INFINITY };
}

/** The input with lists cut behind the first item too many, so that nothing looks at the others. `cut` gets their paths. */
function withoutExcess(schema: unknown, input: unknown, path: string, cut: string[]): unknown {
  if (schema instanceof z.ZodObject && isObject(input)) {
    const fields = Object.entries(input).map(([name, value]) => [
      name,
      withoutExcess(schema.shape[name], value, `${path}${name}.`, cut),
    ]);
    return Object.fromEntries(fields);
  }
  const list = listOf(schema);
  if (list === undefined || !Array.isArray(input)) return input;
  if (input.length > list.max) cut.push(path);
  return input
    .slice(0, list.max + 1)
    .map((item, index) => withoutExcess(list.item, item, `${path}${index}.`, cut));
}

/**
 * Validates trimmed input. Returns the value, or one failure per invalid field in the schema's order, at most 100. A list that is
 * too long is one failure.
 */
export function check<T>(schema: z.ZodType<T>, input: unknown): Checked<T> {
  const cut: string[] = [];
  const result = schema.safeParse(withoutExcess(schema, input, "", cut), { reportInput: true });
  if (result.success) return { ok: true, value: result.data };
  const failures = new Map<string, Failure>();
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join(".");
    if (failures.has(field) || cut.some((list) => field.startsWith(list))) continue;
    failures.set(field, { field, message: issue.message, code: codeOf(issue) });
    if (failures.size === MAX_FAILURES) break;
  }
  return { ok: false, failures: [...failures.values()] };
}

/** Lists of objects are the deepest that a request has. */
const MAX_TRIMMED_DEPTH = 4;

function trimmedValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.trim() || null;
  if (typeof value !== "object" || value === null || depth === MAX_TRIMMED_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => trimmedValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, trimmedValue(item, depth + 1)]),
  );
}

/** Trims the strings of an object, also in lists and their objects, and turns empty ones into null. */
export const trimmed = (fields: object): Record<string, unknown> =>
  trimmedValue(fields, 0) as Record<string, unknown>;

const CONTROL = /\p{Cc}/u;
const CONTROL_IN_LINES = /[^\P{Cc}\n\t]/u;

/** Zero-width spaces, soft hyphens and direction controls: with them, names that look the same would be two. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** Any text of up to `max` Unicode code points, without control characters and lone surrogates: what is looked for, or compared exactly. */
export const anyText = (max = Number.POSITIVE_INFINITY, control = CONTROL) =>
  (max === Number.POSITIVE_INFINITY ? z.string() : z.string().max(max)).superRefine((value, context) => {
    if (!value.isWellFormed()) {
      context.addIssue(refusal("format", (field) => `The ${field} field must be well-formed Unicode text.`));
    } else if (control.test(value)) {
      context.addIssue(
        refusal("format", (field) => `The ${field} field must not contain control characters.`),
      );
    }
  });

/** The same for names and texts, without invisible characters. Joiners stay, since emoji and some scripts need them. */
export const text = (max = Number.POSITIVE_INFINITY, control = CONTROL) =>
  anyText(max, control).superRefine((value, context) => {
    if (INVISIBLE.test(value))
      context.addIssue(
        refusal("format", (field) => `The ${field} field must not contain invisible characters.`),
      );
  });

/** The same, with line feeds. */
export const lines = (max: number) => text(max, CONTROL_IN_LINES);

const DIGITS = /^\d+$/;
const SIGNED_DIGITS = /^-?\d+$/;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** The message for a number out of range. */
export const between =
  (min: number, max: number): Sentence =>
  (field) =>
    `The ${field} field must be ${max === UNLIMITED ? `at least ${min}` : `between ${min} and ${max}`}.`;

/** A whole number as decimal text, at most the greatest safe integer. */
export const wholeNumber = (min: number, max = UNLIMITED) =>
  z.string().transform((value, context) => {
    const number = DIGITS.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    const sentence: Sentence =
      number > UNLIMITED && max === UNLIMITED
        ? (field) => `The ${field} field must not be greater than ${UNLIMITED}.`
        : between(min, max);
    context.addIssue(
      SIGNED_DIGITS.test(value)
        ? refusal("range", sentence)
        : refusal("type", (field) => `The ${field} field must be an integer.`),
    );
    return z.NEVER;
  });

/** A flag of a form or a command. Empty is false. */
export const flag = () =>
  z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .nullish();

export const PLAIN_SLUG = /^[a-z0-9-]+$/;

/** The slug of a tag, group or workspace: 1 to 120 lower-case letters, digits and hyphens. */
export const plainSlug = () =>
  text(120).regex(PLAIN_SLUG, "The slug field must only contain lowercase letters, digits and hyphens.");

const moment = <Time>(parse: (text: string) => Time | undefined, sentence: Sentence) =>
  z.string().transform((value, context) => {
    const time = parse(value);
    if (time !== undefined) return time;
    context.addIssue(refusal("format", sentence));
    return z.NEVER;
  });

/** An ISO 8601 date or time, converted to milliseconds since the epoch. */
export const isoMoment = () =>
  moment(
    parseIsoTime,
    (field) => `The ${field} field must be an ISO 8601 time such as 2026-05-01T09:00:00Z.`,
  );

/** An ISO 8601 time with zone, written in UTC with milliseconds. */
export const utcMoment = () => moment(parseIsoMoment, (field) => `The ${field} field ${ISO_MOMENT_RULE}.`);

/** A URL under the rules of destinations that need no database. */
export const destination = () =>
  z.string().superRefine((value, context) => {
    const problem = destinationProblem(value);
    if (problem === undefined) return;
    context.addIssue(refusal(problem.code, (field) => destinationProblem(value, field)?.message ?? ""));
  });
