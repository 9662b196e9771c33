import { sql } from "drizzle-orm";
import type { Statement } from "../../../db/client";
import { type BoundList, fromList, listed } from "../../../db/list";
import { orm, prepared } from "../../../db/prepared";
import { links } from "../../../db/schema/links";
import { asInteger, insertSearchRows, SEARCH_TABLE, toSearchRowId } from "../search-table";
import { hasOtherSearchText, isArchived, type LinkChange } from "./state";

const deleteSearchRows = prepared((workspaceId: number, rows: BoundList) =>
  orm.run(sql`delete from ${SEARCH_TABLE} where rowid in
        (select ${toSearchRowId(asInteger(workspaceId), asInteger(listed(1)), asInteger(listed(0)))} from ${fromList(rows)})`),
);

const index = prepared((workspaceId: number, ids: BoundList) =>
  orm.run(
    insertSearchRows(sql`${fromList(ids)} cross join ${links}
          where ${links.public_id} = ${listed()} and +${links.workspace_id} = ${workspaceId}`),
  ),
);

/**
 * Updates the search index for links whose searchable text or status changed. Runs after the statements of the links'
 * own rows.
 */
export function moveSearchRows(workspaceId: number, changes: readonly LinkChange[]): Statement[] {
  const moved = changes.filter(({ was, will }) => !was || !will || hasOtherSearchText(was, will));
  const removed = moved.flatMap(({ was }) => (was === undefined ? [] : [[was.id, isArchived(was) ? 1 : 0]]));
  const added = moved.flatMap(({ will }) => (will === undefined ? [] : [will.public_id]));
  return [
    ...(removed.length === 0 ? [] : [deleteSearchRows(workspaceId, removed)]),
    ...(added.length === 0 ? [] : [index(workspaceId, added)]),
  ];
}
