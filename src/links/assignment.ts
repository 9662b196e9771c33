import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Statement } from "../db/client";
import { prepared } from "../db/prepared";
import { activityGroupItems } from "../db/schema";
import type { LinkFields } from "./changes";
import { type LinkRow, linkRowId } from "./repository";

// The statements that keep the history of a link's Activity Groups; its open item of role `primary` is its assignment.

/** The item of a link's present assignment. */
const openItem = (workspaceId: number, linkRowId: number): SQL | undefined =>
  and(
    eq(activityGroupItems.workspace_id, workspaceId),
    eq(activityGroupItems.link_id, linkRowId),
    eq(activityGroupItems.role, "primary"),
    isNull(activityGroupItems.ended_at),
  );

/** Ends a link's present assignment. */
export const endItem = prepared(
  (workspaceId: number, linkRowId: number, at: number): Statement =>
    (orm) =>
      orm.update(activityGroupItems).set({ ended_at: at }).where(openItem(workspaceId, linkRowId)),
);

const insertItem =
  (
    workspaceId: number,
    link: SQL | number,
    groupRowId: number,
    channel: string | null,
    at: number,
  ): Statement =>
  (orm) =>
    orm.insert(activityGroupItems).values({
      workspace_id: workspaceId,
      link_id: link,
      activity_group_id: groupRowId,
      role: "primary",
      channel,
      started_at: at,
    });

/** Opens the item of a new link in a group, given by its row id. */
export const beginItem = prepared(
  (workspaceId: number, id: string, groupRowId: number, channel: string | null, at: number) =>
    insertItem(workspaceId, linkRowId(workspaceId, id), groupRowId, channel, at),
);

const beginItemOfRow = prepared(
  (workspaceId: number, linkRowId: number, groupRowId: number, channel: string | null, at: number) =>
    insertItem(workspaceId, linkRowId, groupRowId, channel, at),
);

const setChannelOfItem = prepared(
  (workspaceId: number, linkRowId: number, channel: string | null): Statement =>
    (orm) =>
      orm.update(activityGroupItems).set({ channel }).where(openItem(workspaceId, linkRowId)),
);

/** Brings what an update gives a link to its assignment. The batch must find the link as its row says. */
export function moveItem(
  workspaceId: number,
  row: LinkRow,
  { activityGroup = row.group.id, channel = row.channel }: Pick<LinkFields, "activityGroup" | "channel">,
  at: number,
): Statement[] {
  if (activityGroup === row.group.id) {
    return activityGroup === null || channel === row.channel
      ? []
      : [setChannelOfItem(workspaceId, row.id, channel)];
  }
  return [
    ...(row.group.id === null ? [] : [endItem(workspaceId, row.id, at)]),
    ...(activityGroup === null ? [] : [beginItemOfRow(workspaceId, row.id, activityGroup, channel, at)]),
  ];
}
