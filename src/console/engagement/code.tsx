import type { DestinationHealth } from "../../resources/destinations/health";
import type { Asset } from "../../resources/engagement/service";
import { HealthState } from "../health/state";
import { CopyButton } from "../links/link-text";
import { QrFiles } from "../print/qr-files";
import { here } from "../shell/href";
import { Card, Fact } from "../shell/text";

/** The code of an asset, its link and its QR code. */
export const AssetCode = ({
  asset,
  health,
}: {
  asset: Asset;
  /** Undefined while destinations are not asked. */
  health: DestinationHealth | undefined;
}) => {
  const { code_url: url } = asset;
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
        {status !== "deleted" && (
          <Fact name="Leads to">
            <a href={`${url}+`}>Show the address that a scan leads to</a>
          </Fact>
        )}
        <Fact name="Link">
          {status === "deleted" ? `/${slug} (deleted)` : <a href={here.link(id)}>/{slug}</a>}
        </Fact>
        {status !== "deleted" && health !== undefined && health.state !== "broken" && (
          <Fact name="Destination">
            <HealthState health={health} />
          </Fact>
        )}
      </dl>
      {status !== "deleted" && health?.state === "broken" && (
        <p class="warning">
          <HealthState health={health} />
        </p>
      )}
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
      {status === "active" && (
        <QrFiles
          url={url}
          hrefOf={(query) => here.assetQr(asset.id, query)}
          printHref={here.printAssets({ id: [asset.id] })}
        />
      )}
    </Card>
  );
};
