import type { Hono } from "hono";
import { reportClicks } from "../../clicks/report";
import { getHealthOfLink } from "../../health/service";
import { getLinkDetails, type LinkDetails } from "../../links/details";
import { toRange } from "../clicks/date-range";
import { Clicks } from "../clicks/report";
import { href, paths } from "../href";
import { Refusal, showPage } from "../shell/layout";
import type { Problem } from "../shell/problem";
import type { ConsoleEnv, PageContext } from "../shell/request";
import { Deletion } from "./deletion";
import { draftOf, previewOf } from "./draft";
import { LinkFacts } from "./facts";
import { LifeNotice } from "./life";
import { nameOf } from "./link-text";
import { PreviewBody } from "./preview";
import { LinkQr } from "./qr-card";

const DAYS = "30";

const STOPPED: Readonly<Record<NonNullable<LinkDetails["stopped_by"]>, string>> = {
  operator:
    "The operator of this service has taken this link down: visitors see a page that says so. It can be edited, archived and deleted, but not get another slug, and its slugs cannot be used again. Ask the operator.",
  check:
    "This link is taken down, because its destination is known to spread malware. Give it another destination, or ask the operator.",
  blocklist:
    "This link is stopped, because the operator of this service does not allow its destination’s host. Give it another destination, or ask the operator.",
};

const StatusForm = ({ workspace, details: { link } }: { workspace: string; details: LinkDetails }) => {
  const isArchived = link.status === "archived";
  return (
    <form method="post" action={href.linkStatus(workspace, link.id)}>
      <button type="submit" name="status" value={isArchived ? "active" : "archived"}>
        {isArchived ? "Restore" : "Archive"}
      </button>
    </form>
  );
};

/** The page of a link; `problem` is a refused action on it. */
export async function showLink(c: PageContext, id: string, problem?: Problem): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const isEditor = membership.role !== "viewer";
  const range = toRange({ last: DAYS }, ctx.now());
  const [details, report, health] = await Promise.all([
    getLinkDetails(ctx, id),
    reportClicks(ctx, { link: id }, range.begin, range.end),
    getHealthOfLink(ctx, id),
  ]);
  const { link } = details;
  const draft = draftOf(details);
  return showPage(
    c,
    {
      title: nameOf(link),
      section: "links",
      status: problem === undefined ? 200 : 422,
      actions: isEditor && (
        <>
          <a class="button primary" href={href.editLink(workspace, link.id)}>
            Edit
          </a>
          <StatusForm workspace={workspace} details={details} />
        </>
      ),
    },
    <div class="stack">
      <Refusal problem={problem} />
      {details.stopped_by !== null && <p class="warning">{STOPPED[details.stopped_by]}</p>}
      {health?.state === "broken" && (
        <p class="warning">
          The destination of this link is broken. Visitors are still redirected to it. Give the link another
          destination, or restore the page.
        </p>
      )}
      {details.stopped_by === null && <LifeNotice details={details} />}
      <div class="columns">
        <div class="stack">
          <LinkFacts
            workspace={workspace}
            details={details}
            health={health}
            isOwner={membership.role === "owner"}
          />
          <section class="card" aria-label="Landing">
            <PreviewBody preview={previewOf(draft, draft, [], { own: [], isBlocked: false }, details)} />
          </section>
          <section class="card" aria-labelledby="clicks-heading">
            <h2 id="clicks-heading">Clicks · Scans of the last {DAYS} days</h2>
            <Clicks report={report} range={range} workspace={workspace} />
          </section>
        </div>
        <div class="stack top-aligned">
          <LinkQr workspace={workspace} link={link} />
          {isEditor && link.status === "active" && (
            <p>
              <a href={href.newAsset(workspace, { link: link.id })}>Put it on a poster, flyer or package</a>,
              or <a href={href.newAssets(workspace, { link: link.id })}>on many at once</a>
            </p>
          )}
          <p>
            <a href={href.assets(workspace, { link: link.id })}>Its Offline Engagement assets</a>
          </p>
          {isEditor && <Deletion workspace={workspace} details={details} />}
        </div>
      </div>
    </div>,
  );
}

export function registerLink(app: Hono<ConsoleEnv>): void {
  app.get(paths.link, (c) => showLink(c, c.req.param("id")));
}
