import { nameOfAddress } from "../../lib/short-url";
import { ASSET_KINDS, newAsset } from "../../resources/engagement/asset-schema";
import { createAsset } from "../../resources/engagement/asset-service";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { findLink } from "../../resources/links/link";
import { href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { FindField } from "../shell/picker";
import { Field, PostForm, Select, Submit } from "../shell/post-form";
import { inWords, quoted } from "../shell/text";

export const LinkField = () => (
  <FindField
    name="link"
    label="Link"
    hint="Its slug, short link or ID. It can be changed later without printing again."
    required
  />
);

export const KindSelect = () => <Select name="kind" label="Kind" options={inWords(ASSET_KINDS)} required />;

export const AssetFields = () => (
  <>
    <Field name="name" label="Name" required />
    <KindSelect />
    <Field name="place" label="Place" isOptional />
    <Field name="quantity" label="Quantity" isOptional attributes={{ inputmode: "numeric" }} />
  </>
);

export async function showNewAsset(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const link = await findLink(ctx, c.req.query("link"));
  return c.render(
    <Page title="Create a poster" section="assets" crumbs={["assets"]} class="narrow">
      <p class="soft">
        It starts as a draft. Make it live when it is in use. To create many, such as posters at forty places,{" "}
        <a href={href.newAssets(workspace)}>paste a list</a>.
      </p>
      <PostForm
        action={href.newAsset(workspace)}
        initial={{ kind: "poster", link: link && nameOfAddress(ctx.config, link) }}
        class="card fields"
      >
        <LinkField />
        <AssetFields />
        <Submit label="Create poster" cancel={href.assets(workspace)} />
      </PostForm>
    </Page>,
  );
}

export async function makeAsset(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { name, kind, place, quantity } = fields;
  const link = toLinkReference(fields["link"] ?? "", ctx.config);
  const asset = await createAsset(ctx, checked(newAsset, { name, link, kind, place, quantity }));
  return redirectWithNotice(
    c,
    href.asset(workspace, asset.id),
    `${quoted(asset.name)} is created, as a draft.`,
  );
}
