import { isoTime } from "../../lib/time";
import { hasQr } from "../../resources/engagement/asset-qr";
import type { Asset } from "../../resources/engagement/asset-service";
import type { AssetSummary } from "../../resources/engagement/asset-statements";
import type { AssetsPage } from "../../resources/engagement/list-assets";
import { Button } from "../shell/button";
import { here } from "../shell/href";
import { pickColumn, TickAll, WithChosen } from "../shell/list-controls";
import { currentPage } from "../shell/page-request";
import { FindField } from "../shell/picker";
import { Fields } from "../shell/post-form";
import { Table } from "../shell/table";
import { Badge, NameLink, number, Time, words } from "../shell/text";

const MOVES = [
  ["retired", "Retire"],
  ["live", "Set live"],
] as const;

const AfterEnd = ({ summary }: { summary: AssetSummary | undefined }) => (
  <>
    {number(summary?.after_end ?? 0)}
    {summary?.last_after_end != null && (
      <span class="small soft block">
        Last <Time at={isoTime(summary.last_after_end)} exact />
      </span>
    )}
  </>
);

interface TableProperties extends Pick<AssetsPage, "items" | "scans"> {
  caption: string;
  scansHeading: string;
  /** What a list of assets that were scanned after their end also shows. */
  afterEnd?: AssetsPage["summaryOf"] | undefined;
  change: string;
}

export const AssetTable = ({ items, change, afterEnd, ...shown }: TableProperties) => (
  <form class="bulk" method="get" action={here.printAssets()}>
    <TickAll name="id" />
    <Table
      caption={shown.caption}
      rows={items}
      columns={[
        pickColumn<Asset>("id", (asset) => (hasQr(asset) ? asset : undefined)),
        {
          heading: "Name",
          isName: true,
          cell: ({ id, name, kind, quantity }) => (
            <>
              <NameLink to={here.asset(id)} name={name} />
              <span class="small soft block">
                {words(kind)}
                {quantity !== null && ` × ${number(quantity)}`}
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
              <span class="small soft block spare">Code {code}</span>
            </>
          ),
        },
        { heading: shown.scansHeading, kind: "number", cell: ({ id }) => number(shown.scans.get(id) ?? 0) },
        afterEnd !== undefined && {
          heading: "After the end",
          kind: "number",
          cell: ({ id }) => <AfterEnd summary={afterEnd.get(id)} />,
        },
        {
          heading: "Status",
          cell: ({ status, live_at: liveAt }) => (
            <>
              <Badge of={status} />
              {liveAt !== null && (
                <span class="small soft block spare">
                  First live <Time at={liveAt} />
                </span>
              )}
            </>
          ),
        },
      ]}
    />
    {items.some(hasQr) && (
      <WithChosen name="id" of="poster">
        <div class="row">
          <button type="submit">Print their QR codes</button>
          <Button label="Download SVG files as ZIP" formaction={here.assetFiles()} />
          {currentPage().var.isEditor &&
            MOVES.map(([status, label]) => (
              <Button name="status" value={status} formmethod="post" formaction={change} label={label} />
            ))}
        </div>
        {currentPage().var.isEditor && (
          <Fields action={here.changeAssets()}>
            <div class="search">
              <FindField
                name="to_link"
                error="link"
                label="Move them to the link"
                hint="Its slug, short link or ID. What is printed stays valid."
              />
              <Button name="status" value="move" formmethod="post" formaction={change} label="Move" />
            </div>
          </Fields>
        )}
      </WithChosen>
    )}
  </form>
);
