import { MAX_LINKS_WITH_ASSETS } from "../../analytics/report-limits";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { MAX_SORTED_ASSETS } from "../../resources/engagement/list-assets";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { TOO_MANY_FOR_GROUP } from "../clicks/visit-figures";
import { AssetTable } from "../engagement/asset-table";
import { InListOfLinks, VisitedLinks } from "../links/visited";
import { ButtonLink, MoreMenu } from "../shell/button";
import { here, thisPage } from "../shell/href";
import { Pager } from "../shell/list-controls";
import { currentPage } from "../shell/page-request";
import { count, Empty, number } from "../shell/text";
import type { GroupAssetList, GroupLinkList } from "./group-figures";

const MakeLinks = ({ group }: { group: string }) => (
  <>
    <ButtonLink to={here.severalLinks({ activity_group_id: group })} label="Several links" />
    <ButtonLink
      to={here.newLink({ activity_group_id: group, back: here.group(group, { tab: "links" }) })}
      label="New link"
      isPrimary
    />
  </>
);

const moreWaysIn = (group: string) => [
  { to: here.links({ to_group: group }), label: "Move links here" },
  { to: here.imports({ group }), label: "Import links" },
];

/** The ways in which links get into a group. */
export const AddLinks = ({ group }: { group: string }) => (
  <p class="row">
    {moreWaysIn(group).map((way) => (
      <ButtonLink {...way} />
    ))}
    <MakeLinks group={group} />
  </p>
);

/** A group's links by their clicks and scans in the range. */
export const GroupLinks = ({
  group,
  list,
  shown,
}: {
  group: GroupOverview;
  /** Undefined if its links are not counted. */
  list: GroupLinkList | undefined;
  shown: ShownRange;
}) => {
  const { active, archived } = group.links;
  const { isEditor } = currentPage().var;
  const parameters = rangeParameters(shown);
  return (
    <section class="stack" aria-labelledby="links">
      <div class="heading">
        <h2 id="links">Links</h2>
        <div class="actions">
          {isEditor && <MakeLinks group={group.id} />}
          {(isEditor || active > 0) && (
            <MoreMenu
              actions={[
                ...(isEditor ? moreWaysIn(group.id).map(({ to, label }) => <a href={to}>{label}</a>) : []),
                active > 0 && <a href={here.groupPrint(group.id)}>Print QR codes</a>,
                list !== undefined && list.meta.total > 0 && (
                  <a href={here.groupLinksFile(group.id, parameters)}>
                    Export {list.meta.total === 1 ? "this link" : `these ${number(list.meta.total)} links`}
                  </a>
                ),
              ]}
            />
          )}
        </div>
      </div>
      {list === undefined ? (
        <Empty text="–">
          <p>{TOO_MANY_FOR_GROUP}</p>
        </Empty>
      ) : list.links.length === 0 ? (
        <Empty
          text={active + archived === 0 ? "No link is in this group." : "No link was visited on these days."}
        />
      ) : (
        <VisitedLinks
          caption="Links of this Activity Group by clicks and scans"
          links={list.links}
          whole={list.whole}
        />
      )}
      {list?.hasQuiet === false && (
        <p class="warning">
          The group has too many links to list those that nobody visited on these days. They are in the list
          of links.
        </p>
      )}
      {list !== undefined && list.meta.last_page > 1 && <Pager meta={list.meta} of="link" />}
      <InListOfLinks of={{ activity_group_id: group.id }} active={active} archived={archived} />
    </section>
  );
};

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
}: {
  group: GroupOverview;
  list: GroupAssetList;
}) => {
  const { items, scans, meta, previousScans } = list;
  return (
    <section class="stack" aria-labelledby="assets">
      <div class="heading">
        <h2 id="assets">Offline Engagement</h2>
        <div class="actions">
          {items.length > 0 && <ButtonLink to={here.printAssets({ group })} label="Print QR codes" />}
          {currentPage().var.isEditor && links.active > 0 && (
            <ButtonLink to={here.newAssets({ group })} label="Create assets" isPrimary />
          )}
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
            change={here.changeAssets({ group, back: thisPage() })}
          />
          <Pager meta={meta} of="asset" />
          <a href={here.assets({ group })}>Search these assets</a>
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
