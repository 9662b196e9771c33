import { listAssetScans } from "../../analytics/asset-report";
import { reportVisits } from "../../analytics/report";
import { listAudit } from "../../resources/audit/service";
import type { LinkDetails } from "../../resources/links/details";
import { Figures } from "../clicks/figures";
import { readRangeOf } from "../clicks/range";
import { here } from "../shell/href";
import type { PageContext } from "../shell/request";
import { Table } from "../shell/table";
import { Badge, Card, count, NameLink, number, Time } from "../shell/text";
import { RuleVisits } from "./rule-visits";

const MAX_SHOWN = 10;

/** The assets that a link is on, with their scans in the range; nothing for a link without assets. */
const LinkAssets = ({ link, list: { assets, isMore } }: { link: string; list: History["assets"] }) => {
  if (assets.length === 0) return null;
  const hasAfterEnd = assets.some(({ after_end }) => after_end > 0);
  return (
    <Card id="assets" title="Offline Engagement">
      <Table
        caption="Assets with their scans in this time"
        rows={assets.slice(0, MAX_SHOWN)}
        columns={[
          {
            heading: "Asset",
            isName: true,
            cell: ({ id, name }) => <NameLink to={here.asset(id)} name={name} />,
          },
          { heading: "Place", cell: ({ place }) => place !== null && <bdi>{place}</bdi> },
          { heading: "Status", cell: ({ status }) => <Badge of={status} /> },
          { heading: "Scans", kind: "number", cell: ({ scans }) => number(scans) },
          hasAfterEnd && {
            heading: "After the end",
            kind: "number",
            cell: ({ after_end }) => number(after_end),
          },
        ]}
      />
      {assets.length > MAX_SHOWN && (
        <p class="soft">
          The {MAX_SHOWN} most scanned ones of {isMore && "more than "}
          {number(assets.length)}.
        </p>
      )}
      <p>
        <a href={here.assets({ link })}>All assets of this link</a>
      </p>
    </Card>
  );
};

/** What is known since the link was created, whatever the range. */
const VisitTotals = ({
  visitTotals: { clicks, scans, last_visit_at: last },
}: Pick<LinkDetails, "visitTotals">) => (
  <p class="small soft">
    In all <strong>{count(clicks, "click")}</strong> and <strong>{count(scans, "scan")}</strong>
    {last !== null && (
      <>
        , the last one on <Time at={last} exact />
      </>
    )}
    .
  </p>
);

/** The visits and the last changes of a link. */
export async function readHistory(c: PageContext, id: string) {
  const { ctx, isEditor } = c.var;
  const shown = readRangeOf(c, id);
  const [report, assets, { entries }] = await Promise.all([
    reportVisits(ctx, { link: id }, shown.range, { compare: shown.compare }),
    listAssetScans(ctx, id, shown.range),
    listAudit(ctx, { subject: id }, isEditor),
  ]);
  return { shown, report, assets, entries };
}

type History = Awaited<ReturnType<typeof readHistory>>;

/** The visits of a link in a range, and of its assets. */
export const LinkVisits = ({ details, shown, report, assets }: History & { details: LinkDetails }) => {
  const { link, visitTotals, activeWindow, taken_down_by: takenDownBy } = details;
  const isUnvisited = visitTotals.clicks + visitTotals.scans === 0;
  const canShare = link.status === "active" && takenDownBy === null && activeWindow.windowState === "open";
  return (
    <>
      <section class="card" aria-labelledby="visits">
        <h2 id="visits" class="unseen">
          Clicks and scans
        </h2>
        <Figures
          report={report}
          shown={shown}
          to={(parameters) => here.link(link.id, parameters)}
          isUnvisited={isUnvisited}
        >
          {isUnvisited && canShare && (
            <p>
              Share <strong>{link.short_url}</strong> or its QR code.
            </p>
          )}
        </Figures>
        {!isUnvisited && <VisitTotals visitTotals={visitTotals} />}
      </section>
      <RuleVisits link={link} report={report} />
      <LinkAssets link={link.id} list={assets} />
    </>
  );
};
