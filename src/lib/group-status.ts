export const GROUP_STATUSES = ["draft", "scheduled", "active", "completed", "archived"] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];
export type OpenStatus = Exclude<GroupStatus, "archived">;

const ORDER: readonly GroupStatus[] = ["draft", "scheduled", "active", "completed"];

/**
 * Whether a group may go from one status to another: forward along draft, scheduled, active, completed, back from
 * completed to active, into the archive from anywhere, and out of it to what it was before.
 */
export function isStatusMove(from: GroupStatus, beforeArchive: OpenStatus | null, to: GroupStatus): boolean {
  if (from === to || to === "archived") return true;
  if (from === "archived") return to === beforeArchive;
  if (from === "completed" && to === "active") return true;
  return ORDER.indexOf(to) > ORDER.indexOf(from);
}

/** The statuses that a group may go to from its own. */
export const statusMoves = (from: GroupStatus, beforeArchive: OpenStatus | null): GroupStatus[] =>
  GROUP_STATUSES.filter((to) => to !== from && isStatusMove(from, beforeArchive, to));
