import { insertAuditEntries } from "../../../db/audit";
import type { AuditedChange, Statement } from "../../../db/client";
import { chunksBySize } from "../../../lib/chunks";
import { idsInOrder } from "../../../lib/ids";
import { type LinkChange, toSnapshot } from "./state";

/** A change of many links, which may take several commits. The audit trail shows it as one entry. */
export interface Batch {
  /** The operation id of its first entry. */
  id: string;
  /** Whether an earlier commit has written that entry. */
  isStarted: boolean;
}

/** What the audit log records of a change of links. */
export interface Operation {
  action: string;
  /** The batch that the changes belong to. Without it, several changes are a batch of their own. */
  batch?: Batch;
  /** The import of which the changes are rows. Their batch then starts with an entry of its own. */
  importId?: string;
}

const subjectOf = (change: LinkChange | undefined): string => (change?.will ?? change?.was)?.public_id ?? "";

function beforeOf(change: LinkChange | undefined): Pick<AuditedChange, "before"> {
  const before = change && toSnapshot(change);
  return before === undefined ? {} : { before: JSON.stringify(before) };
}

/** The input, and the campaign that the link takes from its group, since the input does not say it. */
function inputOf({ was, will, input }: LinkChange): object | undefined {
  if (will?.utm_campaign_origin !== "inherited") return input;
  const { utm_campaign } = will;
  const isTaken = utm_campaign !== (was?.utm_campaign ?? null) || (input && "utm_campaign" in input);
  return isTaken ? { ...input, utm_campaign } : input;
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** The batch of several changes, or of one that continues a batch. */
function batchOf(changes: readonly LinkChange[], { batch, importId }: Operation, id: string) {
  if (batch !== undefined) return batch;
  return changes.length > 1 || importId !== undefined ? { id, isStarted: false } : undefined;
}

/** The first audit entry of the batch, and the statements for the rest. Every link has its own operation. */
export function toAuditEntries(
  changes: readonly LinkChange[],
  operation: Operation,
  own: Pick<AuditedChange, "actor" | "at"> & { workspaceId: number },
): { head: AuditedChange; statements: Statement[] } {
  const { action, importId } = operation;
  const { workspaceId, actor, at } = own;
  const nextId = idsInOrder();
  const headId = nextId(at);
  const batch = batchOf(changes, operation, headId);
  const [first, ...others] = changes;
  const input = first && inputOf(first);
  const ids = {
    operation: batch?.isStarted === false ? batch.id : headId,
    ...(batch && { batch: batch.id }),
  };
  const head: AuditedChange =
    importId === undefined
      ? {
          ...own,
          ...ids,
          action,
          subject: subjectOf(first),
          ...(input && { change: input }),
          ...beforeOf(first),
        }
      : {
          ...own,
          ...ids,
          action: "link.import",
          subject: importId,
          change: { [action === "link.create" ? "rows" : "updated"]: changes.length },
        };
  const rest = importId === undefined ? others : changes;
  const rows = rest.map((change) => [
    change.operation ?? nextId(at),
    workspaceId,
    action,
    subjectOf(change),
    json(toSnapshot(change)),
    json(inputOf(change)),
  ]);
  return {
    head,
    statements: chunksBySize(rows).map((chunk) => insertAuditEntries(actor, chunk, at, batch?.id ?? null)),
  };
}
