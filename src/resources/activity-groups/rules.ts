import type { FieldError } from "../../errors";
import { destinationHost, destinationProblem } from "../../lib/destination";
import { type GroupStatus, isStatusMove } from "../../lib/group-status";
import { selectRefusedHosts } from "../destinations/statements";
import type { ActivityGroupRow } from "./statements";

// What creating and updating a group have in common.

export const endsTooEarly = (
  startsAt: number | null | undefined,
  endsAt: number | null | undefined,
): FieldError | undefined =>
  startsAt != null && endsAt != null && endsAt < startsAt
    ? {
        field: "ends_at",
        message: "The ends at field must be a time after or equal to starts at.",
        code: "range",
      }
    : undefined;

/** The broken rule of an `ended_url` that needs no database. */
export function brokenRule(endedUrl: string | null | undefined): FieldError | undefined {
  const problem = endedUrl == null ? undefined : destinationProblem(endedUrl, "ended_url");
  return problem && { field: "ended_url", message: problem.message, code: problem.code };
}

export const selectBlocked = (endedUrl: string | null | undefined) =>
  endedUrl == null ? undefined : selectRefusedHosts([destinationHost(endedUrl)]);

export function statusProblem(row: ActivityGroupRow, to: GroupStatus | undefined): FieldError | undefined {
  if (to === undefined || isStatusMove(row.status, row.status_before_archive, to)) return undefined;
  const message =
    row.status === "archived"
      ? `An archived Activity Group can only be restored to ${row.status_before_archive}.`
      : `An Activity Group cannot go from ${row.status} to ${to}.`;
  return { field: "status", message, code: "state" };
}
