import type { ServiceContext } from "../../context";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { type AlertKind, type AlertRow, selectLastAlerts } from "./repository";

const MAX_LISTED = 100;

interface AlertView {
  at: string;
  kind: AlertKind;
  workspace: string | null;
  state: "waiting" | "delivered" | "given up";
  tries: number;
  next_try_at: string | null;
  /** The result of the last try. */
  outcome: string | null;
  text: string;
}

const toState = ({ due_at: dueAt, delivered_at: deliveredAt }: AlertRow): AlertView["state"] => {
  if (deliveredAt !== null) return "delivered";
  return dueAt === null ? "given up" : "waiting";
};

const toAlertView = (row: AlertRow): AlertView => ({
  at: isoTime(row.created_at),
  kind: row.kind,
  workspace: row.workspace === null ? null : (JSON.parse(row.workspace) as { slug: string }).slug,
  state: toState(row),
  tries: row.tries,
  next_try_at: isoTimeOrNull(row.due_at),
  outcome: row.outcome,
  text: row.text,
});

/** The last 100 alerts, the newest first. */
export async function listAlerts(ctx: Pick<ServiceContext, "db">): Promise<AlertView[]> {
  const [rows] = await ctx.db.read(selectLastAlerts(MAX_LISTED));
  return rows.map(toAlertView);
}
