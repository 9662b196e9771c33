const COLLATOR = new Intl.Collator("en-GB", { numeric: true, sensitivity: "base" });

/** "Tag 2" before "Tag 10". Names that differ only in case or accents keep a fixed order too. */
const compareNames = (one: string, other: string): number =>
  COLLATOR.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0);

/** By name as people order names: numbers by their value, without regard to case and accents. */
export const sortNaturally = <T extends { name: string }>(items: readonly T[]): T[] =>
  items.toSorted((one, other) => compareNames(one.name, other.name));
