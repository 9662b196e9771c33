import { applyBeforeReport } from "../../analytics/queue";
import { listTotalsOfLinks, listVisitsOfLinks } from "../../analytics/visits-by-owner";
import type { WorkspaceContext } from "../../context";
import { VALUE_FIELD_NAMES } from "../../lib/link-fields";
import { toRange } from "../../lib/range";
import type { ActivityGroup } from "../../resources/activity-groups/group-schema";
import { listAllActivityGroups } from "../../resources/activity-groups/manage-groups";
import { findActors, toActor } from "../../resources/audit/actors";
import { findBrokenOrBlocked } from "../../resources/destinations/health";
import { listServedDomains } from "../../resources/domains/domain-service";
import { hostsOf } from "../../resources/links/choose-domain";
import { exportList, MAX_EXPORTED_LINKS } from "../../resources/links/export-links";
import { MAX_LISTED_LINKS } from "../../resources/links/list/list-plan";
import { type FoundLinks, listLinks, listSomeLinks } from "../../resources/links/list-links";
import { listValues } from "../../resources/links/utm-values";
import { listTagsNaturally } from "../../resources/tags/tag-service";
import { listViews } from "../../resources/views/views";
import { readActors, withChosen } from "../changes/actors";
import { actorText } from "../changes/change-text";
import { ButtonLink, MoreMenu } from "../shell/button";
import { sendCsv } from "../shell/file-response";
import { here, href, thisPage } from "../shell/href";
import { Page } from "../shell/layout";
import { NoSuchPage, Pager } from "../shell/list-controls";
import { type PageContext, readQuery } from "../shell/page-request";
import { count, Empty, number, quoted } from "../shell/text";
import { LimitWarnings } from "../workspace/limit-warnings";
import { FilterChips, LinkFilters } from "./filters";
import { OthersCard, readOthers, reasonOf } from "./find-results";
import { LinkTable, type ListedLink, SHOWN_DAYS } from "./link-table";
import { healthIn, isFiltered, type LinksList, linksQuery, toLinksQuery, toListQuery } from "./links-query";
import { MadeLinks, readMadeLinks } from "./made-links";
import { SavedViews } from "./saved-views";

/** Of each field, in the filters. */
const MAX_OFFERED_VALUES = 200;

/** Shown if no link has what was asked for. */
const NoMatch = ({ query }: { query: LinksList }) => (
  <Empty text={`No link matches ${query.q === undefined ? "the filter" : quoted(query.q)}.`}>
    <p class="row">
      {query.q !== undefined && query.status !== "all" && (
        <ButtonLink
          to={here.links({ q: query.q, status: "all", to_group: query.to_group })}
          label="Search all links, archived ones too"
        />
      )}
      <ButtonLink to={here.links({ to_group: query.to_group })} label="Show all active links" />
    </p>
  </Empty>
);

/** Shown for a page that only the one before it leads to. */
const TooFarPage = ({ last }: { last: number }) => (
  <Empty>
    <p>
      Pages after page {number(last)} open only from the page before. A search, a filter or another order
      finds links sooner.
    </p>
    <ButtonLink to={thisPage({ page: last })} label={`Show page ${number(last)}`} />
  </Empty>
);

