import type { Context } from "../../context";
import { sleep } from "../../lib/sleep";
import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from "../../lib/time";
import {
  deliverClaimed,
  deliverRound,
  retryAfter,
  type Sender,
  type Target,
  type Tried,
} from "./deliver-messages";
import { TEST_KIND } from "./event-kinds";
import {
  type DueReceiver,
  type Followed,
  type MessageRow,
  moveFollowers,
  type Stop,
  selectDueReceivers,
  settleReceivers,
  trimMessages,
} from "./message-repository";
import { importSecret, type Sent } from "./webhook";

const SECOND_TRY_MS = 5 * SECOND_MS;
const HOURS_OF_TRIES = 72;
/** The pauses after failed tries. After the last one the receiver is switched off. */
export const RETRY_PAUSES_MS = [
  ...[SECOND_TRY_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  ...Array<number>(HOURS_OF_TRIES).fill(HOUR_MS),
];
/** Behind a request, which has ten seconds a try twice. */
const MESSAGES_OF_REQUEST = 5;
const MAX_OF_RECEIVER = 10;
/** A receiver that fails gets one message in a round, and all of them together a part of it. */
const PART_OF_FAILING = 0.25;
const MAX_ROUNDS = 3;
/** What a round sends, and what is left for the jobs after it. */
const STATEMENTS_OF_ROUND = 12;
/** No round begins later. */
const RUN_MS = 20 * SECOND_MS;

/** How many messages each receiver may get of `most`, those that work first. Pure. */
export function shareMessages<Receiver extends Pick<DueReceiver, "failing_since">>(
  receivers: readonly Receiver[],
  most: number,
): [receiver: Receiver, most: number][] {
  const failing = receivers.filter((one) => one.failing_since !== null);
  const tried = failing.slice(0, Math.max(1, Math.floor(most * PART_OF_FAILING)));
  const left = Math.max(1, most - tried.length);
  const working = receivers.filter((one) => one.failing_since === null).slice(0, left);
  const share = Math.max(1, Math.min(MAX_OF_RECEIVER, Math.floor(left / working.length)));
  return [
    ...working.map((one): [Receiver, number] => [one, share]),
    ...tried.map((one): [Receiver, number] => [one, 1]),
  ].slice(0, most);
}

const nextTry = retryAfter(RETRY_PAUSES_MS, HOUR_MS);

/** The body of a message. Of a sum it says how many events there are, and where they are listed. */
const bodyOf = ({ kind, created_at: at, data, amount }: MessageRow, trail: string): string => {
  const content: unknown = data === null ? { count: amount, url: trail } : JSON.parse(data);
  return JSON.stringify({ type: kind, timestamp: isoTime(at), data: content });
};

const FORBIDDEN = "not sent, since this service does not allow the host";

async function toTarget({ config }: Sender, [row, most]: [DueReceiver, number]): Promise<Target> {
  const key = await importSecret(row.secret);
  const trail = `${config.baseUrl}/app/${row.workspace}/audit`;
  return {
    id: row.id,
    most,
    webhook: row.is_blocked === 1 || key === undefined ? new Error(FORBIDDEN) : { url: row.url, key },
    bodyOf: (message) => bodyOf(message, trail),
    nextTry,
    keepsAnswer: true,
    pausesAtFailure: true,
  };
}

/** What follows from the results of a round for its receivers. */
function follow(receivers: readonly DueReceiver[], tried: readonly Tried[], at: number) {
  const last = new Map(tried.map((one) => [one.target.id, one]));
  const results = [...last].map(([id, { sent }]) => [id, sent.isDelivered ? 0 : 1] as const);
  const stops = tried.flatMap(({ target, message, sent, dueAt }): Stop[] => {
    const isEnd = sent.isFinal === true || (dueAt === null && message.kind !== TEST_KIND);
    const url = receivers.find(({ id }) => id === target.id)?.url ?? "";
    return sent.isDelivered || !isEnd ? [] : [[target.id, url, sent.isFinal === true ? "gone" : "failures"]];
  });
  const followed = tried.flatMap(({ target, message: { subject, id, tries }, sent, dueAt }): Followed[] => {
    const hasChanged = dueAt !== null || (sent.isDelivered && tries > 1);
    return subject === null || !hasChanged ? [] : [[target.id, subject, id, dueAt ?? at]];
  });
  const ended = new Set(tried.filter(({ dueAt }) => dueAt === null).map(({ target }) => target.id));
  return [
    ...settleReceivers(results, stops, at),
    ...(followed.length === 0 ? [] : [moveFollowers(followed)]),
    ...(ended.size === 0 ? [] : [trimMessages([...ended])]),
  ];
}

/** Sends the messages that are due, of one workspace or all, in rounds, as far as messages, statements and time go. */
async function deliverDue(ctx: Sender, most: number, workspaceId: number | null) {
  const endAt = ctx.now() + RUN_MS;
  let [left, delivered, failed] = [most, 0, 0];
  for (let round = 0; round < MAX_ROUNDS && left > 0 && ctx.now() < endAt; round++) {
    if (ctx.db.statementsLeft() < STATEMENTS_OF_ROUND) break;
    const [receivers] = await ctx.db.read(selectDueReceivers(ctx.now(), left, workspaceId));
    if (receivers.length === 0) break;
    const targets = await Promise.all(shareMessages(receivers, left).map((one) => toTarget(ctx, one)));
    const tried = await deliverRound(ctx, targets, (results) => follow(receivers, results, ctx.now()));
    if (tried.length === 0) break;
    const received = tried.filter(({ sent }) => sent.isDelivered).length;
    left -= tried.length;
    delivered += received;
    failed += tried.length - received;
  }
  return { delivered, failed };
}

/** The job of every minute. */
export const deliverEvents = (ctx: Sender) => deliverDue(ctx, ctx.config.maxMessagesPerRun, null);

type Requester = Pick<Context, "db" | "backgroundDb" | "config" | "now" | "waitUntil">;

/** Sends what waits for the receivers of a workspace behind a request, once more after five seconds. The job does the rest. */
export function deliverSoon(ctx: Requester, workspaceId: number): void {
  const own = { ...ctx, db: ctx.backgroundDb ?? ctx.db };
  const work = async () => {
    const { failed } = await deliverDue(own, MESSAGES_OF_REQUEST, workspaceId);
    if (failed === 0) return;
    await sleep(SECOND_TRY_MS);
    await deliverDue(own, MESSAGES_OF_REQUEST, workspaceId);
  };
  ctx.waitUntil(work().catch(() => undefined));
}

/** Sends a message that its row claims already, and returns what came of it. */
export async function deliverNow(
  ctx: Sender,
  receiver: DueReceiver,
  message: MessageRow,
): Promise<Sent | undefined> {
  const target = await toTarget(ctx, [receiver, 1]);
  return deliverClaimed(ctx, target, message, (results) => follow([receiver], results, ctx.now()));
}
