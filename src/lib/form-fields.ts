/** More than any form of the web application has: one that changes a whole page of links has some 110. */
export const MAX_FORM_FIELDS = 500;

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

/** Whether a body can hold more than `max` fields: counts what separates them in the raw bytes, and decodes nothing. */
export function hasMoreFields(body: Uint8Array, encoding: FormEncoding, max: number): boolean {
  const separator =
    encoding.type === "urlencoded"
      ? Uint8Array.of(AMPERSAND)
      : Uint8Array.from([LINE_FEED, ...new TextEncoder().encode(`--${encoding.boundary}`)]);
  const [first = 0] = separator;
  let found = 0;
  for (let at = body.indexOf(first); at !== -1 && found <= max; at = body.indexOf(first, at + 1)) {
    if (separator.every((byte, index) => body[at + index] === byte)) found++;
  }
  // The last delimiter of a multipart body opens no field, and the first one has no line before it.
  return found + (encoding.type === "urlencoded" ? 1 : 0) > max;
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
