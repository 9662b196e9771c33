import type { Asset } from "../../engagement/service";
import type { DestinationHealth } from "../../health/service";
import { HealthLine } from "../health/state";
import { href } from "../href";

/** The link of an asset and its QR code. */
export const AssetCode = ({
  asset,
  health,
  workspace,
  shortUrl,
}: {
  asset: Asset;
  /** Undefined while destinations are not asked. */
  health: DestinationHealth | undefined;
  workspace: string;
  shortUrl: string;
}) => {
  const { id, slug, status } = asset.link;
  return (
    <section class="card" aria-labelledby="code">
      <h2 id="code">Link and QR code</h2>
      {status === "deleted" ? (
        <p class="warning">The link /{slug} is deleted: what was printed leads nowhere.</p>
      ) : (
        <>
          <p>
            <a href={href.link(workspace, id)}>{shortUrl}</a>
          </p>
          <HealthLine health={health} />
          {status === "archived" ? (
            <p class="warning">
              The link is archived: what was printed goes on working, but there is no code for new prints.
            </p>
          ) : (
            <>
              <img
                class="qr"
                src={href.qr(workspace, id)}
                alt={`QR code of ${shortUrl}`}
                width="224"
                height="224"
              />
              <p class="row">
                <a class="button" href={href.qr(workspace, id, { format: "svg", download: "1" })}>
                  Download SVG
                </a>
                <a class="button" href={href.qr(workspace, id, { format: "png", size: 2048, download: "1" })}>
                  Download PNG
                </a>
              </p>
              <p class="hint">SVG for the printer, at any size; PNG with 2,048 pixels for documents.</p>
            </>
          )}
        </>
      )}
    </section>
  );
};
