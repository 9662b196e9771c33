// What somebody meant who typed a slug or a word that does not exist. Pure.

/** What is taken for another when it is read from paper. They count half. */
const LOOK_ALIKES = new Map(
  ["0o", "1il", "5s", "2z", "8b", "6g", "uv", "-_"].flatMap((letters) =>
    [...letters].map((letter) => [letter, letters] as const),
  ),
);

const isAlike = (one: string, other: string): boolean => LOOK_ALIKES.get(one)?.includes(other) === true;

/** Short slugs differ by one letter from many others. */
const maxDistance = (slug: string): number => (slug.length < 5 ? 1 : 2);

const NOWHERE = Number.NEGATIVE_INFINITY;

/**
 * The number of letters that are added, left out, replaced or exchanged with their neighbour between two texts in lower case;
 * `undefined` above `max`. For each half step of the distance it finds how far each diagonal of the table of distances is
 * reached: equal letters cost nothing, and what is further on a diagonal is never worse.
 */
export function letterDistance(one: string, other: string, max: number): number | undefined {
  const reach = Math.floor(max);
  const difference = other.length - one.length;
  if (Math.abs(difference) > reach) return undefined;

  function extend(row: number, diagonal: number): number {
    const end = Math.min(one.length, other.length - diagonal);
    let at = Math.min(row, end);
    while (at >= 0 && at < end && one.charCodeAt(at) === other.charCodeAt(at + diagonal)) at++;
    return at;
  }
  const afterLookAlike = (row: number, diagonal: number): number =>
    isAlike(one.charAt(row), other.charAt(row + diagonal)) ? row + 1 : row;
  const afterLetter = (row: number, diagonal: number): number => {
    const column = row + diagonal;
    const isExchanged =
      one.charCodeAt(row) === other.charCodeAt(column + 1) &&
      one.charCodeAt(row + 1) === other.charCodeAt(column);
    return row + (isExchanged ? 2 : 1);
  };

  let wholeBefore: number[] = [];
  let halfBefore: number[] = [];
  for (let halves = 0; halves <= 2 * max; halves++) {
    const reached: number[] = [];
    for (let place = 0; place <= 2 * reach; place++) {
      const diagonal = place - reach;
      const row = Math.max(
        halves === 0 && diagonal === 0 ? 0 : NOWHERE,
        afterLookAlike(halfBefore[place] ?? NOWHERE, diagonal),
        afterLetter(wholeBefore[place] ?? NOWHERE, diagonal),
        wholeBefore[place - 1] ?? NOWHERE,
        (wholeBefore[place + 1] ?? NOWHERE) + 1,
      );
      reached.push(extend(row, diagonal));
    }
    if (reached[difference + reach] === one.length) return halves / 2;
    [wholeBefore, halfBefore] = [halfBefore, reached];
  }
  return undefined;
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
