/** What may be drawn of what a tag's colour says: a hexadecimal number, a function of numbers, or a word. */
const DRAWABLE = /^(?:#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([\d\s.,%/+-]+\))$/i;

/** A dot in a tag's colour; none where it names a colour that cannot be drawn. It says nothing that text does not say. */
export const Swatch = ({ colour }: { colour: string | null }) =>
  colour === null || !DRAWABLE.test(colour) ? null : (
    <svg class="swatch" viewBox="0 0 12 12" width="12" height="12" fill="none" aria-hidden="true">
      <circle cx="6" cy="6" r="6" fill={colour} />
    </svg>
  );
