import type { ServiceContext } from "../../context";
import { LostRace } from "../../errors";
import { knownStatus, statusByDates } from "../../lib/group-status";
import { queueEvents } from "../events/event-statements";
import { groupEvents } from "./group-events";
import {
  ensureGroupsUnchanged,
  selectEndedGroups,
  selectStartedGroups,
  updateStatuses,
} from "./group-repository";
import { toActivityGroup } from "./group-service";

/** Bounds the rows of a run. It takes five D1 queries, however many groups there are. */
const MAX_GROUPS_PER_RUN = 250;
/** Of those that have receivers. Each takes two queries more. */
const MAX_WORKSPACES_WITH_RECEIVERS = 4;

/**
 * Gives groups that follow their dates the status of the time. If somebody changes one of the groups meanwhile, nothing is
 * written: their change has set its status by the dates too, and the others stay due for the next run.
 */
export async function followDates(ctx: Pick<ServiceContext, "db" | "actor" | "now">) {
  const at = ctx.now();
  const [ended, started] = await ctx.db.read(
    selectEndedGroups(at, MAX_GROUPS_PER_RUN),
    selectStartedGroups(at, MAX_GROUPS_PER_RUN),
  );
  // A group that has ended and never started is in both lists.
  const all = new Map([...started, ...ended].map((group) => [group.id, group]));
  const hearing = new Set<number>();
  const due = [...all.values()].filter(({ workspace_id: id, has_receivers: has }) => {
    if (has === 1 && hearing.size < MAX_WORKSPACES_WITH_RECEIVERS) hearing.add(id);
    return has === 0 || hearing.has(id);
  });
  const changes = due.map((group) => {
    const status = statusByDates(group.status, { startsAt: group.starts_at, endsAt: group.ends_at }, at);
    return { group, status };
  });
  const [first, ...others] = changes.map(({ group, status }) => ({
    workspaceId: group.workspace_id,
    subject: group.public_id,
    before: JSON.stringify({ status: group.status }),
    change: { status },
  }));
  if (first === undefined) return { changed: 0 };
  const eventsIn = (workspaceId: number) => {
    const own = changes.filter(({ group }) => group.workspace_id === workspaceId);
    const events = own.flatMap(({ group, status }) =>
      groupEvents(knownStatus(group.status), toActivityGroup({ ...group, status })),
    );
    return queueEvents(workspaceId, events, at);
  };
  const statuses = changes.map(({ group, status }) => [group.public_id, status] as const);
  try {
    await ctx.db.write(
      {
        ...first,
        actor: ctx.actor,
        action: "group.update",
        at,
        others,
        guards: [ensureGroupsUnchanged(changes.map(({ group }) => [group.public_id, group.version]))],
      },
      [updateStatuses(statuses, at), ...[...hearing].flatMap(eventsIn)],
    );
  } catch (error) {
    if (error instanceof LostRace) return { changed: 0 };
    throw error;
  }
  return { changed: changes.length };
}
