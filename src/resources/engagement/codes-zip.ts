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

/** The fields that the header of a file and its entry in the directory share. */
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

async function record(
  fields: readonly (readonly [value: number, size: 2 | 4])[],
  ...rest: Uint8Array[]
): Promise<Uint8Array> {
  const head = new DataView(new ArrayBuffer(fields.reduce((length, [, size]) => length + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) head.setUint16(at, value, true);
    else head.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(await new Blob([head, ...rest]).arrayBuffer());
}

/**
 * A ZIP archive of stored files, a chunk a file. Sizes and checksums stand before the data, so that every tool can read it
 * from a stream. At most 65,535 files and 4 GB, because it has no ZIP64 records.
 */
export async function* zip(
  files: AsyncIterable<ZipFile> | Iterable<ZipFile>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const entries: Uint8Array[] = [];
  let offset = 0;
  for await (const { name, bytes } of files) {
    const encoded = new TextEncoder().encode(name);
    const common = commonFields(encoded, bytes);
    const file = await record([[0x04034b50, 4], ...common], encoded, bytes);
    entries.push(
      await record(
        [
          [0x02014b50, 4],
          [VERSION, 2],
          ...common,
          // Comment, disk, attributes.
          [0, 2],
          [0, 4],
          [0, 4],
          [offset, 4],
        ],
        encoded,
      ),
    );
    offset += file.length;
    yield file;
  }
  const size = entries.reduce((length, entry) => length + entry.length, 0);
  yield await record(
    [],
    ...entries,
    await record([
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [entries.length, 2],
      [entries.length, 2],
      [size, 4],
      [offset, 4],
      [0, 2],
    ]),
  );
}
