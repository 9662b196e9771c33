import { and, asc, eq, getTableColumns, sql } from "drizzle-orm";
import { ensureRow } from "../../db/audit";
import type { Statement } from "../../db/client";
import { whereOwn } from "../../db/columns";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { messages, receivers, untoldVisits } from "../../db/schema/events";
import { whereHostBlocked } from "../../redirect/slugs/statements/blocked-host";
import { MAX_LISTED } from "./event-statements";

const { secret: _, ...shownColumns } = getTableColumns(receivers);

type MessageRow = typeof messages.$inferSelect;

/** A receiver without its secret. */
export const selectReceivers = (workspaceId: number) =>
  orm
    .select(shownColumns)
    .from(receivers)
    .where(eq(receivers.workspace_id, workspaceId))
    .orderBy(asc(receivers.id));

export const selectReceiver = (workspaceId: number, id: string) =>
  orm
    .select(shownColumns)
    .from(receivers)
    .where(whereOwn(receivers, workspaceId, id));

export type ReceiverRow = Awaited<ReturnType<typeof selectReceivers>>[number];

/** What a message to a receiver needs. */
export const selectForDelivery = (workspaceId: number, id: string) =>
  orm
    .select({
      id: receivers.id,
      name: receivers.name,
      url: receivers.url,
      secret: receivers.secret,
      is_on: receivers.is_on,
      failing_since: receivers.failing_since,
      is_blocked: sql<number>`${sql.raw(whereHostBlocked("receivers.host"))}`.as("is_blocked"),
      workspace: workspaces.slug,
    })
    .from(receivers)
    .innerJoin(workspaces, eq(workspaces.id, receivers.workspace_id))
    .where(whereOwn(receivers, workspaceId, id));

export const insertReceiver = (row: typeof receivers.$inferInsert) => orm.insert(receivers).values(row);

export const updateReceiver = (
  workspaceId: number,
  id: string,
  fields: Partial<typeof receivers.$inferInsert>,
) =>
  orm
    .update(receivers)
    .set(fields)
    .where(whereOwn(receivers, workspaceId, id));

/** True while a receiver is as it was read, but for what its messages change. */
export const ensureReceiverUnchanged = ({ failing_since: __, visits_from: ___, ...row }: ReceiverRow) =>
  ensureRow(receivers, row);

/** Deletes a receiver with its messages. */
export const deleteReceiver = (workspaceId: number, rowId: number): Statement[] => [
  ...[messages, untoldVisits].map((table) =>
    orm.delete(table).where(and(eq(table.receiver_id, rowId), eq(table.workspace_id, workspaceId))),
  ),
  orm.delete(receivers).where(and(eq(receivers.id, rowId), eq(receivers.workspace_id, workspaceId))),
];

/** What came last of each receiver of a workspace that was sent something: SQLite takes the other columns from the row with the maximum. */
export const selectLastDeliveries = (workspaceId: number) =>
  orm.all<{ receiver: string; tried_at: number; delivered_at: number | null; outcome: string | null }>(
    sql`select ${receivers.public_id} as receiver, max(tried_at) as tried_at, delivered_at, outcome
      from ${receivers} cross join ${messages} on ${messages.receiver_id} = ${receivers.id} and tried_at is not null
      where ${receivers.workspace_id} = ${workspaceId} group by ${receivers.id}`,
  );

/** The last deliveries of a receiver, those that were tried first. */
export const selectDeliveries = (workspaceId: number, id: string) =>
  orm.all<
    Pick<
      MessageRow,
      | ("event" | "kind" | "subject" | "amount" | "created_at" | "tries" | "due_at" | "tried_at")
      | "delivered_at"
    > &
      Pick<MessageRow, "outcome" | "answer">
  >(sql`select event, kind, subject, amount, ${messages.created_at} as created_at, tries, due_at, tried_at, delivered_at,
      outcome, answer
    from ${receivers} cross join ${messages} on ${messages.receiver_id} = ${receivers.id}
    where ${receivers.public_id} = ${id} and +${receivers.workspace_id} = ${workspaceId}
    order by tried_at desc nulls last, ${messages.id} desc limit ${MAX_LISTED}`);

export const countWaiting = (workspaceId: number, id: string) =>
  orm.all<{ waiting: number }>(sql`select count(*) as waiting from ${receivers}
    cross join ${messages} on ${messages.receiver_id} = ${receivers.id} and ${messages.due_at} is not null
    where ${receivers.public_id} = ${id} and +${receivers.workspace_id} = ${workspaceId}`);

/** A message that is sent at once, since it is claimed. */
export const insertClaimed = (row: typeof messages.$inferInsert) => orm.insert(messages).values(row);

const whereMessage = (workspaceId: number, rowId: number, event: string) =>
  and(
    eq(messages.receiver_id, rowId),
    eq(messages.event, event),
    sql`+${messages.workspace_id} = ${workspaceId}`,
  );

/** True while a delivery is stored. */
export const ensureMessage = (workspaceId: number, rowId: number, event: string) =>
  ensureRow(messages, { receiver_id: rowId, event, workspace_id: workspaceId });

/** Claims a delivery that is sent again. What another run finds out of it does not count any more. */
export const claimAgain = (workspaceId: number, rowId: number, event: string, until: number) =>
  orm
    .update(messages)
    .set({ tries: sql`iif(${messages.due_at} is null, 1, ${messages.tries} + 1)`, due_at: until })
    .where(whereMessage(workspaceId, rowId, event));

export const selectMessage = (workspaceId: number, rowId: number, event: string) =>
  orm
    .select()
    .from(messages)
    .where(whereMessage(workspaceId, rowId, event));
