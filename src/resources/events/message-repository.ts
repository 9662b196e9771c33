import { type SQL, sql } from "drizzle-orm";
import { boundList, fromList, inList, listed, listedAs } from "../../db/bound-list";
import type { Statement } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { messages, receivers, untoldVisits } from "../../db/schema/events";
import { whereHostBlocked } from "../../redirect/slugs/statements/blocked-host";
import { MAX_LISTED } from "./event-statements";

export type MessageRow = typeof messages.$inferSelect;

/** A receiver with a message that is due. */
export interface DueReceiver {
  id: number;
  url: string;
  secret: string;
  is_blocked: number;
  failing_since: number | null;
  /** The slug of its workspace. */
  workspace: string;
}

/** Each receiver with messages that wait, found by one step in the index. */
const WAITING = sql`with recursive waiting(id) as (
  select min(receiver_id) from ${messages} where due_at is not null
  union all select (select min(receiver_id) from ${messages} where due_at is not null and receiver_id > waiting.id)
  from waiting where waiting.id is not null)`;

/** The receivers with messages that are due, those that failed last after the others, in turns of workspaces. */
export const selectDueReceivers = (at: number, limit: number, workspaceId: number | null) =>
  orm.all<DueReceiver>(sql`${WAITING}
    select own.id, own.url, own.secret, own.failing_since, ${workspaces.slug} as workspace,
      ${sql.raw(whereHostBlocked("own.host"))} as is_blocked
    from waiting cross join ${receivers} as own on own.id = waiting.id
      cross join ${workspaces} on ${workspaces.id} = own.workspace_id and ${workspaces.suspended_at} is null
    where (select min(due_at) from ${messages} where receiver_id = waiting.id and due_at is not null) <= ${at}
      and coalesce(own.workspace_id = ${workspaceId}, true)
    order by own.failing_since is not null, row_number() over (partition by own.workspace_id order by own.id),
      (select min(due_at) from ${messages} where receiver_id = waiting.id and due_at is not null) limit ${limit}`);

/**
 * Counts a try of up to `most` due messages of each receiver, those first that are due for longest, and moves it to `until`, so that no
 * other run sends them. A message waits for those before it of the same subject. The indexes keep what a receiver that fails has
 * waiting from being read again and again.
 */
export const claimMessages = (ids: readonly number[], at: number, until: number, most: number) =>
  orm.run(sql`update ${messages} set tries = tries + 1, due_at = ${until}
    where id in (select own.id from ${fromList(boundList(ids))} cross join ${messages} as own on own.id in (
      select next.id from ${messages} as next indexed by messages_due
      where next.receiver_id = ${listed()} and next.due_at is not null and next.due_at <= ${at}
        and not exists (select 1 from ${messages} as earlier indexed by messages_waiting
          where earlier.receiver_id = next.receiver_id
          and earlier.subject = next.subject and earlier.id < next.id and earlier.due_at is not null)
      order by next.due_at, next.id limit ${most}))`);

export const selectClaimed = (ids: readonly number[], until: number) =>
  orm.all<MessageRow>(sql`select * from ${messages}
    where receiver_id in ${inList(boundList(ids))} and due_at = ${until} order by id`);

export interface Settled
  extends Pick<MessageRow, "id" | "tries" | "due_at" | "tried_at" | "delivered_at" | "outcome" | "answer"> {
  /** The tries that were counted when it was claimed. */
  claimed: number;
}

/** Stores the results of tries, unless another run has claimed a message since. */
export const settleMessages = (rows: readonly Settled[]) => {
  const names = [
    "id",
    "claimed",
    "tries",
    "due_at",
    "tried_at",
    "delivered_at",
    "outcome",
    "answer",
  ] as const;
  const own = listedAs(...names);
  return orm.run(sql`update ${messages} set tries = ${own.tries}, due_at = ${own.due_at}, tried_at = ${own.tried_at},
      delivered_at = ${own.delivered_at}, outcome = ${own.outcome}, answer = ${own.answer}
    from ${fromList(boundList(rows.map((row) => names.map((name) => row[name]))))}
    where ${messages.id} = ${own.id} and ${messages.tries} = ${own.claimed} and ${messages.due_at} is not null`);
};

/** A message, and when those of its subject that wait for it are due: when it is tried again, or at once. */
export type Followed = readonly [receiverId: number, subject: string, id: number, dueAt: number];

/** So that what waits for a message that fails is not looked at until then. */
export const moveFollowers = (rows: readonly Followed[]) => {
  const first = listedAs("receiver", "subject", "id", "dueAt");
  return orm.run(sql`update ${messages} indexed by messages_waiting set due_at = ${first.dueAt} from ${fromList(boundList(rows))}
    where ${messages.receiver_id} = ${first.receiver} and ${messages.subject} = ${first.subject} and ${messages.id} > ${first.id}
      and ${messages.due_at} is not null and ${messages.due_at} <> ${first.dueAt}`);
};

/** A receiver that is switched off, if it still has the URL that failed. */
export type Stop = readonly [id: number, url: string, by: "gone" | "failures"];

/** Stores which receivers fail, and switches off those that have failed for too long or are gone. */
export function settleReceivers(
  results: readonly (readonly [id: number, hasFailed: 0 | 1])[],
  stops: readonly Stop[],
  at: number,
): Statement[] {
  const stop = listedAs("id", "url", "by");
  const result = listedAs("id", "hasFailed");
  const off = sql`select own.id from ${fromList(boundList(stops))} cross join ${receivers} as own
    on own.id = ${stop.id} and own.url = ${stop.url} where own.is_on = 0`;
  return [
    orm.run(sql`update ${receivers} set failing_since = iif(${result.hasFailed}, ${at}, null) from ${fromList(boundList(results))}
      where ${receivers.id} = ${result.id} and (${receivers.failing_since} is null) = ${result.hasFailed}`),
    ...(stops.length === 0
      ? []
      : [
          orm.run(sql`update ${receivers} set is_on = 0, switched_off_at = ${at}, switched_off_by = ${stop.by}, visits_from = null
            from ${fromList(boundList(stops))}
            where ${receivers.id} = ${stop.id} and ${receivers.url} = ${stop.url} and ${receivers.is_on} = 1`),
          ...dropWaiting(off),
        ]),
  ];
}

/** What becomes of the messages and visits that receivers, a sub-select, were not told of. */
const dropWaiting = (ids: SQL): Statement[] => [
  orm.run(sql`update ${messages} set due_at = null, outcome = coalesce(outcome, 'not sent, since the receiver is off')
    where due_at is not null and receiver_id in (${ids})`),
  orm.run(sql`delete from ${untoldVisits} where receiver_id in (${ids})`),
];

export const dropWaitingOf = (rowId: number): Statement[] => dropWaiting(sql`${rowId}`);

/** Deletes the deliveries of receivers that are older than their last hundred. */
export const trimMessages = (ids: readonly number[]) =>
  orm.run(sql`delete from ${messages} where id in (select old.id from ${fromList(boundList(ids))}
    cross join ${messages} as old on old.receiver_id = ${listed()} and old.due_at is null
      and old.event < (select event from ${messages} as last where last.receiver_id = ${listed()} and last.due_at is null
        order by last.event desc limit 1 offset ${MAX_LISTED - 1}))`);
