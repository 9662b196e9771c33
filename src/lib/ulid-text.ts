const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The id in the upper case in which it is stored, or undefined where the text is no ULID. */
export function ulidOf(text: string): string | undefined {
  const upper = text.toUpperCase();
  return ULID.test(upper) ? upper : undefined;
}
