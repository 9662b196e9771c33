import { type ServedDomain, selectServedDomains } from "../../access/workspace-statements";
import type { Context, ServiceContext, WorkspaceContext } from "../../context";
import type { Statement } from "../../db/client";
import { notFound } from "../../errors";
import { chunksWithin } from "../../lib/chunks";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { hasPassed } from "../../lib/days";
import type { Failure } from "../../lib/failure";
import { REASONS_COLUMN } from "../../lib/import-columns";
import { metaOf, offsetOf } from "../../lib/paging";
import { hostOfDomain } from "../../lib/short-url";
import { SHORT_HOST } from "../../lib/slug-text";
import { DAY_MS, isoTime } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import { chooseDomain, primaryOf } from "../links/choose-domain";
import { selectLinkStates, selectLinksTo } from "../links/link-statements";
import { MAX_ROWS, newEnd, type PlannedUpdate } from "./import-file";
import {
  deleteImport,
  deleteImportsBefore,
  type ListedImport,
  MAX_IMPORTS,
  selectImport,
  selectImportActor,
  selectNewestImports,
} from "./import-repository";
import { countRows, type KeptRow, selectRowPage, selectRowSizes } from "./import-row-repository";
import { cellReader, type Reading } from "./row-cells";
import { readAbout } from "./undo-import";

const KEPT_MS = 7 * DAY_MS;
const ROWS_PER_PAGE = 100;
/** Of the refused rows that are read at once. */
const MAX_CHARACTERS = 1_000_000;

function statusOf({
  started_at,
  finished_at,
  undone_at,
}: ListedImport): "checked" | "running" | "finished" | "undone" {
  if (undone_at !== null) return "undone";
  if (started_at === null) return "checked";
  return finished_at === null ? "running" : "finished";
}

const toImport = (row: ListedImport) => ({
  id: row.public_id,
  name: row.name,
  status: statusOf(row),
  rows: row.row_count,
  created_at: isoTime(row.created_at),
});

type Import = ReturnType<typeof toImport>;

/** Rows with what their links are now, and, before the import, which links lead there already. */
async function toRows(
  ctx: WorkspaceContext,
  kept: readonly KeptRow[],
  { reading, served, isNew }: { reading: Reading; served: readonly ServedDomain[]; isNew: boolean },
) {
  const read = cellReader(reading);
  const rows = kept.map(({ number, input, errors: refusal, link, updates }) => {
    const cells = read(JSON.parse(input ?? "[]"));
    const update: PlannedUpdate | null = JSON.parse(updates ?? "null");
    const errors: Failure[] = JSON.parse(refusal ?? "[]");
    return { number, cells, errors, link, update };
  });
  const ids = rows.flatMap(({ link }) => link ?? []);
  const urls = isNew
    ? rows.flatMap(({ cells, update }) => (update === null ? (cells.destination_url ?? []) : []))
    : [];
  const [states, found] = await ctx.db.read(
    ids.length === 0 ? undefined : selectLinkStates(ctx.workspace.rowId, ids),
    urls.length === 0 ? undefined : selectLinksTo(ctx.workspace.rowId, urls),
  );
  const linkTo = new Map(found.map((there) => [there.url, there]));
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const statusOf = (id: string): "active" | "archived" | "deleted" => {
    const state = stateOf.get(id);
    return state === undefined ? "deleted" : state.archived_at === null ? "active" : "archived";
  };
  return rows.map(({ link, ...row }) => {
    const made = stateOf.get(link ?? "");
    const domain = made ? (made.domain ?? SHORT_HOST) : chooseDomain(ctx.config, row.cells.domain, served);
    return {
      ...row,
      /** Where the link is or will be; without a host if the workspace does not have its domain. */
      host: domain === undefined ? undefined : hostOfDomain(ctx.config, domain),
      slug: made?.slug ?? row.cells.slug,
      /** Before the import, a link that leads there already. */
      there: row.update === null ? linkTo.get(row.cells.destination_url ?? "") : undefined,
      /** Before the import, whether the end that the row gives a link is in the past. */
      hasEnded:
        isNew &&
        hasPassed(
          row.update === null ? row.cells.ends_at : newEnd(row.update),
          ctx.workspace.timeZone,
          ctx.now(),
        ),
      /** The link that was made or updated. */
      link: link === null ? null : { id: link, status: statusOf(link) },
    };
  });
}

export type ImportRowShown = Awaited<ReturnType<typeof toRows>>[number];

/** The workspace's newest imports. */
export async function listImports(ctx: Context): Promise<Import[]> {
  const [rows] = await ctx.db.read(selectNewestImports(ctx.workspace.rowId, MAX_IMPORTS));
  return rows.map(toImport);
}

