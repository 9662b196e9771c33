import jsQR from "jsqr";

/** A square image with one byte per pixel: 0 is black, 255 is white. */
export interface Image {
  size: number;
  pixels: Uint8Array;
}

const DOCUMENT = new RegExp(
  '^<svg xmlns="http://www.w3.org/2000/svg" width="(\\d+)" height="\\1" viewBox="0 0 (\\d+) \\2" ' +
    'shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/><path d="([^"]*)"/></svg>\n$',
);

/** Draws an SVG of one path of black rectangles on white, sampled at pixel centres. Throws for any other SVG. */
export function rasterise(svg: string): Image {
  const [, width, side, path] = DOCUMENT.exec(svg) ?? [];
  if (path === undefined) throw new Error("not one path on white");
  const size = Number(width);
  const scale = size / Number(side);
  const pixels = new Uint8Array(size * size).fill(255);
  const rest = path.replace(/M(\d+) (\d+)h(\d+)v1h-\3z/g, (_, x, y, run) => {
    const [left, right, top, bottom] = [Number(x), Number(x) + Number(run), Number(y), Number(y) + 1].map(
      (edge) => Math.ceil(edge * scale - 0.5),
    ) as [number, number, number, number];
    for (let row = top; row < bottom; row++) pixels.fill(0, row * size + left, row * size + right);
    return "";
  });
  if (rest !== "") throw new Error("the path holds more than rectangles");
  return { size, pixels };
}

/** CRC-32 bit by bit, as in the PNG specification. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Decodes a 1-bit greyscale PNG of three chunks, whose lines are not filtered. Throws for any other PNG. */
export async function decodePng(png: Uint8Array<ArrayBuffer>): Promise<Image> {
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) throw new Error("not a PNG");
  const chunks = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    const checksum = crc32(png.subarray(at + 4, at + 8 + length));
    if (view.getUint32(at + 8 + length) !== checksum) throw new Error(`${type} has another checksum`);
    chunks.set(type, png.slice(at + 8, at + 8 + length));
    at += 12 + length;
  }
  if ([...chunks.keys()].join() !== "IHDR,IDAT,IEND") throw new Error("not the three chunks");
  const [size, height] = [view.getUint32(16), view.getUint32(20)];
  if (height !== size || String(png.subarray(24, 29)) !== "1,0,0,0,0") {
    throw new Error("not square, or not 1 bit of grey a pixel");
  }
  const data = new Blob([chunks.get("IDAT") ?? ""]).stream().pipeThrough(new DecompressionStream("deflate"));
  const scanlines = new Uint8Array(await new Response(data).arrayBuffer());
  const stride = 1 + Math.ceil(size / 8);
  if (scanlines.length !== stride * size) throw new Error("not as many lines as the image is high");
  const pixels = new Uint8Array(size * size);
  for (let y = 0; y < size; y++) {
    if (scanlines[y * stride] !== 0) throw new Error(`line ${y} is filtered`);
    for (let x = 0; x < size; x++) {
      const byte = scanlines[y * stride + 1 + (x >> 3)] ?? 0;
      pixels[y * size + x] = (byte >> (7 - (x & 7))) & 1 ? 255 : 0;
    }
  }
  return { size, pixels };
}

/** Decodes the QR code in an image. */
export function read({ size, pixels }: Image): string | undefined {
  const rgba = new Uint8ClampedArray(4 * size * size);
  const words = new Uint32Array(rgba.buffer);
  // Opaque, with the same red, green and blue.
  for (let at = 0; at < pixels.length; at++) words[at] = 0xff000000 + (pixels[at] ?? 0) * 0x010101;
  return jsQR(rgba, size, size, { inversionAttempts: "dontInvert" })?.data;
}

/** The width of the narrowest white edge in pixels. */
export function quietPixels({ size, pixels }: Image): number {
  let quiet = size;
  for (let y = 0; y < size; y++) {
    const row = pixels.subarray(y * size, (y + 1) * size);
    const left = row.indexOf(0);
    if (left !== -1) quiet = Math.min(quiet, left, size - 1 - row.lastIndexOf(0), y, size - 1 - y);
  }
  return quiet;
}
