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

/** A dot in the colour of a tag, if it is a CSS colour. It stands beside the name, which has the colour of text. */
export const Swatch = ({ colour }: { colour: string | null }) =>
  isCssColour(colour) ? (
    <svg class="swatch" viewBox="0 0 12 12" width="12" height="12" fill="none" aria-hidden="true">
      <circle cx="6" cy="6" r="6" fill={colour} />
    </svg>
  ) : null;

/** The name of a tag behind the dot of its colour. */
export const TagName = ({ tag: { name, colour } }: { tag: { name: string; colour: string | null } }) => (
  <>
    <Swatch colour={colour} />
    <bdi>{name}</bdi>
  </>
);
