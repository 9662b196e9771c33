/** D1 takes values of 2 MB. A character of JSON has up to three bytes in UTF-8. */
const MAX_CHARACTERS = 600_000;

/** Divides rows so that the JSON of each chunk is small enough for one parameter of D1. */
export function chunksBySize<Row>(rows: readonly Row[], maxCharacters = MAX_CHARACTERS): Row[][] {
  const chunks: Row[][] = [];
  let left = 0;
  for (const row of rows) {
    const characters = JSON.stringify(row).length;
    if (characters > left) {
      chunks.push([]);
      left = maxCharacters;
    }
    chunks.at(-1)?.push(row);
    left -= characters;
  }
  return chunks;
}
