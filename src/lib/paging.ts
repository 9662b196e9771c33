import { base64Url, fromBase64Url } from "./hash";

/** The sort values of a page's last row, with the id last. The next page starts after it. */
export type Position = readonly (string | number | null)[];

export interface Page<Item> {
  items: Item[];
  meta: ReturnType<typeof metaOf>;
  /** Opaque; null on the last page. */
  nextAfter: string | null;
}

export const metaOf = (page: number, perPage: number, total: number) => ({
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / perPage)),
  per_page: perPage,
  total,
});

/** Encodes a position. The cursor includes the sort, so it is invalid for other lists. */
const writeCursor = (sort: string, position: Position): string =>
  base64Url(new TextEncoder().encode(JSON.stringify([sort, ...position])));

const isScalar = (part: unknown): part is string | number | null =>
  part === null || typeof part === "string" || typeof part === "number";

function partsOf(cursor: string): (string | number | null)[] | undefined {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(fromBase64Url(cursor)),
    );
    return Array.isArray(value) && value.every(isScalar) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isCursor = (text: string): boolean => partsOf(text) !== undefined;

export function readCursor(cursor: string, sort: string, length: number): Position | undefined {
  const [ownSort, ...position] = partsOf(cursor) ?? [];
  return ownSort === sort && position.length === length ? position : undefined;
}

/** Cuts `rows`, which may have one extra row, to a page, and adds the cursor of the next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  perPage: number,
  sort: string,
  positionOf: (row: Row) => Position,
) {
  const shown = rows.slice(0, perPage);
  const last = shown.at(-1);
  const hasNext = rows.length > perPage && last !== undefined;
  return { shown, nextAfter: hasNext ? writeCursor(sort, positionOf(last)) : null };
}

/** Above any list's length, and below SQLite's limit of 64 bits. */
const MAX_OFFSET = 2 ** 31 - 1;

export const offsetOf = (page: number, perPage: number): number => Math.min((page - 1) * perPage, MAX_OFFSET);

/** A page of a complete list. A page after the last one is the last one. */
export function pageOf<Item>(all: readonly Item[], page: number, perPage: number) {
  const { last_page: last } = metaOf(1, perPage, all.length);
  const meta = metaOf(Math.min(page, last), perPage, all.length);
  const first = offsetOf(meta.current_page, perPage);
  return { items: all.slice(first, first + perPage), meta };
}
