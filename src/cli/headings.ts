/** Removes the Markdown syntax from a text. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*$/gm, "")
    .replaceAll(/^\|[\s|:-]+\|$/gm, "")
    .replaceAll(/\[([^[\]]*)\]\([^()[\]]*\)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll("|", " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Converts a heading to the anchor that GitHub gives it. `taken` counts the document's anchors so far. */
export function headingId(heading: string, taken: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  const count = taken.get(id) ?? 0;
  taken.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
