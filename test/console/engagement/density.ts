/** As many pixels per metre as 300 dpi has. */
const PIXELS_PER_METRE = 11_811;

/** A PNG without its pHYs chunk, which `decodePng` does not expect. Throws if it does not say 300 dpi in both directions. */
export function withoutDensity(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const [begin, end] = [33, 54];
  const chunk = new DataView(png.buffer, png.byteOffset + begin, end - begin);
  const type = new TextDecoder().decode(png.subarray(begin + 4, begin + 8));
  if (type !== "pHYs") throw new Error(`a ${type} chunk, and not the density`);
  if ([8, 12].some((at) => chunk.getUint32(at) !== PIXELS_PER_METRE)) throw new Error("another density");
  return Uint8Array.from([...png.subarray(0, begin), ...png.subarray(end)]);
}
