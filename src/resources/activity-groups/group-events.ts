import type { GroupStatus } from "../../lib/group-status";
import type { WorkspaceEvent } from "../events/event-kinds";
import type { ActivityGroup } from "./group-schema";

/** What the receivers of a workspace hear of a group that had the status `was`; undefined for a new group. */
export function groupEvents(was: GroupStatus | undefined, group: ActivityGroup): WorkspaceEvent[] {
  const { id: subject, status } = group;
  // An archived group that is restored neither starts nor ends.
  if (status === was || was === "archived") return [];
  if (status === "active") return [{ kind: "group.started", subject, data: group }];
  return status === "completed" ? [{ kind: "group.ended", subject, data: group }] : [];
}
