import type { Hono } from "hono";
import { getGroupOverview } from "../../activity-groups/overview";
import { reportClicks } from "../../clicks/report";
import { listLinks } from "../../links/list";
import { RangePicker, rangeQuery, toFromTo, toRange } from "../clicks/date-range";
import { Clicks } from "../clicks/report";
import { href, paths } from "../href";
import { Refusal, showPage } from "../shell/layout";
import type { Problem } from "../shell/problem";
import { type ConsoleEnv, type PageContext, readQuery } from "../shell/request";
import { GroupFacts } from "./facts";
import { GroupLinks } from "./links";
import { StatusForms } from "./status-forms";

const NEWEST = { status: "active", sort: "-created_at", page: 1, per_page: 10 } as const;

/** The page of a group; `problem` is a refused change of its status. */
export async function showGroup(c: PageContext, id: string, problem?: Problem): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const isEditor = membership.role !== "viewer";
  const range = toRange(readQuery(rangeQuery, c), ctx.now());
  const [group, links, report] = await Promise.all([
    getGroupOverview(ctx, id),
    listLinks(ctx, { ...NEWEST, activity_group_id: id }),
    reportClicks(ctx, { group: id }, range.begin, range.end),
  ]);
  return showPage(
    c,
    {
      title: group.name,
      section: "groups",
      status: problem?.status ?? 200,
      actions: (
        <>
          {isEditor && (
            <a class="button primary" href={href.newLink(workspace, { activity_group_id: group.id })}>
              New link
            </a>
          )}
          {isEditor && (
            <a class="button" href={href.editGroup(workspace, group.id)}>
              Edit
            </a>
          )}
          {group.links.active > 0 && (
            <a class="button" href={href.groupPrint(workspace, group.id)}>
              Print QR codes
            </a>
          )}
        </>
      ),
    },
    <>
      <Refusal problem={problem} />
      <div class="columns">
        <section class="card" aria-labelledby="about">
          <h2 id="about">About</h2>
          <GroupFacts group={group} />
        </section>
        {isEditor && (
          <section class="card" aria-labelledby="moves">
            <h2 id="moves">Change the status</h2>
            <StatusForms workspace={workspace} group={group} />
          </section>
        )}
      </div>
      <section class="card" aria-labelledby="clicks">
        <div class="heading">
          <h2 id="clicks">Clicks · Scans</h2>
          <div class="actions">
            <a class="button" href={href.groupClicks(workspace, group.id, toFromTo(range))}>
              Export by link
            </a>
            <a class="button" href={href.groupOrigins(workspace, group.id, toFromTo(range))}>
              Export by origin
            </a>
          </div>
        </div>
        <RangePicker
          range={range}
          action={href.group(workspace, group.id)}
          presetHref={(last) => href.group(workspace, group.id, { last })}
        />
        <Clicks report={report} range={range} workspace={workspace} />
      </section>
      <GroupLinks workspace={workspace} group={group} links={links.items} isEditor={isEditor} />
    </>,
  );
}

export function registerGroup(app: Hono<ConsoleEnv>): void {
  app.get(paths.group, (c) => showGroup(c, c.req.param("id")));
}
