import type { Hono } from "hono";
import { type FieldError, invalid } from "../../errors";
import { changeLinks } from "../../links/change-many";
import { changeLinksSchema } from "../../links/schema";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { redirectWithNotice } from "../shell/notice";
import { toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, readForm, readQuery } from "../shell/request";
import { NO_GROUP } from "./bulk-form";
import { describeOutcomes } from "./bulk-notice";
import { showLinks } from "./list";
import { linksQuery, toLinksQuery } from "./query";

const NO_GROUP_CHOSEN: FieldError = {
  field: "activity_group_id",
  message: "Choose an Activity Group, or that there is to be none.",
  code: "required",
};

/** Changes the links that were chosen in the list. */
export function registerBulkChange(app: Hono<ConsoleEnv>): void {
  app.post(paths.changeLinks, editorsOnly, async (c) => {
    const query = readQuery(linksQuery, c);
    const form = await readForm(c);
    const { change = "", with_tag: tag = "", to_group: group = "" } = form.fields;
    const ids = form.all("ids");
    try {
      if (change === "move" && group === "") throw invalid([NO_GROUP_CHOSEN]);
      const input = checked(changeLinksSchema, {
        ids,
        change,
        tag,
        activity_group_id: group === NO_GROUP ? null : group,
      });
      const outcomes = await changeLinks(c.var.ctx, input);
      const to = href.links(c.var.membership.workspace.slug, toLinksQuery(query));
      return redirectWithNotice(c, to, describeOutcomes(input, outcomes));
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status !== 422) throw error;
      return showLinks(c, query, { problem, ids, tag, group });
    }
  });
}
