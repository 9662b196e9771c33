import { toPrivate, unaccented } from "../../lib/words";

const MAX_CHARACTERS = 255;

/** The title and destination without accents, as the search index has them; null if they have none. Both are folded. */
export function toPlainText(title: string | null, destination: string): string | null {
  const plain = [title ?? "", destination]
    .flatMap((text) => {
      const without = unaccented(text);
      return without === text ? [] : [without];
    })
    .join("\n");
  return plain === "" ? null : toPrivate([...plain].slice(0, MAX_CHARACTERS).join(""));
}
