import type { ServiceContext } from "../../context";
import { ServiceError } from "../../errors";
import { newId } from "../../lib/ids";
import { sleep } from "../../lib/sleep";
import { isoTime, isoTimeOrNull, MINUTE_MS, SECOND_MS } from "../../lib/time";
import type { Sender } from "../../resources/events/deliver-messages";
import {
  type AlertRow,
  endTest,
  insertAlerts,
  insertTest,
  selectAlertByKey,
  selectLastAlerts,
} from "./alert-repository";
import { deliverAlerts, NO_WEBHOOK } from "./deliver";
import { toBody } from "./message";

const MAX_LISTED = 100;
const POLL_MS = 2 * SECOND_MS;
/** The cron runs every two minutes. */
const MAX_WAIT_MS = 4 * MINUTE_MS;

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
  outcome: row.outcome,
  text: row.text,
});

export async function listAlerts(ctx: Pick<ServiceContext, "db">) {
  const [rows] = await ctx.db.read(selectLastAlerts(MAX_LISTED));
  return rows.map(toAlertView);
}

const notDelivered = (reason: string): ServiceError =>
  new ServiceError(422, { message: `The message was not delivered: ${reason}` });

/**
 * Sends a test message through the webhook and waits for the result. Only the deployed Worker knows its secrets, so there
 * its cron sends the message. Throws 422 with the reason.
 */
export async function tryWebhook(ctx: Sender, isRemote: boolean) {
  if (!isRemote && ctx.config.alertWebhook === null) throw notDelivered(NO_WEBHOOK);
  const startedAt = ctx.now();
  const id = newId(startedAt);
  const key = `test:${id}`;
  const text = `This is a test message of Waymark at ${new URL(ctx.config.baseUrl).host}.`;
  const test = { kind: "test" as const, text, facts: "{}", created_at: startedAt };
  await ctx.db.writeGuarded([
    insertAlerts([{ ...test, key, message: id }]),
    insertTest({ event: id, body: toBody([{ ...test, workspace: null }]), createdAt: startedAt }),
  ]);
  for (let now = startedAt; now < startedAt + MAX_WAIT_MS; now = ctx.now()) {
    if (!isRemote) await deliverAlerts(ctx);
    const [[row]] = await ctx.db.read(selectAlertByKey(key));
    if (row?.delivered_at != null) return { delivered_at: isoTime(row.delivered_at), outcome: row.outcome };
    if (row?.due_at == null) throw notDelivered(row?.outcome ?? "it was deleted.");
    await sleep(POLL_MS);
  }
  const outcome = "the Worker has not tried it within four minutes. Look whether its crons run.";
  await ctx.db.writeGuarded([endTest(id, outcome)]);
  throw notDelivered(outcome);
}
