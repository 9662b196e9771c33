import { chunksWithin } from "../../lib/chunks";
import { sha256Hex } from "../../lib/hash";
import type { FileRow } from "./import-file";

const ROWS_PER_HASH = 500;

const withoutEmptyEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);

/**
 * A hash of the heading and the cells as they are in the file, so that byte order mark, separator and how dates are read make no
 * difference; made of those of chunks.
 */
export async function digestOf(heading: readonly string[], rows: readonly FileRow[]): Promise<string> {
  const hashes = [await sha256Hex(JSON.stringify(withoutEmptyEnd(heading)))];
  for (const chunk of chunksWithin(rows, { of: () => 1, max: ROWS_PER_HASH })) {
    const cells = chunk.map((row) => [row.number, withoutEmptyEnd(row.cells)]);
    hashes.push(await sha256Hex(JSON.stringify(cells)));
  }
  return sha256Hex(hashes.join());
}
