/** A PNG without its pHYs chunk, which `decodePng` does not expect. Throws if there is none. */
export function withoutDensity(png: Uint8Array): Uint8Array<ArrayBuffer> {
  const [begin, end] = [33, 54];
  const type = new TextDecoder().decode(png.subarray(begin + 4, begin + 8));
  if (type !== "pHYs") throw new Error(`a ${type} chunk, and not the density`);
  return Uint8Array.from([...png.subarray(0, begin), ...png.subarray(end)]);
}
