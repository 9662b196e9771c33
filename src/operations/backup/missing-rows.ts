import { cellOf, type FileRow } from "./backup-format";
import { mapRows, type Restore, readClaims, readRows, toChunks, withCells } from "./backup-rows";
import { TABLES } from "./backup-tables";
import { insertRecoveries, type Owner, type State, selectOwners, selectStates } from "./missing-repository";
import { insertRows } from "./restore-repository";

/**
 * What is done with each table. What is added has its action in the audit log, and comes after what it refers to. Access is
 * only listed: who did the damage may have given it to themselves.
 */
export const TREATMENT = {
  workspaces: "apart",
  slugs: "apart",
  domains: "domain.recover",
  activity_groups: "group.recover",
  tags: "tag.recover",
  links: "link.recover",
  offline_assets: "asset.recover",
  saved_channels: "channel.recover",
  code_brandings: "branding.recover",
  saved_views: "view.recover",
  link_tags: "with its owner",
  activity_group_items: "with its owner",
  link_rules: "with its owner",
  visit_hours: "with its owner",
  visit_days: "with its owner",
  members: "listed",
  api_keys: "listed",
  reports: "listed",
  receivers: "listed",
  blocked_hosts: "left",
  active_link_days: "left",
  audit_log: "left",
} as const satisfies Record<keyof typeof TABLES, string>;

type Table = keyof typeof TABLES;
type Treatment = (typeof TREATMENT)[Table];

/** The tables that are treated so, in their order. */
export const tablesWith = (is: (treatment: Treatment) => boolean): Table[] =>
  (Object.keys(TREATMENT) as Table[]).filter((table) => is(TREATMENT[table]));

export interface RecoveryRun {
  restore: Restore;
  /** Whether it only says what it would do. */
  isPlan: boolean;
  /** The beginning of the operation ids of what is added. */
  operations: string;
  claimed: Set<string>;
  /** Slugs that another workspace has meanwhile. */
  taken: Map<string, Owner>;
  /** Links that are not there, whose assets are not added either. */
  absent: Set<string>;
  notAdded: string[];
}

export const textIn = (row: FileRow, ...names: string[]): string =>
  String(names.map((name) => cellOf(row, name)).find((value) => value != null) ?? "");
const idOf = (row: FileRow): string => textIn(row, "public_id");
const subjectOf = (row: FileRow): string => textIn(row, row.table === "domains" ? "host" : "public_id");
const nameOf = (row: FileRow): string =>
  `${row.table.replaceAll("_", " ")}: ${textIn(row, "slug_key", "host", "email", "name", "public_id")}`;

/** Undefined for a workspace that could not be added. A plan knows no row id of one that is to be added. */
const rowIdOf = ({ restore, isPlan }: RecoveryRun, { workspace, table }: FileRow): number | undefined =>
  restore.rowIds.get(workspace ?? "") ?? (isPlan || table === "workspaces" ? 0 : undefined);

function rowsThat(
  rows: readonly FileRow[],
  states: readonly State[],
  is: (state: State) => boolean,
): FileRow[] {
  const ids = new Set(states.filter(is).map(({ id }) => id));
  return rows.filter((row) => ids.has(idOf(row)));
}

/** The slugs of the file as tombstones. */
export async function claimSlugs(run: RecoveryRun, areVoid: boolean): Promise<void> {
  const { db } = run.restore.ctx;
  const { isVoid } = run.restore.checked;
  const open = areVoid ? { link: null, taken_down_at: null } : { link: null };
  const tombstones = mapRows(readClaims(run.restore), (row) =>
    isVoid(row) === areVoid ? withCells(row, open) : undefined,
  );
  for await (const chunk of toChunks(tombstones)) {
    const rowId = rowIdOf(run, chunk[0]);
    if (rowId === undefined) continue;
    const owners = selectOwners(chunk.map((row) => textIn(row, "key")));
    const [before] = await db.read(owners);
    const known = new Set(before.map(({ key }) => key));
    const free = chunk.filter((row) => !known.has(textIn(row, "key")));
    for (const row of free) run.claimed.add(textIn(row, "key"));
    const rows = free.map(({ values }) => values);
    const [after] =
      run.isPlan || rows.length === 0
        ? [before]
        : await db.writeGuarded([insertRows(TABLES.slugs, chunk[0].columns, rowId, rows, true)], owners);
    for (const owner of after) if (owner.workspace_id !== rowId) run.taken.set(owner.key, owner);
  }
}

/** The row as it is added; undefined for a deleted link, an asset without its link, and a revoked key. */
function toAddable({ absent }: RecoveryRun, row: FileRow): FileRow | undefined {
  if (row.table === "domains") return withCells(row, { is_primary: 0 });
  const isGone = textIn(row, "deleted_at", "revoked_at") !== "";
  if (isGone) absent.add(idOf(row));
  return isGone || (row.table === "offline_assets" && absent.has(textIn(row, "link"))) ? undefined : row;
}

/** The names of the rows of a table that the database lacks and did not delete. With an action it adds them. */
export async function addRows(run: RecoveryRun, table: Table, action?: string): Promise<string[]> {
  const { restore, absent, notAdded } = run;
  const { db, actor, now } = restore.ctx;
  const kept = TABLES[table];
  const names: string[] = [];
  for await (const chunk of toChunks(mapRows(readRows(restore, table), (row) => toAddable(run, row)))) {
    const rowId = rowIdOf(run, chunk[0]);
    if (rowId === undefined) continue;
    const states = selectStates(
      kept,
      rowId,
      chunk.map((row) => [
        idOf(row),
        subjectOf(row),
        textIn(row, "slug_key") || null,
        Number(textIn(row, "created_at")),
      ]),
    );
    const [before] = await db.read(states);
    const rows = rowsThat(chunk, before, (state) => state.is_there + state.is_deleted === 0);
    let added = rowsThat(rows, before, (state) => state.is_taken === 0);
    if (action !== undefined && !run.isPlan && added.length > 0) {
      const entries = added.map((row) => [run.operations + idOf(row), idOf(row), subjectOf(row)] as const);
      const values = added.map((row) => row.values);
      const [after] = await db.writeGuarded(
        [
          insertRows(kept, chunk[0].columns, rowId, values, true),
          insertRecoveries(kept, entries, { actor, action, at: now() }),
        ],
        states,
      );
      added = rowsThat(added, after, (state) => state.is_there === 1);
    }
    for (const row of rowsThat(chunk, before, (state) => state.is_there <= state.is_deleted))
      if (!added.includes(row)) absent.add(idOf(row));
    notAdded.push(...rows.filter((row) => !added.includes(row)).map(nameOf));
    for (const row of added) names.push(nameOf(row));
  }
  return names;
}
