import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { WorkspaceContext } from "../context";
import { invalid } from "../field-errors";
import { textOf } from "../lib/file-text";
import { parseJsonObject } from "../lib/json";
import { check, trimmed } from "../lib/validation";
import { type ImportRow, importLinks } from "../resources/links/import-links";
import { toRowErrors } from "../resources/links/link-errors";
import { createLinkSchema } from "../resources/links/link-schema";
import { unreadable } from "./backup-commands";

const NOT_JSON = { field: "line", message: "The line must be a JSON object." };

/** Parses JSON lines into valid rows and refused lines, with numbers from 1. Skips blank lines. */
function parseLines(text: string) {
  const rows: ImportRow[] = [];
  const refused: { number: number; errors: ReturnType<typeof toRowErrors> }[] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const number = index + 1;
    const given = parseJsonObject(line);
    if (given === undefined) {
      refused.push({ number, errors: [NOT_JSON] });
      continue;
    }
    const result = check(createLinkSchema, trimmed(given));
    if (result.ok) rows.push({ number, input: result.value });
    else refused.push({ number, errors: toRowErrors(result.failures) });
  }
  return { rows, refused };
}

/** Imports a file of JSON lines. The id defaults to a hash of the file, so a repeat creates no link twice. */
export async function importFile(ctx: WorkspaceContext, path: string, id?: string | undefined) {
  const bytes = await readFile(path).catch(() => {
    throw unreadable(path);
  });
  const read = textOf(bytes);
  if (!read.ok) throw invalid([{ field: "from", message: read.message, code: "format" }]);
  const text = read.value;
  const { rows, refused } = parseLines(text);
  const result = await importLinks(
    ctx,
    id ?? createHash("sha256").update(text).digest("hex").slice(0, 26),
    rows,
  );
  return {
    ...result,
    ...(read.encoding !== "UTF-8" && { encoding: read.encoding }),
    refused: [...refused, ...result.refused].toSorted((one, other) => one.number - other.number),
  };
}
