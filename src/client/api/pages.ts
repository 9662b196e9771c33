/** The start of the next page. `after` is an opaque cursor, so changes between two pages skip no row. */
interface Cursor {
  page: number;
  after: string;
}

/** Parses the `next` of a `Link` header (RFC 8288). Ignores its host, so that no other host gets the key. */
export function nextCursor(response: Response): Cursor | undefined {
  const header = response.headers.get("Link") ?? "";
  const [, target] = /<([^>]*)>\s*;[^,<]*\brel="?next\b/.exec(header) ?? [];
  if (target === undefined) return undefined;
  const { searchParams } = new URL(target, "https://localhost");
  const after = searchParams.get("after");
  return after === null ? undefined : { page: Number(searchParams.get("page")), after };
}

/** Yields all items of a list, page by page. */
export async function* followPages<Item>(
  readPage: (cursor: Cursor | undefined) => Promise<{ items: readonly Item[]; next: Cursor | undefined }>,
): AsyncGenerator<Item> {
  let cursor: Cursor | undefined;
  do {
    const { items, next } = await readPage(cursor);
    yield* items;
    cursor = next;
  } while (cursor !== undefined);
}

/** Yields the first items. Reads no further page for them. */
export async function* take<Item>(items: AsyncIterable<Item>, limit: number): AsyncGenerator<Item> {
  let left = limit;
  if (left === 0) return;
  for await (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}

export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export const firstOf = async <Item>(items: AsyncIterable<Item>): Promise<Item | undefined> =>
  (await gather(take(items, 1)))[0];