/** Which rows of a file are shown: all, the refused ones, or those that make or change a link. */
export const SHOWN_ROWS = ["all", "refused", "changes"] as const;
type ShownRows = (typeof SHOWN_ROWS)[number];

/** An import with its progress and a page of rows; throws 404. */
export async function getImport(
  ctx: WorkspaceContext,
  path: string,
  { show, page }: { show: ShownRows; page: number },
) {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const shown = { offset: offsetOf(page, ROWS_PER_PAGE), limit: ROWS_PER_PAGE };
  const [[file], [counts], [schedule], sizes, served] = await ctx.db.read(
    selectImport(workspaceId, id),
    countRows(workspaceId, id),
    selectImportActor(workspaceId, id),
    selectRowSizes(workspaceId, id, show, shown),
    selectServedDomains(workspaceId),
  );
  if (file === undefined) throw notFound("Import");
  await ctx.hold?.(sizes.reduce((sum, { size }) => sum + size, 0));
  const [rows] = await ctx.db.read(selectRowPage(workspaceId, id, show, shown));
  const { made = 0, refused = 0, updated = 0, unchanged = 0 } = counts ?? {};
  const { row_count: all } = file;
  const found = { all, refused, changes: all - refused - unchanged };
  const about = readAbout(file);
  return {
    ...toImport(file),
    ...about,
    /** Of links whose row names no domain. */
    host: hostOfDomain(ctx.config, primaryOf(served)),
    /** The rows that have a link, of all kinds. */
    made,
    refused,
    /** The rows that update a link, and those that leave theirs as it is. */
    updated,
    unchanged,
    /** In whose name the schedule goes on with it while it is running; null if it waits for somebody. */
    actor: schedule?.actor ?? null,
    items: await toRows(ctx, rows, { reading: about.reading, served, isNew: file.started_at === null }),
    meta: metaOf(page, ROWS_PER_PAGE, found[show]),
  };
}

export type ImportPage = Awaited<ReturnType<typeof getImport>>;

/**
 * Streams the refused rows as in their file, to be corrected and imported again: with its columns, their order and its separator, and
 * the reasons in a column of their own. Cells beyond the heading stand behind the reasons.
 */
export async function* exportRefusedRows(
  ctx: Context,
  path: string,
  reasonOf: (row: Pick<ImportRowShown, "errors">) => string,
): AsyncGenerator<string> {
  const workspaceId = ctx.workspace.rowId;
  const id = storedId(path);
  const [[file], sizes] = await ctx.db.read(
    selectImport(workspaceId, id),
    selectRowSizes(workspaceId, id, "refused", { limit: MAX_ROWS }),
  );
  if (file === undefined) throw notFound("Import");
  const { heading, delimiter } = readAbout(file).reading;
  // The file may be one of refused rows itself.
  const known = heading.indexOf(REASONS_COLUMN);
  const place = known === -1 ? heading.length : known;
  const withReason = (cells: readonly string[], reason: string) => [
    ...Array.from({ length: place }, (_, index) => cells[index] ?? ""),
    reason,
    ...cells.slice(known === -1 ? place : place + 1),
  ];
  yield BYTE_ORDER_MARK + csvLines([withReason(heading, REASONS_COLUMN)], delimiter);
  let after = 0;
  for (const { length } of chunksWithin(sizes, { of: ({ size }) => size, max: MAX_CHARACTERS })) {
    const [rows] = await ctx.db.read(selectRowPage(workspaceId, id, "refused", { after, limit: length }));
    yield csvLines(
      rows.map(({ input, errors }) =>
        withReason(JSON.parse(input ?? "[]"), reasonOf({ errors: JSON.parse(errors ?? "[]") })),
      ),
      delimiter,
    );
    after = rows.at(-1)?.number ?? after;
  }
}

/** Throws 404 if the path names no import. */
export async function assertImportPath(ctx: Context, path: string): Promise<void> {
  const [[file]] = await ctx.db.read(selectImport(ctx.workspace.rowId, storedId(path)));
  if (file === undefined) throw notFound("Import");
}

/** Deletes an import. Created links stay; the rest of its rows is not imported. */
export async function discardImport(ctx: Context, path: string): Promise<void> {
  await assertImportPath(ctx, path);
  await ctx.db.writeGuarded(deleteImport(ctx.workspace.rowId, storedId(path)));
}

/** Deletes a chunk of the imports older than a week. */
export const deleteOldImports = (ctx: Pick<ServiceContext, "now">): [rows: Statement, files: Statement] =>
  deleteImportsBefore(ctx.now() - KEPT_MS);
