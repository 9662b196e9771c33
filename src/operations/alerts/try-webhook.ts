import type { ServiceContext } from "../../context";
import { ServiceError } from "../../errors";
import { newId } from "../../lib/ids";
import { sleep } from "../../lib/sleep";
import { isoTime, MINUTE_MS, SECOND_MS } from "../../lib/time";
import { deliverAlerts, NO_WEBHOOK } from "./deliver";
import { insertAlerts, selectAlertByKey, updateOutcome } from "./repository";

const POLL_MS = 2 * SECOND_MS;
/** The cron runs every two minutes. */
const MAX_WAIT_MS = 4 * MINUTE_MS;

type Tester = Pick<ServiceContext, "db" | "config" | "now">;

const notDelivered = (reason: string): ServiceError =>
  new ServiceError(422, { message: `The message was not delivered: ${reason}` });

/**
 * Sends a test message through the webhook and waits for the result. Only the deployed Worker knows its secrets, so there
 * its cron sends the message. Throws 422 with the reason.
 */
export async function tryWebhook(ctx: Tester, isRemote: boolean) {
  if (!isRemote && ctx.config.alertWebhook === null) throw notDelivered(NO_WEBHOOK);
  const startedAt = ctx.now();
  const id = newId(startedAt);
  const key = `test:${id}`;
  const test = insertAlerts([
    {
      key,
      kind: "test",
      text: `This is a test message of Waymark at ${new URL(ctx.config.baseUrl).host}.`,
      facts: "{}",
      created_at: startedAt,
      message: id,
      // Before all others that are due.
      due_at: 0,
    },
  ]);
  await ctx.db.writeUnaudited(test);
  for (let now = startedAt; now < startedAt + MAX_WAIT_MS; now = ctx.now()) {
    if (!isRemote) await deliverAlerts(ctx);
    const [[row]] = await ctx.db.read(selectAlertByKey(key));
    if (row?.delivered_at != null) return { delivered_at: isoTime(row.delivered_at), outcome: row.outcome };
    if (row?.due_at == null) throw notDelivered(row?.outcome ?? "it was deleted.");
    await sleep(POLL_MS);
  }
  const outcome = "the Worker has not tried it within four minutes. Look whether its crons run.";
  await ctx.db.writeUnaudited(
    updateOutcome({ message: id, tries: 0 }, { due_at: null, delivered_at: null, outcome }),
  );
  throw notDelivered(outcome);
}
