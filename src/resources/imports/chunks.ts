/** Splits a list into pieces of at most `most` items. */
export const chunksOf = <T>(list: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, index) =>
    list.slice(index * most, (index + 1) * most),
  );

/** Keeps each bound parameter below 100 KB, unless a single text is longer. */
const MAX_PARAMETER_BYTES = 90_000;

/** Splits texts into pieces that fit one bound parameter as JSON. */
export function parameterChunks(texts: readonly string[]): string[][] {
  const result: string[][] = [];
  let chunk: string[] = [];
  let bytes = 0;
  const encoder = new TextEncoder();
  for (const text of texts) {
    const size = encoder.encode(text).length + 3;
    if (chunk.length > 0 && bytes + size > MAX_PARAMETER_BYTES) {
      result.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(text);
    bytes += size;
  }
  if (chunk.length > 0) result.push(chunk);
  return result;
}
