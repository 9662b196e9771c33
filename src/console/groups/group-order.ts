import type { ListedGroup } from "../../resources/activity-groups/group-service";

// The orders of the list of groups. Groups that are equal in one are by name.

export const GROUP_SORTS = {
  status: "Current ones first",
  name: "By name",
  "-starts_at": "Latest start first",
  starts_at: "Earliest start first",
  "-links": "Most links first",
  "-visits": "Most visited first",
} as const;

export type GroupSort = keyof typeof GROUP_SORTS;

/** Groups that are over follow those that are not, and archived ones follow both. */
const LATER: Readonly<Partial<Record<ListedGroup["status"], number>>> = { completed: 1, archived: 2 };

/** Groups without a start come last in both directions. */
function compareStarts(one: ListedGroup, other: ListedGroup, direction: 1 | -1): number {
  const [first, second] = [one.starts_at, other.starts_at];
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  return direction * (Date.parse(first) - Date.parse(second));
}

/** Sorts groups that are by name. */
export function sortGroups(
  groups: readonly ListedGroup[],
  sort: GroupSort,
  visitsOf: (id: string) => number,
): readonly ListedGroup[] {
  switch (sort) {
    case "name":
      return groups;
    case "status":
      return groups.toSorted((one, other) => (LATER[one.status] ?? 0) - (LATER[other.status] ?? 0));
    case "starts_at":
      return groups.toSorted((one, other) => compareStarts(one, other, 1));
    case "-starts_at":
      return groups.toSorted((one, other) => compareStarts(one, other, -1));
    case "-links":
      return groups.toSorted((one, other) => other.links.active - one.links.active);
    case "-visits":
      return groups.toSorted((one, other) => visitsOf(other.id) - visitsOf(one.id));
  }
}
