import { z } from "zod";
import { isDay } from "./days";
import { destinationProblem } from "./destination";
import { codeOf, type Failure, type Fault } from "./failure";
import { type FieldCode, MAX_FAILURES } from "./field-codes";
import { INVISIBLE } from "./invisible";
import { isObject } from "./json";
import { parseIsoMoment, parseIsoTime } from "./time";

/** An issue of a refinement, for what it says is wrong. */
export const refusal = (fault: Fault & Pick<Failure, "of">) => ({
  code: "custom" as const,
  params: { fault },
});

export const refusedBy = (rule: string, code: FieldCode = "format") =>
  refusal({ reason: "rule", code, rule });

/** What is wrong with a value that zod itself refuses; undefined if we have no words of our own for it. */
function faultOf(issue: Omit<z.core.$ZodRawIssue, "message">): Fault | undefined {
  const isMissing = issue.input === undefined || issue.input === null;
  switch (issue.code) {
    case "invalid_type":
      if (isMissing) return { reason: "required" };
      return { reason: "type", kind: KINDS[issue.expected as string] ?? "a string" };
    case "invalid_value":
      return { reason: isMissing ? "required" : "not_offered" };
    case "too_big":
      return issue["origin"] === "array"
        ? { reason: "too_many_items", max: Number(issue["maximum"]) }
        : { reason: "too_many_characters", max: Number(issue["maximum"]) };
    case "too_small":
      return { reason: "too_few" };
    case "invalid_format":
      return { reason: "pattern" };
    default:
      return undefined;
  }
}

const KINDS: Readonly<Record<string, "an object" | "an array" | "an integer">> = {
  object: "an object",
  array: "an array",
  int: "an integer",
  number: "an integer",
};

// A message of a schema stays. Without one, what is wrong is known by the issue.
z.config({ customError: (issue) => (issue.code === "custom" || faultOf(issue) ? "" : undefined) });

/** The failure of an issue, the only place that reads zod's. */
function toFailure(issue: z.core.$ZodIssue, field: string): Failure {
  const stated = issue.code === "custom" ? issue.params?.["fault"] : undefined;
  if (stated !== undefined) return { ...(stated as Fault), field };
  const fault = faultOf(issue as z.core.$ZodRawIssue);
  if (fault !== undefined && issue.message === "") return { field, ...fault };
  return { field, code: fault === undefined ? "format" : codeOf(fault), message: issue.message };
}

export type Checked<T> = { ok: true; value: T } | { ok: false; failures: Failure[] };

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
    failures.set(field, toFailure(issue, field));
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

/** Any text of up to `max` Unicode code points, without control characters and lone surrogates: what is looked for, or compared exactly. */
export const anyText = (max = Number.POSITIVE_INFINITY, control = CONTROL) =>
  (max === Number.POSITIVE_INFINITY ? z.string() : z.string().max(max)).superRefine((value, context) => {
    if (!value.isWellFormed()) {
      context.addIssue(refusal({ reason: "unicode" }));
    } else if (control.test(value)) {
      context.addIssue(refusal({ reason: "control_character" }));
    }
  });

/** The same for names and texts, without invisible characters. Joiners stay, since emoji and some scripts need them. */
export const text = (max = Number.POSITIVE_INFINITY, control = CONTROL) =>
  anyText(max, control).superRefine((value, context) => {
    if (INVISIBLE.test(value)) context.addIssue(refusal({ reason: "invisible" }));
  });

/** The same, with line feeds. */
export const lines = (max: number) => text(max, CONTROL_IN_LINES);

const DIGITS = /^\d+$/;
const SIGNED_DIGITS = /^-?\d+$/;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** A whole number as decimal text, at most the greatest safe integer. */
export const wholeNumber = (min: number, max = UNLIMITED) =>
  z.string().transform((value, context) => {
    const number = DIGITS.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    if (!SIGNED_DIGITS.test(value)) context.addIssue(refusal({ reason: "type", kind: "an integer" }));
    else if (number > UNLIMITED && max === UNLIMITED) context.addIssue(refusal({ reason: "too_great", max }));
    else context.addIssue(refusal({ reason: "range", min, max }));
    return z.NEVER;
  });

export const flag = () =>
  z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .nullish();

export const PLAIN_SLUG = /^[a-z0-9-]+$/;

/** The slug of a tag, group or workspace: 1 to 120 lower-case letters, digits and hyphens. */
export const plainSlug = () =>
  text(120).refine(
    (value) => PLAIN_SLUG.test(value),
    refusedBy("must only contain lowercase letters, digits and hyphens"),
  );

const moment = <Time>(
  parse: (text: string) => Time | undefined,
  reason: "time" | "moment" | "day_or_moment",
) =>
  z.string().transform((value, context) => {
    const time = parse(value);
    if (time !== undefined) return time;
    context.addIssue(refusal({ reason }));
    return z.NEVER;
  });

/** An ISO 8601 date or time, converted to milliseconds since the epoch. */
export const isoMoment = () => moment(parseIsoTime, "time");

/** An ISO 8601 time with zone, written in UTC with milliseconds. */
export const utcMoment = () => moment(parseIsoMoment, "moment");

/** The same, or a day, which stays one. */
export const dayOrMoment = () =>
  moment((text) => (isDay(text) ? text : parseIsoMoment(text)), "day_or_moment");

/** A URL under the rules of destinations that need no database. */
export const destination = () =>
  z.string().superRefine((value, context) => {
    const problem = destinationProblem(value);
    if (problem !== undefined) context.addIssue(refusal({ reason: problem.reason }));
  });
