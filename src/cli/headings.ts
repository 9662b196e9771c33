/** The text of a piece of Markdown, without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*$/gm, "")
    .replaceAll(/^\|[\s|:-]+\|$/gm, "")
    .replaceAll(/\[([^[\]]*)\]\([^()[\]]*\)/g, "$1")
    .replaceAll(/\*\*|`/g, "")
    .replaceAll("|", " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The anchor of a heading, as GitHub makes it. `taken` counts those of the document so far. */
export function headingId(heading: string, taken: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  const count = taken.get(id) ?? 0;
  taken.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
