export const DOTS_PER_INCH = 300;
const MILLIMETRES_PER_INCH = 25.4;

export const PRINT_SIZES_MM = [25, 50, 100, 150] as const;

/** The width in pixels of a printed image. */
export const toPixels = (millimetres: number): number =>
  Math.round((millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH);

export const PIXELS_PER_METRE = toPixels(1_000);
