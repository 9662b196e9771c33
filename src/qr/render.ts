import QRCode from "qrcode-svg";
import { crc32 } from "../lib/crc32";

export interface QrOptions {
  format: "svg" | "png";
  size: number;
  margin: number;
  ecc: "L" | "M" | "Q" | "H";
  /** How finely a PNG is printed; left out, it does not say. */
  pixelsPerMetre?: number | undefined;
}

/**
 * The modules of the code for an ASCII `payload`, true for dark, as [row][column] from the top left; throws
 * when the payload is empty or too long for any code.
 */
export function qrMatrix(payload: string, ecc: QrOptions["ecc"]): boolean[][] {
  return new QRCode({ content: payload, ecl: ecc }).qrcode.modules;
}

/** The side of a module in pixels, fractional, in an image of `size` pixels with `margin` modules around. */
export function modulePixels(modules: number, margin: number, size: number): number {
  return size / (modules + 2 * margin);
}

/** An SVG document of `size` pixels: one black path on white, with `margin` modules of quiet zone. */
export function renderSvg(matrix: boolean[][], size: number, margin: number): string {
  const side = matrix.length + 2 * margin;
  let path = "";
  matrix.forEach((row, y) => {
    for (let start = row.indexOf(true); start !== -1; ) {
      const light = row.indexOf(false, start);
      const stop = light === -1 ? row.length : light;
      path += `M${start + margin} ${y + margin}h${stop - start}v1h${start - stop}z`;
      start = row.indexOf(true, stop);
    }
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" ` +
    `viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<rect width="100%" height="100%" fill="#fff"/><path d="${path}"/></svg>\n`
  );
}

/**
 * A 1-bit greyscale PNG of `size` by `size` pixels: modules of whole pixels, centred on white, with at least
 * `margin` modules of quiet zone; the caller sees to it that a module has a pixel. With `pixelsPerMetre` it says how
 * large it is in print.
 */
export async function renderPng(
  matrix: boolean[][],
  size: number,
  margin: number,
  pixelsPerMetre?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = Math.floor(modulePixels(matrix.length, margin, size));
  const offset = Math.floor((size - matrix.length * pixels) / 2);

  // A scanline is its filter type (0: none) and one bit a pixel, 1 for white.
  const stride = 1 + Math.ceil(size / 8);
  const scanlines = new Uint8Array(stride * size).fill(0xff);
  for (let y = 0; y < size; y++) scanlines[y * stride] = 0;
  matrix.forEach((row, y) => {
    const line = new Uint8Array(stride).fill(0xff);
    line[0] = 0;
    row.forEach((dark, x) => {
      if (!dark) return;
      const left = offset + x * pixels;
      for (let at = left; at < left + pixels; at++) {
        const byte = 1 + (at >> 3);
        line[byte] = (line[byte] ?? 0) & ~(0x80 >> (at & 7));
      }
    });
    const top = offset + y * pixels;
    for (let at = top; at < top + pixels; at++) scanlines.set(line, at * stride);
  });

  const header = new Uint8Array(13);
  const fields = new DataView(header.buffer);
  fields.setUint32(0, size);
  fields.setUint32(4, size);
  // Bit depth 1; colour type 0 (greyscale), compression, filter and interlace methods stay 0.
  header[8] = 1;

  const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return concat([
    signature,
    chunk("IHDR", header),
    ...(pixelsPerMetre === undefined ? [] : [chunk("pHYs", density(pixelsPerMetre))]),
    chunk("IDAT", await deflate(scanlines)),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** The pixels of a metre across and down, and that it is a metre. */
function density(pixelsPerMetre: number): Uint8Array {
  const body = new Uint8Array(9);
  const fields = new DataView(body.buffer);
  fields.setUint32(0, pixelsPerMetre);
  fields.setUint32(4, pixelsPerMetre);
  body[8] = 1;
  return body;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A PNG chunk: length of the body, type, body, and the CRC-32 of type and body. */
function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(body, 8);
  view.setUint32(8 + body.length, crc32(bytes.subarray(4, 8 + body.length)));
  return bytes;
}

function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
