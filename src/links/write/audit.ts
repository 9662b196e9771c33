import { sql } from "drizzle-orm";
import type { AuditedChange, Statement } from "../../db/client";
import { fromList, item, type List } from "../../db/list";
import { prepared } from "../../db/prepared";
import { auditLog } from "../../db/schema";
import { idsInOrder } from "../../lib/ids";
import { type LinkChange, snapshotOf } from "./state";

/** What the audit log says of a change of links. */
export interface Operation {
  action: string;
  /** What was asked for. */
  input?: object;
  /** An import, whose own entry begins the batch: each of its links has an operation of a known id. */
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
  const before = change && snapshotOf(change);
  return before === undefined ? {} : { before: JSON.stringify(before) };
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** The entry that begins the batch, and the statements for the entries behind it: every link has an operation of its own. */
export function auditOf(
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
      json(snapshotOf(change)),
      json(operation?.input ?? input),
    ];
  });
  return {
    head,
    statements: rows.length === 0 ? [] : [insertEntries(workspaceId, actor, action, rows, at)],
  };
}
