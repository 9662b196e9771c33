import { KEY_EXPIRES_SOON_MS } from "../../access/keys";
import { selectQueueState } from "../../analytics/queue-statements";
import { LATE_MS as LATE_CLICKS_MS } from "../../analytics/report-limits";
import type { ServiceContext } from "../../context";
import { type AnswerCounts, sumAnswers } from "../../db/answer-count-statements";
import { timeOfId } from "../../lib/ids";
import { HOUR_MS, isoTime, isoTimeOrNull, MINUTE_MS } from "../../lib/time";
import { countDue, countLateTakedowns } from "../../redirect/slugs/statements/outbox";
import {
  type ExpiringKeyRow,
  type FailingDomainRow,
  type NearlyFullRow,
  selectExpiringKeys,
  selectFailingDomains,
  selectNearlyFull,
} from "./alert-repository";
import { type Alert, queueAlerts } from "./queue-alerts";

const OVERDUE_MS = 10 * MINUTE_MS;
/** KV shows a takedown to a new instance of the service only once it has taken it. */
const LATE_TAKEDOWN_MS = 2 * MINUTE_MS;
const MAX_COUNTED_PUSHES = 1_000;
/** The most new alerts of a kind in a run, at one query each. The others are found by the next runs. */
const MAX_FOUND = 10;

/** The minutes before this one of which answers count: the counts of a minute come after its end. */
const ANSWER_MINUTES = 5;
/** So many answers must have failed or be slow, and such a part of all. */
const MIN_BAD_ANSWERS = 10;
const MIN_BAD_PART = 0.02;

const TOLD_PERCENT = [70, 90] as const;

const inEnglish = (count: number): string => count.toLocaleString("en-GB");

