import type { Hono } from "hono";
import { createActivityGroup } from "../../resources/activity-groups/manage";
import { namedActivityGroup } from "../../resources/activity-groups/schema";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { sayErrors } from "../links/error-labels";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, readForm } from "../shell/request";
import { withDates } from "./dates";
import { showGroupForm } from "./form";

export function registerNewGroup(app: Hono<ConsoleEnv>): void {
  app.get(paths.newGroup, editorsOnly, (c) => showGroupForm(c, undefined, { type: "campaign" }));

  app.post(paths.newGroup, editorsOnly, async (c) => {
    const { fields } = await readForm(c);
    const zone = c.var.membership.workspace.timeZone;
    try {
      const group = await createActivityGroup(
        c.var.ctx,
        checked(namedActivityGroup, withDates(fields, zone)),
      );
      return redirectWithNotice(c, href.group(c.var.workspace, group.id), "The Activity Group was created.");
    } catch (error) {
      return showGroupForm(c, undefined, fields, sayErrors(toProblem(error)));
    }
  });
}
