import { describe, expect, it } from "vitest";
import {
  modulePixels,
  type QrOptions,
  qrMatrix,
  renderPng,
  renderSvg,
} from "../../../src/resources/qr/render";
import { crc32, decodePng, type Image, quietPixels, rasterise, read } from "./decode";

const LEVELS = ["L", "M", "Q", "H"] as const;
const SLUG_LENGTHS = [1, 20, 64];
const MARGINS = [4, 16];
const SLUG_CHARACTERS = "Spring_Sale-2026xKq7";

function shortUrl(slugLength: number): string {
  return `https://go.example.com/${SLUG_CHARACTERS.repeat(4).slice(0, slugLength)}`;
}

/** The modules of a drawn code with its quiet zone, sampled at their centres. */
function modulesOf({ size, pixels }: Image, left: number, side: number, modulePixels: number): boolean[][] {
  const centre = (module: number) => Math.floor(left + (module + 0.5) * modulePixels);
  return Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, column) => pixels[centre(row) * size + centre(column)] === 0),
  );
}

const codes = SLUG_LENGTHS.flatMap((length) =>
  LEVELS.flatMap((ecc) => MARGINS.map((margin) => ({ length, ecc, margin }))),
);

/** The smallest size that the interface allows: two pixels per module, and at least 64 pixels. */
function smallestSize(modules: number, margin: number): number {
  return Math.max(64, 2 * (modules + 2 * margin));
}

async function expectReadable(
  payload: string,
  ecc: QrOptions["ecc"],
  size: number,
  margin: number,
): Promise<void> {
  const matrix = qrMatrix(payload, ecc);
  const scale = modulePixels(matrix.length, margin, size);

  const drawn = rasterise(renderSvg(matrix, size, margin));
  expect(drawn.size).toBe(size);
  expect(quietPixels(drawn)).toBeGreaterThanOrEqual(Math.floor(margin * scale));
  expect(modulesOf(drawn, margin * scale, matrix.length, scale)).toEqual(matrix);
  expect(read(drawn), "the SVG is read").toBe(payload);

  const whole = Math.floor(scale);
  const decoded = await decodePng(await renderPng(matrix, size, margin));
  expect(decoded.size).toBe(size);
  expect(quietPixels(decoded)).toBe(Math.floor((size - matrix.length * whole) / 2));
  expect(quietPixels(decoded)).toBeGreaterThanOrEqual(margin * whole);
  expect(modulesOf(decoded, quietPixels(decoded), matrix.length, whole)).toEqual(matrix);
  expect(read(decoded), "the PNG is read").toBe(payload);
}

describe("a QR code decodes to its short URL", () => {
  it.each(codes)(
    "slug of $length, level $ecc, margin $margin, at its smallest size",
    async ({ length, ecc, margin }) => {
      const payload = shortUrl(length);
      await expectReadable(payload, ecc, smallestSize(qrMatrix(payload, ecc).length, margin), margin);
    },
  );

  it.each(LEVELS)("level %s at 512 pixels", async (ecc) => {
    await expectReadable(shortUrl(40), ecc, 512, 4);
  });

  it("slug of 64 at 2,048 pixels", async () => {
    await expectReadable(shortUrl(64), "M", 2048, 16);
  });

  it.each([333, 513, 1001])("at %i pixels, which is not a whole number of bytes or modules", async (size) => {
    await expectReadable(shortUrl(7), "M", size, 4);
  });
});

describe("the modules", () => {
  it("are upright: finder patterns at three corners and the dark module beside the lower left one", () => {
    for (const { length, ecc } of codes) {
      const matrix = qrMatrix(shortUrl(length), ecc);
      const n = matrix.length;
      expect((n - 17) % 4).toBe(0);
      expect(matrix.every((row) => row.length === n && row.every((dark) => typeof dark === "boolean"))).toBe(
        true,
      );
      expect(matrix[n - 8]?.[8], "dark module").toBe(true);
      for (const [top, left] of [
        [0, 0],
        [0, n - 7],
        [n - 7, 0],
      ] as const) {
        const finder = matrix.slice(top, top + 7).map((row) => row.slice(left, left + 7));
        const text = finder.map((row) => row.map((dark) => (dark ? "#" : ".")).join("")).join(" ");
        expect(text).toBe("####### #.....# #.###.# #.###.# #.###.# #.....# #######");
      }
    }
  });
});

describe("the files", () => {
  it("are drawn module by module: a small matrix, in full", async () => {
    const matrix = [
      [true, true, false],
      [false, false, false],
      [true, false, true],
    ];
    expect(renderSvg(matrix, 70, 2)).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" width="70" height="70" viewBox="0 0 7 7" ' +
        'shape-rendering="crispEdges"><rect width="100%" height="100%" fill="#fff"/>' +
        '<path d="M2 2h2v1h-2zM2 4h1v1h-1zM4 4h1v1h-1z"/></svg>\n',
    );
    const { size, pixels } = await decodePng(await renderPng(matrix, 8, 2));
    const lines = Array.from({ length: size }, (_, y) =>
      [...pixels.subarray(y * size, (y + 1) * size)].map((pixel) => (pixel === 0 ? "#" : ".")).join(""),
    );
    expect(lines).toEqual([
      "........",
      "........",
      "..##....",
      "........",
      "..#.#...",
      "........",
      "........",
      "........",
    ]);
  });

  it("contain the print size if requested, and are otherwise the same", async () => {
    const matrix = qrMatrix(shortUrl(7), "M");
    const [plain, sized] = [await renderPng(matrix, 295, 4), await renderPng(matrix, 295, 4, 11_811)];
    // After the signature and IHDR: pHYs with nine bytes, 0x2e23 pixels per metre in both directions.
    const physical = [0, 0, 0, 9, ...new TextEncoder().encode("pHYs"), 0, 0, 46, 35, 0, 0, 46, 35, 1];
    expect([...sized.subarray(33, 50)]).toEqual(physical);
    expect(new DataView(sized.buffer).getUint32(50)).toBe(crc32(sized.subarray(37, 50)));
    expect([...sized.subarray(0, 33), ...sized.subarray(54)]).toEqual([...plain]);
  });
});
