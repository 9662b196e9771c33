import { type SQL, sql } from "drizzle-orm";
import { type BoundList, fromList, listedAs } from "../../db/bound-list";
import type { Statement } from "../../db/client";
import { orm, prepared } from "../../db/prepared";
import { auditLog } from "../../db/schema/audit";
import { messages, receivers } from "../../db/schema/events";
import { chunksBySize } from "../../lib/chunks";
import { idsInOrder, newId } from "../../lib/ids";
import { MINUTE_MS } from "../../lib/time";
import type { EventKind, WorkspaceEvent } from "./event-kinds";

// What batches of other features write so that the receivers of a workspace hear of their changes. Each statement begins with the
// receivers, so a workspace without any has no rows read or written.

/** A change of more links than this is one message. */
export const MAX_MESSAGES_OF_BATCH = 500;
/** Of a receiver. With more, or more characters, further events are one message for each kind. */
export const MAX_WAITING = 1_000;
export const MAX_WAITING_CHARACTERS = 4_000_000;
/** How many deliveries of a receiver are kept. */
export const MAX_LISTED = 100;
/** A sum waits so long for others. */
const SUM_DELAY_MS = MINUTE_MS;

const wants = (kind: SQL): SQL => sql`instr(receiver.kinds, '"' || ${kind} || '"') > 0`;

const isOn = sql`own.is_on = 1`;

/** How many links a change of many, or an import, has changed so far, as far as it matters. */
const selectEntries = (many: string | null, importId: string | null): SQL => sql`(select count(*) from (
    select 1 from ${auditLog} where batch = ${many} and action <> 'link.import'
    union all select 1 from ${auditLog} where operation_id > ${importId} || '.' and operation_id < ${importId} || '/'
    limit ${MAX_MESSAGES_OF_BATCH + 1}))`;

/** Read once for each receiver, since SQLite would read it again for each event. */
const withRoom = (
  workspaceId: number,
  many: string | null,
  importId: string | null,
): SQL => sql`with receiver as materialized (
    select own.workspace_id, own.id, own.kinds, ${selectEntries(many, importId)} as entries, count(waiting.size) as waiting,
      coalesce(sum(waiting.size), 0) as characters
    from ${receivers} as own left join ${messages} as waiting on waiting.receiver_id = own.id and waiting.due_at is not null
    where own.workspace_id = ${workspaceId} and ${isOn} group by own.id)`;

const listedEvent = () => listedAs("id", "kind", "subject", "data");

const insertMessages = prepared(
  (workspaceId: number, many: string | null, importId: string | null, events: BoundList, at: number) => {
    const event = listedEvent();
    return orm.run(sql`${withRoom(workspaceId, many, importId)}
    insert into ${messages} (workspace_id, receiver_id, event, kind, subject, data, size, created_at, due_at)
    select receiver.workspace_id, receiver.id, ${event.id}, ${event.kind}, ${event.subject}, ${event.data},
      length(${event.data}), ${at}, ${at}
    from receiver cross join ${fromList(events)}
    where ${wants(event.kind)} and receiver.entries <= ${MAX_MESSAGES_OF_BATCH} and receiver.waiting < ${MAX_WAITING}
      and receiver.characters < ${MAX_WAITING_CHARACTERS}
    on conflict (receiver_id, event) do nothing`);
  },
);

/** While it waits, a sum grows. */
const ADD_UP = sql`on conflict (receiver_id, kind) where amount is not null and tries = 0 and due_at is not null
  do update set amount = amount + excluded.amount`;

/** Adds the events that have no message of their own up. */
const addUpOthers = prepared((workspaceId: number, events: BoundList, at: number) => {
  const event = listedEvent();
  return orm.run(sql`insert into ${messages} (workspace_id, receiver_id, event, kind, amount, created_at, due_at)
    select receiver.workspace_id, receiver.id, min(${event.id}), ${event.kind}, count(*), ${at}, ${at} + ${SUM_DELAY_MS}
    from (select own.workspace_id, own.id, own.kinds from ${receivers} as own
        where own.workspace_id = ${workspaceId} and ${isOn}) as receiver
      cross join ${fromList(events)}
    where ${wants(event.kind)} and not exists (select 1 from ${messages}
      where ${messages.receiver_id} = receiver.id and ${messages.event} = ${event.id})
    group by receiver.id, ${event.kind} ${ADD_UP}`);
});

/**
 * The statements that queue events for the receivers that want them. They belong in the batch that makes them true, behind its audit
 * entries: these count the links of a change of many (by its batch) or of an import.
 */
export function queueEvents(
  workspaceId: number,
  events: readonly WorkspaceEvent[],
  at: number,
  { many = null, importId = null }: { many?: string | null; importId?: string | null } = {},
): Statement[] {
  const nextId = idsInOrder();
  const rows = events.map(({ id = nextId(at), kind, subject, data }) => [
    id,
    kind,
    subject,
    JSON.stringify(data),
  ]);
  return chunksBySize(rows).flatMap((chunk) => [
    insertMessages(workspaceId, many, importId, chunk, at),
    addUpOthers(
      workspaceId,
      chunk.map(([id, kind]) => [id, kind]),
      at,
    ),
  ]);
}

/** The statement that adds a number of events up in one message; none if the number is 0. */
export const queueSum = (workspaceId: number, kind: EventKind, amount: SQL, at: number): Statement =>
  orm.run(sql`insert into ${messages} (workspace_id, receiver_id, event, kind, amount, created_at, due_at)
    select workspace_id, id, ${newId(at)}, ${kind}, amount, ${at}, ${at} + ${SUM_DELAY_MS}
    from (select own.*, ${amount} as amount from ${receivers} as own
      where own.workspace_id = ${workspaceId} and ${isOn}) as receiver
    where ${wants(sql`${kind}`)} and amount > 0 ${ADD_UP}`);

/** A row if a message of the workspace is due. */
export const selectIsDue = prepared((workspaceId: number, at: number) =>
  orm.all<{ due: number }>(sql`select 1 as due from ${receivers} as own cross join ${messages} as waiting
    on waiting.receiver_id = own.id and waiting.due_at is not null and waiting.due_at <= ${at}
    where own.workspace_id = ${workspaceId} limit 1`),
);

/** 1 if the workspace has a receiver that is on. */
export const hasReceivers = (workspaceId: SQL): SQL<number> =>
  sql`exists (select 1 from ${receivers} as own where own.workspace_id = ${workspaceId} and ${isOn})`;

/** A row if a receiver of the workspace wants the kind, or any without one. */
export const selectIsWanted = (workspaceId: number, kind?: EventKind) =>
  orm.all<{ wanted: number }>(sql`select 1 as wanted from ${receivers} as receiver
    where receiver.workspace_id = ${workspaceId} and receiver.is_on = 1
      and ${kind === undefined ? sql`true` : wants(sql`${kind}`)} limit 1`);
