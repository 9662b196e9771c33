import { auditEntryIn, type ServiceContext } from "../../context";
import { retryLostRaces } from "../../errors";
import { writeDueSlugs } from "../../redirect/slugs/kv-writer";
import { RANKS, upsertSlugs } from "../../redirect/slugs/statements/marks";
import { indexLinks } from "../../resources/links/build-search-index";
import { selectLastLinkId } from "../../resources/links/link-statements";
import { settleDays } from "../../resources/workspaces/change-zone";
import { recountStatements } from "../consistency/doctor-statements";
import { cellOf, type FileRow, refusal, type Source } from "./backup-format";
import { mapRows, type Restore, readRows, toChunks, writeRows } from "./backup-rows";
import { TABLES } from "./backup-tables";
import { ensureOpenable, selectOpenable, selectRecovered } from "./missing-repository";
import { addRows, claimSlugs, type RecoveryRun, TREATMENT, tablesWith, textIn } from "./missing-rows";
import { openRestore } from "./restore";
import { selectSimilarWorkspaces } from "./restore-repository";

// Adds what a database lacks after it went back in time. Slugs come first, so that nobody else can take them, and open their
// links last. What is there stays as it is.

const PAGE = 5_000;

/** What this file has added, also in a run that was interrupted, and nobody has changed since. */
async function readRecovered({ restore, operations }: RecoveryRun) {
  const ids = new Set<string>();
  let first = Number.POSITIVE_INFINITY;
  for (let after = operations; ; ) {
    const [rows] = await restore.ctx.db.read(selectRecovered(after, `${operations}~`, PAGE));
    for (const { id, link } of rows) {
      ids.add(id);
      first = Math.min(first, link ?? first);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return { ids, first };
    after = last.operation;
  }
}

/** Opens what the file opens and the database does not. The job writes to KV what this leaves. */
async function openSlugs({ restore }: RecoveryRun): Promise<number> {
  const { ctx, rowIds } = restore;
  let opened = 0;
  const rows = mapRows(readRows(restore, "slugs"), (row) => (cellOf(row, "link") === null ? undefined : row));
  for await (const chunk of toChunks(rows)) {
    const workspace = chunk[0].workspace ?? "";
    const rowId = rowIds.get(workspace);
    if (rowId === undefined) continue;
    const pairs = chunk.map((row) => [textIn(row, "key"), textIn(row, "link")] as const);
    opened += await retryLostRaces(async () => {
      const [found] = await ctx.db.read(selectOpenable(rowId, pairs));
      if (found.length === 0) return 0;
      const at = ctx.now();
      const open = found.map(({ key, link }): [string, string] => [key, link]);
      const entry = auditEntryIn(rowId, ctx, "workspace.open_slugs", workspace, at);
      await ctx.db.write(
        { ...entry, change: { slugs: open.length }, guards: [ensureOpenable(rowId, open)] },
        [upsertSlugs(rowId, open, at, RANKS.bulkEdit)],
      );
      return open.length;
    });
  }
  return opened;
}

async function findRowIds({ ctx, rowIds, wanted }: Restore): Promise<void> {
  const [rows] = await ctx.db.read(selectSimilarWorkspaces([...wanted], []));
  for (const { id, public_id: publicId } of rows) rowIds.set(publicId, id);
}

/** Everything but the claims and what is listed. */
async function finish(run: RecoveryRun): Promise<number> {
  const { restore } = run;
  const { ids, first } = await readRecovered(run);
  const isOfAdded = (row: FileRow) => (ids.has(textIn(row, "link", "owner")) ? row : undefined);
  for (const table of tablesWith((how) => how === "with its owner"))
    await writeRows(restore, TABLES[table], mapRows(readRows(restore, table), isOfAdded), true);
  for (const rowId of restore.rowIds.values()) await settleDays(restore.ctx, rowId);
  const opened = await openSlugs(run);
  for (const rowId of restore.rowIds.values()) await restore.ctx.db.writeGuarded(recountStatements(rowId));
  const [[all]] = await restore.ctx.db.read(selectLastLinkId());
  await indexLinks(restore.ctx, first, all?.last ?? 0);
  await writeDueSlugs(restore.ctx);
  return opened;
}

/**
 * Adds from a backup what the database lacks: all slugs as tombstones of their owners, then what its audit log does not say
 * was deleted, and then lets slugs open their links. A repeat goes on. With `isPlan` it only counts.
 */
export async function restoreMissing(
  ctx: ServiceContext,
  source: Source,
  { workspace, isPlan = false }: { workspace?: string | undefined; isPlan?: boolean },
) {
  const { restore, isOlder } = await openRestore(ctx, source, workspace);
  const { head, seal } = restore.checked;
  if (isOlder) {
    throw refusal(
      `${source.name} was made with the migration ${head.schema}, which is not the last of the database. Only a backup of the same schema can be compared with it: restore this one into another database.`,
    );
  }
  await findRowIds(restore);
  const operations = `missing.${seal.sha256.slice(0, 32)}.`;
  const lists = { claimed: new Set<string>(), taken: new Map(), absent: new Set<string>(), notAdded: [] };
  const run: RecoveryRun = { restore, isPlan, operations, ...lists };
  const workspaces = await addRows(run, "workspaces", "workspace.recover");
  await findRowIds(restore);
  await claimSlugs(run, false);
  await claimSlugs(run, true);
  const added: Record<string, number> = { workspaces: workspaces.length };
  for (const table of tablesWith((how) => how.endsWith(".recover")))
    added[table] = (await addRows(run, table, TREATMENT[table])).length;
  const opened = isPlan ? undefined : await finish(run);
  const listed: string[] = [];
  for (const table of tablesWith((how) => how === "listed")) listed.push(...(await addRows(run, table)));
  return {
    made_at: head.at,
    is_plan: isPlan,
    slugs: run.claimed.size,
    ...added,
    ...(opened !== undefined && { opened_slugs: opened }),
    not_added: run.notAdded,
    left_to_you: listed,
    taken_slugs: [...run.taken.values()].map(({ key, workspace: owner }) => ({ key, belongs_to: owner })),
  };
}
