import { sql } from "drizzle-orm";
import { monotonicFactory } from "ulidx";
import type { Change, Statement } from "../../db/client";
import { fromList, item, type List } from "../../db/list";
import { prepared } from "../../db/prepared";
import { auditLog } from "../../db/schema";
import { type LinkChange, snapshotOf } from "./state";

/** What the audit log says of a change of links. */
export interface Operation {
  action: string;
  /** What was asked for. */
  input?: object;
  /** An import, whose own entry begins the batch: each of its links has an operation of a known id. */
  import?: { id: string; operations: readonly { id: string; input: object }[] };
}

interface Entry {
  id: string;
  subject: string;
  before: object | undefined;
  change: object | undefined;
}

const insertEntries = prepared(
  (workspaceId: number, actor: string, action: string, entries: List, at: number): Statement =>
    (orm) =>
      orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, before, change, at)
        select ${item(0)}, ${workspaceId}, ${actor}, ${action}, ${item(1)}, ${item(2)},
          ${item(3)}, ${at} from ${fromList(entries)}`),
);

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** The entry that begins the batch, and the statements for the entries behind it: every link has an operation of its own. */
export function auditOf(
  changes: readonly LinkChange[],
  { action, input, import: imported }: Operation,
  { workspaceId, actor, at }: Pick<Change, "actor" | "at"> & { workspaceId: number },
): { head: Change; statements: Statement[] } {
  const nextId = monotonicFactory();
  const entries = changes.map((change, index): Entry => {
    const operation = imported?.operations[index];
    return {
      id: operation?.id ?? nextId(at),
      subject: (change.will ?? change.was)?.public_id ?? "",
      before: snapshotOf(change),
      change: operation?.input ?? input,
    };
  });
  const [first, ...others] = entries;
  const head: Change =
    imported === undefined
      ? {
          ...{ workspaceId, actor, at, action, subject: first?.subject ?? "" },
          ...(first?.before && { before: sql`${JSON.stringify(first.before)}` }),
          ...(first?.change && { change: first.change }),
        }
      : {
          ...{ workspaceId, actor, at, action: "link.import", subject: imported.id },
          change: { rows: changes.length },
        };
  const rows = (imported === undefined ? others : entries).map(({ id, subject, before, change }) => [
    id,
    subject,
    json(before),
    json(change),
  ]);
  return {
    head,
    statements: rows.length === 0 ? [] : [insertEntries(workspaceId, actor, action, rows, at)],
  };
}
