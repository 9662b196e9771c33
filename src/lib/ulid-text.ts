// Without the u flag, so that `i` matches only ASCII letters.
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

export const isUlid = (text: string): boolean => ULID.test(text);

/** The stored (upper-case) form of an id. Returns "", which matches no row, for an invalid ULID. */
export function storedId(text: string): string {
  return isUlid(text) ? text.toUpperCase() : "";
}
