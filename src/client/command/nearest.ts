/** The number of letters to insert, delete, replace or swap with the next one. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const ways = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1];
      ways.push((last[column - 1] ?? 0) + (isSame ? 0 : 1));
      if (isSwapped && row > 1 && column > 1) ways.push((before[column - 2] ?? 0) + 1);
      current.push(Math.min(...ways));
    }
    [before, last] = [last, current];
  }
  return last[other.length] ?? 0;
}

/** The known word that a mistyped one probably means. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const longer = known.filter((one) => given.length > 2 && one.startsWith(given));
  if (longer.length === 1) return longer[0];
  const ranked = known
    .map((one) => ({ one, far: distance(given, one) }))
    .toSorted((one, other) => one.far - other.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.max(1, Math.floor(best.one.length / 3))
    ? best.one
    : undefined;
}
