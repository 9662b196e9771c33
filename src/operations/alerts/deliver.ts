import type { ServiceContext } from "../../context";
import { deleteAnswersBefore } from "../../db/answer-count-statements";
import { newId } from "../../lib/ids";
import { DAY_MS, HOUR_MS, MINUTE_MS, ownUntil } from "../../lib/time";
import { logLine } from "../../log";
import { type Sent, send, type Webhook } from "../../resources/events/webhook";
import {
  type ClaimedRow,
  claimMessages,
  deleteAlertsBefore,
  endTests,
  selectClaimed,
  selectWithoutMessage,
  updateMessage,
  updateOutcome,
} from "./alert-repository";
import { toBody, toMessages } from "./message";
import { openWebhook } from "./operator-webhook";

/** The pauses after failed tries. They add up to a day. */
const RETRY_PAUSES_MS = [1, 2, 5, 10, 30, 60, 120, 240, 360, 600].map((minutes) => minutes * MINUTE_MS);
const MAX_RETRY_AFTER_MS = 8 * HOUR_MS;
/** An older message is given up, also if it was never tried because the webhook was unset. */
const MAX_AGE_MS = 25 * HOUR_MS;
/** A claimed message is sent again after this time if its run ended without a result. */
const CLAIM_MS = 5 * MINUTE_MS;
const KEPT_MS = 30 * DAY_MS;
const ANSWERS_KEPT_MS = HOUR_MS;
const MAX_MESSAGES_PER_RUN = 5;
const MAX_GATHERED = 100;

export const NO_WEBHOOK = "ALERT_WEBHOOK is not set.";

export type Sender = Pick<ServiceContext, "db" | "config" | "now">;

type Message = readonly [ClaimedRow, ...ClaimedRow[]];

/** Puts all waiting events into messages once the first has waited long enough. */
async function composeMessages(ctx: Sender): Promise<void> {
  const at = ctx.now();
  const [waiting] = await ctx.db.read(selectWithoutMessage(MAX_GATHERED));
  const [first] = waiting;
  if (first?.due_at == null || first.due_at > at) return;
  const messages = toMessages(waiting).slice(0, MAX_MESSAGES_PER_RUN);
  await ctx.db.writeGuarded(messages.map((events) => updateMessage(events, newId(at), at)));
}

/** Takes due messages, so that an overlapping run does not send them. */
async function claim(ctx: Sender): Promise<Message[]> {
  const at = ctx.now();
  const until = ownUntil(at + CLAIM_MS);
  const [rows] = await ctx.db.writeGuarded(
    [claimMessages(at, until, MAX_MESSAGES_PER_RUN)],
    selectClaimed(until),
  );
  const sorted = rows.toSorted((one, other) => one.id - other.id);
  const messages = Map.groupBy(sorted, ({ message }) => message);
  return [...messages.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

function nextTry(message: Message, sent: Sent, at: number): number | null {
  const pause = RETRY_PAUSES_MS[message[0].tries - 1];
  const isTest = message.some(({ kind }) => kind === "test");
  if (pause === undefined || sent.isFinal || isTest) return null;
  return at + Math.max(pause, Math.min(sent.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** Sends a message and stores the result. Returns whether it was delivered. */
async function deliver(ctx: Sender, webhook: Webhook | Error, message: Message): Promise<boolean> {
  const [{ message: id, tries, outcome: last }] = message;
  const startedAt = ctx.now();
  const isTooOld = message.every(({ created_at: created }) => created < startedAt - MAX_AGE_MS);
  let sent: Sent;
  if (isTooOld) sent = { isDelivered: false, isFinal: true, outcome: last ?? "never sent" };
  else if (webhook instanceof Error) sent = { isDelivered: false, outcome: webhook.message };
  else sent = await send(webhook, id, toBody(message), startedAt);
  const at = ctx.now();
  const { isDelivered, outcome } = sent;
  const dueAt = isDelivered ? null : nextTry(message, sent, at);
  await ctx.db.writeGuarded([
    updateOutcome(message[0], { due_at: dueAt, delivered_at: isDelivered ? at : null, outcome }),
  ]);
  if (!isDelivered) {
    logLine("alert_not_delivered", {
      message: id,
      ...(webhook instanceof Error ? {} : { host: new URL(webhook.url).host }),
      events: message.length,
      tries: isTooOld ? tries - 1 : tries,
      outcome,
      given_up: dueAt === null,
    });
  }
  return isDelivered;
}

/** Sends the messages that are due, and deletes old alerts and counts of answers. A message is sent at least once, always with the same id. */
export async function deliverAlerts(ctx: Sender): Promise<{ delivered: number; failed: number }> {
  const at = ctx.now();
  await ctx.db.writeGuarded([
    deleteAlertsBefore(at - KEPT_MS),
    deleteAnswersBefore(Math.floor((at - ANSWERS_KEPT_MS) / MINUTE_MS)),
  ]);
  const { alertWebhook: address } = ctx.config;
  if (address === null) {
    await ctx.db.writeGuarded([endTests(at, NO_WEBHOOK)]);
    return { delivered: 0, failed: 0 };
  }
  await composeMessages(ctx);
  const messages = await claim(ctx);
  if (messages.length === 0) return { delivered: 0, failed: 0 };
  const webhook = await openWebhook(address, ctx.config.alertSecret).catch((error: Error) => error);
  if (webhook instanceof Error) logLine("misconfigured", { reason: webhook.message });
  let delivered = 0;
  // One after the other: chats refuse many messages at once.
  for (const message of messages) if (await deliver(ctx, webhook, message)) delivered++;
  return { delivered, failed: messages.length - delivered };
}
