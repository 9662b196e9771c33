import type { ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import { MINUTE_MS } from "../../lib/time";
import { type AlertKind, insertAlerts } from "./alert-repository";
import { cleanText } from "./alert-text";

/** Events wait this long, so that one message can have several. */
const DELAY_MS = 5 * MINUTE_MS;
const MAX_FACT_CHARACTERS = 300;

export interface Alert {
  /** Identifies the event. A second alert with the same key is ignored for 30 days. */
  key: string;
  kind: AlertKind;
  /** Row id. Events of the whole service have none. */
  workspaceId?: number | null;
  /** What happened, in a sentence. It is made safe for chats when it is sent. */
  text: string;
  /** Ids and values for programs. */
  facts: Readonly<Record<string, unknown>>;
}

const serialiseFacts = (facts: Alert["facts"]): string =>
  JSON.stringify(facts, (_, value: unknown) =>
    typeof value === "string" ? cleanText(value, MAX_FACT_CHARACTERS) : value,
  );

/** The statements that queue events; none without a webhook. They belong in the batch that makes the event true. */
export const queueAlerts = (
  { config, now }: Pick<ServiceContext, "config" | "now">,
  alerts: readonly Alert[],
): Statement[] => {
  if (config.alertWebhook === null || alerts.length === 0) return [];
  const at = now();
  const rows = alerts.map(({ key, kind, workspaceId, text, facts }) => ({
    key,
    kind,
    workspace_id: workspaceId ?? null,
    text: cleanText(text),
    facts: serialiseFacts(facts),
    created_at: at,
    due_at: at + DELAY_MS,
  }));
  return [insertAlerts(rows)];
};
