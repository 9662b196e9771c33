import type { GroupOverview } from "../../resources/activity-groups/service";
import { TOO_MANY_FOR_GROUP } from "../clicks/figures";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { InListOfLinks, VisitedLinks } from "../links/visited";
import { ButtonLink } from "../shell/button";
import { here } from "../shell/href";
import { Pager } from "../shell/list";
import { currentPage } from "../shell/request";
import { Empty, number } from "../shell/text";
import type { GroupLinkList } from "./report";

/** The ways in which links get into a group. */
export const AddLinks = ({ group }: { group: string }) => (
  <p class="row">
    <ButtonLink to={here.severalLinks({ activity_group_id: group })} label="Several links" />
    <ButtonLink to={here.links({ to_group: group })} label="Move links here" />
    <ButtonLink to={here.imports({ group })} label="Import links" />
    <ButtonLink
      to={here.newLink({ activity_group_id: group, back: here.group(group, { tab: "links" }) })}
      label="New link"
      isPrimary
    />
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
  const parameters = rangeParameters(shown);
  return (
    <section class="stack" aria-labelledby="links">
      <div class="heading">
        <h2 id="links">Links</h2>
        <div class="actions">
          {currentPage().var.isEditor && <AddLinks group={group.id} />}
          {active > 0 && <ButtonLink to={here.groupPrint(group.id)} label="Print QR codes" />}
          {list !== undefined && list.meta.total > 0 && (
            <a href={here.groupLinksFile(group.id, parameters)}>
              Export {list.meta.total === 1 ? "this link" : `these ${number(list.meta.total)} links`}
            </a>
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
      {list !== undefined && list.meta.total > 0 && (
        <Pager
          meta={list.meta}
          of={["link", "links"]}
          hrefOf={(page) => here.group(group.id, { ...parameters, tab: "links", page })}
        />
      )}
      <InListOfLinks of={{ activity_group_id: group.id }} active={active} archived={archived} />
    </section>
  );
};
