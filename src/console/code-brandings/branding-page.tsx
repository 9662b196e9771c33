import { etagOf } from "../../lib/etag";
import type { Look } from "../../resources/code-brandings/branded-code";
import {
  changeCodeBranding,
  getCodeBranding,
  removeCodeBranding,
} from "../../resources/code-brandings/code-branding-service";
import { Dangerous } from "../shell/dangerous";
import { EtagField, withEtag } from "../shell/edit-form";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import type { Form, PageContext } from "../shell/page-request";
import { PostForm } from "../shell/post-form";
import { Card } from "../shell/text";
import {
  BrandingButtons,
  BrandingFields,
  Example,
  PlanWarning,
  readBranding,
  readShown,
} from "./branding-fields";

export const showCodeBranding = (c: PageContext): Promise<Response> => showPage(c);

async function showPage(c: PageContext, shown?: Look): Promise<Response> {
  const { ctx, workspace } = c.var;
  const branding = await getCodeBranding(ctx, c.req.param("id"));
  const { id, name, colour, call, logo_of: logo } = branding;
  const action = href.branding(workspace, id);
  const saved = [name, colour, call].filter(Boolean).join(", ");
  return c.render(
    <Page title={name} section="codes" crumbs={["codes"]} class="stack narrow">
      <PlanWarning />
      <Card id="saved" title="As it is saved">
        <Example of={name} look={branding} />
      </Card>
      <PostForm
        action={action}
        initial={{ name, colour, call, logo }}
        enctype="multipart/form-data"
        class="card fields"
      >
        <EtagField etag={await etagOf(branding)} saved={saved} />
        <BrandingFields />
        <BrandingButtons action={action} label="Save" cancel={href.brandings(workspace)} shown={shown} />
      </PostForm>
      <Card id="ending" title="Delete">
        <Dangerous
          summary="Delete this branding"
          consequence="Codes that were printed with it stay as they are."
          action={href.deleteBranding(workspace, id)}
          button="Delete the branding"
        />
      </Card>
    </Page>,
  );
}

export async function editCodeBranding(c: PageContext, form: Form): Promise<Response> {
  const shown = await readShown(c, form, c.req.param("id"));
  if (shown !== undefined) return showPage(c, shown);
  await changeCodeBranding(withEtag(c.var.ctx, form), c.req.param("id"), ...(await readBranding(form)));
  return redirectWithNotice(c, href.brandings(c.var.workspace), "Saved: its codes were read back.");
}

export async function deleteCodeBranding(c: PageContext): Promise<Response> {
  await removeCodeBranding(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.brandings(c.var.workspace), "The branding is deleted.");
}
