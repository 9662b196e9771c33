import type { Context, WorkspaceContext } from "../../context";
import { timesOfDays } from "../../lib/local-time";
import { isoTime } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { selectNamedKey } from "../../redirect/slugs/statements/slug-owners";
import { findKeyId, toActor } from "./actors";
import {
  type FoundEntry,
  type FoundRow,
  MAX_COUNTED_ENTRIES,
  NAMED,
  type NamedKind,
  type NamedRow,
  selectAuditPage,
  selectChangesOfGroup,
  selectLastEntry,
  selectNames,
  selectNamesOfRemovedTags,
} from "./audit-repository";
import type { AuditQuery } from "./audit-schema";
import { type AuditRow, selectAuditEntry } from "./audit-statements";
import { parseObject, toFieldChanges, toNamedIds, toTagIds } from "./field-changes";
import { isBatchUndoable, isRevertible } from "./undoable";

const ENTRIES_PER_PAGE = 50;
export const MAX_SCANNED_ENTRIES = 5_000;

export const findAuditEntry = async (ctx: Context, operation: string): Promise<AuditRow | undefined> =>
  (await ctx.db.read(selectAuditEntry(ctx.workspace.rowId, operation)))[0][0];

/** The names of subjects and groups by their ids. */
type NamesById = ReadonlyMap<string, NamedRow>;

async function findNames(
  ctx: Context,
  kinds: readonly NamedKind[],
  ids: readonly string[],
  tagIds: readonly string[],
): Promise<NamesById> {
  if (ids.length === 0) return new Map();
  const { rowId } = ctx.workspace;
  const found = await ctx.db.read(
    tagIds.length === 0 ? undefined : selectNamesOfRemovedTags(rowId, tagIds),
    ...kinds.map((kind) => selectNames(rowId, kind, ids)),
  );
  return new Map(found.flat().map((row) => [row.id, row]));
}

const isEntry = (row: FoundRow): row is FoundRow & FoundEntry => row.operation_id !== null;

const toParsed = (row: FoundEntry) => ({
  row,
  before: parseObject(row.before),
  change: parseObject(row.change),
});

/** The number of links is counted up to a maximum, but not that of an import. */
const toBatch = (id: string, { entries, updated }: FoundEntry) => ({
  id,
  links: updated === null ? Math.min(entries, MAX_COUNTED_ENTRIES) : entries,
  isMore: updated === null && entries > MAX_COUNTED_ENTRIES,
  /** Those of an import that existed before. */
  updated: updated ?? 0,
});

/** The import that an entry stands for, or whose undo it is; null for others. A discarded one has no page. */
function toImportNamed({ row, change }: ReturnType<typeof toParsed>, names: NamesById) {
  const isStart = row.action === "link.import" && row.operation_id === row.batch;
  const isUndo = row.batch !== null && `${change["reverted"]}`.startsWith(`${row.batch}.`);
  if (!isStart && !isUndo) return null;
  const id = isStart ? row.subject : (row.batch ?? "");
  const found = names.get(id);
  const file = typeof change["file"] === "string" ? change["file"] : (found?.name ?? null);
  return { id, file, isThere: found !== undefined, isStart, isUndoable: isStart && found?.undoable === 1 };
}

const previousName = ({ name }: ReturnType<typeof parseObject>): string | null =>
  typeof name === "string" ? name : null;

function toEntry(parsed: ReturnType<typeof toParsed>, names: NamesById, seesKeys: boolean) {
  const { row, before, change } = parsed;
  const [kind = ""] = row.action.split(".");
  const named = names.get(row.subject);
  const { batch, entries } = row;
  const isThere = named?.gone === 0;
  const ofImport = toImportNamed(parsed, names);
  const isOfMany = batch !== null && (entries > 1 || ofImport !== null);
  const isHidden = kind === "key" && !seesKeys;
  return {
    operation: row.operation_id,
    at: isoTime(row.at),
    actor: toActor(row.actor, (key) => names.get(key)?.name),
    action: row.action,
    subject: {
      id: row.subject,
      /** The first word of the action, such as `link`. */
      kind,
      /** The current name, or the one before the entry if it was deleted since; null if none is known. */
      name: isHidden ? null : (named?.name ?? previousName(before)),
      isThere,
    },
    fieldChanges: isHidden
      ? []
      : toFieldChanges(row.action, before, change, (id) => names.get(id)?.name ?? id),
    /** The change of many links that it belongs to; null if it is a change of one. */
    batch: isOfMany ? toBatch(batch, row) : null,
    import: ofImport,
    /** Whether a link has a state before it to which it can be reverted. */
    isRevertible: isRevertible(row.action),
    /** Whether it can be undone, a change of many as one. */
    isUndoable: isOfMany
      ? isBatchUndoable(row) || ofImport?.isUndoable === true
      : ["group.update", "link.add_slug"].includes(row.action) || (isRevertible(row.action) && isThere),
    /** The operation that it takes back; null if it takes back none. */
    reverts: typeof change["reverted"] === "string" ? change["reverted"] : null,
    /** Whether that was an undo, so that a change was made again. */
    isAgain: change["again"] === true,
  };
}

