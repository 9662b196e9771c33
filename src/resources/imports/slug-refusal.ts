import { isSlugShaped, MAX_SLUG_CHARACTERS, slugFromName } from "../../lib/slug-text";

const MAX_QUOTED_CHARACTERS = 80;

const quote = (text: string): string => {
  const characters = [...text];
  const shown = characters.slice(0, MAX_QUOTED_CHARACTERS).join("");
  return `“${shown}${characters.length > MAX_QUOTED_CHARACTERS ? "…" : ""}”`;
};

const RULE = "letters, digits, hyphens and underscores, with a letter or digit first";

function reasonOf(cell: string): string {
  if (/^https?:\/\/[^/?#]*\/?$/i.test(cell)) return "has no slug after its host";
  if (/[?#]/.test(cell)) return "has a query or an anchor, which a slug cannot have";
  if (/\s/.test(cell)) return "has a space, which a slug cannot have";
  if (/.\//.test(cell)) return "is a path, and a slug has one part without slashes";
  if ([...cell].length > MAX_SLUG_CHARACTERS) {
    return `has ${[...cell].length.toLocaleString("en-GB")} characters, and a slug has at most ${MAX_SLUG_CHARACTERS}`;
  }
  return `is no slug: it may have ${RULE}`;
}

/** The part of a refused cell that a slug can be made of: a URL without its host and query. */
const pathIn = (cell: string): string => cell.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";

/** Why a cell cannot be a slug, and a slug like it. */
export function slugRefusal(cell: string): string {
  const like = slugFromName(pathIn(cell), MAX_SLUG_CHARACTERS);
  const advice = isSlugShaped(like) ? ` Write ${like}, for example.` : "";
  return `${quote(cell)} ${reasonOf(cell)}.${advice}`;
}
