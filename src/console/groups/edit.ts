import type { Hono } from "hono";
import { updateActivityGroup } from "../../activity-groups/manage";
import { getGroupOverview } from "../../activity-groups/overview";
import { type ActivityGroup, changedActivityGroup } from "../../activity-groups/schema";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { changedFields } from "../shell/initial-fields";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, readForm } from "../shell/request";
import { toDateFields, withDates } from "./dates";
import { showGroupForm } from "./form";

const toFields = (group: ActivityGroup) => ({
  name: group.name,
  slug: group.slug,
  type: group.type,
  description: group.description,
  default_utm_campaign: group.default_utm_campaign,
  ...toDateFields(group),
});

export function registerEditGroup(app: Hono<ConsoleEnv>): void {
  app.get(paths.editGroup, editorsOnly, async (c) => {
    const group = await getGroupOverview(c.var.ctx, c.req.param("id"));
    return showGroupForm(c, group.id, toFields(group));
  });

  app.post(paths.editGroup, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const input = checked(changedActivityGroup.omit({ status: true }), withDates(changedFields(fields)));
      const group = await updateActivityGroup(c.var.ctx, id, input);
      return redirectWithNotice(
        c,
        href.group(c.var.membership.workspace.slug, group.id),
        "The changes were saved.",
      );
    } catch (error) {
      return showGroupForm(c, id, fields, toProblem(error));
    }
  });
}
