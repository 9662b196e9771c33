import { z } from "zod";
import {
  endedPage,
  LOGO_POLICY,
  type PageLanguage,
  pageTexts,
  unknownLinkPage,
} from "../../http/site/visitor-pages";
import { supplyScheme } from "../../lib/supplied-scheme";
import { changedBranding, OWN_PAGES, PAGE_LANGUAGES } from "../../resources/branding/branding-schema";
import {
  changeBranding,
  getBranding,
  getPageBrand,
  setLogo,
} from "../../resources/branding/branding-service";
import { PostButton } from "../shell/button";
import { changedFields, EditForm } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext, readQuery, refusal } from "../shell/page-request";
import { Field, FileField, PostForm, Submit, TextArea } from "../shell/post-form";
import { Card } from "../shell/text";

const PAGES = {
  unknown: {
    title: "An unknown link on your own domains",
    ours: (language: PageLanguage) => pageTexts(language).unknownText,
    draw: unknownLinkPage,
  },
  ended: {
    title: "A link that has ended",
    ours: (language: PageLanguage) => pageTexts(language).endedText,
    draw: (language: PageLanguage, brand: Parameters<typeof endedPage>[1]) =>
      endedPage(language, brand, null),
  },
} satisfies Record<(typeof OWN_PAGES)[number], object>;

const LANGUAGES = Object.keys(PAGE_LANGUAGES) as PageLanguage[];

/** The sentence of a page in each language, with ours in grey, and links that show the page. */
const OwnTexts = ({ page }: { page: (typeof OWN_PAGES)[number] }) => (
  <fieldset class="part fields">
    <legend>{PAGES[page].title}</legend>
    <div class="fields halves">
      {LANGUAGES.map((language) => (
        <TextArea
          name={`${page}_${language}`}
          label={PAGE_LANGUAGES[language]}
          attributes={{ lang: language, placeholder: PAGES[page].ours(language) }}
        />
      ))}
    </div>
    <p class="small row">
      <span>See the page as it is saved:</span>
      {LANGUAGES.map((language) => (
        <a href={here.pagesPreview({ page, language })}>{PAGE_LANGUAGES[language]}</a>
      ))}
    </p>
  </fieldset>
);

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
          Visitors read these pages in the language of their browser. Where you write no sentence, they read
          ours, which the field shows in grey.
        </p>
        <EditForm action={href.pages(workspace)} initial={fields} canEdit={isOwner}>
          {OWN_PAGES.map((page) => (
            <OwnTexts page={page} />
          ))}
          <fieldset class="part fields">
            <legend>Button</legend>
            <Field
              name="button_label"
              label="Words of the button"
              hint="The button has the same words in every language, so choose words that all visitors understand, such as your name."
            />
            <Field
              name="button_url"
              label="Where the button leads"
              type="address"
              hint="On pages of unknown and ended links, and of those that are not open yet."
            />
          </fieldset>
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

const previewQuery = z.object({
  page: z.enum(OWN_PAGES).default("unknown"),
  language: z.enum(LANGUAGES).default("en"),
});

/** A page for visitors as it is saved. It counts no visit. */
export async function showPagePreview(c: PageContext): Promise<Response> {
  const { page, language } = readQuery(previewQuery, c);
  const brand = await getPageBrand(c.var.ctx);
  return c.html(PAGES[page].draw(language, brand), 200, {
    "Content-Security-Policy": LOGO_POLICY,
    "X-Robots-Tag": "noindex",
  });
}
