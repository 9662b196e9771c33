/** Where a page ends, by which the next one seeks: the values that the list is sorted by, the id last. */
export type Position = readonly (string | number | null)[];

export interface Meta {
  current_page: number;
  last_page: number;
  per_page: number;
  total: number;
}

export interface Page<Item> {
  items: Item[];
  meta: Meta;
  /** Opaque; null on the last page. */
  nextAfter: string | null;
}

/** The paginator of a list; there is always at least one page. */
export const metaOf = (page: number, perPage: number, total: number): Meta => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
});

const toBase64Url = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const fromBase64Url = (text: string): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0)),
  );

/** A position as an opaque cursor; it names the sort, so that it fits no other list. */
export const writeCursor = (sort: string, position: Position): string =>
  toBase64Url(JSON.stringify([sort, ...position]));

/** The position in a cursor, or undefined where it is malformed or of another sort. */
export function readCursor(cursor: string, sort: string, length: number): Position | undefined {
  try {
    const value: unknown = JSON.parse(fromBase64Url(cursor));
    if (!Array.isArray(value) || value.length !== length + 1 || value[0] !== sort) return undefined;
    const position: unknown[] = value.slice(1);
    return position.every((part) => part === null || typeof part === "string" || typeof part === "number")
      ? position
      : undefined;
  } catch {
    return undefined;
  }
}

/** The farthest row that an offset may name; SQLite takes 64-bit integers, a list has far fewer rows. */
const MOST_OFFSET = 2 ** 31 - 1;

export const offsetOf = (page: number, perPage: number): number =>
  Math.min((page - 1) * perPage, MOST_OFFSET);
