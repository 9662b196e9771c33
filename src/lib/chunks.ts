interface Limit<Item> {
  of: (item: Item) => number;
  max: number;
}

/** Divides items, in their order, into chunks within all limits. An item beyond a limit is a chunk of its own. */
export function chunksWithin<Item>(items: Iterable<Item>, ...limits: readonly Limit<Item>[]): Item[][] {
  const chunks: Item[][] = [];
  let used: readonly number[] = [];
  for (const item of items) {
    const sizes = limits.map(({ of }) => of(item));
    const added = sizes.map((size, index) => size + (used[index] ?? 0));
    const chunk = chunks.at(-1);
    const fits = chunk !== undefined && limits.every(({ max }, index) => (added[index] ?? 0) <= max);
    if (fits) chunk.push(item);
    else chunks.push([item]);
    used = fits ? added : sizes;
  }
  return chunks;
}

/** D1 takes values of 2 MB. A character of JSON has up to three bytes in UTF-8. */
export const MAX_CHARACTERS = 600_000;

/** Divides rows so that the JSON of each chunk is small enough for one parameter of D1. */
export const chunksBySize = <Row>(rows: readonly Row[], max = MAX_CHARACTERS): Row[][] =>
  chunksWithin(rows, { of: (row) => JSON.stringify(row).length, max });
