import type { Hono } from "hono";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { newAsset } from "../../resources/engagement/schema";
import { createAsset } from "../../resources/engagement/service";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { findLink } from "../links/find-link";
import { fieldsOf, Submit, type Values } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { quoted } from "../shell/text";
import { AssetFields, assetCrumbs, LinkField } from "./fields";

const showForm = (c: PageContext, values: Values, problem?: Problem) => {
  const { workspace: slug } = c.var;
  const own = fieldsOf(values, problem);
  return showPage(
    c,
    {
      title: "Create an asset",
      section: "assets",
      crumbs: assetCrumbs(slug),
      ...(problem && { status: problem.status }),
    },
    <div class="narrow">
      <p class="soft">
        It starts as a draft. Make it live when it is out in the world. To create many, such as posters at
        forty places, <a href={href.newAssets(slug)}>paste a list</a>.
      </p>
      <Refusal problem={problem} />
      <form method="post" action={href.newAsset(slug)} class="card fields">
        <LinkField own={own} />
        <AssetFields own={own} />
        <Submit label="Create asset" cancel={href.assets(slug)} />
      </form>
    </div>,
  );
};

export function registerNewAsset(app: Hono<ConsoleEnv>): void {
  app.get(paths.newAsset, editorsOnly, async (c) => {
    const link = await findLink(c.var.ctx, c.req.query("link"));
    return showForm(c, { kind: "poster", link: link?.slug });
  });

  app.post(paths.newAsset, editorsOnly, async (c) => {
    const { fields } = await readForm(c);
    try {
      const { name, kind, place, quantity } = fields;
      const link = toLinkReference(fields["link"] ?? "", c.var.ctx.config);
      const asset = await createAsset(c.var.ctx, checked(newAsset, { name, link, kind, place, quantity }));
      return redirectWithNotice(
        c,
        href.asset(c.var.workspace, asset.id),
        `${quoted(asset.name)} is created, as a draft.`,
      );
    } catch (error) {
      return showForm(c, fields, toProblem(error));
    }
  });
}
