import QRCode from "qrcode-svg";
import { crc32 } from "../../lib/hash";

export interface QrOptions {
  format: "svg" | "png";
  size: number;
  margin: number;
  ecc: "L" | "M" | "Q" | "H";
  /** Print resolution of a PNG. If undefined, the file does not declare one. */
  pixelsPerMetre?: number | undefined;
}

/** The modules of an ASCII payload as [row][column], true for dark. Throws if the payload is empty or too long. */
export function qrMatrix(payload: string, ecc: QrOptions["ecc"]): boolean[][] {
  return new QRCode({ content: payload, ecl: ecc }).qrcode.modules;
}

/** The fractional side of a module in pixels, for an image of `size` pixels and a quiet zone of `margin` modules. */
export function modulePixels(modules: number, margin: number, size: number): number {
  return size / (modules + 2 * margin);
}

/** The dark modules as the data of an SVG path, with a margin of so many modules. */
export function modulesPath(matrix: boolean[][], margin: number): string {
  let path = "";
  matrix.forEach((row, y) => {
    for (let start = row.indexOf(true); start !== -1; ) {
      const light = row.indexOf(false, start);
      const stop = light === -1 ? row.length : light;
      path += `M${start + margin} ${y + margin}h${stop - start}v1h${start - stop}z`;
      start = row.indexOf(true, stop);
    }
  });
  return path;
}

/** An SVG of `size` pixels: one black path on white, with a quiet zone of `margin` modules. */
export function renderSvg(matrix: boolean[][], size: number, margin: number): string {
  const side = matrix.length + 2 * margin;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" ` +
    `viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<rect width="100%" height="100%" fill="#fff"/><path d="${modulesPath(matrix, margin)}"/></svg>\n`
  );
}

/**
 * A 1-bit greyscale PNG of `size` by `size` pixels. Modules have whole pixels, centred, with a quiet zone of at least
 * `margin` modules. The caller must check that a module has at least one pixel.
 */
export async function renderPng(
  matrix: boolean[][],
  size: number,
  margin: number,
  pixelsPerMetre?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = Math.floor(modulePixels(matrix.length, margin, size));
  const offset = Math.floor((size - matrix.length * pixels) / 2);

  // A scanline is the filter type (0: none) and one bit per pixel, 1 for white.
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
  const file = new Blob([
    signature,
    chunk("IHDR", header),
    ...(pixelsPerMetre === undefined ? [] : [densityChunk(pixelsPerMetre)]),
    chunk("IDAT", await deflate(scanlines)),
    chunk("IEND", new Uint8Array()),
  ]);
  return new Uint8Array(await file.arrayBuffer());
}

/** A pHYs chunk: pixels per unit in x and y, and the unit (1: metre). */
export function densityChunk(pixelsPerMetre: number): Uint8Array {
  const body = new Uint8Array(9);
  const fields = new DataView(body.buffer);
  fields.setUint32(0, pixelsPerMetre);
  fields.setUint32(4, pixelsPerMetre);
  body[8] = 1;
  return chunk("pHYs", body);
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A PNG chunk: body length, type, body, and the CRC-32 of type and body. */
function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(body, 8);
  view.setUint32(8 + body.length, crc32(bytes.subarray(4, 8 + body.length)));
  return bytes;
}
