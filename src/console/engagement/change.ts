import { changeStatuses } from "../../resources/engagement/change-many";
import { changedStatuses } from "../../resources/engagement/schema";
import { href } from "../shell/href";
import { redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext, readQuery } from "../shell/request";
import { count } from "../shell/text";
import { assetsQuery } from "./list";

/** Retires the chosen assets, or sets them live. */
export async function changeAssets(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const input = checked(changedStatuses, { ids: form.all("id"), status: form.fields["status"] });
  const { changed, left } = await changeStatuses(ctx, input);
  const done =
    changed === 0
      ? "No asset was changed."
      : `${count(changed, "asset is", "assets are")} ${input.status} now.`;
  const others = left === 0 ? "" : ` ${count(left, "asset stays", "assets stay")} as before.`;
  return redirectWithNotice(c, href.assets(workspace, { ...readQuery(assetsQuery, c) }), done + others);
}
