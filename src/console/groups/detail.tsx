import type { Hono } from "hono";
import { z } from "zod";
import { updateActivityGroup } from "../../activity-groups/manage";
import { type GroupOverview, getGroupOverview } from "../../activity-groups/overview";
import { reportClicks } from "../../clicks/report";
import { GROUP_STATUSES, type GroupStatus } from "../../lib/group-status";
import { listLinks } from "../../links/list";
import type { Link } from "../../links/schema";
import { editorsOnly } from "../auth/permissions";
import { daysOf, RangeChoice, rangeOf, rangeQuery } from "../clicks/date-range";
import { Clicks } from "../clicks/report";
import { href, paths } from "../href";
import { Dangerous } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm, readQuery } from "../shell/request";
import { Badge, count, Empty, words } from "../shell/text";
import { Dates } from "./list";

const NEWEST = { status: "active", sort: "-created_at", page: 1, per_page: 10 } as const;

function moveLabel(from: GroupStatus, to: GroupStatus): string {
  if (from === "archived") return `Restore as ${to}`;
  return from === "completed" && to === "active" ? "Make active again" : `Mark as ${to}`;
}

/** What archiving a group leaves as it is: links that are archived lead on too. */
function linksStay({ active, archived }: GroupOverview["links"]): string {
  const all = active + archived;
  if (all === 0) return "It has no links.";
  return all === 1
    ? "Its link goes on as before: it leads where it leads, keeps its campaign and counts clicks."
    : `Its ${count(all, "link")} go on as before: they lead where they lead, keep their campaign and count clicks.`;
}

const Moves = ({ workspace, group }: { workspace: string; group: GroupOverview }) => {
  const action = href.groupStatus(workspace, group.id);
  return (
    <div class="stack">
      <div class="row">
        {group.moves
          .filter((to) => to !== "archived")
          .map((to) => (
            <form method="post" action={action}>
              <button type="submit" name="status" value={to}>
                {moveLabel(group.status, to)}
              </button>
            </form>
          ))}
      </div>
      {group.moves.includes("archived") && (
        <Dangerous
          summary="Archive"
          action={action}
          button="Archive this Activity Group"
          consequence={`The group moves to the archive, from where it can be restored as ${group.status}. ${linksStay(group.links)}`}
        >
          <input type="hidden" name="status" value="archived" />
        </Dangerous>
      )}
    </div>
  );
};

const Facts = ({ group }: { group: GroupOverview }) => (
  <dl class="facts">
    <dt>Status</dt>
    <dd>
      <Badge of={group.status} />
    </dd>
    <dt>Type</dt>
    <dd>{words(group.type)}</dd>
    <dt>Slug</dt>
    <dd>
      <code>{group.slug}</code>
    </dd>
    <dt>Default UTM campaign</dt>
    <dd>
      {group.default_utm_campaign === null ? (
        <span class="soft">None</span>
      ) : (
        <code>{group.default_utm_campaign}</code>
      )}
    </dd>
    <dt>Dates</dt>
    <dd>
      <Dates group={group} />
    </dd>
    {group.description !== "" && (
      <>
        <dt>Description</dt>
        <dd>{group.description}</dd>
      </>
    )}
  </dl>
);

const Links = ({
  workspace,
  group,
  links,
  edits,
}: {
  workspace: string;
  group: GroupOverview;
  links: readonly Link[];
  edits: boolean;
}) => {
  const listed = (status: "active" | "archived") =>
    href.links(workspace, { activity_group_id: group.id, status });
  const { active, archived } = group.links;
  return (
    <section class="stack" aria-labelledby="links">
      <h2 id="links">Links</h2>
      {links.length === 0 ? (
        <Empty>
          <p>No active link is in this group.</p>
          {edits && (
            <a class="button" href={href.newLink(workspace, { activity_group_id: group.id })}>
              Create a link in it
            </a>
          )}
        </Empty>
      ) : (
        <table class="list">
          <caption class="unseen">Links of this Activity Group</caption>
          <thead>
            <tr>
              <th scope="col">Link</th>
              <th scope="col">Channel</th>
              <th scope="col">Leads to</th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <tr>
                <th scope="row">
                  <a href={href.link(workspace, link.id)}>{link.title ?? link.slug}</a>
                  <div class="soft small">{link.short_url}</div>
                </th>
                <td data-label="Channel">{link.channel ?? <span class="soft">None</span>}</td>
                <td data-label="Leads to" class="small">
                  {link.destination_url}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="row">
        {active > 0 && (
          <a href={listed("active")}>
            {active > links.length ? `All ${count(active, "active link")}` : "Open in the list of links"}
          </a>
        )}
        {archived > 0 && <a href={listed("archived")}>{count(archived, "archived link")}</a>}
      </p>
    </section>
  );
};

async function showGroup(c: PageContext, id: string, problem?: Problem): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const edits = membership.role !== "viewer";
  const range = rangeOf(readQuery(rangeQuery, c), ctx.now());
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
          {edits && (
            <a class="button primary" href={href.newLink(workspace, { activity_group_id: group.id })}>
              New link
            </a>
          )}
          {edits && (
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
          <Facts group={group} />
        </section>
        {edits && (
          <section class="card" aria-labelledby="moves">
            <h2 id="moves">Change the status</h2>
            <Moves workspace={workspace} group={group} />
          </section>
        )}
      </div>
      <section class="card" aria-labelledby="clicks">
        <div class="heading">
          <h2 id="clicks">Clicks</h2>
          <div class="actions">
            <a class="button" href={href.groupClicks(workspace, group.id, daysOf(range))}>
              Export by link
            </a>
            <a class="button" href={href.groupOrigins(workspace, group.id, daysOf(range))}>
              Export by origin
            </a>
          </div>
        </div>
        <RangeChoice
          range={range}
          action={href.group(workspace, group.id)}
          to={(last) => href.group(workspace, group.id, { last })}
        />
        <Clicks report={report} range={range} />
      </section>
      <Links workspace={workspace} group={group} links={links.items} edits={edits} />
    </>,
  );
}

const ARCHIVED = "The Activity Group is archived. Its links go on as before.";

const statusChange = z.object({ status: z.enum(GROUP_STATUSES) });

/** An Activity Group: what it is, its clicks, its links, and the moves of its status. */
export function registerGroup(app: Hono<ConsoleEnv>): void {
  app.get(paths.group, (c) => showGroup(c, c.req.param("id")));

  app.post(paths.groupStatus, editorsOnly, async (c) => {
    const id = c.req.param("id");
    const { fields } = await readForm(c);
    try {
      const { status } = await updateActivityGroup(c.var.ctx, id, checked(statusChange, fields));
      const to = href.group(c.var.membership.workspace.slug, id);
      return redirectWithNotice(
        c,
        to,
        status === "archived" ? ARCHIVED : `The Activity Group is now ${status}.`,
      );
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status === 404) throw error;
      return showGroup(c, id, problem);
    }
  });
}
