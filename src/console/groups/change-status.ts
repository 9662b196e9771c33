import type { Hono } from "hono";
import { z } from "zod";
import { GROUP_STATUSES } from "../../lib/group-status";
import { updateActivityGroup } from "../../resources/activity-groups/manage";
import type { ManagedActivityGroup } from "../../resources/activity-groups/schema";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, readForm } from "../shell/request";
import { linksGoOn } from "./dates";
import { showGroup } from "./detail";

const ARCHIVED = "The Activity Group is archived. Its links go on as before.";
const LINKS_ENDED =
  "The links have ended, except those with an end of their own. All visitors notice within five minutes.";
const NO_LONGER_FOLLOWS = " Its status no longer follows its dates.";
const LINKS_GO_ON = " Its links have not ended yet. You can end them now, below.";

const statusChange = z.object({ status: z.enum(GROUP_STATUSES) });

function noticeOf(group: ManagedActivityGroup, followed: boolean, now: number): string {
  if (group.status === "archived") return ARCHIVED;
  const goesOn = group.status === "completed" && linksGoOn(group, now) ? LINKS_GO_ON : "";
  const unfollowed = followed && group.follows_dates !== true ? NO_LONGER_FOLLOWS : "";
  return `The Activity Group is now ${group.status}.${unfollowed}${goesOn}`;
}

export function registerGroupStatus(app: Hono<ConsoleEnv>): void {
  app.post(paths.groupStatus, editorsOnly, async (c) => {
    const { ctx, workspace } = c.var;
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    const to = href.group(workspace, id);
    try {
      if (fields["end"] === "now") {
        await updateActivityGroup(ctx, id, { ends_at: ctx.now() });
        return redirectWithNotice(c, to, LINKS_ENDED);
      }
      const group = await updateActivityGroup(ctx, id, checked(statusChange, fields));
      return redirectWithNotice(c, to, noticeOf(group, fields["follows"] === "true", ctx.now()));
    } catch (error) {
      return showGroup(c, id, toProblem(error));
    }
  });
}
