import { modulesPath, qrMatrix } from "../qr/render";

// A QR code in the colours of a workspace, as rectangles in units of modules.

export interface Look {
  /** `#rrggbb`. */
  colour: string;
  /** A data: URL; null for none. */
  logo: string | null;
  /** What the frame says; null for no frame. */
  call: string | null;
}

const QUIET_MODULES = 4;
const FRAME_MODULES = 1;
/** Of the frame's lower side, which has the call. */
const BAND_MODULES = 5;
/** Of the width of the code without its quiet zone. */
const MAX_LOGO_SHARE = 0.18;
/** Between the logo and the edge of its white square. */
const LOGO_MARGIN_MODULES = 0.5;

/** The largest square of whole modules in the middle of the code, whose side is odd. */
function logoSide(modules: number): number {
  const most = Math.floor(modules * MAX_LOGO_SHARE);
  return most % 2 === 1 ? most : most - 1;
}

/** Where everything is. `edge` is what surrounds the modules: the quiet zone and the frame. */
export function layOut(url: string, { logo, call }: Look) {
  const matrix = qrMatrix(url, logo === null ? "M" : "H");
  const modules = matrix.length;
  const edge = QUIET_MODULES + (call === null ? 0 : FRAME_MODULES);
  const width = modules + 2 * edge;
  const height = width + (call === null ? 0 : BAND_MODULES - FRAME_MODULES);
  const logoModules = logo === null ? 0 : logoSide(modules);
  return { matrix, edge, width, height, logoModules, logoAt: edge + (modules - logoModules) / 2 };
}

type Layout = ReturnType<typeof layOut>;

/** How wide the squares of a code are together, where the whole picture has a width. */
export function widthInside(url: string, look: Look, millimetres: number): number {
  const { matrix, width } = layOut(url, look);
  return Math.round((millimetres * matrix.length) / width);
}

const asText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** As wide as two Latin letters. */
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}]/u;
const LETTER_EM = 0.62;
const MAX_LETTER_MODULES = 3;

/** The frame, and the call in the middle of its lower side. Whatever the font, the call is as wide as said here. */
function frameSvg(call: string, colour: string, { width, height }: Layout): string {
  const inner = width - 2 * FRAME_MODULES;
  const ems = [...call].reduce((sum, letter) => sum + LETTER_EM * (WIDE.test(letter) ? 2 : 1), 0);
  const size = Math.min(MAX_LETTER_MODULES, inner / ems);
  const path = `M0 0h${width}v${height}H0zM${FRAME_MODULES} ${FRAME_MODULES}v${inner}h${inner}v-${inner}z`;
  return (
    `<path fill="${colour}" d="${path}"/>` +
    `<text x="${width / 2}" y="${height - (BAND_MODULES - size * 0.7) / 2}" font-family="sans-serif" font-weight="bold" ` +
    `font-size="${size}" textLength="${size * ems}" lengthAdjust="spacingAndGlyphs" text-anchor="middle" ` +
    `fill="#fff">${asText(call)}</text>`
  );
}

/** An SVG that is `size` pixels wide. The logo is a picture of its own, so that nothing in it can reach the code. */
export function brandedSvg(url: string, look: Look, size: number): string {
  const { colour, logo, call } = look;
  const layout = layOut(url, look);
  const { matrix, edge, width, height, logoModules, logoAt } = layout;
  const [inner, at] = [logoModules - 2 * LOGO_MARGIN_MODULES, logoAt + LOGO_MARGIN_MODULES];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" ` +
    `height="${Math.round((size * height) / width)}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="#fff"/>${call === null ? "" : frameSvg(call, colour, layout)}` +
    `<path fill="${colour}" shape-rendering="crispEdges" d="${modulesPath(matrix, edge)}"/>` +
    (logo === null
      ? ""
      : `<rect x="${logoAt}" y="${logoAt}" width="${logoModules}" height="${logoModules}" fill="#fff"/>` +
        `<image x="${at}" y="${at}" width="${inner}" height="${inner}" xlink:href="${logo}"/>`) +
    "</svg>\n"
  );
}

/**
 * Whether a point is dark. Where the logo is, each module is the opposite of what it should be, which is the worst that a logo
 * can do to it. In place of the letters of the call there are stripes.
 */
function isDark({ matrix, edge, width, height, logoModules, logoAt }: Layout, x: number, y: number): boolean {
  const isLogo = x >= logoAt && y >= logoAt && x < logoAt + logoModules && y < logoAt + logoModules;
  const dark = matrix[Math.floor(y - edge)]?.[Math.floor(x - edge)];
  if (dark !== undefined) return dark !== isLogo;
  if (edge === QUIET_MODULES) return false;
  const [right, bottom] = [width - FRAME_MODULES, height - BAND_MODULES];
  const isFrame = x < FRAME_MODULES || y < FRAME_MODULES || x >= right || y >= bottom;
  const isLetter =
    y > bottom + 1 && y < height - 1 && x > edge && x < width - edge && Math.floor(x * 2) % 2 === 0;
  return isFrame && !isLetter;
}

/** A drawing in cells of half a module, row by row: 1 is dark. */
export interface Cells {
  columns: number;
  rows: number;
  dark: Uint8Array;
}

export function cellsOf(layout: Layout): Cells {
  const [columns, rows] = [2 * layout.width, 2 * layout.height];
  const dark = new Uint8Array(columns * rows);
  for (let at = 0; at < dark.length; at++) {
    const [x, y] = [(at % columns) + 0.5, Math.floor(at / columns) + 0.5];
    dark[at] = isDark(layout, x / 2, y / 2) ? 1 : 0;
  }
  return { columns, rows, dark };
}
