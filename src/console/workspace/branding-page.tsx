import { supplyScheme } from "../../lib/supplied-scheme";
import { changedBranding, OWN_PAGES, PAGE_LANGUAGES } from "../../resources/branding/branding-schema";
import { changeBranding, getBranding, setLogo } from "../../resources/branding/branding-service";
import { PostButton } from "../shell/button";
import { changedFields, EditForm } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext, refusal } from "../shell/page-request";
import { Field, FileField, PostForm, Submit } from "../shell/post-form";
import { Card } from "../shell/text";

const PAGES: Readonly<Record<(typeof OWN_PAGES)[number], string>> = {
  unknown: "An unknown link on your own domains",
  ended: "A link that has ended",
};

const Logo = ({ id, logo, canEdit }: { id: string; logo: string | null; canEdit: boolean }) => (
  <Card id="logo" title="Logo">
    {logo !== null && (
      <p>
        <img src={`/.well-known/waymark-logo/${id}`} alt="The logo now" height="64" />
      </p>
    )}
    {canEdit && (
      <PostForm action={here.pagesLogo()} enctype="multipart/form-data" class="fields">
        <FileField
          label="SVG or PNG"
          accept=".svg,.png,image/svg+xml,image/png"
          hint="At most 20 KB. Of an SVG only shapes and colours are kept: no fonts, pictures or scripts."
          required
        />
        <Submit label="Save the logo" />
      </PostForm>
    )}
    {canEdit && logo !== null && (
      <PostButton to={here.pagesLogo()} label="Remove the logo" name="removed" value="true" />
    )}
  </Card>
);

export async function showBranding(c: PageContext): Promise<Response> {
  const { ctx, workspace, membership } = c.var;
  const { fields, logo } = await getBranding(ctx);
  const isOwner = membership.role === "owner";
  return c.render(
    <Page title="Pages for visitors" section="workspace" crumbs={["workspace"]} class="columns">
      <Card id="texts" title="Sentences and button">
        <p>
          Visitors read these pages in the language of their browser. If you have no sentence in that
          language, they read ours.
        </p>
        <EditForm action={href.pages(workspace)} initial={fields} canEdit={isOwner}>
          {OWN_PAGES.map((page) => (
            <fieldset class="fields halves">
              <legend>{PAGES[page]}</legend>
              {Object.entries(PAGE_LANGUAGES).map(([language, label]) => (
                <Field name={`${page}_${language}`} label={label} attributes={{ lang: language }} />
              ))}
            </fieldset>
          ))}
          <Field name="button_label" label="Words of the button" />
          <Field
            name="button_url"
            label="Where the button leads"
            type="address"
            hint="On pages of unknown and ended links, and of those that are not open yet."
          />
        </EditForm>
      </Card>
      <div class="stack">
        <Logo id={ctx.workspace.id} logo={logo} canEdit={isOwner} />
        <p class="hint">
          {!isOwner && "Only an owner can change these. "}The name and the colour are on the page{" "}
          <a href={href.settings(workspace)}>Workspace</a>.
        </p>
      </div>
    </Page>,
  );
}

export async function saveBranding(c: PageContext, { fields }: Form): Promise<Response> {
  const { button_url: url, ...changed } = changedFields(fields);
  const input = url === undefined ? changed : { ...changed, button_url: supplyScheme(url) };
  await changeBranding(c.var.ctx, checked(changedBranding, input));
  return redirectWithNotice(c, href.pages(c.var.workspace), "The pages for visitors are saved.");
}

export async function saveLogo(c: PageContext, form: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const file = form.file("file");
  const isRemoved = form.fields["removed"] === "true";
  if (!isRemoved && (file === undefined || file.size === 0)) throw refusal("file", "Choose an SVG or a PNG.");
  const leftOut = await setLogo(
    ctx,
    isRemoved || file === undefined ? null : new Uint8Array(await file.arrayBuffer()),
  );
  const lost = leftOut.length === 0 ? "" : ` Left out of it: ${leftOut.join(", ")}.`;
  const notice = isRemoved ? "The logo is removed." : `The logo is saved.${lost}`;
  return redirectWithNotice(c, href.pages(workspace), notice);
}
