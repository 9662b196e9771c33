import { getHealthOfLink } from "../../resources/destinations/health";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { changedAsset } from "../../resources/engagement/schema";
import { type Asset, getAsset } from "../../resources/engagement/service";
import { updateAsset } from "../../resources/engagement/update";
import { fieldsOf, InitialFields, Submit } from "../shell/form";
import { here, href } from "../shell/href";
import { changedFields } from "../shell/initial-fields";
import { Refusal, redirectWithNotice, showPage } from "../shell/layout";
import { FindField } from "../shell/picker";
import { checked, currentPage, type Form, type PageContext } from "../shell/request";
import { Badge, Card, Fact, number, quoted, words } from "../shell/text";
import { AssetScans, readScans } from "./clicks";
import { AssetCode } from "./code";
import { AssetFields } from "./fields";
import { AssetStatus } from "./status";

/** The form that moves an asset to another link, with what that means for prints. */
const MoveForm = ({ asset }: { asset: Asset }) => (
  <Card id="move" title="Move to another link">
    <form method="post" action={here.moveAsset(asset.id)} class="fields">
      <p>
        What is printed stays valid: the code {asset.code} opens the other link from then on, everywhere
        within minutes. A print of the slug /{asset.link.slug} itself still opens that link.
      </p>
      <FindField
        {...fieldsOf(currentPage(), here.moveAsset(asset.id))("link")}
        label="Another link"
        hint="Its slug, short link or ID."
        from={here.suggestLinks()}
        required
      />
      <div>
        <button type="submit">Move</button>
      </div>
    </form>
  </Card>
);

const Properties = ({ asset }: { asset: Asset }) => (
  <section class="card" aria-label="The asset">
    <dl class="facts">
      <Fact name="Kind">{words(asset.kind)}</Fact>
      <Fact name="Place">{asset.place ?? "Not set"}</Fact>
      <Fact name="Quantity">{asset.quantity === null ? "Not set" : number(asset.quantity)}</Fact>
    </dl>
  </section>
);

const EditForm = ({ asset }: { asset: Asset }) => {
  const { name, kind, place, quantity } = asset;
  const initial = { name, kind, place, quantity };
  const action = here.asset(asset.id);
  const own = fieldsOf(currentPage(), action, initial);
  return (
    <Card id="edit" title="Edit">
      <form method="post" action={action} class="fields">
        <InitialFields own={own} values={initial} />
        <AssetFields own={own} />
        <Submit label="Save" />
      </form>
    </Card>
  );
};

/** The health of the destination of an asset's link; undefined if the link is deleted. */
const readHealth = (c: PageContext, { link }: Asset) =>
  link.status === "deleted" ? undefined : getHealthOfLink(c.var.ctx, link.id);

export async function showAsset(c: PageContext): Promise<Response> {
  const { ctx, isEditor, problem } = c.var;
  const asset = await getAsset(ctx, c.req.param("id"));
  // A refused form has used its round trips, so its page shows neither scans nor health.
  const [scans, health] =
    problem === undefined
      ? await Promise.all([readScans(c, asset.id), readHealth(c, asset)])
      : [undefined, undefined];
  return showPage(
    c,
    { title: asset.name, section: "assets", crumbs: ["assets"], actions: <Badge of={asset.status} /> },
    <>
      <Refusal />
      <div class="columns">
        <div class="stack">
          <AssetStatus asset={asset} isEditor={isEditor} />
          {scans !== undefined && <AssetScans asset={asset} scans={scans} />}
          {isEditor ? <EditForm asset={asset} /> : <Properties asset={asset} />}
        </div>
        <div class="stack top-aligned">
          <AssetCode asset={asset} health={health} url={asset.code_url} />
          {isEditor && <MoveForm asset={asset} />}
        </div>
      </div>
    </>,
  );
}

const editedFields = changedAsset.omit({ status: true, link: true });
const target = changedAsset.pick({ link: true }).required();
const statusField = changedAsset.pick({ status: true }).required();

export async function editAsset(c: PageContext, { fields }: Form): Promise<Response> {
  const input = checked(editedFields, changedFields(fields));
  const asset = await updateAsset(c.var.ctx, c.req.param("id"), input);
  return redirectWithNotice(c, href.asset(c.var.workspace, asset.id), `${quoted(asset.name)} is saved.`);
}

const STATUS_NOTICE = {
  draft: "is a draft.",
  live: "is live: its link cannot be deleted now.",
  retired: "is retired: its link may be deleted now, if no other live asset carries it.",
} as const;

export async function changeAssetStatus(c: PageContext, { fields }: Form): Promise<Response> {
  const asset = await updateAsset(c.var.ctx, c.req.param("id"), checked(statusField, fields));
  const notice = `${quoted(asset.name)} ${STATUS_NOTICE[asset.status]}`;
  return redirectWithNotice(c, href.asset(c.var.workspace, asset.id), notice);
}

export async function moveAsset(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const input = checked(target, { link: toLinkReference(fields["link"] ?? "", ctx.config) });
  const asset = await updateAsset(ctx, c.req.param("id"), input);
  const notice = `${quoted(asset.name)} leads to /${asset.link.slug} now. What is printed stays valid.`;
  return redirectWithNotice(c, href.asset(workspace, asset.id), notice);
}
