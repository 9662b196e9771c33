import type { Hono } from "hono";
import { allActivityGroups } from "../../activity-groups/manage";
import { clicksOfLinks } from "../../clicks/of-links";
import type { Context } from "../../context";
import { type FieldError, invalid } from "../../errors";
import { changeLinks } from "../../links/change-many";
import { listChannels } from "../../links/channels";
import { listLinks } from "../../links/list";
import { changeLinksSchema } from "../../links/schema";
import { listTags } from "../../tags/service";
import { editorsOnly } from "../auth/permissions";
import { rangeOf } from "../clicks/date-range";
import { href, paths } from "../href";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { Pager } from "../shell/pager";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm, readQuery } from "../shell/request";
import { count, Empty } from "../shell/text";
import { NearlyFull } from "../workspace/limit-warnings";
import { noticeOf } from "./bulk-notice";
import { LinkFilters } from "./filters";
import { isNarrowed, type LinksList, linksQuery, toLinksQuery } from "./query";
import { LinkTable } from "./table";

const DAYS = "30";
/** What stands for no group, which an empty field cannot: that is nothing chosen. */
const NO_GROUP = "none";

const NO_GROUP_CHOSEN: FieldError = {
  field: "activity_group_id",
  message: "Choose an Activity Group, or that there is to be none.",
};

/** What was chosen of the list in a form that was refused. */
interface Refused {
  problem: Problem;
  ids: readonly string[];
  tag: string;
  group: string;
}

/** A page without links; `archived` are those of a workspace that has no others, undefined where more is asked for than all. */
const Nothing = ({ c, archived }: { c: PageContext; archived: number | undefined }) => {
  const { workspace, role } = c.var.membership;
  if (archived === undefined) {
    return (
      <Empty>
        <p>No link is here.</p>
        <a class="button" href={href.links(workspace.slug)}>
          Show all active links
        </a>
      </Empty>
    );
  }
  if (archived > 0) {
    return (
      <Empty>
        <p>No link is active. What is archived goes on leading to its destination.</p>
        <p class="row">
          <a class="button" href={href.links(workspace.slug, { status: "archived" })}>
            Show {count(archived, "archived link")}
          </a>
          {role !== "viewer" && (
            <a class="button primary" href={href.newLink(workspace.slug)}>
              Create a link
            </a>
          )}
        </p>
      </Empty>
    );
  }
  return (
    <Empty>
      <p>A link leads visitors from a short URL to its destination, and counts them. There is none yet.</p>
      {role !== "viewer" && (
        <p class="row">
          <a class="button primary" href={href.newLink(workspace.slug)}>
            Create the first link
          </a>
          <a class="button" href={href.imports(workspace.slug)}>
            Import links from a file
          </a>
        </p>
      )}
    </Empty>
  );
};

/** How many links are archived. */
const archivedLinks = async (ctx: Context): Promise<number> =>
  (await listLinks(ctx, { status: "archived", sort: "-created_at", page: 1, per_page: 1 })).meta.total;

async function showLinks(c: PageContext, query: LinksList, refused?: Refused): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const mayChange = membership.role !== "viewer";
  const [page, tags, groups, channels] = await Promise.all([
    listLinks(ctx, query),
    listTags(ctx),
    allActivityGroups(ctx),
    listChannels(ctx),
  ]);
  const { begin, end } = rangeOf({ last: DAYS }, ctx.now());
  const ids = page.items.map(({ id }) => id);
  // A refused form has read what it was judged by, and does without.
  const clicks = refused === undefined ? await clicksOfLinks(ctx, ids, begin, end) : undefined;
  const isBare = ids.length === 0 && !isNarrowed(query) && query.page === 1 && refused === undefined;
  const archived = isBare ? await archivedLinks(ctx) : undefined;
  const { current_page: current, last_page: last } = page.meta;
  return showPage(
    c,
    {
      title: "Links",
      section: "links",
      status: refused === undefined ? 200 : 422,
      actions: mayChange && (
        <a class="button primary" href={href.newLink(workspace)}>
          New link
        </a>
      ),
    },
    <div class="stack">
      <Refusal problem={refused?.problem} />
      <NearlyFull full={membership.nearlyFull} />
      <LinkFilters workspace={workspace} query={query} tags={tags} groups={groups} channels={channels} />
      {page.items.length === 0 ? (
        <Nothing c={c} archived={archived} />
      ) : (
        <LinkTable
          workspace={workspace}
          links={page.items}
          clicks={clicks}
          takenDown={page.takenDown}
          days={DAYS}
          change={
            mayChange
              ? {
                  action: href.changeLinks(workspace, toLinksQuery(query)),
                  tags,
                  groups,
                  noGroup: NO_GROUP,
                  chosen: refused,
                }
              : undefined
          }
        />
      )}
      <Pager
        meta={page.meta}
        of={page.meta.total === 1 ? "link" : "links"}
        previous={
          current > 1
            ? href.links(workspace, {
                ...toLinksQuery(query),
                page: Math.min(current - 1, last),
                after: undefined,
              })
            : undefined
        }
        next={
          page.nextAfter === null
            ? undefined
            : href.links(workspace, { ...toLinksQuery(query), page: current + 1, after: page.nextAfter })
        }
      />
    </div>,
  );
}

/** The workspace's links: found, narrowed and sorted, and many of them changed at once. */
export function registerLinks(app: Hono<ConsoleEnv>): void {
  app.get(paths.links, (c) => showLinks(c, readQuery(linksQuery, c)));

  app.post(paths.changeLinks, editorsOnly, async (c) => {
    const query = readQuery(linksQuery, c);
    const form = await readForm(c);
    const { change = "", with_tag: tag = "", to_group: group = "" } = form.fields;
    const ids = form.all("ids");
    try {
      if (change === "move" && group === "") throw invalid([NO_GROUP_CHOSEN]);
      const input = checked(changeLinksSchema, {
        ids,
        change,
        tag,
        activity_group_id: group === NO_GROUP ? null : group,
      });
      const outcomes = await changeLinks(c.var.ctx, input);
      return redirectWithNotice(
        c,
        href.links(c.var.membership.workspace.slug, toLinksQuery(query)),
        noticeOf(input, outcomes),
      );
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status !== 422) throw error;
      return showLinks(c, query, { problem, ids, tag, group });
    }
  });
}
