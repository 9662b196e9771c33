import type { AssetStatus as Status } from "../../lib/asset-status";
import type { Asset } from "../../resources/engagement/service";
import { Dangerous, Submit } from "../shell/form";
import { here } from "../shell/href";
import { Card, Time } from "../shell/text";

const LIVE_TEXT = "While it is live, its link cannot be deleted.";

const STATUS_TEXT: Readonly<Record<Status, string>> = {
  draft: "It is a draft: not out in the world yet.",
  live: `It is out in the world. ${LIVE_TEXT}`,
  retired: "It is no longer out in the world.",
};

const GoLive = ({ action, label }: { action: string; label: string }) => (
  <form method="post" action={action} class="stack">
    <p>{LIVE_TEXT}</p>
    <input type="hidden" name="status" value="live" />
    <Submit label={label} />
  </form>
);

/** The status of an asset, and the forms that change it. */
export const AssetStatus = ({ asset, isEditor }: { asset: Asset; isEditor: boolean }) => {
  const action = here.assetStatus(asset.id);
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
      {isEditor && !isDeleted && asset.status === "draft" && <GoLive action={action} label="Make it live" />}
      {isEditor && !isDeleted && asset.status === "retired" && (
        <GoLive action={action} label="Make it live again" />
      )}
      {isEditor && asset.status !== "retired" && (
        <Dangerous
          summary="Retire it"
          consequence="It counts as no longer out in the world, and its link may then be deleted. It can be made live again as long as it has its link, but never a draft."
          action={action}
          button="Retire the asset"
        >
          <input type="hidden" name="status" value="retired" />
        </Dangerous>
      )}
    </Card>
  );
};
