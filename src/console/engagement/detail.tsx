import type { Hono } from "hono";
import { getHealthOfLink } from "../../resources/destinations/health";
import { toLinkReference } from "../../resources/engagement/link-reference";
import { changedAsset } from "../../resources/engagement/schema";
import { type Asset, getAsset } from "../../resources/engagement/service";
import { updateAsset } from "../../resources/engagement/update";
import { editorsOnly } from "../auth/permissions";
import { href, paths } from "../href";
import { fieldsOf, type OwnField, Submit, type Values } from "../shell/form";
import { changedFields, serialiseInitialFields } from "../shell/initial-fields";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { here } from "../shell/page";
import { FindField } from "../shell/picker";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Badge, Card, Fact, number, quoted, words } from "../shell/text";
import { AssetScans, readScans } from "./clicks";
import { AssetCode } from "./code";
import { AssetFields } from "./fields";
import { AssetStatus } from "./status";

/** The form that moves an asset to another link, with what that means for prints. */
const MoveForm = ({ asset, own }: { asset: Asset; own: OwnField }) => (
  <Card id="move" title="Move to another link">
    <form method="post" action={here.moveAsset(asset.id)} class="fields">
      <p>
        What is printed stays valid: the code {asset.code} opens the other link from then on, everywhere
        within minutes. A print of the slug /{asset.link.slug} itself still opens that link.
      </p>
      <FindField
        {...own("link")}
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

const EditForm = ({
  asset,
  values,
  problem,
}: {
  asset: Asset;
  values: Refused["values"];
  problem: Problem | undefined;
}) => {
  const { name, kind, place, quantity } = asset;
  return (
    <Card id="edit" title="Edit">
      <form method="post" action={here.asset(asset.id)} class="fields">
        <input
          type="hidden"
          name="was"
          value={values?.["was"] ?? serialiseInitialFields({ name, kind, place, quantity })}
        />
        <AssetFields own={fieldsOf(values ?? { name, kind, place, quantity }, problem)} />
        <Submit label="Save" />
      </form>
    </Card>
  );
};

/** The health of the destination of an asset's link; undefined if the link is deleted. */
const readHealth = (c: PageContext, { link }: Asset) =>
  link.status === "deleted" ? undefined : getHealthOfLink(c.var.ctx, link.id);

/** A refused form of the page: its values, or the link that it was to be moved to. */
interface Refused {
  values?: Values;
  link?: string;
  problem?: Problem;
}

async function showAsset(
  c: PageContext,
  id: string,
  { values, link, problem }: Refused = {},
): Promise<Response> {
  const { workspace, isEditor } = c.var;
  const asset = await getAsset(c.var.ctx, id);
  // A refused form has used its round trips, so its page shows neither scans nor health.
  const [scans, health] =
    problem === undefined
      ? await Promise.all([readScans(c, asset.id), readHealth(c, asset)])
      : [undefined, undefined];
  return showPage(
    c,
    {
      title: asset.name,
      section: "assets",
      crumbs: [{ label: "Offline Engagement", href: href.assets(workspace) }],
      actions: <Badge of={asset.status} />,
      ...(problem && { status: problem.status }),
    },
    <>
      <Refusal problem={problem} />
      <div class="columns">
        <div class="stack">
          <AssetStatus asset={asset} isEditor={isEditor} />
          {scans !== undefined && <AssetScans asset={asset} scans={scans} />}
          {isEditor ? (
            <EditForm asset={asset} values={values} problem={problem} />
          ) : (
            <Properties asset={asset} />
          )}
        </div>
        <div class="stack top-aligned">
          <AssetCode asset={asset} health={health} url={asset.code_url} />
          {isEditor && <MoveForm asset={asset} own={fieldsOf({ link }, problem)} />}
        </div>
      </div>
    </>,
  );
}

const STATUS_NOTICE = {
  draft: "is a draft.",
  live: "is live: its link cannot be deleted now.",
  retired: "is retired: its link may be deleted now, if no other live asset carries it.",
} as const;

const editedFields = changedAsset.omit({ status: true, link: true });
const target = changedAsset.pick({ link: true }).required();
const statusField = changedAsset.pick({ status: true }).required();

export function registerAsset(app: Hono<ConsoleEnv>): void {
  app.get(paths.asset, (c) => showAsset(c, c.req.param("id")));

  app.post(paths.asset, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const asset = await updateAsset(c.var.ctx, id, checked(editedFields, changedFields(fields)));
      return redirectWithNotice(c, href.asset(c.var.workspace, asset.id), `${quoted(asset.name)} is saved.`);
    } catch (error) {
      return showAsset(c, id, { values: fields, problem: toProblem(error) });
    }
  });

  app.post(paths.assetStatus, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const asset = await updateAsset(c.var.ctx, id, checked(statusField, fields));
      return redirectWithNotice(
        c,
        href.asset(c.var.workspace, asset.id),
        `${quoted(asset.name)} ${STATUS_NOTICE[asset.status]}`,
      );
    } catch (error) {
      return showAsset(c, id, { problem: toProblem(error) });
    }
  });

  app.post(paths.moveAsset, editorsOnly, async (c) => {
    const { ctx, workspace } = c.var;
    const id = c.req.param("id");
    const { link = "" } = (await readForm(c)).fields;
    try {
      const input = checked(target, { link: toLinkReference(link, ctx.config) });
      const asset = await updateAsset(ctx, id, input);
      return redirectWithNotice(
        c,
        href.asset(workspace, asset.id),
        `${quoted(asset.name)} leads to /${asset.link.slug} now. What is printed stays valid.`,
      );
    } catch (error) {
      return showAsset(c, id, { link, problem: toProblem(error) });
    }
  });
}
