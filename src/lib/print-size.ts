export const DOTS_PER_INCH = 300;
const MILLIMETRES_PER_INCH = 25.4;

export const toPixels = (millimetres: number): number =>
  Math.round((millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH);
