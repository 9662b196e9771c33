// What is printed is typed and pasted, with what stands around it. Escaped, because V8 stores a module with a character outside
// Latin-1 in two bytes each.

/** White space, soft hyphens, zero-width and no-break characters. They go wherever they stand. */
const UNSEEN = String.raw`\p{White_Space}\p{Default_Ignorable_Code_Point}`;
/** Quotation marks, brackets and the punctuation of sentences, of any script. They go at both ends. */
const AROUND = String.raw`\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Quotation_Mark}\p{Terminal_Punctuation}<>\u0060\u00a1\u00b4\u00bf\u055c\u055e\u2026\ufe19\ufe64\ufe65\uff1c\uff1e`;

const UNSEEN_RUN = new RegExp(`[${UNSEEN}]+`, "gu");
const START = new RegExp(`^[/${AROUND}]+`, "u");
// The lookbehind keeps them linear: of a run only the first character begins a match.
const END = new RegExp(`(?<![/${AROUND}])[/${AROUND}]+$`, "u");
const BEFORE_PLUS = new RegExp(`(?<![${AROUND}])[${AROUND}]+(?=\\+$)`, "u");
/** What stays encoded: it is no part of a slug, and as itself it could mean something else, such as a slash. */
const ENCODED = new RegExp(String.raw`[^\w.~\-${UNSEEN}${AROUND}]`, "gu");
/** A query whose question mark is missing. */
const PAIRS = /&[^&=]+=/;

const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes).replace(ENCODED, (character) => encodeURIComponent(character));
    } catch {
      return bytes;
    }
  });

/** Takes off what stands behind a slug. A slash behind the `+` of a preview stays, since that is no address. */
function trimEnd(text: string): string {
  const rest = text.replace(END, "");
  if (!rest.endsWith("+")) return rest;
  return text.slice(rest.length).includes("/") ? text : rest.replace(BEFORE_PLUS, "");
}

/** The path of an address as it was meant, and its query, `""` without one. A path that is a slug stays as it is. */
export function cleanAddress(path: string, query: string): { path: string; query: string } {
  const start = path.search(PAIRS);
  const typed = start === -1 ? path : path.slice(0, start);
  const pairs = start === -1 ? "" : path.slice(start + 1);
  const text = decode(typed).replace(UNSEEN_RUN, "").replace(START, "");
  return {
    path: `/${trimEnd(text)}`,
    query: pairs === "" ? query : `?${pairs}${query.replace(/^\?/, "&")}`,
  };
}
