// What somebody meant who typed a slug or a word that does not exist. Pure.

/** What is taken for another when it is read from paper. They count half. */
const LOOK_ALIKES = new Map(
  ["0o", "1il", "5s", "2z", "8b", "6g", "uv", "-_"].flatMap((letters) =>
    [...letters].map((letter) => [letter, letters] as const),
  ),
);
const LOOK_ALIKE_COST = 0.5;

const isAlike = (one: string, other: string): boolean => LOOK_ALIKES.get(one)?.includes(other) === true;

/** Short slugs differ by one letter from many others. */
const maxDistance = (slug: string): number => (slug.length < 5 ? 1 : 2);

/**
 * The number of letters that are added, left out, replaced or exchanged with their neighbour between two texts in lower case;
 * `undefined` above `max`. Stops as soon as it is above.
 */
export function letterDistance(one: string, other: string, max: number): number | undefined {
  // A place that differs by more than this from that in the other text costs more than `max`.
  const reach = Math.floor(max);
  if (Math.abs(one.length - other.length) > reach) return undefined;
  let before: number[] = [];
  let last = Array.from({ length: reach + 1 }, (_, index) => index);
  let lastBest = 0;
  for (let row = 1; row <= one.length; row++) {
    const current: number[] = [];
    if (row <= reach) current[0] = row;
    const letter = one.charAt(row - 1);
    let best = current[0] ?? Number.POSITIVE_INFINITY;
    for (let column = Math.max(1, row - reach); column <= Math.min(other.length, row + reach); column++) {
      const read = other.charAt(column - 1);
      const cost = letter === read ? 0 : isAlike(letter, read) ? LOOK_ALIKE_COST : 1;
      const isExchanged =
        row > 1 && column > 1 && letter === other.charAt(column - 2) && read === one.charAt(row - 2);
      current[column] = Math.min(
        (last[column] ?? Number.POSITIVE_INFINITY) + 1,
        (current[column - 1] ?? Number.POSITIVE_INFINITY) + 1,
        (last[column - 1] ?? Number.POSITIVE_INFINITY) + cost,
        isExchanged ? (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      );
      best = Math.min(best, current[column] ?? best);
    }
    if (Math.min(best, lastBest) > max) return undefined;
    [before, last, lastBest] = [last, current, best];
  }
  const distance = last[other.length] ?? Number.POSITIVE_INFINITY;
  return distance <= max ? distance : undefined;
}

/** The slug that is nearest to one that was typed, of several the first; `undefined` if none is near. All are in lower case. */
export function nearestSlug(typed: string, slugs: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let max = maxDistance(typed);
  for (const slug of slugs) {
    const distance = letterDistance(typed, slug, max);
    if (distance === undefined || (nearest !== undefined && distance === max)) continue;
    nearest = slug;
    max = distance;
  }
  return nearest;
}

/** The known word that a mistyped or longer one probably means. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  const isLonger = (one: string) => one.length > 3 && given.includes(one.toLowerCase());
  const farOf = (one: string) =>
    isLonger(one) ? 0 : letterDistance(given, one.toLowerCase(), Math.ceil(one.length / 3));
  return known
    .map((one) => ({ one, far: farOf(one) ?? Number.POSITIVE_INFINITY }))
    .filter(({ far }) => far < Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.far - other.far)[0]?.one;
}