/** Such as `2026-11-22 09:30 UTC`. */
const inMinutes = (at: number): string => `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;

const toLimitAlert = (row: NearlyFullRow): Alert => ({
  key: row.key,
  kind: "workspace.link_limit",
  workspaceId: row.workspace_id,
  text: `The workspace "${row.name}" has ${inEnglish(row.links)} of at most ${inEnglish(row.link_limit)} links.`,
  facts: { links: row.links, link_limit: row.link_limit },
});

const toKeyAlert = (row: ExpiringKeyRow): Alert => ({
  key: row.key,
  kind: "key.expires",
  workspaceId: row.workspace_id,
  text: `The API key "${row.name}" (ends in ${row.last4}) of the workspace "${row.workspace}" expires on ${inMinutes(row.expires_at)}.`,
  facts: {
    key: row.id,
    name: row.name,
    last4: row.last4,
    expires_at: isoTime(row.expires_at),
    last_used_at: isoTimeOrNull(row.last_used_at),
  },
});

const toDomainAlert = (row: FailingDomainRow): Alert => ({
  key: row.key,
  kind: "domain.failing",
  workspaceId: row.workspace_id,
  text: `The domain ${row.host} of the workspace "${row.workspace}" has not led to this service since ${inMinutes(row.failing_since)}.`,
  facts: { host: row.host, failing_since: isoTime(row.failing_since) },
});

function toPushesAlert(host: string, counted: number, oldest: number): Alert {
  const isMore = counted > MAX_COUNTED_PUSHES;
  const due = Math.min(counted, MAX_COUNTED_PUSHES);
  const count = `${isMore ? "more than " : ""}${inEnglish(due)} ${due === 1 ? "slug" : "slugs"}`;
  return {
    // While the oldest slug stays the same, the backlog is told once, else once an hour.
    key: `pushes.overdue:${oldest - (oldest % HOUR_MS)}`,
    kind: "pushes.overdue",
    text: `On ${host}, ${count} should have been written to KV at least ten minutes ago, the oldest at ${inMinutes(oldest)}.`,
    facts: { due, at_least: isMore, oldest_due_at: isoTime(oldest) },
  };
}

const toTakedownAlert = (host: string, late: number, oldest: number): Alert => ({
  key: `takedown.late:${oldest}`,
  kind: "takedown.late",
  text: `On ${host}, KV has not taken the takedown of ${inEnglish(late)} ${late === 1 ? "slug" : "slugs"} since ${inMinutes(oldest)}. The first visitor of a new instance may still be sent to the destination.`,
  facts: { slugs: late, oldest_at: isoTime(oldest) },
});

const toSizeAlert = (percent: number, bytes: number, maxBytes: number): Alert => ({
  key: `database.size:${percent}`,
  kind: "database.size",
  text: `The database has ${inEnglish(Math.round(bytes / 1e6))} MB, more than ${percent} % of the ${inEnglish(maxBytes / 1e6)} MB that the plan allows.`,
  facts: { bytes, max_bytes: maxBytes },
});

const toClicksAlert = (host: string, oldest: number): Alert => ({
  key: `clicks.waiting:${oldest - (oldest % HOUR_MS)}`,
  kind: "clicks.waiting",
  text: `On ${host}, clicks have waited since ${inMinutes(oldest)} to be added up. Figures lack them, and after two hours instances write no more.`,
  facts: { oldest_at: isoTime(oldest) },
});

function toAnswerAlerts(host: string, { answers, failed, slow }: AnswerCounts, now: number): Alert[] {
  const isMany = (bad: number) => bad >= MIN_BAD_ANSWERS && bad >= answers * MIN_BAD_PART;
  const alert = (kind: "errors.rate" | "d1.slow", bad: number, what: string): Alert[] =>
    isMany(bad)
      ? [
          {
            key: `${kind}:${now - (now % HOUR_MS)}`,
            kind,
            text: `On ${host}, ${what} for ${inEnglish(bad)} of ${inEnglish(answers)} requests of the last five minutes.`,
            facts: { answers, [kind === "d1.slow" ? "slow" : "failed"]: bad },
          },
        ]
      : [];
  return [
    ...alert("errors.rate", failed, "the answer was an error (5xx)"),
    ...alert("d1.slow", slow, "D1 took more than a second a call"),
  ];
}

/**
 * Queues alerts of workspaces near their limit, keys that expire soon, domains that stopped to answer, takedowns that KV has not
 * taken, overdue writes to KV, clicks that wait, failed and slow answers, and the size of the database. Those with the key of an alert that is still stored are ignored.
 */
export async function findAlerts(ctx: Pick<ServiceContext, "db" | "config" | "now">) {
  if (ctx.config.alertWebhook === null) return { found: 0 };
  const now = ctx.now();
  const firstMinute = Math.floor(now / MINUTE_MS) - ANSWER_MINUTES;
  const [full, keys, failing, [pushes], [takedowns], [clicks], [answers]] = await ctx.db.read(
    selectNearlyFull(MAX_FOUND),
    selectExpiringKeys(now, now + KEY_EXPIRES_SOON_MS, MAX_FOUND),
    selectFailingDomains(MAX_FOUND),
    countDue(now - OVERDUE_MS, MAX_COUNTED_PUSHES + 1),
    countLateTakedowns(now - LATE_TAKEDOWN_MS, MAX_COUNTED_PUSHES),
    selectQueueState(1),
    sumAnswers(firstMinute),
  );
  const { host } = new URL(ctx.config.shortBaseUrl);
  const alerts = [...full.map(toLimitAlert), ...keys.map(toKeyAlert), ...failing.map(toDomainAlert)];
  if (pushes?.oldest != null) alerts.push(toPushesAlert(host, pushes.due, pushes.oldest));
  if (takedowns?.oldest != null) alerts.push(toTakedownAlert(host, takedowns.late, takedowns.oldest));
  const waitingSince = timeOfId(clicks?.batch ?? "") ?? now;
  if (waitingSince < now - LATE_CLICKS_MS) alerts.push(toClicksAlert(host, waitingSince));
  if (answers !== undefined) alerts.push(...toAnswerAlerts(host, answers, now));
  const { maxDatabaseBytes: maxBytes } = ctx.config;
  const bytes = ctx.db.bytes();
  const reached = TOLD_PERCENT.filter((percent) => bytes * 100 >= percent * maxBytes);
  alerts.push(...reached.map((percent) => toSizeAlert(percent, bytes, maxBytes)));
  const [found = 0] = await ctx.db.writeOnce(...queueAlerts(ctx, alerts));
  return { found };
}
