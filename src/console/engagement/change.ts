import { toLinkReference } from "../../resources/engagement/link-reference";
import { changedAssets } from "../../resources/engagement/schema";
import { changeAssets as changeMany } from "../../resources/engagement/update";
import { href } from "../shell/href";
import { redirectWithNotice, toReturnPath } from "../shell/layout";
import { checked, type Form, type PageContext, readQuery } from "../shell/request";
import { count } from "../shell/text";
import { assetsQuery } from "./list";

/** Retires the chosen assets, sets them live, or moves them to another link. */
export async function changeAssets(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { status, to_link: named = "" } = form.fields;
  const ids = form.all("id");
  const input =
    status === "move"
      ? checked(changedAssets.required({ link: true }), { ids, link: toLinkReference(named, ctx.config) })
      : checked(changedAssets.required({ status: true }), { ids, status });
  const { changed, left, link, batch } = await changeMany(ctx, input);
  const verb = changed === 1 ? "is" : "are";
  const state = link === undefined ? `${status} now.` : `on /${link.slug} now. What is printed stays valid.`;
  const done = changed === 0 ? "No asset was changed." : `${count(changed, "asset")} ${verb} ${state}`;
  const others = left === 0 ? "" : ` ${count(left, "asset stays", "assets stay")} as before.`;
  const to = toReturnPath(c, c.req.query("back")) ?? href.assets(workspace, { ...readQuery(assetsQuery, c) });
  return redirectWithNotice(c, to, done + others, changed === 0 ? undefined : batch);
}
