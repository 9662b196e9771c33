import { reportOrigin } from "../../analytics/origin-report";
import { MAX_LINKS_WITH_ASSETS } from "../../analytics/report-limits";
import { toDate } from "../../lib/range";
import { listChangesOfGroup } from "../../resources/audit/audit-service";
import { listScannedAssetsOfGroup, MAX_SORTED_ASSETS } from "../../resources/engagement/list-assets";
import { LastChanges } from "../changes/last-changes";
import { OriginFigures, readChosenOrigin } from "../clicks/origin-figures";
import { rangeParameters } from "../clicks/range";
import { FiguresCard } from "../clicks/visit-figures";
import { AssetTable } from "../engagement/asset-table";
import { TopLinks } from "../links/visited";
import { ButtonLink } from "../shell/button";
import { here, thisPage } from "../shell/href";
import { Pager } from "../shell/list-controls";
import { Card, count, Empty, number } from "../shell/text";
import { GroupFigures, readGroupAssets, readGroupFigures } from "./group-figures";
import { EditGroup, StatusForms } from "./group-form";
import { linksOf, MakeLinks, moreWaysIn, type ReadTab, readLinks } from "./links-tab";
import { ScannedPosters } from "./scanned-posters";

// What the tabs of a group show. Each reads only what it shows, in at most two calls of D1, one after the other.

/** Of the group, its links and their assets. */
const MAX_CHANGES = 10;
/** In the report. The tab of posters has all. */
const MAX_POSTERS = 10;

const PrintButton = () => (
  <button type="button" class="quiet" data-print hidden>
    Print this page
  </button>
);

const readReport: ReadTab = async (c, shown) => {
  const chosen = readChosenOrigin(c);
  if (chosen !== undefined) {
    const report = await reportOrigin(c.var.ctx, { group: c.req.param("id") }, shown.range, chosen, shown);
    return () =>
      report && (
        <>
          <OriginFigures report={report} shown={shown} />
          <p class="row small screen">
            <PrintButton />
          </p>
        </>
      );
  }
  const [figures, posters] = await Promise.all([
    readGroupFigures(c.var.ctx, c.req.param("id"), shown),
    listScannedAssetsOfGroup(c.var.ctx, c.req.param("id"), shown.range, MAX_POSTERS),
  ]);
  const list = figures.present?.list;
  const hasLinks = list !== undefined && list.whole > 0;
  const hasPosters = posters !== null && posters.length > 0;
  const days = { from: toDate(shown.range.firstDay), to: toDate(shown.range.lastDay) };
  return ({ group }) => (
    <>
      {linksOf(group) === 0 && c.var.isEditor && (
        <Empty text="No link is in this group.">
          <p class="row">
            {moreWaysIn(group.id).map((way) => (
              <ButtonLink {...way} />
            ))}
            <MakeLinks group={group.id} />
          </p>
        </Empty>
      )}
      <FiguresCard>
        <GroupFigures {...figures} shown={shown} group={group.id} />
      </FiguresCard>
      {(hasLinks || hasPosters) && (
        <div class="pair">
          {hasLinks && (
            <TopLinks title="Top links" links={list.links} whole={list.whole} hrefOf={here.link} />
          )}
          {hasPosters && (
            <ScannedPosters posters={posters} whole={figures.visits.totals.scans} hrefOf={here.asset} />
          )}
        </div>
      )}
      <p class="row small screen">
        <PrintButton />
        <a href={here.compareGroup(group.id, rangeParameters(shown))}>Compare with…</a>
        <span>
          Export day by day, at most a year:{" "}
          <span class="nowrap">
            <a href={here.groupClicks(group.id, days)}>by link</a> or{" "}
            <a href={here.groupOrigins(group.id, days)}>by origin</a>
          </span>
        </span>
      </p>
    </>
  );
};

const readPosters: ReadTab = async (c, { range }, page) => {
  const list = await readGroupAssets(c.var.ctx, c.req.param("id"), range, page);
  const { items, scans, meta, isCut, allScans, previousScans } = list;
  return ({ group }) => (
    <section class="stack" aria-labelledby="assets">
      <div class="heading">
        <h2 id="assets">Posters</h2>
        <div class="actions">
          {items.length > 0 && (
            <ButtonLink to={here.printAssets({ group: group.id })} label="Print QR codes" icon="print" />
          )}
          {c.var.isEditor && group.links.active > 0 && (
            <ButtonLink to={here.newAssets({ group: group.id })} label="Create posters" isPrimary />
          )}
        </div>
      </div>
      {isCut && (
        <p class="warning">
          The group has more than {number(MAX_SORTED_ASSETS)} posters. The newest {number(MAX_SORTED_ASSETS)}{" "}
          are listed.
        </p>
      )}
      {linksOf(group) > MAX_LINKS_WITH_ASSETS && (
        <p class="warning">
          The group has more than {number(MAX_LINKS_WITH_ASSETS)} links. Posters of the oldest{" "}
          {number(MAX_LINKS_WITH_ASSETS)} are listed.
        </p>
      )}
      {allScans === null && (
        <p class="soft">
          {number(meta.total)} posters are too many to order by their scans: the newest come first.
        </p>
      )}
      {items.length === 0 ? (
        <Empty text="This group has no posters yet. Posters, flyers and signs have codes of their own, so the scans of each are counted apart." />
      ) : (
        <>
          <AssetTable
            caption="Posters of this group"
            items={items}
            scans={scans}
            scansHeading="Scans"
            change={here.changeAssets({ group: group.id, back: thisPage() })}
          />
          <Pager meta={meta} of="poster" />
          <a href={here.assets({ group: group.id })}>Search these posters</a>
        </>
      )}
      {previousScans > 0 && (
        <p class="soft">
          {count(previousScans, "scan")}{" "}
          {previousScans === 1
            ? "is of a poster that was moved or removed since."
            : "are of posters that were moved or removed since."}
        </p>
      )}
    </section>
  );
};

const readSettings: ReadTab = async ({ var: { ctx, isEditor }, req }) => {
  const changes = await listChangesOfGroup(ctx, req.param("id"), MAX_CHANGES, isEditor);
  return ({ group }) => (
    <div class="columns">
      <Card id="about" title="About">
        <EditGroup group={group} />
      </Card>
      <div class="stack">
        {isEditor && (
          <Card id="moves" title="Change the status">
            <StatusForms group={group} />
          </Card>
        )}
        <LastChanges entries={changes} group={group.id} />
      </div>
    </div>
  );
};

export const TABS = { report: readReport, links: readLinks, posters: readPosters, settings: readSettings };
