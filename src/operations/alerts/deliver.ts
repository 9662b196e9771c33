import type { ServiceContext } from "../../context";
import { newId } from "../../lib/ids";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time";
import { logAlertFailure, logMisconfiguration } from "../../log";
import { toBody, toMessages } from "./message";
import {
  type AlertRow,
  type ClaimedRow,
  claimMessages,
  deleteAlertsBefore,
  endTests,
  selectMessages,
  selectWithoutMessage,
  updateMessage,
  updateOutcome,
} from "./repository";
import { Misconfigured, openWebhook, type Sent, send, type Webhook } from "./webhook";

/** The pauses after failed tries. They add up to a day. */
const RETRY_PAUSES_MS = [1, 2, 5, 10, 30, 60, 120, 240, 360, 600].map((minutes) => minutes * MINUTE_MS);
const MAX_RETRY_AFTER_MS = 8 * HOUR_MS;
/** An older message is given up, also if it was never tried because the webhook was unset. */
const MAX_AGE_MS = 25 * HOUR_MS;
/** A claimed message is sent again after this time if its run ended without a result. */
const CLAIM_MS = 5 * MINUTE_MS;
const KEPT_MS = 30 * DAY_MS;
const MAX_MESSAGES_PER_RUN = 5;
const MAX_GATHERED = 100;

export const NO_WEBHOOK = "ALERT_WEBHOOK is not set.";

type Sender = Pick<ServiceContext, "db" | "config" | "now">;

interface Message extends ClaimedRow {
  events: AlertRow[];
}

/** Puts all waiting events into messages once the first has waited long enough. */
async function composeMessages(ctx: Sender): Promise<void> {
  const at = ctx.now();
  const [waiting] = await ctx.db.read(selectWithoutMessage(MAX_GATHERED));
  const [first] = waiting;
  if (first?.due_at == null || first.due_at > at) return;
  const messages = toMessages(waiting).slice(0, MAX_MESSAGES_PER_RUN);
  await ctx.db.writeUnaudited(
    ...messages.map((events) =>
      updateMessage(
        events.map(({ id }) => id),
        newId(at),
        at,
      ),
    ),
  );
}

/** Takes due messages, so that an overlapping run does not send them. */
async function claim(ctx: Sender): Promise<Message[]> {
  const at = ctx.now();
  const [claimed] = await ctx.db.read(claimMessages(at, at + CLAIM_MS, MAX_MESSAGES_PER_RUN));
  const tries = new Map(claimed.map((row) => [row.message, row.tries]));
  if (tries.size === 0) return [];
  const [rows] = await ctx.db.read(selectMessages([...tries.keys()]));
  return [...tries].flatMap(([message, tried]) => {
    const events = rows.filter((row) => row.message === message);
    return events.length === 0 ? [] : [{ message, tries: tried, events }];
  });
}

/** When to try again; null to give up. */
function nextTry({ tries, events }: Message, sent: Sent, at: number): number | null {
  const pause = RETRY_PAUSES_MS[tries - 1];
  const isTest = events.some(({ kind }) => kind === "test");
  if (pause === undefined || sent.isGone || isTest) return null;
  return at + Math.max(pause, Math.min(sent.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

const isTooOld = ({ events }: Message, at: number): boolean =>
  events.every(({ created_at: created }) => created < at - MAX_AGE_MS);

/** Sends a message and stores the result. Returns whether it was delivered. */
async function deliver(ctx: Sender, webhook: Webhook | Misconfigured, message: Message): Promise<boolean> {
  const { message: id, events } = message;
  const isConfigured = !(webhook instanceof Misconfigured);
  const startedAt = ctx.now();
  if (isTooOld(message, startedAt)) {
    const outcome = events[0]?.outcome ?? "never sent";
    await ctx.db.writeUnaudited(updateOutcome(message, { due_at: null, delivered_at: null, outcome }));
    logAlertFailure({
      message: id,
      events: events.length,
      tries: message.tries - 1,
      outcome,
      given_up: true,
    });
    return false;
  }
  const sent: Sent = isConfigured
    ? await send(webhook, id, toBody(events), startedAt)
    : { isDelivered: false, isGone: false, outcome: webhook.message, retryAfterMs: null };
  const at = ctx.now();
  const { isDelivered, outcome } = sent;
  const dueAt = isDelivered ? null : nextTry(message, sent, at);
  await ctx.db.writeUnaudited(
    updateOutcome(message, { due_at: dueAt, delivered_at: isDelivered ? at : null, outcome }),
  );
  if (!isDelivered) {
    logAlertFailure({
      message: id,
      ...(isConfigured ? { host: webhook.url.host } : {}),
      events: events.length,
      tries: message.tries,
      outcome,
      given_up: dueAt === null,
    });
  }
  return isDelivered;
}

async function open({ config }: Sender, address: string): Promise<Webhook | Misconfigured> {
  try {
    return await openWebhook(address, config.alertSecret);
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    logMisconfiguration(error.message);
    return error;
  }
}

/** Sends the messages that are due, and deletes old alerts. A message is sent at least once, always with the same id. */
export async function deliverAlerts(ctx: Sender): Promise<{ delivered: number; failed: number }> {
  const at = ctx.now();
  await ctx.db.writeCounted(deleteAlertsBefore(at - KEPT_MS));
  const { alertWebhook: address } = ctx.config;
  if (address === null) {
    await ctx.db.writeUnaudited(endTests(at, NO_WEBHOOK));
    return { delivered: 0, failed: 0 };
  }
  await composeMessages(ctx);
  const messages = await claim(ctx);
  if (messages.length === 0) return { delivered: 0, failed: 0 };
  const webhook = await open(ctx, address);
  let delivered = 0;
  // One after the other: chats refuse many messages at once.
  for (const message of messages) if (await deliver(ctx, webhook, message)) delivered++;
  return { delivered, failed: messages.length - delivered };
}
