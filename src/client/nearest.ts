import { distance } from "fastest-levenshtein";

/** The known word that a mistyped or longer one probably means. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const isLonger = (one: string) => one.length > 3 && given.includes(one.toLowerCase());
  const ranked = known
    .map((one) => ({ one, far: isLonger(one) ? 0 : distance(given, one.toLowerCase()) }))
    .toSorted((one, other) => one.far - other.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.ceil(best.one.length / 3) ? best.one : undefined;
}
