import type { DestinationHealth } from "../../resources/destinations/health";
import type { Asset } from "../../resources/engagement/service";
import { HealthLine } from "../health/state";
import { href } from "../href";
import { CopyButton } from "../links/link-text";
import { DOTS_PER_INCH, PRINT_SIZES_MM, toPixels } from "../print/print-size";
import { Card, Fact } from "../shell/text";

/** Its QR code and the files to print. */
const Files = ({ asset: { id }, workspace, url }: { asset: Asset; workspace: string; url: string }) => (
  <>
    <img
      class="qr"
      src={href.assetQr(workspace, id, { format: "svg" })}
      alt={`QR code of ${url}`}
      width="512"
      height="512"
    />
    <p class="row">
      <a class="button" href={href.assetQr(workspace, id, { format: "svg", download: "1" })}>
        Download SVG, for any size
      </a>
      <a class="button" href={href.printAssets(workspace, { id: [id] })}>
        Print it
      </a>
    </p>
    <h3>PNG for print, at {DOTS_PER_INCH} dpi</h3>
    <ul class="downloads">
      {PRINT_SIZES_MM.map((millimetres) => (
        <li>
          <a href={href.assetQr(workspace, id, { print: millimetres, download: "1" })}>
            {millimetres} mm <span class="small">({toPixels(millimetres)} pixels)</span>
          </a>
        </li>
      ))}
    </ul>
  </>
);

/** The code of an asset, its link and its QR code. */
export const AssetCode = ({
  asset,
  health,
  workspace,
  url,
}: {
  asset: Asset;
  /** Undefined while destinations are not asked. */
  health: DestinationHealth | undefined;
  workspace: string;
  /** What its QR code has. */
  url: string;
}) => {
  const { id, slug, status } = asset.link;
  return (
    <Card id="code" title="Code and link">
      <dl class="facts">
        <Fact name="Code">{asset.code}</Fact>
        <dt>Address</dt>
        <dd class="row">
          <span data-by-hand="">{url}</span>
          <CopyButton text={url} />
        </dd>
        <Fact name="Link">
          {status === "deleted" ? `/${slug} (deleted)` : <a href={href.link(workspace, id)}>/{slug}</a>}
        </Fact>
      </dl>
      {status !== "deleted" && <HealthLine health={health} />}
      {status === "deleted" && (
        <p class="warning">
          The link /{slug} is deleted: what was printed leads nowhere. Move the asset to another link.
        </p>
      )}
      {status === "archived" && (
        <p class="warning">
          The link is archived: what was printed goes on working, but there is no code for new prints.
        </p>
      )}
      {status === "active" && <Files asset={asset} workspace={workspace} url={url} />}
    </Card>
  );
};
