// What is printed is typed and pasted, with what stands around it. Escaped, because V8 stores a module with a character outside
// Latin-1 in two bytes each.

/** White space, soft hyphens, zero-width and no-break characters. They go wherever they stand. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu;
/** Quotation marks, brackets and the punctuation of sentences, of any script. They go at both ends. */
const AROUND =
  /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Quotation_Mark}\p{Terminal_Punctuation}<>\u0060\u00a1\u00b4\u00bf\u055c\u055e\u2026\ufe19\ufe64\ufe65\uff1c\uff1e]/u;

const isAround = (character: string): boolean => AROUND.test(character);
const isAtEdge = (character: string): boolean => character === "/" || isAround(character);

/** What is no part of a slug stays encoded: as itself it could mean something else, such as a slash. */
const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
        .replace(UNSEEN, "")
        .replace(/[^\w.~-]/gu, (character) =>
          isAround(character) ? character : encodeURIComponent(character),
        );
    } catch {
      return bytes;
    }
  });

function trimStart(text: string, isOut: (character: string) => boolean): string {
  let start = 0;
  for (const character of text) {
    if (!isOut(character)) break;
    start += character.length;
  }
  return text.slice(start);
}

function trimEnd(text: string, isOut: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0) {
    // A character outside the basic plane is two units long.
    const size = (text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1;
    if (!isOut(text.slice(end - size, end))) break;
    end -= size;
  }
  return text.slice(0, end);
}

/** Takes off what stands around a slug. A slash behind the `+` of a preview stays, since that is no address. */
function trim(text: string): string {
  const typed = trimStart(text, isAtEdge);
  const rest = trimEnd(typed, isAtEdge);
  if (!rest.endsWith("+")) return rest;
  return typed.includes("/", rest.length) ? typed : `${trimEnd(rest.slice(0, -1), isAround)}+`;
}

/** The path of an address as it was meant, and its query, `""` without one. A path that is a slug stays as it is. */
export function cleanAddress(path: string, query: string): { path: string; query: string } {
  const parts = path.split("&");
  // A query whose question mark is missing.
  const pair = parts.findIndex((part, index) => index > 0 && part.indexOf("=") > 0);
  const end = pair === -1 ? parts.length : pair;
  const pairs = parts.slice(end).join("&");
  return {
    path: `/${trim(decode(parts.slice(0, end).join("&")).replace(UNSEEN, ""))}`,
    query: pairs === "" ? query : `?${pairs}${query.replace(/^\?/, "&")}`,
  };
}
