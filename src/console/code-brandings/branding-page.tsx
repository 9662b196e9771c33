import { etagOf } from "../../lib/etag";
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
import { PostForm, Submit } from "../shell/post-form";
import { Card } from "../shell/text";
import { BrandingFields, PlanWarning, readBranding } from "./branding-fields";

export async function showCodeBranding(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const branding = await getCodeBranding(ctx, c.req.param("id"));
  const { id, name, colour, call, logo_of: logo } = branding;
  const saved = [name, colour, call].filter(Boolean).join(", ");
  return c.render(
    <Page title={name} section="codes" crumbs={["codes"]} class="stack narrow">
      <PlanWarning />
      <PostForm
        action={href.branding(workspace, id)}
        initial={{ name, colour, call, logo }}
        enctype="multipart/form-data"
        class="card fields"
      >
        <EtagField etag={await etagOf(branding)} saved={saved} />
        <BrandingFields />
        <Submit label="Save" cancel={href.brandings(workspace)} />
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
  await changeCodeBranding(withEtag(c.var.ctx, form), c.req.param("id"), ...(await readBranding(form)));
  return redirectWithNotice(c, href.brandings(c.var.workspace), "Saved: its codes were read back.");
}

export async function deleteCodeBranding(c: PageContext): Promise<Response> {
  await removeCodeBranding(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.brandings(c.var.workspace), "The branding is deleted.");
}
