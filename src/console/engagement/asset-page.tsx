import { type DestinationHealth, getHealthOfLink } from "../../resources/destinations/health";
import { changedAsset } from "../../resources/engagement/asset-schema";
import { type Asset, getAsset } from "../../resources/engagement/asset-service";
import type { AssetStatus as Status } from "../../resources/engagement/asset-status";
import { updateAsset } from "../../resources/engagement/update-asset";
import { HealthState } from "../health/state";
import { CopyButton, WithoutScheme } from "../links/link-text";
import { QrFiles } from "../print/qr-files";
import { ActionForm } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { changedFields, EditForm } from "../shell/edit-form";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { FindField } from "../shell/picker";
import { HiddenFields, PostForm, Submit } from "../shell/post-form";
import { Badge, Card, Fact, quoted, Time } from "../shell/text";
import { AssetScans, readScans } from "./asset-scans";
import { AssetFields } from "./new-asset";

const LIVE_TEXT = "While it is live, its link cannot be deleted.";

const STATUS_TEXT: Readonly<Record<Status | "other", string>> = {
  draft: "A draft, not in use yet.",
  live: `In use. ${LIVE_TEXT}`,
  retired: "No longer in use.",
  other: "It has another status.",
};

/** Where the asset is changed. A refused change is shown in the list, which finds the asset by its name. */
const changeOf = ({ id, name }: Asset) => here.changeAssets({ q: name, back: here.asset(id) });

const AssetStatus = ({ asset, isEditor }: { asset: Asset; isEditor: boolean }) => {
  const isDeleted = asset.link.status === "deleted";
  return (
    <Card id="status" title="Status">
      <p>
        {STATUS_TEXT[asset.status]}
        {asset.live_at !== null && (
          <>
            {" "}
            It first went live on <Time at={asset.live_at} exact />.
          </>
        )}
      </p>
      {isEditor && isDeleted && asset.status !== "live" && <p>Its link is deleted: it cannot go live.</p>}
      {isEditor && !isDeleted && asset.status !== "live" && (
        <ActionForm method="post" action={changeOf(asset)} class="stack">
          <p>{LIVE_TEXT}</p>
          <HiddenFields fields={{ id: asset.id, status: "live" }} />
          <Submit label={asset.status === "draft" ? "Make it live" : "Make it live again"} />
        </ActionForm>
      )}
      {isEditor && asset.status !== "retired" && (
        <Dangerous
          summary="Retire it"
          consequence="It counts as no longer in use, and its link can then be deleted. You can make it live again while its link exists, but not a draft."
          action={changeOf(asset)}
          button="Retire the poster"
          fields={{ id: asset.id, status: "retired" }}
        />
      )}
    </Card>
  );
};

/** The code of an asset, its link and its QR code. `health` is undefined while destinations are not asked. */
const AssetCode = ({ asset, health }: { asset: Asset; health: DestinationHealth | undefined }) => {
  const { code_url: url } = asset;
  const { id, slug, status } = asset.link;
  return (
    <Card id="code" title="Code and link">
      <dl class="facts">
        <Fact name="Code">{asset.code}</Fact>
        <dt>Address</dt>
        <dd class="row">
          <span data-by-hand="">
            <WithoutScheme url={url} />
          </span>
          <CopyButton text={url} />
        </dd>
        {status !== "deleted" && (
          <Fact name="Leads to">
            <a href={`${url}+`}>Show where a scan lands</a>
          </Fact>
        )}
        <Fact name="Link">
          {status === "deleted" ? `/${slug} (deleted)` : <a href={here.link(id)}>/{slug}</a>}
        </Fact>
      </dl>
      {health !== undefined && (
        <p class={health.state === "broken" ? "warning" : undefined}>
          Destination: <HealthState health={health} />
        </p>
      )}
      {status === "deleted" && (
        <p class="warning">
          The link /{slug} is deleted: what was printed leads nowhere. Move the poster to another link.
        </p>
      )}
      {status === "archived" && (
        <p class="warning">
          The link is archived: printed codes go on working, but there is none for new prints.
        </p>
      )}
      {status === "active" && (
        <QrFiles
          url={url}
          hrefOf={(query) => here.assetQr(asset.id, query)}
          printHref={here.printAssets({ id: [asset.id] })}
          brandedHref={here.brandings({ asset: asset.id })}
        />
      )}
    </Card>
  );
};

const MoveForm = ({ asset }: { asset: Asset }) => (
  <Card id="move" title="Move to another link">
    <PostForm action={changeOf(asset)} class="fields">
      <HiddenFields fields={{ id: asset.id, status: "move" }} />
      <p>
        What is printed stays valid: the code {asset.code} opens the other link from then on, everywhere
        within minutes. A print of the slug /{asset.link.slug} itself still opens that link.
      </p>
      <FindField name="to_link" label="Another link" hint="Its slug, short link or ID." required />
      <div>
        <button type="submit">Move</button>
      </div>
    </PostForm>
  </Card>
);

export async function showAsset(c: PageContext): Promise<Response> {
  const { ctx, workspace, isEditor, problem } = c.var;
  const asset = await getAsset(ctx, c.req.param("id"));
  const { id, name, kind, place, quantity, status, link } = asset;
  // A refused form has used its round trips, so its page shows neither scans nor health.
  const [scans, health] = await Promise.all([
    problem === undefined ? readScans(c, id) : undefined,
    problem === undefined && link.status !== "deleted" ? getHealthOfLink(ctx, link.id) : undefined,
  ]);
  return c.render(
    <Page title={name} section="assets" crumbs={["assets"]} state={<Badge of={status} />}>
      <div class="columns">
        <div class="stack">
          {status === "draft" && <AssetStatus asset={asset} isEditor={isEditor} />}
          {scans !== undefined && <AssetScans scans={scans} />}
          <Card id="about" title="About">
            <EditForm action={href.asset(workspace, id)} initial={{ name, kind, place, quantity }}>
              <AssetFields />
            </EditForm>
          </Card>
        </div>
        <div class="stack top-aligned">
          <AssetCode asset={asset} health={health} />
          {isEditor && <MoveForm asset={asset} />}
          {status !== "draft" && <AssetStatus asset={asset} isEditor={isEditor} />}
        </div>
      </div>
    </Page>,
  );
}

const editedFields = changedAsset.omit({ status: true, link: true });

export async function editAsset(c: PageContext, { fields }: Form): Promise<Response> {
  const input = checked(editedFields, changedFields(fields));
  const asset = await updateAsset(c.var.ctx, c.req.param("id"), input);
  return redirectWithNotice(c, href.asset(c.var.workspace, asset.id), `${quoted(asset.name)} is saved.`);
}
