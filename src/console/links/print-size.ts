export const DOTS_AN_INCH = 300;
const MILLIMETRES_AN_INCH = 25.4;
/** Widths of a printed code. */
export const PRINT_SIZES_MM = [25, 50, 100, 150] as const;

/** The pixels of an image that is so many millimetres wide in print. */
export const pixelsFor = (millimetres: number): number =>
  Math.round((millimetres / MILLIMETRES_AN_INCH) * DOTS_AN_INCH);

export const PIXELS_A_METRE = pixelsFor(1_000);
