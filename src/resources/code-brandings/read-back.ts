import { channelsOf } from "../../lib/colour";
import { toPixels } from "../../lib/print-size";
import { type Cells, cellsOf, type Look, layOut } from "./branded-code";

/** The narrowest print of a branded code. */
export const MIN_PRINT_MM = 25;

interface Picture {
  pixels: number;
  /** In degrees. */
  angle?: number;
  /** How many pixels run into one. */
  blur?: number;
}

const PIXELS = toPixels(MIN_PRINT_MM);
const HALF = Math.round(PIXELS / 2);
const ANGLE = 15;

/** How codes are drawn to be read back: whole, in each way that makes it harder, and in all of them. */
export const PICTURES: readonly Picture[] = [
  { pixels: PIXELS },
  { pixels: PIXELS, blur: 3 },
  { pixels: PIXELS, angle: ANGLE },
  { pixels: HALF },
  { pixels: HALF, angle: ANGLE, blur: 1.5 },
];

/** Draws a code as RGBA. Each pixel is the mean of some points in it, or around it where it is blurred. */
export function drawPixels({ columns, rows, dark }: Cells, colour: string, picture: Picture) {
  const { pixels, angle = 0, blur = 1 } = picture;
  const scale = columns / pixels;
  const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const width = Math.ceil(pixels * cosine + (rows / scale) * sine);
  const height = Math.ceil(pixels * sine + (rows / scale) * cosine);
  const points = Math.ceil(blur) + 1;
  const offsets = Array.from({ length: points }, (_, index) => ((index + 0.5) / points - 0.5) * blur + 0.5);
  const channels = channelsOf(colour);
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (const down of offsets) {
        for (const along of offsets) {
          const [right, below] = [x + along - width / 2, y + down - height / 2];
          const column = Math.floor((right * cosine + below * sine) * scale + columns / 2);
          const row = Math.floor((below * cosine - right * sine) * scale + rows / 2);
          if (column >= 0 && column < columns) sum += dark[row * columns + column] ?? 0;
        }
      }
      const share = sum / points ** 2;
      for (let index = 0; sum > 0 && index < 3; index++) {
        data[(y * width + x) * 4 + index] = 255 - (255 - (channels[index] ?? 0)) * share;
      }
    }
  }
  return { width, height, data };
}

/** More attempts of the decoder than it makes for a frame of a camera. Their number alone ends them, so an answer is the same each time. */
const EFFORT = 16;

/** Whether a code with this look is read from each of its pictures exactly, by a decoder other than the encoder that draws. */
export async function isReadBack(url: string, look: Look): Promise<boolean> {
  const { default: decode } = await import("qr/decode.js");
  const cells = cellsOf(layOut(url, look));
  const options = { effort: EFFORT, timeLimit: Number.POSITIVE_INFINITY };
  for (const picture of PICTURES) {
    // Some 50 ms each, between which the instance answers others.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      if (decode(drawPixels(cells, look.colour, picture), options) !== url) return false;
    } catch {
      return false;
    }
  }
  return true;
}
