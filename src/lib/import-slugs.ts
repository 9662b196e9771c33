import { addressIn } from "./short-url";
import { isSlugShaped, MAX_SLUG_CHARACTERS, slugFromName } from "./slug-text";

/** What separates and surrounds the short URLs of one cell, such as Bitly's list of custom ones. */
const BETWEEN_URLS = /[\s,;"'[\]]+/;

interface Address {
  /** Undefined for a slug alone. */
  host?: string;
  slug: string;
}

/** The host and slug of a short URL without a query. Undefined for any other text. */
function addressOf(text: string): Address | undefined {
  const address = /[?#]/.test(text) ? undefined : addressIn(text);
  return address?.host.includes(".") === true ? address : undefined;
}

/**
 * The addresses in a cell: of each short URL in it, else the cell itself without a leading slash. A cell that is neither is
 * returned as it is, so that its row is refused.
 */
export function addressesIn(cell: string): Address[] {
  const texts = cell.split(BETWEEN_URLS).filter((text) => text !== "");
  const found = texts.map(addressOf).filter((address) => address !== undefined);
  if (found.length > 0 && found.length === texts.length) return found;
  const bare = cell.replace(/^\//, "");
  return [{ slug: isSlugShaped(bare) ? bare : cell }].filter(({ slug }) => slug !== "");
}

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
