import type { ChangeOutcome } from "../../links/change-many";
import type { ChangeLinks } from "../../links/schema";
import { count } from "../shell/text";

const MAX_NAMES = 3;

const DONE: Readonly<Record<ChangeLinks["change"], (links: string) => string>> = {
  tag: (links) => `Added the tag to ${links}.`,
  untag: (links) => `Took the tag off ${links}.`,
  move: (links) => `Moved ${links}.`,
  archive: (links) => `Archived ${links}.`,
  restore: (links) => `Restored ${links}.`,
};

/** "a, b, c and 2 more". */
function joinNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/** How many links were changed, and which were refused and why. */
export function describeOutcomes(
  { change, activity_group_id: group }: Pick<ChangeLinks, "change" | "activity_group_id">,
  outcomes: readonly ChangeOutcome[],
): string {
  const changed = outcomes.filter(({ outcome }) => outcome === "changed").length;
  const unchanged = outcomes.filter(({ outcome }) => outcome === "unchanged").length;
  const namesByReason = new Map<string, string[]>();
  for (const one of outcomes) {
    if (one.outcome !== "refused") continue;
    namesByReason.set(one.message, [...(namesByReason.get(one.message) ?? []), one.slug ?? one.id]);
  }
  const links = count(changed, "link");
  const leavesGroup = change === "move" && group === null;
  return [
    changed === 0
      ? "No link was changed."
      : leavesGroup
        ? `Took ${links} out of their Activity Group.`
        : DONE[change](links),
    ...(unchanged === 0
      ? []
      : [unchanged === 1 ? "1 link was so already." : `${count(unchanged, "link")} were so already.`]),
    ...[...namesByReason].map(([reason, names]) => `Not changed: ${joinNames(names)}. ${reason}`),
  ].join(" ");
}
