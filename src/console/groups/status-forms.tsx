import type { GroupOverview } from "../../activity-groups/overview";
import type { GroupStatus } from "../../lib/group-status";
import { href } from "../href";
import { Dangerous } from "../shell/form";
import { count } from "../shell/text";

function buttonLabel(from: GroupStatus, to: GroupStatus): string {
  if (from === "archived") return `Restore as ${to}`;
  return from === "completed" && to === "active" ? "Make active again" : `Mark as ${to}`;
}

function linksAfterArchiving({ active, archived }: GroupOverview["links"]): string {
  const all = active + archived;
  if (all === 0) return "It has no links.";
  return all === 1
    ? "Its link goes on as before: it leads where it leads, keeps its campaign and counts clicks."
    : `Its ${count(all, "link")} go on as before: they lead where they lead, keep their campaign and count clicks.`;
}

/** Whether the person saw a status that follows the dates: then the notice says if it no longer does. */
const Follows = ({ group }: { group: GroupOverview }) =>
  group.follows_dates ? <input type="hidden" name="follows" value="true" /> : null;

/** The forms that change the status of a group. */
export const StatusForms = ({ workspace, group }: { workspace: string; group: GroupOverview }) => {
  const action = href.groupStatus(workspace, group.id);
  return (
    <div class="stack">
      <div class="row">
        {group.moves
          .filter((to) => to !== "archived")
          .map((to) => (
            <form method="post" action={action}>
              <Follows group={group} />
              <button type="submit" name="status" value={to}>
                {buttonLabel(group.status, to)}
              </button>
            </form>
          ))}
      </div>
      {group.moves.includes("archived") && (
        <Dangerous
          summary="Archive"
          action={action}
          button="Archive this Activity Group"
          consequence={`The group moves to the archive, from where it can be restored as ${group.status}. ${linksAfterArchiving(group.links)}`}
        >
          <input type="hidden" name="status" value="archived" />
          <Follows group={group} />
        </Dangerous>
      )}
    </div>
  );
};
