import { knownValue } from "./known-value";

export const GROUP_TYPES = ["campaign", "always_on", "project", "event", "content", "other"] as const;
export const GROUP_STATUSES = ["draft", "scheduled", "active", "completed", "archived"] as const;
export type GroupStatus = (typeof GROUP_STATUSES)[number];
type OpenStatus = Exclude<GroupStatus, "archived">;

export const knownType = (stored: string) => knownValue(GROUP_TYPES, stored, "other");

/** The interface has no other status, so a group with one of a later release is shown as active. */
export const knownStatus = (stored: string) => knownValue(GROUP_STATUSES, stored, "active");

/**
 * Allows moves forward along draft, scheduled, active, completed, and back from completed to active. Any status may be
 * archived. An archived group may return only to its previous status.
 */
export function isStatusMove(from: GroupStatus, beforeArchive: OpenStatus | null, to: GroupStatus): boolean {
  if (from === to || to === "archived") return true;
  if (from === "archived") return to === beforeArchive;
  if (from === "completed" && to === "active") return true;
  return GROUP_STATUSES.indexOf(to) > GROUP_STATUSES.indexOf(from);
}

export const statusMoves = (from: GroupStatus, beforeArchive: OpenStatus | null): GroupStatus[] =>
  GROUP_STATUSES.filter((to) => to !== from && isStatusMove(from, beforeArchive, to));

/** When a group begins and ends, in milliseconds since the epoch. */
export interface GroupDates {
  startsAt: number | null;
  endsAt: number | null;
}

/** The status at a time of a group that follows its dates. It never goes back, and an archived group stays archived. */
export function statusByDates(status: GroupStatus, dates: GroupDates, now: number): GroupStatus {
  const { startsAt, endsAt } = dates;
  if (status === "archived" || status === "completed") return status;
  if (endsAt !== null && endsAt <= now) return "completed";
  return startsAt !== null && startsAt <= now ? "active" : status;
}
