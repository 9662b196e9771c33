import type { Context as HonoContext } from "hono";
import { createContext, useContext } from "hono/jsx";
import type { z } from "zod";
import type { Membership, Person } from "../../access/sessions";
import type { WorkspaceContext } from "../../context";
import { invalid } from "../../field-errors";
import { takeShare } from "../../http/fair-shares";
import { readBody } from "../../http/request-body";
import type { Payer } from "../../http/request-log";
import type { TracedEnv } from "../../http/trace";
import { append } from "../../lib/multimap";
import { check, trimmed } from "../../lib/validation";
import type { Problem } from "./error-labels";
import {
  type FormEncoding,
  formEncoding,
  hasLongPartHeader,
  hasMoreFields,
  MAX_FORM_FIELDS,
  oneLine,
} from "./form-fields";

/** The text fields of a form in their order, unchanged. */
export type SentFields = readonly (readonly [name: string, value: string])[];

export interface Form {
  sentFields: SentFields;
  /** The last value of each field. Line breaks are replaced by spaces. */
  fields: Readonly<Record<string, string>>;
  all: (name: string) => readonly string[];
  /** The last value of a field with its line breaks as line feeds. */
  lines: (name: string) => string;
  file: (name: string) => File | undefined;
  /** The name and the size of each file. */
  files: readonly (readonly [name: string, bytes: number])[];
}

/** What the middleware sets for a page. */
export interface ConsoleEnv extends TracedEnv {
  Variables: TracedEnv["Variables"] & {
    /** Of the Content-Security-Policy: scripts and styles need it to load. */
    nonce: string;
    person: Person;
    /** In the workspace of the path, with the person's role. */
    membership: Membership;
    payer: Payer;
    /** The share of the instance that the request needs, if not that of a page. */
    share?: "import";
    /** The slug of the workspace. */
    workspace: string;
    /** Whether the person may change links, tags, Activity Groups and assets. */
    isEditor: boolean;
    ctx: WorkspaceContext;
    /** The form of the request, once it has been read. */
    form?: Form;
    /** Why the form was refused. */
    problem?: Problem;
    /** What the previous action said, once, and the operation that a button undoes. */
    notice?: { text: string; undoes: string | undefined };
  };
}

/** A handler asks only for the parameters of its path. */
export type PageContext = HonoContext<ConsoleEnv, "/:id/:operation/:email/:host/:branding">;

/** Holds the request while its page is rendered. */
export const CurrentPage = createContext<PageContext | undefined>(undefined);

/** The request of the page that is being rendered. Only components may ask for it. */
export function currentPage(): PageContext {
  const page = useContext(CurrentPage);
  if (page === undefined) throw new Error("no page is being rendered");
  return page;
}

type Entry = [name: string, value: string | File];

function toForm(entries: readonly Entry[]): Form {
  const sentFields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const files = entries.filter((entry): entry is [string, File] => typeof entry[1] !== "string");
  return {
    sentFields,
    fields: Object.fromEntries(sentFields.map(([name, value]) => [name, oneLine(value)])),
    all: (wanted) => sentFields.filter(([name]) => name === wanted).map(([, value]) => oneLine(value)),
    lines: (wanted) => sentFields.findLast(([name]) => name === wanted)?.[1].replace(/\r\n?/g, "\n") ?? "",
    file: (wanted) => files.find(([name]) => name === wanted)?.[1],
    files: files.map(([, { name, size }]) => [name, size]),
  };
}

/** In place of a form that must not be read. */
export const NO_FORM = toForm([]);

/** 422 for a field of a form. */
export const refusal = (field: string, message: string) => invalid([{ field, message, code: "format" }]);

const NO_FORM_SENT = "The body must be sent as a form.";

async function readEntries(body: Uint8Array<ArrayBuffer>, encoding: FormEncoding): Promise<Entry[]> {
  if (encoding.type === "urlencoded") {
    return [...new URLSearchParams(new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(body))];
  }
  if (hasLongPartHeader(body, encoding.boundary)) throw refusal("body", NO_FORM_SENT);
  // The fields were counted by this boundary. The client's own header may name another one as well.
  const headers = { "Content-Type": `multipart/form-data; boundary="${encoding.boundary}"` };
  try {
    return [...(await new Response(body, { headers }).formData())];
  } catch {
    throw refusal("body", NO_FORM_SENT);
  }
}

/** Takes the share of the instance that the request needs. */
export const takeOwnShare = (c: HonoContext<ConsoleEnv>): Promise<void> =>
  takeShare(c, c.var.share ?? "read", c.var.payer);

const MAX_FORM_BYTES = 64 * 1024;
const MAX_LARGE_FORM_MS = 120_000;

/** Reads a form of megabytes at most, as few are at once. */
export async function readLargeForm(c: PageContext, maxBytes: number): Promise<Form> {
  c.set("share", "import");
  await takeOwnShare(c);
  return readFields(c, maxBytes, MAX_LARGE_FORM_MS);
}

/** Reads a form, and then takes the share of the request if it is of a workspace. */
export async function readForm(c: PageContext, maxBytes = MAX_FORM_BYTES): Promise<Form> {
  try {
    return await readFields(c, maxBytes);
  } finally {
    if (c.get("payer") !== undefined) await takeOwnShare(c);
  }
}

/** 413 above `maxBytes`; 422 if the body comes too slowly, is no form or has more than 500 fields. */
async function readFields(c: PageContext, maxBytes: number, maxMs?: number): Promise<Form> {
  const body = await readBody(c.req.raw, maxBytes, maxMs);
  const encoding = formEncoding(c.req.header("Content-Type") ?? "");
  if (encoding === undefined) throw refusal("body", NO_FORM_SENT);
  if (hasMoreFields(body, encoding, MAX_FORM_FIELDS)) {
    throw refusal("body", `A form may not have more than ${MAX_FORM_FIELDS} fields.`);
  }
  const form = toForm(await readEntries(body, encoding));
  c.set("form", form);
  return form;
}

/** Validates input as the API does: trimmed, empty fields become null. 422 names every field that fails. */
export function checked<T>(schema: z.ZodType<T>, input: object): T {
  const result = check(schema, trimmed(input));
  if (!result.ok) throw invalid(result.failures);
  return result.value;
}

/** Validates the query of a page. Invalid parameters are ignored. */
export function readQuery<T>(schema: z.ZodObject & z.ZodType<T>, c: PageContext): T {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (value.trim() !== "") append(given, name, value.trim());
  }
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const values = given.get(name);
    if (values === undefined) return [];
    const candidates = [values.at(-1), values];
    const value = candidates.find((candidate) => field.safeParse(candidate).success);
    return value === undefined ? [] : [[name, value]];
  });
  return checked(schema, Object.fromEntries(fields));
}
