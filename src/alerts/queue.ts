import type { ServiceContext } from "../context";
import type { Statement } from "../db/client";
import { MINUTE_MS } from "../lib/time";
import { type AlertKind, insertAlert } from "./repository";

/** Events wait this long, so that one message can have several. */
const GATHER_MS = 5 * MINUTE_MS;

/** An event that the operator is told of. */
export interface Alert {
  /** Identifies the event. A second alert with the same key is ignored. */
  key: string;
  kind: AlertKind;
  /** Row id; null for events of the whole service. */
  workspaceId: number | null;
  /** What happened, in a sentence. */
  text: string;
  /** Ids and values for programs. */
  facts: Readonly<Record<string, unknown>>;
}

/** The statements that queue events; none without a webhook. They belong in the batch that makes the event true. */
export const queueAlerts = (
  { config, now }: Pick<ServiceContext, "config" | "now">,
  alerts: readonly Alert[],
): Statement[] => {
  if (config.alertWebhook === null) return [];
  const at = now();
  return alerts.map(({ key, kind, workspaceId, text, facts }) =>
    insertAlert({
      key,
      kind,
      workspace_id: workspaceId,
      text,
      facts: JSON.stringify(facts),
      created_at: at,
      due_at: at + GATHER_MS,
    }),
  );
};
