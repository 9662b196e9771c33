const MAX_WORD_CHARACTERS = 24;
/** Such as `hooks`, `my-flow`, `Orders-2` or `v1`. A random text of letters is rarely all small. */
const WORD = /^[A-Za-z][a-z]{0,11}(?:[._-][a-z]{1,12})*[._-]?[0-9]{0,2}$/;

/** Of texts of so many characters, the last ones are shown, which tell them from others and are of no use to who reads them. */
const SHOWN_ENDS = [
  { from: 12, shown: 3 },
  { from: 6, shown: 2 },
];

function masked(text: string): string {
  const end = SHOWN_ENDS.find(({ from }) => text.length >= from);
  return end === undefined ? "…" : `…${text.slice(-end.shown)}`;
}

const maskedSegment = (segment: string): string =>
  segment === "" || (segment.length <= MAX_WORD_CHARACTERS && WORD.test(segment)) ? segment : masked(segment);

/** A URL that may have a secret, as lists name it: its host and the words of its path. */
export function maskedUrl(url: string): string {
  const { host, pathname, search } = new URL(url);
  const path = pathname === "/" ? "" : pathname.split("/").map(maskedSegment).join("/");
  return host + path + (search === "" ? "" : `?${masked(search.slice(1))}`);
}
