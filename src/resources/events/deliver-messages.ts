import type { ServiceContext } from "../../context";
import type { Statement } from "../../db/client";
import { MINUTE_MS, ownUntil, SECOND_MS } from "../../lib/time";
import { TEST_KIND } from "./event-kinds";
import {
  claimMessages,
  type MessageRow,
  type Settled,
  selectClaimed,
  settleMessages,
} from "./message-repository";
import { type Sent, send, type Webhook } from "./webhook";

// The deliverer of the outbox, for the receivers of workspaces and the operator's webhook alike.

/** A claimed message is sent again after this time if its run ended without a result. */
const CLAIM_MS = 5 * MINUTE_MS;
/** An instance has six connections at once that wait for an answer. */
const MAX_AT_ONCE = 6;
/** What a receiver has for its messages of a round, and a round for all of them. No try begins later, and a claim is longer. */
const TARGET_MS = 10 * SECOND_MS;
const ROUND_MS = MINUTE_MS;

export type Sender = Pick<ServiceContext, "db" | "config" | "now">;

export interface Target {
  /** Row id of the receiver; 0 for the operator's webhook. */
  id: number;
  /** How many of its messages a round sends at most. */
  most: number;
  /** An error if nothing can be sent, and why. */
  webhook: Webhook | Error;
  bodyOf: (message: MessageRow) => string;
  /** When to try again; null for never. */
  nextTry: (message: MessageRow, sent: Sent, at: number) => number | null;
  /** Why a message is not sent any more. */
  expired?: (message: MessageRow, at: number) => Sent | undefined;
  keepsAnswer: boolean;
  /** Whether the messages after one that fails wait for the next round, as those do for which no time is left. */
  pausesAtFailure: boolean;
}

/** When a message is tried again: after the next of these pauses, or as much later as the receiver asks for. A test is tried once. */
export const retryAfter =
  (pausesMs: readonly number[], maxAskedMs: number): Target["nextTry"] =>
  ({ tries, kind }, { isFinal, retryAfterMs }, at) => {
    const pause = pausesMs[tries - 1];
    if (pause === undefined || isFinal === true || kind === TEST_KIND) return null;
    return at + Math.max(pause, Math.min(retryAfterMs ?? 0, maxAskedMs));
  };

export interface Tried {
  target: Target;
  message: MessageRow;
  sent: Sent;
  /** When it is tried again; null if it is not. */
  dueAt: number | null;
}

async function deliverTo(
  { now }: Pick<Sender, "now">,
  target: Target,
  rows: readonly MessageRow[],
  endOfRound = Number.POSITIVE_INFINITY,
) {
  const endAt = Math.min(now() + TARGET_MS, endOfRound);
  const tried: Tried[] = [];
  const settled: Settled[] = [];
  const { webhook } = target;
  let hasFailed = false;
  for (const message of rows) {
    const claimed = message.tries;
    if (hasFailed || now() >= endAt) {
      // A sum that was claimed once never grows again.
      settled.push({
        ...message,
        claimed,
        due_at: now(),
        tries: message.amount === null ? claimed - 1 : claimed,
      });
      continue;
    }
    const startedAt = now();
    const sent =
      target.expired?.(message, startedAt) ??
      (webhook instanceof Error
        ? { isDelivered: false, outcome: webhook.message }
        : await send(webhook, message.event, target.bodyOf(message), startedAt, target.keepsAnswer));
    const at = now();
    const { isDelivered, outcome, answer = null } = sent;
    const dueAt = isDelivered ? null : target.nextTry(message, sent, at);
    const delivered_at = isDelivered ? at : null;
    settled.push({ ...message, claimed, due_at: dueAt, tried_at: startedAt, delivered_at, outcome, answer });
    tried.push({ target, message, sent, dueAt });
    hasFailed = target.pausesAtFailure && !isDelivered;
  }
  return { tried, settled };
}

/**
 * Takes due messages, so that an overlapping run does not send them, sends them, several receivers at once, and stores the results with
 * what follows from them. A message is sent at least once, always with the same id.
 */
export async function deliverRound(
  ctx: Sender,
  targets: readonly Target[],
  follow: (tried: readonly Tried[]) => readonly Statement[] = () => [],
): Promise<Tried[]> {
  const at = ctx.now();
  const until = ownUntil(at + CLAIM_MS);
  const byMost = [...Map.groupBy(targets, ({ most }) => most)];
  const claims = byMost.map(([most, some]) =>
    claimMessages(
      some.map(({ id }) => id),
      at,
      until,
      most,
    ),
  );
  const [rows] = await ctx.db.writeGuarded(
    claims,
    selectClaimed(
      targets.map(({ id }) => id),
      until,
    ),
  );
  if (rows.length === 0) return [];
  const rowsOf = Map.groupBy(rows, (row) => row.receiver_id);
  const waiting = targets.filter(({ id }) => rowsOf.has(id));
  const done: Awaited<ReturnType<typeof deliverTo>>[] = [];
  const worker = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift())
      done.push(await deliverTo(ctx, target, rowsOf.get(target.id) ?? [], at + ROUND_MS));
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
  const tried = done.flatMap((one) => one.tried);
  const settled = done.flatMap((one) => one.settled);
  await ctx.db.writeGuarded([settleMessages(settled), ...follow(tried)]);
  return tried;
}

/** Sends a message that is claimed already, and stores the result with what follows from it. */
export async function deliverClaimed(
  ctx: Sender,
  target: Target,
  message: MessageRow,
  follow: (tried: readonly Tried[]) => readonly Statement[],
): Promise<Sent | undefined> {
  const { tried, settled } = await deliverTo(ctx, target, [message]);
  await ctx.db.writeGuarded([settleMessages(settled), ...follow(tried)]);
  return tried[0]?.sent;
}
