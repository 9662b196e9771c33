/** A list in pieces of at most `most`. */
export const pieces = <T>(list: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, index) =>
    list.slice(index * most, (index + 1) * most),
  );

/** No parameter of a batch is longer than 100 KB, as long as no text alone is. */
const MAX_PARAMETER_BYTES = 90_000;

/** Texts in pieces that are short enough for a parameter, quoted and separated. */
export function parameterPieces(texts: readonly string[]): string[][] {
  const result: string[][] = [];
  let piece: string[] = [];
  let bytes = 0;
  const encoder = new TextEncoder();
  for (const text of texts) {
    const size = encoder.encode(text).length + 3;
    if (piece.length > 0 && bytes + size > MAX_PARAMETER_BYTES) {
      result.push(piece);
      piece = [];
      bytes = 0;
    }
    piece.push(text);
    bytes += size;
  }
  if (piece.length > 0) result.push(piece);
  return result;
}
