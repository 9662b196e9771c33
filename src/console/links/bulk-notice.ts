import type { ChangeOutcome } from "../../links/change-many";
import type { ChangeLinks } from "../../links/schema";
import { count } from "../shell/text";

const MOST_NAMED = 3;

const DONE: Readonly<Record<ChangeLinks["change"], (links: string) => string>> = {
  tag: (links) => `Added the tag to ${links}.`,
  untag: (links) => `Took the tag off ${links}.`,
  move: (links) => `Moved ${links}.`,
  archive: (links) => `Archived ${links}.`,
  restore: (links) => `Restored ${links}.`,
};

/** "a, b, c and 2 more". */
function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const first = names.slice(0, MOST_NAMED).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/** What became of many links, in a few sentences: how many were changed, and which were refused and why. */
export function noticeOf(
  { change, activity_group_id: group }: Pick<ChangeLinks, "change" | "activity_group_id">,
  outcomes: readonly ChangeOutcome[],
): string {
  const changed = outcomes.filter(({ outcome }) => outcome === "changed").length;
  const unchanged = outcomes.filter(({ outcome }) => outcome === "unchanged").length;
  const refused = new Map<string, string[]>();
  for (const one of outcomes) {
    if (one.outcome !== "refused") continue;
    refused.set(one.message, [...(refused.get(one.message) ?? []), one.slug ?? one.id]);
  }
  const links = count(changed, "link");
  const isOut = change === "move" && group === null;
  return [
    changed === 0
      ? "No link was changed."
      : isOut
        ? `Took ${links} out of their Activity Group.`
        : DONE[change](links),
    ...(unchanged === 0
      ? []
      : [unchanged === 1 ? "1 link was so already." : `${count(unchanged, "link")} were so already.`]),
    ...[...refused].map(([message, names]) => `Not changed: ${named(names)}. ${message}`),
  ].join(" ");
}
