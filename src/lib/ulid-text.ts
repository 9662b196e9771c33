// Without the u flag, no letter outside ASCII is taken for one that it becomes in upper case.
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** The upper-case form in which an id is stored; empty, which finds nothing, where the text is no ULID. */
export function storedId(text: string): string {
  return ULID.test(text) ? text.toUpperCase() : "";
}
