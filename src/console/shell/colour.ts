/** Colours for tags: each stands out from the page in the light and the dark scheme, and from a white sheet. */
export const PALETTE = [
  ["#dc2626", "Red"],
  ["#c2410c", "Orange"],
  ["#a16207", "Amber"],
  ["#4d7c0f", "Olive"],
  ["#15803d", "Green"],
  ["#0f766e", "Teal"],
  ["#0e7490", "Cyan"],
  ["#2563eb", "Blue"],
  ["#6366f1", "Indigo"],
  ["#9333ea", "Violet"],
  ["#db2777", "Pink"],
  ["#64748b", "Grey"],
] as const;

/** The name of a colour of the palette. */
export const paletteName = (colour: string | null): string | undefined =>
  PALETTE.find(([value]) => value === colour?.toLowerCase())?.[1];

/** Hexadecimal, `rgb()`, `hsl()` or a name. The colour of a tag is free text. */
const CSS_COLOUR = /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]+|(?:rgb|hsl)a?\([\d\s.,%/+-]+\))$/i;

/** Whether a text may be an SVG paint. It names no address, so it loads nothing. */
export const isCssColour = (text: string | null): text is string => text !== null && CSS_COLOUR.test(text);
