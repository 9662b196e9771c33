import { sql } from "drizzle-orm";
import type { AuditedChange, Statement } from "../../db/client";
import { fromList, item, type List } from "../../db/list";
import { prepared } from "../../db/prepared";
import { auditLog } from "../../db/schema";
import { idsInOrder } from "../../lib/ids";
import { type LinkChange, toSnapshot } from "./state";

/** What the audit log records of a change of links. */
export interface Operation {
  action: string;
  input?: object;
  /** For an import: the batch starts with an entry of its own, and the operation ids of its links are fixed. */
  import?: { id: string; operations: readonly { id: string; input: object }[] };
}

const insertEntries = prepared(
  (workspaceId: number, actor: string, action: string, entries: List, at: number): Statement =>
    (orm) =>
      orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, before, change, at)
        select ${item(0)}, ${workspaceId}, ${actor}, ${action}, ${item(1)}, ${item(2)},
          ${item(3)}, ${at} from ${fromList(entries)}`),
);

const subjectOf = (change: LinkChange | undefined): string => (change?.will ?? change?.was)?.public_id ?? "";

function beforeOf(change: LinkChange | undefined): Pick<AuditedChange, "before"> {
  const before = change && toSnapshot(change);
  return before === undefined ? {} : { before: JSON.stringify(before) };
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** The first audit entry of the batch, and the statements for the rest. Every link has its own operation. */
export function toAuditEntries(
  changes: readonly LinkChange[],
  { action, input, import: imported }: Operation,
  own: Pick<AuditedChange, "actor" | "at"> & { workspaceId: number },
): { head: AuditedChange; statements: Statement[] } {
  const { workspaceId, actor, at } = own;
  const nextId = idsInOrder();
  const [first, ...others] = changes;
  const head: AuditedChange =
    imported === undefined
      ? { ...own, action, subject: subjectOf(first), ...(input && { change: input }), ...beforeOf(first) }
      : { ...own, action: "link.import", subject: imported.id, change: { rows: changes.length } };
  const rows = (imported === undefined ? others : changes).map((change, index) => {
    const operation = imported?.operations[index];
    return [
      operation?.id ?? nextId(at),
      subjectOf(change),
      json(toSnapshot(change)),
      json(operation?.input ?? input),
    ];
  });
  return {
    head,
    statements: rows.length === 0 ? [] : [insertEntries(workspaceId, actor, action, rows, at)],
  };
}
