import { crc32 } from "../src/lib/hash";

/** Reads a ZIP archive of stored files by its directory, as tools do. Throws if a checksum or a header differs from it. */
export function unzip(archive: Uint8Array): [name: string, bytes: Uint8Array][] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  const end = archive.length - 22;
  if (view.getUint32(end, true) !== 0x06054b50) throw new Error("no end of the directory");
  const files: [string, Uint8Array][] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < view.getUint16(end + 10, true); index++) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error(`entry ${index} of the directory is none`);
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength));
    const size = view.getUint32(at + 20, true);
    const header = view.getUint32(at + 42, true);
    const isSame = [6, 8, 10, 14, 16, 18, 20, 22, 24, 26].every(
      (offset) => view.getUint16(header + offset, true) === view.getUint16(at + offset + 2, true),
    );
    if (view.getUint32(header, true) !== 0x04034b50 || !isSame) throw new Error(`${name} has another header`);
    const begin = header + 30 + nameLength;
    const bytes = Uint8Array.from(archive.subarray(begin, begin + size));
    if (crc32(bytes) !== view.getUint32(at + 16, true)) throw new Error(`${name} has another checksum`);
    files.push([name, bytes]);
    at += 46 + nameLength;
  }
  if (at !== end) throw new Error("the directory does not end where it says");
  return files;
}
