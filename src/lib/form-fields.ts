/** More than any form of the web application has: one that changes a whole page of links has some 110. */
export const MAX_FORM_FIELDS = 500;

/** A file's name has at most 255 characters, of three bytes each. */
const MAX_PART_HEADER_BYTES = 4 * 1024;
const EMPTY_LINE = /\n\r?\n/;

const AMPERSAND = 0x26;
const LINE_FEED = 0x0a;
// The characters of RFC 2046; a boundary with others could not be quoted as it stands.
const BOUNDARY = /^\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*$/i;

/** How a form is written. */
export type FormEncoding = { type: "urlencoded" } | { type: "multipart"; boundary: string };

/** The encoding that a `Content-Type` names; undefined where it names no form. */
export function formEncoding(contentType: string): FormEncoding | undefined {
  const [essence = "", ...parameters] = contentType.split(";");
  switch (essence.trim().toLowerCase()) {
    case "application/x-www-form-urlencoded":
      return { type: "urlencoded" };
    case "multipart/form-data": {
      const [found] = parameters.map((parameter) => BOUNDARY.exec(parameter)).filter((one) => one !== null);
      const boundary = found?.[1] ?? found?.[2];
      return boundary === undefined ? undefined : { type: "multipart", boundary };
    }
    default:
      return undefined;
  }
}

/** Where each occurrence of a pattern begins. */
function* occurrences(body: Uint8Array, pattern: Uint8Array): Generator<number> {
  const [first = 0] = pattern;
  for (let at = body.indexOf(first); at !== -1; at = body.indexOf(first, at + 1)) {
    if (beginsAt(body, pattern, at)) yield at;
  }
}

const beginsAt = (body: Uint8Array, pattern: Uint8Array, at: number): boolean =>
  pattern.every((byte, index) => body[at + index] === byte);

const delimiterOf = (boundary: string): Uint8Array =>
  Uint8Array.from([LINE_FEED, ...new TextEncoder().encode(`--${boundary}`)]);

/** Whether a body can hold more than `max` fields: counts what separates them in the raw bytes, and decodes nothing. */
export function hasMoreFields(body: Uint8Array, encoding: FormEncoding, max: number): boolean {
  const isMultipart = encoding.type === "multipart";
  const separator = isMultipart ? delimiterOf(encoding.boundary) : Uint8Array.of(AMPERSAND);
  // The last delimiter of a multipart body opens no field, and the first one has no line before it.
  let most = isMultipart ? 0 : 1;
  for (const _ of occurrences(body, separator)) {
    if (++most > max) return true;
  }
  return most > max;
}

/** Whether a part has more than 4 KiB of header lines, which the platform takes 10 s of CPU for where they are 20 MB. */
export function hasLongPartHeader(body: Uint8Array, boundary: string): boolean {
  const delimiter = delimiterOf(boundary);
  if (beginsAt(body, delimiter.subarray(1), 0) && isLongHeader(body, delimiter.length - 1)) return true;
  for (const at of occurrences(body, delimiter)) {
    if (isLongHeader(body, at + delimiter.length)) return true;
  }
  return false;
}

/** Whether no empty line ends the header lines that begin there in time. */
function isLongHeader(body: Uint8Array, from: number): boolean {
  if (body.length - from <= MAX_PART_HEADER_BYTES) return false;
  const head = body.subarray(from, from + MAX_PART_HEADER_BYTES);
  return !EMPTY_LINE.test(new TextDecoder("latin1").decode(head));
}

/** The text with its line breaks, and the white space around them, as single spaces. */
export function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/);
  const last = lines.length - 1;
  if (last === 0) return text;
  const first = lines[0] ?? "";
  const inner = lines
    .slice(1, last)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return [first.trimEnd(), ...inner, (lines[last] ?? "").trimStart()].join(" ");
}
