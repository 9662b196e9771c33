import { invalid } from "../../field-errors";
import { cleanPng, isPng, MAX_LOGO_PIXELS } from "./png-logo";
import { cleanSvg } from "./svg-logo";

// A logo is stored as the text of an SVG, or as a PNG in base64.

const isSvgImage = (logo: string): boolean => logo.startsWith("<");

/** What the trail says of a logo, which it does not keep. */
export const describeLogo = (logo: string | null): string | null =>
  logo && `${isSvgImage(logo) ? "SVG" : "PNG"} of ${logo.length} characters`;

const MAX_LOGO_BYTES = 20 * 1024;

const refuse = (message: string) => invalid([{ field: "file", message, code: "format" }]);

function readSvg(bytes: Uint8Array) {
  try {
    const cleaned = cleanSvg(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
    if (cleaned !== undefined) return cleaned;
  } catch {
    // No UTF-8, or no XML.
  }
  throw refuse(
    "The logo must be an SVG in UTF-8, with a viewBox or a width and a height, that draws shapes without fonts and pictures; or a PNG.",
  );
}

/** The stored form of a picture, and the elements that its SVG lost. Throws 422. */
export function readLogo(bytes: Uint8Array): { logo: string; leftOut: string[] } {
  if (bytes.length > MAX_LOGO_BYTES) throw refuse("The logo must not be larger than 20 KB.");
  if (!isPng(bytes)) {
    const { svg, leftOut } = readSvg(bytes);
    if (svg.length > MAX_LOGO_BYTES)
      throw refuse("The logo must not be larger than 20 KB, also once its styles are attributes.");
    return { logo: svg, leftOut };
  }
  const png = cleanPng(bytes);
  if (png === undefined)
    throw refuse(`The logo is no whole PNG of at most ${MAX_LOGO_PIXELS} by ${MAX_LOGO_PIXELS} pixels.`);
  return { logo: btoa(String.fromCharCode(...png)), leftOut: [] };
}

/** A stored logo as a data: URL. */
export const logoUrl = (logo: string): string =>
  isSvgImage(logo)
    ? `data:image/svg+xml;base64,${btoa(String.fromCharCode(...new TextEncoder().encode(logo)))}`
    : `data:image/png;base64,${logo}`;
