import type { GroupStatus } from "../../lib/group-status";
import type { GroupOverview } from "../../resources/activity-groups/service";
import { Button } from "../shell/button";
import { Dangerous } from "../shell/form";
import { here } from "../shell/href";
import { currentPage } from "../shell/request";
import { count } from "../shell/text";
import { linksGoOn } from "./dates";

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

const linksThatEnd = (total: number): string =>
  total === 1
    ? "its link, unless it has an end of its own"
    : `its ${count(total, "link")}, except those with an end of their own`;

const afterTheEnd = (endedUrl: string | null): string =>
  endedUrl === null
    ? "Visitors then see a page that says that the link has ended, unless the link has an address for it."
    : `Visitors are then sent to ${endedUrl}, unless the link has an address of its own.`;

/** Whether the person saw a status that follows the dates: then the notice says if it no longer does. */
const Follows = ({ group }: { group: GroupOverview }) =>
  group.follows_dates ? <input type="hidden" name="follows" value="true" /> : null;

/** The forms that change the status of a group. */
export const StatusForms = ({ group }: { group: GroupOverview }) => {
  const action = here.groupStatus(group.id);
  return (
    <div class="stack">
      <div class="row">
        {group.moves
          .filter((to) => to !== "archived")
          .map((to) => (
            <form method="post" action={action}>
              <Follows group={group} />
              <Button label={buttonLabel(group.status, to)} name="status" value={to} />
            </form>
          ))}
      </div>
      {group.status !== "archived" && linksGoOn(group, currentPage().var.ctx.now()) && (
        <Dangerous
          summary="End the links now"
          action={action}
          button="End the links now"
          consequence={`The group ends now, and with it ${linksThatEnd(group.links.active + group.links.archived)}. ${afterTheEnd(group.ended_url)}`}
        >
          <input type="hidden" name="end" value="now" />
          <Follows group={group} />
        </Dangerous>
      )}
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
