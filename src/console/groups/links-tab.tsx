import type { Child } from "hono/jsx";
import { reportGroupLinks } from "../../analytics/group-report";
import { visitsOf } from "../../analytics/time-series";
import { pageOf } from "../../lib/paging";
import type { Range } from "../../lib/range";
import type { GroupOverview } from "../../resources/activity-groups/group-service";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { listServedDomains } from "../../resources/domains/domain-service";
import { hostsOf } from "../../resources/links/choose-domain";
import { listSomeLinks } from "../../resources/links/list-links";
import { listTagsNaturally } from "../../resources/tags/tag-service";
import { rangeParameters, type ShownRange } from "../clicks/range";
import { sum } from "../clicks/series";
import { TOO_MANY_FOR_GROUP } from "../clicks/visit-figures";
import { BulkList, pickLinks } from "../links/bulk-form";
import { linksQuery, toListQuery } from "../links/links-query";
import { MadeLinks, madeIds, readMadeLinks } from "../links/made-links";
import { readVisitedLinks, type VisitedLink, VisitedLinks } from "../links/visited";
import { ButtonLink, MoreMenu } from "../shell/button";
import { here, thisPage } from "../shell/href";
import { ListSearch, listQuery, Pager } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { count, Empty, number } from "../shell/text";

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

const LINKS_PER_PAGE = 25;
const MAX_FOUND = 100;

/**
 * A page of the present links of a group with their states, the most visited in a range first; with a search, of those that it
 * finds. Those that were just made come first. Null if too many links were visited.
 */
async function readList(c: PageContext, range: Range, q: string, page: number) {
  const { ctx } = c.var;
  const id = c.req.param("id");
  const ofGroup = { activity_group_id: id, status: "all", per_page: MAX_FOUND } as const;
  const [report, found] = await Promise.all([
    reportGroupLinks(ctx, id, range),
    q === "" ? undefined : listSomeLinks(ctx, toListQuery(ctx, { ...linksQuery.parse({}), ...ofGroup, q })),
  ]);
  if (report === null) return null;
  const visits = new Map(report.links.map((link) => [link.id, link]));
  const made = new Set(madeIds(c));
  const listed = (found?.items ?? report.links)
    .map(({ id: link }) => visits.get(link) ?? { id: link, clicks: 0, scans: 0 })
    .toSorted(
      (one, other) =>
        Number(made.has(other.id)) - Number(made.has(one.id)) || visitsOf(other) - visitsOf(one),
    );
  const { items, meta } = pageOf(listed, page, LINKS_PER_PAGE);
  const links = await readVisitedLinks(ctx, items, range);
  const whole = sum(report.links.map(visitsOf));
  return { links, whole, meta, found: found?.meta.total, hasQuiet: report.hasQuiet };
}

function emptyText(total: number, q: string): string {
  if (total === 0) return "No link is in this group.";
  return q === "" ? "No link was visited on these days." : "No link of this group has these words.";
}

export const readLinks: ReadTab = async (c, shown, page) => {
  const { ctx, isEditor } = c.var;
  const { q } = readQuery(listQuery, c);
  const [list, made, tags, groups, domains] = await Promise.all([
    readList(c, shown.range, q, page),
    readMadeLinks(c),
    isEditor ? listTagsNaturally(ctx) : [],
    isEditor ? listAllActivityGroups(ctx) : [],
    isEditor ? listServedDomains(ctx) : [],
  ]);
  return ({ group }) => {
    const { active } = group.links;
    const all = { activity_group_id: group.id, status: "all" };
    const total = linksOf(group);
    return (
      <section class="stack" aria-label="Links">
        <MadeLinks links={made} />
        <div class="heading">
          {(total > 0 || q !== "") && <ListSearch label="Search the links of this group" q={q} />}
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
          >
            <VisitedLinks
              caption="Links of this group by clicks and scans"
              {...list}
              picks={pickLinks<VisitedLink>((link) => link)}
            />
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
        {list !== null && list.meta.last_page > 1 && <Pager meta={list.meta} of="link" />}
      </section>
    );
  };
};
