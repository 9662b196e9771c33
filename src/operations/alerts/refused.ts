import type { ServiceContext } from "../../context";
import { type RefusalCode, ServiceError } from "../../errors";
import { DAY_MS, isoTime, SECOND_MS } from "../../lib/time";
import { logLine } from "../../log";
import { send } from "../../resources/events/webhook";
import type { AlertKind } from "./alert-repository";
import { toBody } from "./message";
import { openWebhook } from "./operator-webhook";

/** What D1 refuses with for longer, and an operator can do something about. It is told once a day, or once an hour. */
const REFUSED: Partial<Record<RefusalCode, { kind: AlertKind; every: "day" | "hour"; text: string }>> = {
  daily_limit: {
    kind: "daily_limit",
    every: "day",
    text: "D1's rows of today are used up, so every query fails until 00:00 UTC. Redirects go on from KV, and clicks wait.",
  },
  database_full: {
    kind: "database.full",
    every: "hour",
    text: "The database or the account's storage of D1 is full, so nothing is written. Redirects go on.",
  },
  overloaded: {
    kind: "d1.overloaded",
    every: "hour",
    text: "D1 refuses calls: it is overloaded, was reset for its CPU or memory, or is being exported. Redirects go on from KV.",
  },
};

/**
 * Tells the operator at once what D1 refuses the jobs with: alerts are queued in D1. KV remembers what was told. If it refuses
 * too, the first run of an hour tells it again.
 */
export async function tellRefusal(
  ctx: Pick<ServiceContext, "kv" | "config" | "now">,
  reasons: readonly unknown[],
): Promise<void> {
  const { alertWebhook: address, alertSecret, shortBaseUrl } = ctx.config;
  const codes = reasons.flatMap((reason) => (reason instanceof ServiceError ? [reason.code] : []));
  const refused = codes.map((code) => REFUSED[code]).find((one) => one !== undefined);
  if (address === null || refused === undefined) return;
  const { kind, every, text } = refused;
  const at = ctx.now();
  // No slug has a colon.
  const id = `alert:${kind}:${isoTime(at).slice(0, every === "day" ? 10 : 13)}`;
  if ((await ctx.kv.get(id).catch(() => null)) !== null) return;
  const isRemembered = await ctx.kv.put(id, "told", { expirationTtl: DAY_MS / SECOND_MS }).then(
    () => true,
    () => false,
  );
  if (!isRemembered && isoTime(at).slice(14, 16) !== "00") return;
  const on = `On ${new URL(shortBaseUrl).host}: `;
  const body = toBody([{ kind, created_at: at, workspace: null, text: on + text, facts: "{}" }]);
  const { isDelivered, outcome } = await openWebhook(address, alertSecret).then(
    (webhook) => send(webhook, id, body, at),
    (error: Error) => ({ isDelivered: false, outcome: error.message }),
  );
  if (isDelivered) return;
  logLine("alert_not_delivered", { message: id, events: 1, tries: 1, outcome, given_up: false });
  await ctx.kv.delete(id).catch(() => undefined);
}
