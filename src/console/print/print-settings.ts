import { z } from "@hono/zod-openapi";
import type { PageLanguage } from "../../http/site/visitor-pages";
import { wholeNumber } from "../../lib/validation";
import { PAGE_LANGUAGES } from "../../resources/branding/branding-schema";
import { qrMatrix } from "../../resources/qr/render";

export const PRINT_SIZES_MM = [25, 50, 100, 150] as const;

export const CAPTIONS = ["name", "place", "url", "preview"] as const;
export type Caption = (typeof CAPTIONS)[number];

export const MAX_COLUMNS = 8;
export const MIN_SIZE_MM = 10;
export const MAX_SIZE_MM = 150;

export const LANGUAGES = Object.keys(PAGE_LANGUAGES) as PageLanguage[];

/** `caption` is repeated. A form without a ticked box sends "none". */
export const sheetQuery = z.object({
  columns: wholeNumber(1, MAX_COLUMNS).default(3),
  size: wholeNumber(MIN_SIZE_MM, MAX_SIZE_MM).default(50),
  caption: z.array(z.enum([...CAPTIONS, "none"])).default(["name", "place", "url"]),
  /** The language of the words before the address of the preview page; none if empty. */
  words: z.enum(["", ...LANGUAGES]).default(""),
  marks: z.literal("1").optional(),
  branding: z.string().optional(),
});

/** How codes are laid out on paper. `size` is the width of a code with its margin in millimetres. */
export type SheetSettings = z.output<typeof sheetQuery>;

/** Captions need this width, so narrower codes stand in the middle of it. */
const MIN_CELL_MM = 30;
/** The margin of a cell, which is half of the space between two cells. It contains the cut marks. */
const CELL_MARGIN_MM = 4;
/** The margin of the paper. Printers cannot print closer to its edge. */
const MARGIN_MM = 8;
/** The widths within these margins that both A4 and Letter have, upright and across. */
const PORTRAIT_MM = 194;
const LANDSCAPE_MM = 263;

function layOut({ columns, size, caption }: SheetSettings) {
  const hasCaption = CAPTIONS.some((one) => caption.includes(one));
  const cellMm = hasCaption ? Math.max(size, MIN_CELL_MM) : size;
  return { cellMm, widthMm: columns * (cellMm + 2 * CELL_MARGIN_MM) };
}

/** Phones read smaller modules only from close by and in good light. */
const MIN_MODULE_MM = 0.4;
const QUIET_MODULES = 4;

/** How wide a code is without its white border, where it has a width with it. */
export const widthWithoutBorder = (url: string, millimetres: number): number => {
  const modules = qrMatrix(url, "M").length;
  return Math.round((millimetres * modules) / (modules + 2 * QUIET_MODULES));
};

/** What may go wrong on paper with these settings: codes that scan badly, or columns beyond the paper. */
export function sheetWarnings(settings: SheetSettings, items: readonly { url: string }[]): string[] {
  const { widthMm } = layOut(settings);
  const [longest = ""] = items.map(({ url }) => url).toSorted((one, other) => other.length - one.length);
  const modules = qrMatrix(longest, "M").length + 2 * QUIET_MODULES;
  const least = Math.max(MIN_SIZE_MM, Math.ceil(modules * MIN_MODULE_MM));
  const warnings: string[] = [];
  if (settings.size < least) {
    warnings.push(
      `At ${settings.size} mm the squares of a code are narrower than ${MIN_MODULE_MM} mm, and many phones will not read it. Use at least ${least} mm.`,
    );
  }
  if (widthMm > LANDSCAPE_MM) {
    warnings.push(
      `${settings.columns} columns are ${widthMm} mm wide, and paper like A4 has ${LANDSCAPE_MM} mm across. Take fewer columns or larger paper, or the printer cuts them off.`,
    );
  }
  return warnings;
}

/** The rules of this sheet, in millimetres. All values are numbers, so that none can end the style element. */
export function sheetStyle(settings: SheetSettings): string {
  const { cellMm, widthMm } = layOut(settings);
  return (
    `.sheet { --columns: ${settings.columns}; --code: ${settings.size}mm; --cell: ${cellMm}mm; --space: ${CELL_MARGIN_MM}mm; }\n` +
    `@page { size: ${widthMm <= PORTRAIT_MM ? "portrait" : "landscape"}; margin: ${MARGIN_MM}mm; }`
  );
}
