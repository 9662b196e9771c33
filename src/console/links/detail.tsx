import type { Hono } from "hono";
import { listAssetScans } from "../../analytics/asset-report";
import { applyBeforeReport } from "../../analytics/queue";
import { reportVisits } from "../../analytics/report";
import { listAudit } from "../../resources/audit/service";
import { getHealthOfLink } from "../../resources/destinations/health";
import { getLinkDetails, type LinkDetails } from "../../resources/links/details";
import { LastChanges } from "../changes/last-changes";
import { readRangeOf } from "../clicks/range";
import { href, paths } from "../href";
import { Refusal, showPage } from "../shell/layout";
import type { Problem } from "../shell/problem";
import type { ConsoleEnv, PageContext } from "../shell/request";
import { WindowNotice } from "./active-window";
import { Deletion } from "./deletion";
import { draftOf, previewOf } from "./draft";
import { LinkHeader } from "./header";
import { nameOf } from "./link-text";
import { PreviewBody } from "./preview";
import { LinkProperties } from "./properties";
import { LinkQr } from "./qr-card";
import { LinkVisits } from "./visits";

const TAKEN_DOWN: Readonly<Record<NonNullable<LinkDetails["taken_down_by"]>, string>> = {
  operator:
    "The operator of this service has taken this link down: visitors see a page that says so. It can be edited, archived and deleted, but not get another slug, and its slugs cannot be used again. Ask the operator.",
  check:
    "This link is taken down, because its destination is known to spread malware. Give it another destination, or ask the operator.",
  blocklist:
    "This link is stopped, because the operator of this service does not allow its destination’s host. Give it another destination, or ask the operator.",
};

/** The visits and the last changes of a link. Its range is compared from the start, as one link has few rows. */
async function readHistory(c: PageContext, id: string) {
  const { ctx, membership } = c.var;
  const shown = readRangeOf(c, id, { comparesAtFirst: true });
  const [report, assets, { entries }] = await Promise.all([
    reportVisits(ctx, { link: id }, shown.range, { compare: shown.compare }),
    listAssetScans(ctx, id, shown.range),
    listAudit(ctx, { subject: id }, membership.role !== "viewer"),
  ]);
  return { shown, report, assets, entries };
}

/** The page of a link; `problem` is a refused action on it. */
export async function showLink(c: PageContext, id: string, problem?: Problem): Promise<Response> {
  const { ctx, membership, workspace, isEditor } = c.var;
  if (problem === undefined) await applyBeforeReport(ctx);
  const [details, health, history] = await Promise.all([
    getLinkDetails(ctx, id),
    getHealthOfLink(ctx, id),
    // A refused action has used its round trips, so its page shows neither visits nor changes.
    problem === undefined ? readHistory(c, id) : undefined,
  ]);
  const { link } = details;
  const draft = draftOf(details);
  const isBroken = health?.state === "broken";
  return showPage(
    c,
    {
      title: nameOf(link),
      section: "links",
      crumbs: [{ label: "Links", href: href.links(workspace) }],
      status: problem === undefined ? 200 : 422,
    },
    <div class="stack">
      <Refusal problem={problem} />
      <LinkHeader workspace={workspace} details={details} isEditor={isEditor} isBroken={isBroken} />
      {details.taken_down_by !== null && <p class="warning">{TAKEN_DOWN[details.taken_down_by]}</p>}
      {isBroken && (
        <p class="warning">
          The destination of this link is broken. Visitors are still redirected to it. Give the link another
          destination, or restore the page.
        </p>
      )}
      {details.taken_down_by === null && <WindowNotice details={details} />}
      <div class="columns">
        <div class="stack">
          {history && <LinkVisits workspace={workspace} details={details} {...history} />}
          <section class="card" aria-label="Landing">
            <PreviewBody preview={previewOf(draft, draft, [], { own: [], isBlocked: false }, details)} />
          </section>
        </div>
        <div class="stack top-aligned">
          <LinkQr workspace={workspace} link={link} />
          <LinkProperties
            workspace={workspace}
            details={details}
            health={health}
            isOwner={membership.role === "owner"}
          />
          {history && <LastChanges c={c} entries={history.entries} link={link.id} />}
          {isEditor && <Deletion workspace={workspace} details={details} />}
        </div>
      </div>
    </div>,
  );
}

export function registerLink(app: Hono<ConsoleEnv>): void {
  app.get(paths.link, (c) => showLink(c, c.req.param("id")));
}
