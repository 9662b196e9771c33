import type { Hono } from "hono";
import { z } from "zod";
import { updateActivityGroup } from "../../activity-groups/manage";
import { GROUP_STATUSES } from "../../lib/group-status";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, readForm } from "../shell/request";
import { showGroup } from "./detail";

const ARCHIVED = "The Activity Group is archived. Its links go on as before.";

const STOPPED = " Its status no longer follows its dates.";

const statusChange = z.object({ status: z.enum(GROUP_STATUSES) });

export function registerGroupStatus(app: Hono<ConsoleEnv>): void {
  app.post(paths.groupStatus, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const { status, follows_dates: follows } = await updateActivityGroup(
        c.var.ctx,
        id,
        checked(statusChange, fields),
      );
      const to = href.group(c.var.membership.workspace.slug, id);
      const stopped = fields["follows"] === "true" && follows !== true ? STOPPED : "";
      return redirectWithNotice(
        c,
        to,
        status === "archived" ? ARCHIVED : `The Activity Group is now ${status}.${stopped}`,
      );
    } catch (error) {
      return showGroup(c, id, toProblem(error));
    }
  });
}
