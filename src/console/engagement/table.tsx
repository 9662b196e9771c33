import { isoTime } from "../../lib/time";
import { type AssetsPage, SCANS_OF_DAYS } from "../../resources/engagement/list";
import { hasQr } from "../../resources/engagement/qr";
import type { AssetSummary } from "../../resources/engagement/statements";
import { Fields } from "../shell/form";
import { here } from "../shell/href";
import { isTicked, TickAll, WithChosen } from "../shell/list";
import { FindField } from "../shell/picker";
import { currentPage } from "../shell/request";
import { Table } from "../shell/table";
import { Badge, NameLink, number, Time, words } from "../shell/text";
import type { Filter } from "./find";

const MOVES = [
  ["retired", "Retire"],
  ["live", "Set live"],
] as const;

const ChangeButton = ({ status, label, filter }: { status: string; label: string; filter: Filter }) => (
  <button
    type="submit"
    name="status"
    value={status}
    formmethod="post"
    formaction={here.changeAssets({ ...filter })}
  >
    {label}
  </button>
);

/** How often an asset was scanned after its end, and when last. */
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

/** The table, and what can be done with the chosen assets. */
export const AssetTable = ({
  items,
  scans,
  summaryOf,
  filter,
}: Pick<AssetsPage, "items" | "scans" | "summaryOf"> & {
  filter: Filter;
}) => (
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
              <input
                type="checkbox"
                name="id"
                value={asset.id}
                checked={isTicked("id", asset.id)}
                aria-label={`Select ${asset.name}`}
              />
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
        filter.after_end !== undefined && {
          heading: "After the end",
          kind: "number",
          cell: ({ id }) => <AfterEnd summary={summaryOf.get(id)} />,
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
      <WithChosen name="id" of="asset">
        <div class="row">
          <button type="submit">Print their QR codes</button>
          <button type="submit" formaction={here.assetFiles()}>
            Download SVG files as ZIP
          </button>
          {currentPage().var.isEditor &&
            MOVES.map(([status, label]) => <ChangeButton status={status} label={label} filter={filter} />)}
        </div>
        {currentPage().var.isEditor && (
          <Fields action={here.changeAssets()}>
            <div class="search">
              <FindField
                name="to"
                error="link"
                label="Move them to the link"
                hint="Its slug, short link or ID. What is printed stays valid."
                from={here.suggestLinks()}
              />
              <ChangeButton status="move" label="Move" filter={filter} />
            </div>
          </Fields>
        )}
      </WithChosen>
    )}
  </form>
);
