import { MAX_LINKS_WITH_ASSETS } from "../../analytics/limits";
import type { GroupOverview } from "../../resources/activity-groups/service";
import { MAX_SORTED_ASSETS } from "../../resources/engagement/list";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { AssetTable } from "../engagement/table";
import { ButtonLink } from "../shell/button";
import { here } from "../shell/href";
import { Pager } from "../shell/list";
import { currentPage } from "../shell/request";
import { count, Empty, number } from "../shell/text";
import type { GroupAssetList } from "./report";

/** What is not listed, or not in the order of scans. */
const Bounds = ({ links, list: { isCut, meta, allScans } }: { links: number; list: GroupAssetList }) => (
  <>
    {isCut && (
      <p class="warning">
        The group has more than {number(MAX_SORTED_ASSETS)} assets. The newest {number(MAX_SORTED_ASSETS)} are
        listed.
      </p>
    )}
    {links > MAX_LINKS_WITH_ASSETS && (
      <p class="warning">
        The group has more than {number(MAX_LINKS_WITH_ASSETS)} links. Assets of the oldest{" "}
        {number(MAX_LINKS_WITH_ASSETS)} are listed.
      </p>
    )}
    {allScans === null && (
      <p class="soft">
        {number(meta.total)} assets are too many to order by their scans: the newest come first.
      </p>
    )}
  </>
);

/** A page of the assets of a group's links, with what can be done with the chosen ones. */
export const GroupAssets = ({
  group: { id: group, links },
  list,
  shown,
}: {
  group: GroupOverview;
  list: GroupAssetList;
  shown: ShownRange;
}) => {
  const { items, scans, meta, previousScans } = list;
  const hrefOf = (page: number) => here.group(group, { ...rangeParameters(shown), tab: "posters", page });
  return (
    <section class="stack" aria-labelledby="assets">
      <div class="heading">
        <h2 id="assets">Offline Engagement</h2>
        <div class="actions">
          {currentPage().var.isEditor && links.active > 0 && (
            <ButtonLink to={here.newAssets({ group })} label="Create assets" />
          )}
          {items.length > 0 && <ButtonLink to={here.printAssets({ group })} label="Print QR codes" />}
          {items.length > 0 && <a href={here.assets({ group })}>Search these assets</a>}
        </div>
      </div>
      <Bounds links={links.active + links.archived} list={list} />
      {items.length === 0 ? (
        <Empty>
          <p>
            No asset carries a link of this group. Posters, flyers and signs have codes of their own, so the
            scans of each are counted apart.
          </p>
        </Empty>
      ) : (
        <>
          <AssetTable
            caption="Assets of this Activity Group"
            items={items}
            scans={scans}
            scansHeading="Scans"
            change={here.changeAssets({ group, back: hrefOf(meta.current_page) })}
          />
          <Pager meta={meta} of={["asset", "assets"]} hrefOf={hrefOf} />
        </>
      )}
      {previousScans > 0 && (
        <p class="soft">
          {count(previousScans, "scan")}{" "}
          {previousScans === 1
            ? "is of an asset that was moved or removed since."
            : "are of assets that were moved or removed since."}
        </p>
      )}
    </section>
  );
};
