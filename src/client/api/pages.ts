/** The query of a page. `after` is an opaque cursor, so changes between two pages skip no row. */
interface Page {
  per_page: number;
  page?: number;
  after?: string;
}

const FIRST_PAGE: Page = { per_page: 100 };

/** A page as one word. The number is for services that seek by it. */
export function nextCursor(response: Response): string | undefined {
  const next = nextPage(response);
  return next && `${next.page}.${next.after}`;
}

export function fromCursor(cursor: string): Omit<Page, "per_page"> {
  const [, page, after] = /^(\d{1,9})\.([\w-]+)$/.exec(cursor) ?? [];
  if (after === undefined) throw new TypeError("The cursor is not one of this list.");
  return { page: Number(page), after };
}

/** Parses the `next` of a `Link` header (RFC 8288). Ignores its host, so that no other host gets the key. */
function nextPage(response: Response): Page | undefined {
  const header = response.headers.get("Link") ?? "";
  const [, target] = /<([^>]*)>\s*;[^,<]*\brel="?next\b/.exec(header) ?? [];
  if (target === undefined) return undefined;
  const { searchParams } = new URL(target, "https://localhost");
  const after = searchParams.get("after");
  return after === null ? undefined : { ...FIRST_PAGE, page: Number(searchParams.get("page")), after };
}

export async function* followPages<Item>(
  readPage: (page: Page) => Promise<{ items: readonly Item[]; response: Response }>,
): AsyncGenerator<Item> {
  let page: Page | undefined = FIRST_PAGE;
  while (page !== undefined) {
    const { items, response } = await readPage(page);
    yield* items;
    page = nextPage(response);
  }
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
