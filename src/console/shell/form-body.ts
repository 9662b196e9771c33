import { invalid } from "../../errors";
import { append } from "../../lib/multimap";
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
  /** The last value of a field with its line breaks. */
  lines: (name: string) => string;
  file: (name: string) => File | undefined;
}

type Entry = [name: string, value: string | File];

const refuse = (message: string) => invalid([{ field: "body", message, code: "format" }]);

/** 422 if the body is no form or has more than 500 fields. */
export async function parseForm(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<Form> {
  const encoding = formEncoding(contentType);
  if (encoding === undefined) throw refuse("The body must be sent as a form.");
  if (hasMoreFields(body, encoding, MAX_FORM_FIELDS)) {
    throw refuse(`A form may not have more than ${MAX_FORM_FIELDS} fields.`);
  }
  return toForm(await readEntries(body, encoding));
}

function toForm(entries: Iterable<Entry>): Form {
  const sentFields: SentFields[number][] = [];
  const texts = new Map<string, string[]>();
  const files = new Map<string, File>();
  for (const [name, value] of entries) {
    if (typeof value === "string") {
      sentFields.push([name, value]);
      append(texts, name, oneLine(value));
    } else if (!files.has(name)) files.set(name, value);
  }
  return {
    sentFields,
    fields: Object.fromEntries(Array.from(texts, ([name, values]) => [name, values.at(-1) ?? ""])),
    all: (name) => texts.get(name) ?? [],
    lines: (name) => sentFields.findLast(([sent]) => sent === name)?.[1] ?? "",
    file: (name) => files.get(name),
  };
}

/** In place of a form that must not be read. */
export const NO_FORM = toForm([]);

async function readEntries(body: Uint8Array<ArrayBuffer>, encoding: FormEncoding): Promise<Iterable<Entry>> {
  if (encoding.type === "urlencoded") return urlencodedEntries(body);
  if (hasLongPartHeader(body, encoding.boundary)) throw refuse("The body must be sent as a form.");
  // The fields were counted by this boundary. The client's own header may name another one as well.
  const headers = { "Content-Type": `multipart/form-data; boundary="${encoding.boundary}"` };
  try {
    const data: Iterable<Entry> = await new Response(body, { headers }).formData();
    return data;
  } catch {
    throw refuse("The body must be sent as a form.");
  }
}

const urlencodedEntries = (body: Uint8Array): Iterable<[string, string]> =>
  new URLSearchParams(new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(body));
