/** Hexadecimal, `rgb()`, `hsl()` or a name. The colour of a tag is free text. */
const CSS_COLOUR = /^(?:#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([\d\s.,%/+-]+\))$/i;

/** A dot in the colour of a tag, if it is a CSS colour. */
export const Swatch = ({ colour }: { colour: string | null }) =>
  colour === null || !CSS_COLOUR.test(colour) ? null : (
    <svg class="swatch" viewBox="0 0 12 12" width="12" height="12" fill="none" aria-hidden="true">
      <circle cx="6" cy="6" r="6" fill={colour} />
    </svg>
  );
