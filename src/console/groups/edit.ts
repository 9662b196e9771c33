import type { Hono } from "hono";
import { createActivityGroup, updateActivityGroup } from "../../resources/activity-groups/manage";
import { type GroupOverview, getGroupOverview } from "../../resources/activity-groups/overview";
import { changedActivityGroup, namedActivityGroup } from "../../resources/activity-groups/schema";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { sayErrors } from "../links/error-labels";
import type { Form } from "../shell/form-body";
import { changedFields } from "../shell/initial-fields";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, readForm } from "../shell/request";
import { toDateFields, withDates } from "./dates";
import { showGroupForm } from "./form";

export function registerGroupForms(app: Hono<ConsoleEnv>): void {
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

  app.get(paths.editGroup, editorsOnly, async (c) => {
    const group = await getGroupOverview(c.var.ctx, c.req.param("id"));
    return showGroupForm(c, group.id, toFields(group, c.var.membership.workspace.timeZone));
  });

  app.post(paths.editGroup, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const input = checked(
        changedActivityGroup.omit({ status: true }),
        withDates(changedGroupFields(fields), c.var.membership.workspace.timeZone),
      );
      const group = await updateActivityGroup(c.var.ctx, id, input);
      return redirectWithNotice(c, href.group(c.var.workspace, group.id), "The changes were saved.");
    } catch (error) {
      return showGroupForm(c, id, fields, sayErrors(toProblem(error)));
    }
  });
}

const toFields = (group: GroupOverview, zone: string) => ({
  name: group.name,
  slug: group.slug,
  type: group.type,
  description: group.description,
  default_utm_campaign: group.default_utm_campaign,
  ...toDateFields(group, zone),
  ended_url: group.ended_url,
  ends_links: String(group.ends_links),
  follows_dates: String(group.follows_dates),
});

const UNTICKED = { ends_links: "false", follows_dates: "false" };

/** A form does not send an empty checkbox. */
const changedGroupFields = (fields: Form["fields"]): Record<string, string> =>
  changedFields({ ...UNTICKED, ...fields });
