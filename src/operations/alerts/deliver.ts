import { deleteAnswersBefore } from "../../db/answer-count-statements";
import { idsInOrder } from "../../lib/ids";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time";
import { logLine } from "../../log";
import {
  deliverRound,
  retryAfter,
  type Sender,
  type Target,
  type Tried,
} from "../../resources/events/deliver-messages";
import type { Sent } from "../../resources/events/webhook";
import {
  composeMessage,
  deleteAlertsBefore,
  endTests,
  OPERATOR,
  selectWithoutMessage,
} from "./alert-repository";
import { toBody, toMessages } from "./message";
import { openWebhook } from "./operator-webhook";

/** The pauses after failed tries. They add up to a day. */
const RETRY_PAUSES_MS = [1, 2, 5, 10, 30, 60, 120, 240, 360, 600].map((minutes) => minutes * MINUTE_MS);
const MAX_RETRY_AFTER_MS = 8 * HOUR_MS;
/** An older message is given up, also if it was never tried because the webhook was unset. */
const MAX_AGE_MS = 25 * HOUR_MS;
const KEPT_MS = 30 * DAY_MS;
const ANSWERS_KEPT_MS = HOUR_MS;
const MAX_MESSAGES_PER_RUN = 5;
const MAX_GATHERED = 100;

export const NO_WEBHOOK = "ALERT_WEBHOOK is not set.";

/** Puts all waiting events into messages once the first has waited long enough. */
async function composeMessages(ctx: Sender): Promise<void> {
  const at = ctx.now();
  const [waiting] = await ctx.db.read(selectWithoutMessage(MAX_GATHERED));
  const [first] = waiting;
  if (first?.due_at == null || first.due_at > at) return;
  const messages = toMessages(waiting).slice(0, MAX_MESSAGES_PER_RUN);
  const nextId = idsInOrder();
  await ctx.db.writeGuarded(
    messages.flatMap((events) => {
      const createdAt = Math.max(...events.map((event) => event.created_at));
      return composeMessage(events, { event: nextId(at), body: toBody(events), createdAt }, at);
    }),
  );
}

type MessageRow = Tried["message"];

const nextTry = retryAfter(RETRY_PAUSES_MS, MAX_RETRY_AFTER_MS);

const expired = ({ created_at: at, outcome }: MessageRow, now: number): Sent | undefined =>
  at < now - MAX_AGE_MS ? { isDelivered: false, isFinal: true, outcome: outcome ?? "never sent" } : undefined;

function logFailed({ target: { webhook }, message, sent, dueAt }: Tried, now: number): void {
  const { data } = JSON.parse(message.data ?? "{}") as { data?: { events: unknown[] } };
  const isTooOld = expired(message, now) !== undefined;
  logLine("alert_not_delivered", {
    message: message.event,
    ...(webhook instanceof Error ? {} : { host: new URL(webhook.url).host }),
    events: data?.events.length ?? 0,
    tries: isTooOld ? message.tries - 1 : message.tries,
    outcome: sent.outcome,
    given_up: dueAt === null,
  });
}

/** Sends the messages that are due, and deletes old alerts and counts of answers. */
export async function deliverAlerts(ctx: Sender): Promise<{ delivered: number; failed: number }> {
  const at = ctx.now();
  await ctx.db.writeGuarded([
    ...deleteAlertsBefore(at - KEPT_MS),
    deleteAnswersBefore(Math.floor((at - ANSWERS_KEPT_MS) / MINUTE_MS)),
  ]);
  const { alertWebhook: address } = ctx.config;
  if (address === null) {
    await ctx.db.writeGuarded([endTests(at, NO_WEBHOOK)]);
    return { delivered: 0, failed: 0 };
  }
  await composeMessages(ctx);
  const webhook = await openWebhook(address, ctx.config.alertSecret).catch((error: Error) => error);
  // One message after the other: chats refuse many at once.
  const target: Target = {
    ...{ id: OPERATOR, most: MAX_MESSAGES_PER_RUN, webhook, nextTry, expired },
    ...{ keepsAnswer: false, pausesAtFailure: false },
    bodyOf: ({ data }) => data ?? "",
  };
  const tried = await deliverRound(ctx, [target]);
  if (tried.length > 0 && webhook instanceof Error) logLine("misconfigured", { reason: webhook.message });
  const failed = tried.filter(({ sent }) => !sent.isDelivered);
  for (const one of failed) logFailed(one, ctx.now());
  return { delivered: tried.length - failed.length, failed: failed.length };
}
