const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The upper-case form in which an id is stored; empty, which finds nothing, where the text is no ULID. */
export function storedId(text: string): string {
  const upper = text.toUpperCase();
  return ULID.test(upper) ? upper : "";
}
