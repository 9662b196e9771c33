/** How many letters are to be replaced, added or left out to turn one word into the other (Levenshtein). */
function distance(one: string, other: string): number {
  let costs = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (costs[column - 1] ?? 0) + Number(one[row - 1] !== other[column - 1]);
      next.push(Math.min(replaced, (costs[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    costs = next;
  }
  return costs[other.length] ?? 0;
}

/** The known word that a mistyped or longer one probably means. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const isLonger = (one: string) => one.length > 3 && given.includes(one.toLowerCase());
  const [best] = known
    .map((one) => ({ one, far: isLonger(one) ? 0 : distance(given, one.toLowerCase()) }))
    .toSorted((one, other) => one.far - other.far);
  return best !== undefined && best.far <= Math.ceil(best.one.length / 3) ? best.one : undefined;
}
