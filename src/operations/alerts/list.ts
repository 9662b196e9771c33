import type { ServiceContext } from "../../context";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import { type AlertRow, selectLastAlerts } from "./repository";

const MAX_LISTED = 100;

const toState = ({ due_at: dueAt, delivered_at: deliveredAt }: AlertRow) => {
  if (deliveredAt !== null) return "delivered";
  return dueAt === null ? "given up" : "waiting";
};

const toAlertView = (row: AlertRow) => ({
  at: isoTime(row.created_at),
  kind: row.kind,
  workspace: row.workspace === null ? null : (JSON.parse(row.workspace) as { slug: string }).slug,
  state: toState(row),
  tries: row.tries,
  next_try_at: isoTimeOrNull(row.due_at),
  /** The result of the last try. */
  outcome: row.outcome,
  text: row.text,
});

/** The last 100 alerts, the newest first. */
export async function listAlerts(ctx: Pick<ServiceContext, "db">) {
  const [rows] = await ctx.db.read(selectLastAlerts(MAX_LISTED));
  return rows.map(toAlertView);
}
