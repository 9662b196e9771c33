import type { Context } from "../context";
import type { Statement } from "../db/client";
import { isImportMissing } from "../db/failure";
import { invalid, type ServiceError, toRowErrors } from "../errors";
import { sha256Hex } from "../lib/hash";
import { newId } from "../lib/ids";
import { type FileRow, readFile } from "./file";
import { type Judged, judge, readFacts } from "./judge";
import { parameterPieces, pieces } from "./pieces";
import { insertImport, insertImportRows, MAX_IMPORTS, updateRowCount } from "./repository";
import { toImportedLink, truncateCells } from "./row";

const STATEMENTS_A_BATCH = 40;

const importLimitReached = (): ServiceError =>
  invalid([
    {
      field: "file",
      message: `The workspace has ${MAX_IMPORTS} imports, which is all it may have. Discard one; each is removed 7 days after it was sent.`,
      code: "limit",
    },
  ]);

/** Stores a file; 422 if the workspace has reached its limit of imports. */
async function storeFile(ctx: Context, statements: readonly Statement[]): Promise<void> {
  try {
    for (const batch of pieces(statements, STATEMENTS_A_BATCH)) await ctx.db.writeUnaudited(...batch);
  } catch (error) {
    throw isImportMissing(error) ? importLimitReached() : error;
  }
}

/** A hash of the cells, so that byte order mark and separator make no difference. */
const digestOf = (rows: readonly FileRow[]): Promise<string> =>
  sha256Hex(JSON.stringify(rows.map(({ number, cells }) => [number, cells])));

/**
 * Checks a CSV file and stores it with the result for each row; creates no links. If the same rows were imported before
 * it returns that import, because rows without a slug would be created twice.
 */
export async function checkFile(ctx: Context, file: { name: string; bytes: Uint8Array }) {
  const { columns, rows } = readFile(file.bytes);
  const digest = await digestOf(rows);
  const parsed = rows.map((row): Judged => {
    if (row.errors.length > 0) return { ...row, link: undefined };
    const result = toImportedLink(row.cells);
    return result.ok ? { ...row, link: result.link } : { ...row, errors: result.errors, link: undefined };
  });
  const rules = await readFacts(
    ctx,
    parsed.flatMap(({ link }) => link ?? []),
    digest,
  );
  if (rules.earlier !== undefined) return { earlier: rules.earlier.id };
  if (rules.isFull) throw importLimitReached();
  const { judged, tags } = judge(ctx, parsed, rules);
  const workspaceId = ctx.workspace.rowId;
  const at = ctx.now();
  const id = newId(at);
  const kept = [
    [
      0,
      JSON.stringify({
        ignored: columns.ignored.map((name) => name.slice(0, 100)).slice(0, 100),
        tags,
        digest,
      }),
      null,
    ],
    ...judged.map(({ number, cells, errors }) => [
      number,
      JSON.stringify(truncateCells(cells)),
      errors.length === 0 ? null : JSON.stringify(toRowErrors(errors)),
    ]),
  ];
  const name = file.name.slice(0, 255).toWellFormed() || "links.csv";
  const statements = [
    insertImport({ public_id: id, workspace_id: workspaceId, name, created_at: at }),
    ...parameterPieces(kept.map((row) => JSON.stringify(row))).map((piece) =>
      insertImportRows(workspaceId, id, `[${piece.join()}]`),
    ),
    updateRowCount(workspaceId, id, judged.length),
  ];
  await storeFile(ctx, statements);
  const refused = judged.filter(({ errors }) => errors.length > 0).length;
  return { id, rows: judged.length, refused };
}
