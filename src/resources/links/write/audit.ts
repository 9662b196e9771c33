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
  input?: object;
  /** The input of each change, in their order, if they differ. */
  inputs?: readonly object[];
  /** The batch that the changes belong to. Without it, several changes are a batch of their own. */
  batch?: Batch;
  /** For an import: the batch starts with an entry of its own, and the operation ids of its links are fixed. */
  import?: { id: string; operations: readonly { id: string; input: object }[] };
}

const subjectOf = (change: LinkChange | undefined): string => (change?.will ?? change?.was)?.public_id ?? "";

function beforeOf(change: LinkChange | undefined): Pick<AuditedChange, "before"> {
  const before = change && toSnapshot(change);
  return before === undefined ? {} : { before: JSON.stringify(before) };
}

/** The input, and the campaign that the link takes from its group, since the input does not say it. */
function withCampaign(input: object | undefined, { was, will }: LinkChange): object | undefined {
  if (will?.utm_campaign_origin !== "inherited") return input;
  const { utm_campaign } = will;
  const isTaken = utm_campaign !== (was?.utm_campaign ?? null) || (input && "utm_campaign" in input);
  return isTaken ? { ...input, utm_campaign } : input;
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** The batch of several changes, or of one that continues a batch. */
function batchOf(changes: readonly LinkChange[], { batch, import: imported }: Operation, id: string) {
  if (batch !== undefined) return batch;
  return changes.length > 1 || imported !== undefined ? { id, isStarted: false } : undefined;
}

/** The first audit entry of the batch, and the statements for the rest. Every link has its own operation. */
export function toAuditEntries(
  changes: readonly LinkChange[],
  operation: Operation,
  own: Pick<AuditedChange, "actor" | "at"> & { workspaceId: number },
): { head: AuditedChange; statements: Statement[] } {
  const { action, import: imported } = operation;
  const { workspaceId, actor, at } = own;
  const nextId = idsInOrder();
  const headId = nextId(at);
  const batch = batchOf(changes, operation, headId);
  const [first, ...others] = changes;
  const inputs = changes.map((change, index) => {
    const given = imported?.operations[index]?.input ?? operation.inputs?.[index] ?? operation.input;
    return withCampaign(given, change);
  });
  const ids = {
    operation: batch?.isStarted === false ? batch.id : headId,
    ...(batch && { batch: batch.id }),
  };
  const head: AuditedChange =
    imported === undefined
      ? {
          ...own,
          ...ids,
          action,
          subject: subjectOf(first),
          ...(inputs[0] && { change: inputs[0] }),
          ...beforeOf(first),
        }
      : {
          ...own,
          ...ids,
          action: "link.import",
          subject: imported.id,
          change: { [action === "link.create" ? "rows" : "updated"]: changes.length },
        };
  const rest = imported === undefined ? others : changes;
  const rows = rest.map((change, index) => [
    imported?.operations[index]?.id ?? nextId(at),
    workspaceId,
    action,
    subjectOf(change),
    json(toSnapshot(change)),
    json(inputs[imported === undefined ? index + 1 : index]),
  ]);
  return {
    head,
    statements: chunksBySize(rows).map((chunk) => insertAuditEntries(actor, chunk, at, batch?.id ?? null)),
  };
}
