import type { Hono } from "hono";
import { listAllActivityGroups } from "../../activity-groups/manage";
import { clicksOfLinks } from "../../clicks/of-links";
import { findBrokenAmong } from "../../health/service";
import { listChannels } from "../../links/channels";
import { listLinks } from "../../links/list";
import { listTags } from "../../tags/service";
import { toRange } from "../clicks/date-range";
import { href, paths } from "../href";
import { Refusal, showPage } from "../shell/layout";
import { Pager } from "../shell/pager";
import { type ConsoleEnv, type PageContext, readQuery } from "../shell/request";
import { LimitWarnings } from "../workspace/limit-warnings";
import type { RefusedChange } from "./bulk-form";
import { NoMatch, showNoActiveLinks } from "./empty-list";
import { LinkFilters } from "./filters";
import { isFiltered, type LinksList, linksQuery, toLinksQuery } from "./query";
import { LinkTable } from "./table";

const DAYS = "30";

/** The list of links; `refused` is a bulk change that did not pass. */
export async function showLinks(
  c: PageContext,
  query: LinksList,
  refused?: RefusedChange,
): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const isEditor = membership.role !== "viewer";
  const isAsked = ctx.config.healthCheck;
  const [page, tags, groups, channels] = await Promise.all([
    listLinks(ctx, isAsked ? query : { ...query, health: undefined }),
    listTags(ctx),
    listAllActivityGroups(ctx),
    listChannels(ctx),
  ]);
  const { begin, end } = toRange({ last: DAYS }, ctx.now());
  const ids = page.items.map(({ id }) => id);
  // A refused change has used its round trips, so its page shows neither clicks nor health.
  const [visits, broken] =
    refused === undefined
      ? await Promise.all([clicksOfLinks(ctx, ids, begin, end), findBrokenAmong(ctx, ids)])
      : [undefined, undefined];
  const hasNoActiveLinks =
    ids.length === 0 && !isFiltered(query) && query.page === 1 && refused === undefined;
  const { current_page: current, last_page: last } = page.meta;
  const turn = (to: number, after: string | undefined) =>
    href.links(workspace, { ...toLinksQuery(query), page: to, after });
  return showPage(
    c,
    {
      title: "Links",
      section: "links",
      status: refused === undefined ? 200 : 422,
      actions: isEditor && (
        <a class="button primary" href={href.newLink(workspace)}>
          New link
        </a>
      ),
    },
    <div class="stack">
      <Refusal problem={refused?.problem} />
      <LimitWarnings limits={membership.nearlyFull} />
      <LinkFilters
        workspace={workspace}
        query={query}
        tags={tags}
        groups={groups}
        channels={channels}
        hasHealth={isAsked}
      />
      {ids.length > 0 ? (
        <LinkTable
          workspace={workspace}
          links={page.items}
          visits={visits}
          takenDown={page.takenDown}
          broken={broken}
          closed={page.closed}
          days={DAYS}
          bulkForm={
            isEditor
              ? { action: href.changeLinks(workspace, toLinksQuery(query)), tags, groups, refused }
              : undefined
          }
        />
      ) : hasNoActiveLinks ? (
        await showNoActiveLinks(c)
      ) : (
        <NoMatch workspace={workspace} />
      )}
      <Pager
        meta={page.meta}
        of={page.meta.total === 1 ? "link" : "links"}
        previous={current > 1 ? turn(Math.min(current - 1, last), undefined) : undefined}
        next={page.nextAfter === null ? undefined : turn(current + 1, page.nextAfter)}
      />
    </div>,
  );
}

export function registerLinkList(app: Hono<ConsoleEnv>): void {
  app.get(paths.links, (c) => showLinks(c, readQuery(linksQuery, c)));
}
