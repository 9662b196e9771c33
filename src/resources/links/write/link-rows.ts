import { sql } from "drizzle-orm";
import { type BoundList, fromList, inList, type ListValues, listed } from "../../../db/bound-list";
import type { Statement } from "../../../db/client";
import { orm, prepared } from "../../../db/prepared";
import { links } from "../../../db/schema/links";
import { chunksBySize } from "../../../lib/chunks";
import type { LinkState } from "../link-repository";
import { isDeletion, type LinkChange, toColumns } from "./link-state";

type Columns = ReturnType<typeof toColumns>;

const isSet = (change: LinkChange): change is LinkChange & { will: LinkState } => change.will !== undefined;

/** They change without a new version of the link. They describe its host, so another host is written with them. */
const OF_HOST: ReadonlySet<keyof Columns> = new Set(["host_check", "check_at"]);

const isChanged = (name: keyof Columns, was: Columns, will: Columns): boolean =>
  was[name] !== will[name] || (OF_HOST.has(name) && was.destination_host !== will.destination_host);

/** The columns that change in any of the links; all columns if one is new. */
const changedColumns = (
  names: readonly (keyof Columns)[],
  changes: readonly { was: Columns | undefined; will: Columns }[],
) => names.filter((name) => changes.some(({ was, will }) => was === undefined || isChanged(name, was, will)));

type Write = (workspaceId: number, rows: ListValues) => Statement;

/** Most changes set one of a few combinations of columns. The others must not fill the memory of an isolate. */
const MAX_CACHED_STATEMENTS = 25;
const statements = new Map<string, Write>();

/** SQLite updates an index only if the statement sets one of its columns, so unchanged columns are left out. */
function prepareWrite(names: readonly string[], changed: readonly string[]): Write {
  const assignments = changed.map((name) => `${name} = excluded.${name}`).join(", ");
  const known = statements.get(assignments);
  if (known !== undefined) return known;
  const columns = sql.raw(names.join(", "));
  const places = sql.join(
    names.map((_, index) => listed(index + 1)),
    sql`, `,
  );
  const write = prepared((workspaceId: number, rows: BoundList) =>
    orm.run(sql`insert into ${links} (id, workspace_id, ${columns})
          select ${listed(0)}, ${workspaceId}, ${places} from ${fromList(rows)} where true
          on conflict (id) do update set ${sql.raw(assignments)}`),
  );
  if (statements.size === MAX_CACHED_STATEMENTS) statements.clear();
  statements.set(assignments, write);
  return write;
}

export function writeRows(workspaceId: number, changes: readonly LinkChange[]): Statement[] {
  const rows = changes.filter(isSet).map(({ was, will }) => ({
    id: was?.id ?? null,
    was: was && toColumns(was),
    will: toColumns(will),
  }));
  const [first] = rows;
  if (first === undefined) return [];
  // Sorted, since a prepared statement names the columns as in its first call.
  const names = Object.keys(first.will).toSorted() as (keyof Columns)[];
  const write = prepareWrite(names, changedColumns(names, rows));
  const values = rows.map(({ id, will }) => [id, ...names.map((name) => will[name])]);
  return chunksBySize(values).map((chunk) => write(workspaceId, chunk));
}

const markDeleted = prepared((workspaceId: number, ids: BoundList, at: number) =>
  orm.run(sql`update ${links} set deleted_at = ${at}, version = version + 1
        where id in ${inList(ids)} and +workspace_id = ${workspaceId}`),
);

/** Soft-deletes links. The removal job deletes their rows later. */
export function deleteRows(workspaceId: number, changes: readonly LinkChange[], at: number): Statement[] {
  const ids = changes.filter(isDeletion).map(({ was }) => was.id);
  return ids.length === 0 ? [] : [markDeleted(workspaceId, ids, at)];
}
