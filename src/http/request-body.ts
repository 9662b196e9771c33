import { z } from "@hono/zod-openapi";
import { bodyTooLarge, type ServiceError } from "../errors";
import { invalid } from "../field-errors";
import type { Failure } from "../lib/failure";
import { type FieldCode, MAX_FAILURES } from "../lib/field-codes";
import { isObject } from "../lib/json";
import { append } from "../lib/multimap";
import { type Checked, check, listOf, trimmed } from "../lib/validation";

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Whether a `Prefer` header (RFC 7240) asks for `handling=strict`. Of repeated preferences the first one counts. */
export function prefersStrict(header: string | null | undefined): boolean {
  // Other preferences may have quoted values with commas.
  const unquoted = (header ?? "")
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part : part.replaceAll(/[,;=]/g, "_")))
    .join("");
  for (const preference of unquoted.split(",")) {
    const [name = "", value = "", ...more] = (preference.split(";")[0] ?? "").split("=");
    if (name.trim().toLowerCase() === "handling") {
      return more.length === 0 && value.trim().toLowerCase() === "strict";
    }
  }
  return false;
}

const MAX_BODY_MS = 30_000;

/** Reads the raw body. Stops and throws 413 above `maxBytes`, and 422 after `maxMs`. */
export async function readBody(
  request: Request,
  maxBytes: number,
  maxMs = MAX_BODY_MS,
): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, reject } = Promise.withResolvers<never>();
  const message = `The body must arrive within ${maxMs / 1_000} seconds.`;
  const timer = setTimeout(() => reject(invalid([{ field: "body", message, code: "format" }])), maxMs);
  return Promise.race([readAll(request, maxBytes), promise]).finally(() => clearTimeout(timer));
}

async function readAll(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(request.headers.get("content-length") ?? Number.NaN);
  if (announced > maxBytes) throw bodyTooLarge();
  // Reading a stream takes 50 µs more, which is 3 % of a creation. HTTP makes sure that the length is the announced one.
  if (announced <= maxBytes) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

const bodyProblem = (rest: string, code: FieldCode) => ({
  ok: false as const,
  failures: [{ field: "body", message: `The body ${rest}`, code }],
});

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    return undefined;
  }
}

type UnknownName = "unknown_field" | "unknown_parameter";

const unknownFields = (
  names: readonly string[],
  schema: z.ZodObject,
  reason: UnknownName = "unknown_field",
  path = "",
): Failure[] =>
  names
    .filter((name) => !Object.hasOwn(schema.shape, name))
    .slice(0, MAX_FAILURES)
    .map((name) => ({ field: path + name, reason, name: path + name }));

/** The unknown fields of objects in lists, such as `rules.0.name`. */
const unknownInLists = (body: object, schema: z.ZodObject): Failure[] =>
  Object.entries(body).flatMap(([name, value]) => {
    const list = listOf(schema.shape[name]);
    if (list === undefined || !Array.isArray(value) || value.length > list.max) return [];
    const { item } = list;
    return value.flatMap((given: unknown, index) =>
      item instanceof z.ZodObject && isObject(given)
        ? unknownFields(Object.keys(given), item, "unknown_field", `${name}.${index}.`)
        : [],
    );
  });

/**
 * Parses and validates a JSON body. The failure is on `body`, or on every invalid field. A field that has its value in
 * `kept` is left out.
 */
export function readJson<T>(
  schema: z.ZodObject & z.ZodType<T>,
  headers: Headers,
  body: Uint8Array,
  refusesUnknown: boolean,
  kept: Readonly<Record<string, unknown>> = {},
): Checked<T> {
  if (!JSON_TYPE.test(headers.get("content-type") ?? ""))
    return bodyProblem("must be sent as application/json.", "format");
  if (!/^(?:identity)?$/i.test(headers.get("content-encoding") ?? ""))
    return bodyProblem("must be sent as it is: no Content-Encoding such as gzip is accepted.", "format");
  const value = parseJson(body);
  if (value === undefined) return bodyProblem("must be valid JSON.", "format");
  if (!isObject(value)) return bodyProblem("must be a JSON object.", "type");
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(schema.shape, name));
  const fields = Object.entries(trimmed(Object.fromEntries(known))).filter(
    ([name, field]) => field == null || JSON.stringify(field) !== JSON.stringify(kept[name]),
  );
  const checked = check(schema, Object.fromEntries(fields));
  const refused = refusesUnknown
    ? [...unknownFields(Object.keys(value), schema), ...unknownInLists(value, schema)]
    : [];
  if (refused.length === 0) return checked;
  return { ok: false, failures: [...(checked.ok ? [] : checked.failures), ...refused] };
}

export interface QueryRules {
  repeatable?: readonly string[];
  /** What is wrong with an unknown parameter. Without it they are ignored. */
  unknown?: UnknownName;
}

/** A name and the brackets behind it, as in `tag[]` and `tag[0]`. */
const BRACKETS = /^([^[\]]+)([[\]].*)$/s;

/**
 * Parses and validates the query. An empty parameter counts as absent. A repeated single-valued one is a failure, and so is a
 * known name with brackets that no client writes for a list.
 */
export function readQuery<T>(
  schema: z.ZodObject & z.ZodType<T>,
  search: URLSearchParams,
  { repeatable = [], unknown }: QueryRules,
): Checked<T> {
  const given = new Map<string, string[]>();
  const asList = new Set<string>();
  const misspelt = new Set<string>();
  const known = Object.keys(schema.shape);
  for (const [rawName, rawValue] of search) {
    const value = rawValue.trim();
    if (value === "" || rawName === "") continue;
    const [, base = rawName, brackets = ""] = BRACKETS.exec(rawName) ?? [];
    const isItem = /^\[\d*\]$/.test(brackets);
    const name = isItem || known.includes(base) ? base : rawName;
    if (name !== rawName || given.has(name)) asList.add(name);
    if (name !== rawName && !isItem) misspelt.add(name);
    append(given, name, value);
  }
  const lists: Failure[] = known
    .filter((name) => misspelt.has(name) || (asList.has(name) && !repeatable.includes(name)))
    .map((name) => ({ field: name, reason: repeatable.includes(name) ? "list_name" : "once" }));
  const refused = unknown === undefined ? [] : unknownFields([...given.keys()], schema, unknown);
  const values = known.flatMap((name) => {
    const all = given.get(name);
    return all === undefined ? [] : [[name, repeatable.includes(name) ? all : all[0]] as const];
  });
  const checked = check(schema, Object.fromEntries(values));
  const repeated = new Set(lists.map(({ field }) => field));
  const others = checked.ok
    ? []
    : checked.failures
        // An error in one value of a repeated parameter is that of the parameter.
        .map((failure) => ({ ...failure, field: failure.field.split(".", 1)[0] ?? failure.field }))
        .filter(({ field }) => !repeated.has(field));
  const failures = [...lists, ...others].sort((a, b) => place(known, a) - place(known, b));
  return failures.length + refused.length === 0
    ? checked
    : { ok: false, failures: [...failures, ...refused] };
}

const place = (known: readonly string[], { field }: Failure): number => known.indexOf(field);

/** The `Idempotency-Key`, undefined if absent, or 422 if malformed. */
export function readIdempotencyKey(header: string | undefined): string | undefined | ServiceError {
  if (header === undefined || IDEMPOTENCY_KEY.test(header)) return header;
  const message = "The idempotency key must be 1 to 255 visible ASCII characters.";
  return invalid([{ field: "idempotency_key", message, code: "format" }]);
}
