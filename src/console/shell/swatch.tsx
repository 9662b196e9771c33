import { isCssColour } from "./colour";

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