export type AuditEntry = ReturnType<typeof toEntry>;

/** Reads the names of what entries are about. `seesKeys` shows the names of keys. */
async function toEntries(ctx: Context, rows: readonly FoundEntry[], seesKeys: boolean) {
  const parsed = rows.map(toParsed);
  const isOfImport = ({ action, batch, operation_id: operation }: FoundEntry): boolean =>
    batch === operation && ["link.import", "link.revert"].includes(action);
  const named = parsed.flatMap(({ row, before, change }) => [
    row.subject,
    row.batch ?? "",
    findKeyId(row.actor) ?? "",
    ...toNamedIds(before, change),
  ]);
  const names = await findNames(
    ctx,
    NAMED.filter((kind) => (kind === "import" ? rows.some(isOfImport) : kind !== "key" || seesKeys)),
    [...new Set(named)].filter((name) => name !== "" && storedId(name) === name),
    [...new Set(parsed.flatMap(({ before, change }) => toTagIds(before, change)))],
  );
  return parsed.map((entry) => toEntry(entry, names, seesKeys));
}

/**
 * The last changes of a group, of the links that are in it now, and of their assets, the newest first. A change of many is one
 * entry, also if some of it is of other groups. Two calls of D1.
 */
export async function listChangesOfGroup(ctx: Context, group: string, most: number, seesKeys: boolean) {
  const [rows] = await ctx.db.read(selectChangesOfGroup(ctx.workspace.rowId, storedId(group), most));
  return toEntries(ctx, rows, seesKeys);
}

/**
 * Lists changes of the workspace, the newest first. A change of many links is one entry. A page scans at most 5,000
 * entries and then says how far it came. `seesKeys` shows the names of keys.
 */
export async function listAudit(
  ctx: WorkspaceContext,
  { subject, from, to, ...query }: AuditQuery,
  seesKeys: boolean,
) {
  const slugKey = selectNamedKey(ctx.config, ctx.workspace.rowId, subject ?? "");
  const filter = {
    ...query,
    ...timesOfDays(from, to, ctx.workspace.timeZone),
    subject: subject === undefined ? undefined : { id: storedId(subject) || subject, slugKey },
  };
  const [found] = await ctx.db.read(
    selectAuditPage(ctx.workspace.rowId, filter, ENTRIES_PER_PAGE + 1, MAX_SCANNED_ENTRIES),
  );
  const rows = found.filter(isEntry);
  const [summary] = found;
  const isFull = rows.length > ENTRIES_PER_PAGE;
  const isCut = !isFull && summary?.looked === MAX_SCANNED_ENTRIES;
  return {
    entries: await toEntries(ctx, rows.slice(0, ENTRIES_PER_PAGE), seesKeys),
    /** The operation after which the next page starts; null at the end. */
    next: isFull ? (rows[ENTRIES_PER_PAGE - 1]?.operation_id ?? null) : isCut ? summary.last_operation : null,
    /** The time up to which entries were scanned, if the page is not full. */
    lookedUntil: isCut && summary.last_at !== null ? isoTime(summary.last_at) : null,
  };
}

/** A request that has changed nothing must not offer to undo an older change. */
const MAX_OWN_CHANGE_MS = 10_000;

/** The change of this subject alone that the request of this actor has just made. */
export async function findOwnLastOperation(ctx: Context, subject: string): Promise<string | undefined> {
  const [[last]] = await ctx.db.read(selectLastEntry(ctx.workspace.rowId, subject));
  const isOwn = last?.actor === ctx.actor && last.batch === null && ctx.now() - last.at < MAX_OWN_CHANGE_MS;
  return isOwn ? last.operation_id : undefined;
}
