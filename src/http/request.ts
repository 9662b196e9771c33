import type { z } from "@hono/zod-openapi";
import { type FieldError, invalid } from "../errors";
import { append } from "../lib/multimap";
import { type Checked, check, label, trimmed } from "../lib/validation";

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const bodyProblem = (rest: string) => invalid([{ field: "body", message: `The body ${rest}` }]);

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    throw bodyProblem("must be valid JSON.");
  }
}

/** Parses and validates a JSON body. Throws 422 on `body`, or on every invalid field. */
export function readJson<T>(schema: z.ZodType<T>, contentType: string | null, body: Uint8Array): T {
  if (!JSON_TYPE.test(contentType ?? "")) throw bodyProblem("must be sent as application/json.");
  const value = parseJson(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw bodyProblem("must be a JSON object.");
  }
  return valueOrThrow(check(schema, trimmed(value)));
}

function valueOrThrow<T>(checked: Checked<T>): T {
  if (!checked.ok) throw invalid(checked.failures);
  return checked.value;
}

export interface QueryRules {
  repeatable?: readonly string[];
  refusesUnknown?: boolean;
}

/** Parses and validates the query. An empty parameter counts as absent. Throws 422 for a repeated single-valued one. */
export function readQuery<T>(
  schema: z.ZodObject & z.ZodType<T>,
  search: URLSearchParams,
  { repeatable = [], refusesUnknown = false }: QueryRules,
): T {
  const given = new Map<string, string[]>();
  const asList = new Set<string>();
  for (const [rawName, rawValue] of search) {
    const value = rawValue.trim();
    if (value === "") continue;
    const name = rawName.replace(/\[\]$/, "");
    if (name !== rawName || given.has(name)) asList.add(name);
    append(given, name, value);
  }
  const known = Object.keys(schema.shape);
  const lists: FieldError[] = known
    .filter((name) => asList.has(name) && !repeatable.includes(name))
    .map((name) => ({
      field: name,
      message: `The ${label([name])} field must be given once, as a single value.`,
    }));
  const unknown: FieldError[] = refusesUnknown
    ? [...given.keys()]
        .filter((name) => !known.includes(name))
        .map((name) => ({ field: name, message: `The ${name} parameter is not supported.` }))
    : [];
  const values = known.flatMap((name) => {
    const all = given.get(name);
    return all === undefined ? [] : [[name, repeatable.includes(name) ? all : all[0]] as const];
  });
  const checked = check(schema, Object.fromEntries(values));
  const refused = new Set(lists.map(({ field }) => field));
  const failures = checked.ok
    ? []
    : checked.failures.map(underOwnName).filter(({ field }) => !refused.has(field));
  const all = [...lists, ...failures].sort((a, b) => place(known, a) - place(known, b));
  if (all.length > 0 || unknown.length > 0) throw invalid([...all, ...unknown]);
  return valueOrThrow(checked);
}

/** Reports an error in one value of a repeated parameter under the parameter's name, without an index. */
function underOwnName({ field, message }: FieldError): FieldError {
  const [name = field] = field.split(".");
  return { field: name, message: message.replace(field, name) };
}

const place = (known: readonly string[], { field }: FieldError): number => known.indexOf(field);

/** The `Idempotency-Key`, or undefined if absent. Throws 422 if malformed. */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (IDEMPOTENCY_KEY.test(header)) return header;
  const message = "The idempotency key must be 1 to 255 visible ASCII characters.";
  throw invalid([{ field: "idempotency_key", message }]);
}
