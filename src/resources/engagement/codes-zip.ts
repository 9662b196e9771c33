import { crc32 } from "../../lib/hash";

export interface ZipFile {
  name: string;
  bytes: Uint8Array;
}

const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980, 00:00, the earliest date. It is fixed, so that the same files give the same bytes. */
const DATE = 0x0021;

function commonFields(name: Uint8Array, bytes: Uint8Array): readonly [value: number, size: 2 | 4][] {
  return [
    [VERSION, 2],
    [FLAGS, 2],
    // Stored: QR codes are small, and PNGs are compressed.
    [0, 2],
    [0, 2],
    [DATE, 2],
    [crc32(bytes), 4],
    [bytes.length, 4],
    [bytes.length, 4],
    [name.length, 2],
    [0, 2],
  ];
}

function record(fields: readonly (readonly [value: number, size: 2 | 4])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((length, [, size]) => length + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

/**
 * The chunks of a ZIP archive of stored files. Sizes and checksums stand before the data, so that every tool can read it from a
 * stream. At most 65,535 files and 4 GB, because it has no ZIP64 records.
 */
export async function* zip(
  files: AsyncIterable<ZipFile> | Iterable<ZipFile>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  let count = 0;
  for await (const { name, bytes } of files) {
    const encoded = new TextEncoder().encode(name);
    const common = commonFields(encoded, bytes);
    const head = record([[0x04034b50, 4], ...common]);
    // Comment, disk and attributes are empty.
    const entry = record([[0x02014b50, 4], [VERSION, 2], ...common, [0, 2], [0, 4], [0, 4], [offset, 4]]);
    directory.push(entry, encoded);
    offset += head.length + encoded.length + bytes.length;
    count++;
    yield head;
    yield encoded;
    yield bytes;
  }
  yield* directory;
  const size = directory.reduce((length, part) => length + part.length, 0);
  yield record([
    [0x06054b50, 4],
    [0, 4],
    [count, 2],
    [count, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ]);
}
