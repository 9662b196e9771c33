import type { Child } from "hono/jsx";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { listServedDomains } from "../../resources/domains/domain-service";
import { hostsOf } from "../../resources/links/choose-domain";
import { listTagsNaturally } from "../../resources/tags/tag-service";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { highestOf } from "../clicks/shares";
import { TOO_MANY_FOR_GROUP } from "../clicks/visit-figures";
import { BulkList, pickLinks } from "../links/bulk-form";
import { MadeLinks, readMadeLinks } from "../links/made-links";
import { VISITED_SORTS, type VisitedLink, VisitedLinks, type VisitedSort } from "../links/visited";
import { ButtonLink, MoreMenu } from "../shell/button";
import { here, thisPage } from "../shell/href";
import { ListSearch, Pager } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { count, Empty, number } from "../shell/text";
import { readGroupList, SORTS, tabQuery } from "./group-links";

// The tab of a group with its links.

/** Reads a tab and a page of its list. The result shows it. */
export type ReadTab = (
  c: PageContext,
  shown: ShownRange,
  page: number,
) => Promise<(of: { group: GroupOverview }) => Child>;

export const linksOf = ({ links: { active, archived } }: GroupOverview): number => active + archived;

export const MakeLinks = ({ group }: { group: string }) => (
  <>
    <ButtonLink to={here.severalLinks({ activity_group_id: group })} label="Several links" />
    <ButtonLink
      to={here.newLink({
        activity_group_id: group,
        back: thisPage({ tab: "links", q: undefined, page: undefined }),
      })}
      label="New link"
      isPrimary
    />
  </>
);

export const moreWaysIn = (group: string) => [
  { to: here.links({ to_group: group }), label: "Move links here" },
  { to: here.imports({ group }), label: "Import links" },
];

/** Active links, and archived ones in a table of their own. */
const BothTables = ({
  links,
  ...table
}: {
  links: readonly VisitedLink[];
  whole: number;
  sort: VisitedSort;
}) => {
  const [active, archived] = [false, true].map((is) =>
    links.filter(({ status }) => (status === "archived") === is),
  );
  const picks = pickLinks<VisitedLink>((link) => link);
  const shared = { ...table, picks, highest: highestOf(links) };
  return (
    <>
      {active && active.length > 0 && (
        <VisitedLinks caption="Links of this group by clicks and scans" links={active} {...shared} />
      )}
      {archived && archived.length > 0 && (
        <section class="stack" aria-labelledby="archived">
          <h2 id="archived">Archived</h2>
          <VisitedLinks
            caption="Archived links of this group by clicks and scans"
            links={archived}
            {...shared}
          />
        </section>
      )}
    </>
  );
};

/** The order of the list, also where its headings are not seen. */
const OrderMenu = ({ sort: chosen }: { sort: VisitedSort }) => (
  <MoreMenu
    label={
      <>
        <span class="unseen">Order: </span>
        {VISITED_SORTS[chosen]}
      </>
    }
    actions={SORTS.map((sort) => (
      <a href={thisPage({ sort, page: undefined })} aria-current={sort === chosen ? "true" : undefined}>
        {VISITED_SORTS[sort]}
      </a>
    ))}
  />
);

function emptyText(total: number, q: string): string {
  if (total === 0) return "No link is in this group.";
  return q === "" ? "No link was visited on these days." : "No link of this group has these words.";
}

export const readLinks: ReadTab = async (c, shown, page) => {
  const { ctx, isEditor } = c.var;
  const { q, sort } = readQuery(tabQuery, c);
  const [list, made, tags, groups, domains] = await Promise.all([
    readGroupList(c, shown.range, page),
    readMadeLinks(c),
    isEditor ? listTagsNaturally(ctx) : [],
    isEditor ? listAllActivityGroups(ctx) : [],
    isEditor ? listServedDomains(ctx) : [],
  ]);
  return ({ group }) => {
    const { active, archived } = group.links;
    const all = { activity_group_id: group.id, status: "all" };
    const total = linksOf(group);
    return (
      <section class="stack" aria-label="Links">
        <MadeLinks links={made} />
        <div class="heading">
          {(total > 0 || q !== "") && <ListSearch label="Search the links of this group" q={q} />}
          {list !== null && list.meta.total > 1 && <OrderMenu sort={sort} />}
          <div class="actions">
            {isEditor && <MakeLinks group={group.id} />}
            {(isEditor || active > 0) && (
              <MoreMenu
                actions={[
                  ...(isEditor ? moreWaysIn(group.id).map(({ to, label }) => <a href={to}>{label}</a>) : []),
                  active > 0 && <a href={here.groupPrint(group.id)}>Print QR codes</a>,
                  total > 0 && <a href={here.links(all)}>Show in the list of links</a>,
                  list !== null && total > 0 && (
                    <a href={here.groupLinksFile(group.id, rangeParameters(shown))}>
                      Export {total === 1 ? "this link" : `these ${number(total)} links`}
                      {active > 0 && archived > 0 && ", archived ones too"}
                    </a>
                  ),
                ]}
              />
            )}
          </div>
        </div>
        {list === null ? (
          <p class="warning">{TOO_MANY_FOR_GROUP}</p>
        ) : list.links.length === 0 ? (
          <Empty text={emptyText(total, q)} />
        ) : (
          <BulkList
            action={here.changeLinks({ ...all, q, back: thisPage() })}
            choices={{ tags, groups, hosts: hostsOf(ctx.config, domains) }}
            total={list.found ?? total}
            shown={list.links.length}
            hasArchived={q === "" ? archived > 0 : list.archivedCount > 0}
          >
            <BothTables links={list.links} whole={list.whole} sort={sort} />
          </BulkList>
        )}
        {list?.found !== undefined && list.found > list.meta.total && (
          <p class="warning">
            The search finds {count(list.found, "link")}, of which {number(list.meta.total)} are listed here.
            All are in <a href={here.links({ ...all, q })}>the list of links</a>.
          </p>
        )}
        {list?.hasQuiet === false && q === "" && (
          <p class="warning">
            The group has too many links to list those that nobody visited on these days. They are in{" "}
            <a href={here.links(all)}>the list of links</a>.
          </p>
        )}
        {list !== null && list.meta.total > 0 && (
          <Pager
            meta={{ ...list.meta, total: list.meta.total - list.archivedCount }}
            of="link"
            besides={list.archivedCount > 0 && `${number(list.archivedCount)} archived`}
          />
        )}
      </section>
    );
  };
};
