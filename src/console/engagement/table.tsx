import { type AssetsPage, SCANS_OF_DAYS } from "../../resources/engagement/list";
import { hasQr } from "../../resources/engagement/qr";
import type { Asset } from "../../resources/engagement/service";
import { TickAll, WithChosen } from "../shell/bulk";
import { here } from "../shell/href";
import { Table } from "../shell/table";
import { Badge, NameLink, number, Time, words } from "../shell/text";

/** The table, and what can be done with the chosen assets. */
export const AssetTable = ({ items, scans }: { items: readonly Asset[]; scans: AssetsPage["scans"] }) => (
  <form class="bulk" method="get" action={here.printAssets()}>
    <TickAll name="id" />
    <Table
      caption="Assets"
      rows={items}
      columns={[
        {
          heading: <span class="unseen">Select</span>,
          kind: "pick",
          cell: (asset) =>
            hasQr(asset) && (
              <input type="checkbox" name="id" value={asset.id} aria-label={`Select ${asset.name}`} />
            ),
        },
        {
          heading: "Name",
          isName: true,
          cell: ({ id, name, kind, quantity }) => (
            <>
              <NameLink to={here.asset(id)} name={name} />
              <span class="small soft block">
                {words(kind)}
                {quantity !== null && `, ${number(quantity)} of them`}
              </span>
            </>
          ),
        },
        { heading: "Place", cell: ({ place }) => place !== null && <bdi>{place}</bdi> },
        {
          heading: "Link",
          cell: ({ link, code }) => (
            <>
              {link.status === "deleted" ? (
                <span class="soft">/{link.slug} (deleted)</span>
              ) : (
                <a href={here.link(link.id)}>/{link.slug}</a>
              )}
              <span class="small soft block">Code {code}</span>
            </>
          ),
        },
        {
          heading: `Scans, ${SCANS_OF_DAYS} days`,
          kind: "number",
          cell: ({ id }) => number(scans.get(id) ?? 0),
        },
        {
          heading: "Status",
          cell: ({ status, live_at: liveAt }) => (
            <>
              <Badge of={status} />
              {liveAt !== null && (
                <span class="small soft block">
                  First live <Time at={liveAt} />
                </span>
              )}
            </>
          ),
        },
      ]}
    />
    {items.some(hasQr) && (
      <WithChosen name="id" of="asset">
        <div class="row">
          <button type="submit">Print their QR codes</button>
          <button type="submit" formaction={here.assetFiles()}>
            Download SVG files as ZIP
          </button>
        </div>
      </WithChosen>
    )}
  </form>
);
