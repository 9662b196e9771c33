import type { AuditedChange } from "../../../db/client";
import { writtenDates } from "../../../lib/days";
import { newId } from "../../../lib/ids";
import { batchOfImport } from "../../audit/audit-statements";
import { type LinkChange, toSnapshot } from "./link-state";

/** A change of many links, which may take several commits. The audit trail shows it as one entry. */
export interface BulkChange {
  id: string;
  /** Whether an earlier commit has written that entry. */
  isStarted: boolean;
}

export interface AuditedOperation {
  action: string;
  /** The batch that the changes belong to. Without it, several changes are a batch of their own. */
  batch?: BulkChange;
  /** The import of which the changes are rows. They belong to its batch, and begin with an entry that says how many they are. */
  importId?: string;
  claims?: readonly unknown[];
}

/**
 * The input with its group by id, with starts and ends as days where they are, and with the campaign that the link takes from its
 * group, since the input does not say it.
 */
function inputOf({ was, will, input: given }: LinkChange): object | undefined {
  const stored = will && { activity_group_id: will.group.public_id, ...writtenDates(will) };
  const named = Object.entries(stored ?? {}).filter(
    ([field]) => given?.[field as keyof typeof given] !== undefined,
  );
  const input = given && { ...given, ...Object.fromEntries(named) };
  if (will?.utm_campaign_origin !== "inherited") return input;
  const { utm_campaign } = will;
  const isTaken = utm_campaign !== (was?.utm_campaign ?? null) || (input && "utm_campaign" in input);
  return isTaken ? { ...input, utm_campaign } : input;
}

function toEntry(change: LinkChange, action: string) {
  const { was, will, operation } = change;
  const [before, input] = [toSnapshot(change), inputOf(change)];
  return {
    action,
    subject: (will ?? was)?.public_id ?? "",
    ...(operation !== undefined && { operation }),
    ...(before && { before: JSON.stringify(before) }),
    ...(input && { change: input }),
  };
}

/** An import stores the file's rows, also where they only update links. */
function spaceOf(
  changes: readonly LinkChange[],
  { importId, claims = [] }: AuditedOperation,
): AuditedChange["space"] {
  if (importId !== undefined || changes.some(({ was }) => was === undefined)) return "takes";
  if (claims.length > 0) return "claims";
  return changes.every(({ will }) => will === undefined) ? "frees" : undefined;
}

/** The audit entries of changes. Every link has its own operation; the first one may be that of a batch. */
export function toAuditEntries(
  changes: readonly LinkChange[],
  audited: AuditedOperation,
  own: Pick<AuditedChange, "workspaceId" | "actor" | "at" | "operation">,
): AuditedChange {
  const { action, batch, importId } = audited;
  const ofForm = importId === undefined ? own.operation : undefined;
  const operation = batch?.isStarted === false ? batch.id : (ofForm ?? newId(own.at));
  const ofMany = changes.length > 1 ? operation : undefined;
  const batchId = importId === undefined ? (batch?.id ?? ofMany) : batchOfImport(importId);
  const count = { [action === "link.create" ? "rows" : "updated"]: changes.length };
  const ofImport = { action: "link.import", subject: importId ?? "", change: count };
  const entries = changes.map((change) => toEntry(change, action));
  const [first = ofImport, ...others] = importId === undefined ? entries : [ofImport, ...entries];
  const space = spaceOf(changes, audited);
  return {
    ...own,
    ...first,
    operation,
    ...(batchId !== undefined && { batch: batchId }),
    ...(space && { space }),
    others,
  };
}
