import { visitsOf } from "../../analytics/time-series";
import type { ShownRange } from "../clicks/range";
import { ShareTable } from "../clicks/shares";
import { Figures, FiguresCard } from "../clicks/visit-figures";
import { GroupFigures } from "../groups/group-figures";
import { ScannedPosters } from "../groups/scanned-posters";
import { TopLinks } from "../links/visited";
import type { ReportFigures } from "./report-figures";

export const ReportCards = ({
  figures: { visits, links, posters, groups, group },
  shown,
}: {
  figures: ReportFigures;
  shown: ShownRange;
}) => {
  if (visits === null)
    return <p class="warning">Too many links were visited in this time, so the figures are not counted.</p>;
  const whole = group?.present?.list.whole ?? visitsOf(visits.totals);
  return (
    <>
      <FiguresCard>
        {group === undefined ? (
          <Figures report={visits} shown={shown} />
        ) : (
          <GroupFigures {...group} shown={shown} />
        )}
      </FiguresCard>
      <div class="pair">
        {links !== null && <TopLinks title="Most visited links" links={links} whole={whole} />}
        {groups !== undefined && (
          <section class="card">
            <ShareTable
              title="Most visited groups"
              whole={whole}
              rows={groups.map(({ name, visits: value }) => ({ label: name, value }))}
            />
          </section>
        )}
        {posters !== null && posters.length > 0 && (
          <ScannedPosters posters={posters} whole={visits.totals.scans} />
        )}
      </div>
    </>
  );
};
