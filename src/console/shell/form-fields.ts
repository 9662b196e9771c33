/** The largest form of the web application has about 110 fields. */
export const MAX_FORM_FIELDS = 500;

/** Fits a file name of 255 characters of three bytes each. */
const MAX_PART_HEADER_BYTES = 4 * 1024;
const EMPTY_LINE = /\n\r?\n/;

const AMPERSAND = 0x26;
const LINE_FEED = 0x0a;
// The characters of RFC 2046.
const BOUNDARY = /^\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*$/i;

export type FormEncoding = { type: "urlencoded" } | { type: "multipart"; boundary: string };

/** The form encoding of a `Content-Type`; undefined for other types. */
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

/** True if a body may have more than `max` fields. Counts separators in the raw bytes without decoding. */
export function hasMoreFields(body: Uint8Array, encoding: FormEncoding, max: number): boolean {
  const isMultipart = encoding.type === "multipart";
  const separator = isMultipart ? delimiterOf(encoding.boundary) : Uint8Array.of(AMPERSAND);
  // The last delimiter of a multipart body starts no field, and the first one has no line break before it.
  let most = isMultipart ? 0 : 1;
  for (const _ of occurrences(body, separator)) {
    if (++most > max) return true;
  }
  return most > max;
}

/** True if a part has more than 4 KiB of headers. The platform needs 10 s of CPU to parse 20 MB of them. */
export function hasLongPartHeader(body: Uint8Array, boundary: string): boolean {
  const delimiter = delimiterOf(boundary);
  if (beginsAt(body, delimiter.subarray(1), 0) && isLongHeader(body, delimiter.length - 1)) return true;
  for (const at of occurrences(body, delimiter)) {
    if (isLongHeader(body, at + delimiter.length)) return true;
  }
  return false;
}

/** True if no empty line ends the headers at `from` within the limit. */
function isLongHeader(body: Uint8Array, from: number): boolean {
  if (body.length - from <= MAX_PART_HEADER_BYTES) return false;
  const head = body.subarray(from, from + MAX_PART_HEADER_BYTES);
  return !EMPTY_LINE.test(new TextDecoder("latin1").decode(head));
}

/** Replaces line breaks and the white space around them with single spaces. */
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
