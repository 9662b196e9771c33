import { crc32 } from "../../lib/hash";

const SIGNATURE = "137,80,78,71,13,10,26,10";
const SIGNATURE_BYTES = 8;
/** Of a chunk: its length and type before its data, its checksum behind them. */
const HEADER_BYTES = 8;
const CRC_BYTES = 4;
const IHDR_BYTES = 13;
/** More would take a visitor's memory, however small the file is. */
export const MAX_LOGO_PIXELS = 2_000;

/** What a picture needs. Texts, places, times and animations are left out. */
const KEPT: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "IDAT", "IEND"]);

export const isPng = (bytes: Uint8Array): boolean => bytes.slice(0, SIGNATURE_BYTES).join() === SIGNATURE;

interface Chunk {
  type: string;
  bytes: Uint8Array;
}

/** The chunks of a PNG; undefined if one is broken. */
function chunksOf(png: Uint8Array): Chunk[] | undefined {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    if (at + HEADER_BYTES + CRC_BYTES > png.length) return undefined;
    const end = at + HEADER_BYTES + view.getUint32(at) + CRC_BYTES;
    if (end > png.length) return undefined;
    const typed = png.subarray(at + 4, end - CRC_BYTES);
    if (crc32(typed) !== view.getUint32(end - CRC_BYTES)) return undefined;
    chunks.push({ type: String.fromCharCode(...typed.subarray(0, 4)), bytes: png.subarray(at, end) });
    at = end;
  }
  return chunks;
}

/** The picture of a PNG alone; undefined if its chunks are not those of one, or it is too large. */
export function cleanPng(png: Uint8Array): Uint8Array | undefined {
  const chunks = chunksOf(png) ?? [];
  const [first] = chunks;
  if (first?.type !== "IHDR" || first.bytes.length !== HEADER_BYTES + IHDR_BYTES + CRC_BYTES)
    return undefined;
  const size = new DataView(first.bytes.buffer, first.bytes.byteOffset + HEADER_BYTES);
  const sides = [size.getUint32(0), size.getUint32(4)];
  if (sides.some((side) => side === 0 || side > MAX_LOGO_PIXELS)) return undefined;
  const types = chunks.map(({ type }) => type);
  const isWhole = types.indexOf("IEND") === types.length - 1 && types.includes("IDAT");
  if (!isWhole || types.lastIndexOf("IHDR") !== 0) return undefined;
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(({ bytes }) => bytes);
  return Uint8Array.from([png.subarray(0, SIGNATURE_BYTES), ...kept].flatMap((bytes) => [...bytes]));
}
