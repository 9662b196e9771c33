const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const charactersOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);
const widthOfCharacter = (character: string): number => (WIDE.test(character) ? 2 : 1);

/** The columns that a text takes on a terminal. */
export const widthOf = (text: string): number =>
  charactersOf(text).reduce((sum, character) => sum + widthOfCharacter(character), 0);

export const padEnd = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));

/** Cuts a text that is wider, with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const character of charactersOf(text)) {
    used += widthOfCharacter(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
