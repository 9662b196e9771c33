import type { Config } from "../../../context";
import { addressIn, domainNamed } from "../../../lib/short-url";
import {
  foldSlug,
  isSlugShaped,
  SHORT_HOST,
  type SlugKey,
  slugKey,
  toWords,
  unaccented,
} from "../../../lib/slug-text";

type Hosts = Pick<Config, "ownHosts" | "shortHost">;

/** What a person looks for. */
interface Terms {
  /** What the text may be: the key of an address, or a slug or code on any domain. */
  opened: string | undefined;
  /** Whether the text is a short URL if that opens a link, so that nothing else is meant. */
  isShortUrl: boolean;
  /** Words without accents that a link must have in any order. A destination is one word, without its scheme. */
  words: string[];
}

/** The key of a short URL, with any case and query. Another host than those of the service may be a domain. */
function findKey(text: string, { ownHosts, shortHost }: Hosts): SlugKey | undefined {
  const { host, slug } = addressIn(text) ?? {};
  if (host === undefined || slug === undefined || !isSlugShaped(slug)) return undefined;
  return slugKey(ownHosts.includes(host) ? SHORT_HOST : domainNamed({ shortHost }, host), slug);
}

const withoutScheme = (word: string): string =>
  word.replace(/^https?:\/\/(?=.)/, "").replace(/(?<=.)\/$/, "");

export function toTerms(text: string, hosts: Hosts): Terms {
  const key = findKey(text, hosts);
  if (key !== undefined && !key.includes("/")) return { opened: key, isShortUrl: true, words: [] };
  const folded = toWords(text).map(withoutScheme);
  const only = (folded[0] ?? "").replace(/^\//, "");
  const isSlug = folded.length === 1 && isSlugShaped(only);
  // Nothing is left of an accent alone.
  const words = [...new Set(folded.map((word) => unaccented(word) || word))];
  return { opened: key ?? (isSlug ? foldSlug(only) : undefined), isShortUrl: key !== undefined, words };
}
