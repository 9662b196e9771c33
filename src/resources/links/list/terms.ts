import { isSlugShaped, slugKey } from "../../../lib/slug-text";
import { toWords, unaccented } from "../../../lib/words";

/** What a person looks for. */
interface Terms {
  /** The key of the slug or code that the text may be. */
  slugKey: string | undefined;
  /** Whether the text is a short URL of this service, so that nothing else is meant. */
  isShortUrl: boolean;
  /** Words without accents that a link must have in any order. A destination is one word, without its scheme. */
  words: string[];
}

const SHORT_URL = /^(?:https?:\/\/)?([^/?#\s:@]+)(?::\d+)?\/([^/?#\s]+)\/?(?:[?#]\S*)?$/i;

/** The slug in a short URL of one of the hosts, with any case and query. */
function findSlug(text: string, ownHosts: readonly string[]): string | undefined {
  const [, host = "", slug = ""] = SHORT_URL.exec(text) ?? [];
  return ownHosts.includes(host.toLowerCase()) && isSlugShaped(slug) ? slug : undefined;
}

const withoutScheme = (word: string): string =>
  word.replace(/^https?:\/\/(?=.)/, "").replace(/(?<=.)\/$/, "");

export function toTerms(text: string, ownHosts: readonly string[]): Terms {
  const slug = findSlug(text.trim(), ownHosts);
  if (slug !== undefined) return { slugKey: slugKey(slug), isShortUrl: true, words: [] };
  const folded = toWords(text).map(withoutScheme);
  const only = (folded[0] ?? "").replace(/^\//, "");
  const isSlug = folded.length === 1 && isSlugShaped(only);
  // Nothing is left of an accent alone.
  const words = [...new Set(folded.map((word) => unaccented(word) || word))];
  return { slugKey: isSlug ? slugKey(only) : undefined, isShortUrl: false, words };
}