/** Shown if the workspace has no active links. */
async function showNoActiveLinks({ var: { ctx, workspace, isEditor } }: PageContext) {
  const { meta } = await listLinks(ctx, { status: "archived", sort: "-created_at", page: 1, per_page: 1 });
  if (meta.total > 0) {
    return (
      <Empty text="No link is active. Archived links still lead to their destinations.">
        <p class="row">
          <ButtonLink
            to={href.links(workspace, { status: "archived" })}
            label={`Show ${count(meta.total, "archived link")}`}
          />
          {isEditor && <ButtonLink to={href.newLink(workspace)} label="Create a link" isPrimary />}
        </p>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>There are no links yet. A link takes visitors to its destination, and counts them.</p>
      {isEditor && (
        <p class="row">
          <ButtonLink to={href.newLink(workspace)} label="Create the first link" isPrimary />
          <ButtonLink to={href.imports(workspace)} label="Import links from a file" />
        </p>
      )}
    </Empty>
  );
}

export const fileName = ({ var: { ctx, membership } }: PageContext, part = ""): string =>
  `${membership.workspace.slug}-list-${part}${new Date(ctx.now()).toISOString().slice(0, 10)}.csv`;

/** Reads what a list shows of its links. */
async function readRows(ctx: WorkspaceContext, page: FoundLinks, seesKeys: boolean): Promise<ListedLink[]> {
  const now = ctx.now();
  const range = toRange({ last: SHOWN_DAYS }, ctx.workspace.zones, now, now);
  const ids = page.items.map(({ id }) => id);
  const [totals, visits, stopped, toCreator] = await Promise.all([
    listTotalsOfLinks(ctx, ids),
    listVisitsOfLinks(ctx, ids, range),
    findBrokenOrBlocked(ctx, ids),
    findActors(
      ctx,
      Array.from(page.details.values(), (details) => details.createdBy),
      seesKeys,
    ),
  ]);
  return page.items.flatMap((link) => {
    const details = page.details.get(link.id);
    if (details === undefined) return [];
    const { takenDownBy, createdBy, windowState } = details;
    return {
      link,
      creator: toCreator(createdBy),
      visitTotals: totals.get(link.id),
      visits: visits.get(link.id),
      takenDownBy: takenDownBy ?? (stopped.blocked.has(link.id) ? "blocklist" : undefined),
      isBroken: stopped.broken.has(link.id),
      windowState: windowState === "open" ? undefined : windowState,
      foundBy: page.exact?.link === link.id ? reasonOf(page.exact) : undefined,
    };
  });
}

/** How links are moved to the Activity Group whose page led here. */
const MoveHint = ({ group: { id, name } }: { group: ActivityGroup }) => (
  <p class="hint">
    Select links and press “Move”. They leave their group and join <a href={here.group(id)}>{name}</a>. A
    campaign that was set on a link stays.
  </p>
);

/** What a list has not looked at. */
const LookedAtHint = ({ page, isSearch }: { page: FoundLinks; isSearch: boolean }) =>
  page.lookedAt === null ? null : (
    <p class="hint">
      The {isSearch ? "search" : "list"} has looked at {number(page.lookedAt)} links, the newest first if
      possible. There may be more: search for another word, or add a filter.
    </p>
  );

/** The list of links, also after a bulk change that was refused. */
export async function showLinks(c: PageContext): Promise<Response> {
  const { ctx, membership, workspace, isEditor, problem } = c.var;
  const asked = readQuery(linksQuery, c);
  const query = { ...asked, health: healthIn(ctx, asked) };
  const applying = applyBeforeReport(ctx);
  // Only this order needs all visits before the list is read.
  if (query.sort === "-visits") await applying;
  const reading = listSomeLinks(ctx, toListQuery(ctx, query));
  const [page, made, others, views, tags, groups, values, domains, actors] = await Promise.all([
    reading,
    readMadeLinks(c),
    query.q === undefined || query.page > 1 ? undefined : readOthers(c, query.q, reading),
    listViews(ctx),
    listTagsNaturally(ctx),
    listAllActivityGroups(ctx),
    listValues(ctx, VALUE_FIELD_NAMES, MAX_OFFERED_VALUES),
    listServedDomains(ctx),
    readActors(c),
    applying,
  ]);
  const hosts = hostsOf(ctx.config, domains);
  const chosen = query.created_by === undefined ? "" : actorText(toActor(query.created_by, () => undefined));
  const creators = withChosen(actors, query.created_by, chosen);
  const choices = { tags, groups, values, hosts, creators };
  const toGroup = isEditor ? groups.find(({ id }) => id === query.to_group) : undefined;
  const rows = await readRows(ctx, page, isEditor);
  const isEmpty = rows.length === 0;
  const { current_page: current, last_page: last, total } = page.meta;
  const hasNoActiveLinks = isEmpty && !isFiltered(query) && current === 1 && problem === undefined;
  // Later pages are read from the end of the page before.
  const lastOpened = Math.floor(MAX_LISTED_LINKS / query.per_page) + 1;
  return c.render(
    <Page
      title="Links"
      section="links"
      hasSearch
      actions={
        <>
          {isEditor && <ButtonLink to={href.severalLinks(workspace)} label="Several links" />}
          {isEditor && <ButtonLink to={href.newLink(workspace)} label="New link" icon="plus" isPrimary />}
          {(total > 0 || domains.length > 0) && (
            <MoreMenu
              actions={[
                total > 0 && (
                  <a href={href.linksFile(workspace, toLinksQuery(query))}>
                    {total > MAX_EXPORTED_LINKS
                      ? `Export the first ${number(MAX_EXPORTED_LINKS)} links`
                      : "Export this list"}
                  </a>
                ),
                domains.length > 0 && <a href={href.unknownAddresses(workspace)}>Unknown addresses</a>,
              ]}
            />
          )}
        </>
      }
      class="stack"
    >
      <MadeLinks links={made} />
      {toGroup !== undefined && <MoveHint group={toGroup} />}
      <LimitWarnings limits={membership.nearlyFull} />
      <LinkFilters query={query} choices={choices} />
      <div class="row">
        <FilterChips query={query} choices={choices} />
        <SavedViews views={views} query={query} />
      </div>
      {others !== undefined && <OthersCard others={others} />}
      <LookedAtHint page={page} isSearch={query.q !== undefined} />
      {!isEmpty ? (
        <LinkTable
          links={rows}
          sort={query.sort}
          action={href.changeLinks(workspace, toLinksQuery(query))}
          choices={choices}
          toGroup={toGroup?.id}
          total={total}
        />
      ) : hasNoActiveLinks ? (
        await showNoActiveLinks(c)
      ) : current > last ? (
        <NoSuchPage meta={page.meta} lastOpened={lastOpened} />
      ) : query.after === undefined && current > lastOpened ? (
        <TooFarPage last={lastOpened} />
      ) : (
        <NoMatch query={query} />
      )}
      <Pager
        meta={page.meta}
        of="link"
        lastOpened={lastOpened}
        besides={query.status === "all" && total > 0 && "archived ones included"}
        // The pages of a search are turned by their number.
        after={page.nextAfter && (query.q === undefined ? page.nextAfter : undefined)}
      />
    </Page>,
  );
}

export async function sendLinksFile(c: PageContext): Promise<Response> {
  const { ctx } = c.var;
  const { isCut, parts } = await exportList(ctx, toListQuery(ctx, readQuery(linksQuery, c)));
  return sendCsv(c, fileName(c, isCut ? `first-${MAX_EXPORTED_LINKS}-` : ""), parts);
}
