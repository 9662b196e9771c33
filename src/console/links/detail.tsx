import type { Hono } from "hono";
import { z } from "zod";
import { listAssetScans } from "../../analytics/asset-report";
import { applyBeforeReport } from "../../analytics/queue";
import { reportVisits } from "../../analytics/report";
import { foldSlug } from "../../lib/slug-text";
import { findOwnLastOperation, listAudit } from "../../resources/audit/service";
import { getHealthOfLink } from "../../resources/destinations/health";
import { deleteLink } from "../../resources/links/delete";
import { getLinkDetails, type LinkDetails } from "../../resources/links/details";
import { dropSlug } from "../../resources/links/drop-slug";
import { updateLinkSchema } from "../../resources/links/schema";
import { updateLink } from "../../resources/links/update";
import { editorsOnly, ownersOnly } from "../auth/permissions";
import { LastChanges } from "../changes/last-changes";
import { readRangeOf } from "../clicks/range";
import { href, paths } from "../href";
import { Dangerous } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { WindowNotice } from "./active-window";
import { draftOf, previewOf } from "./draft";
import { LinkHeader } from "./header";
import { nameOf, UserText } from "./link-text";
import { PreviewBody } from "./preview";
import { LinkProperties } from "./properties";
import { LinkQr } from "./qr-card";
import { LinkVisits } from "./visits";

/** The form that deletes the link, or the live assets that prevent it. */
const Deletion = ({ workspace, details }: { workspace: string; details: LinkDetails }) => {
  const { link, live_assets: liveAssets, old_slugs: oldSlugs } = details;
  if (liveAssets.length > 0) {
    return (
      <section class="card" id="delete" aria-labelledby="delete-heading">
        <h2 id="delete-heading">Delete the link</h2>
        <p>It cannot be deleted while it is on a live asset, since printed codes would lead nowhere:</p>
        <ul>
          {liveAssets.map(({ id, name }) => (
            <li>
              <a href={href.asset(workspace, id)}>
                <UserText text={name} />
              </a>
            </li>
          ))}
        </ul>
        <p class="soft">Retire {liveAssets.length === 1 ? "it" : "them"} first.</p>
      </section>
    );
  }
  return (
    <section class="card" id="delete" aria-label="Delete the link">
      <Dangerous
        summary="Delete the link"
        action={href.deleteLink(workspace, link.id)}
        button="Delete it for good"
        consequence={
          <>
            <strong>{[link.short_url, ...oldSlugs].join(", ")}</strong> and every code printed with{" "}
            {oldSlugs.length === 0 ? "it" : "them"} lead nowhere from now on. So do the codes of its assets,
            until these are moved to another link. This cannot be undone. The slugs stay this workspace’s own.
            To keep printed codes working, archive the link instead.
          </>
        }
      />
    </section>
  );
};

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
async function showLink(c: PageContext, id: string, problem?: Problem): Promise<Response> {
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
            <PreviewBody preview={previewOf(draft, draft, [], undefined, details)} />
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

  app.post(paths.linkStatus, editorsOnly, async (c) => {
    const { status } = checked(statusForm, (await readForm(c)).fields);
    const link = await updateLink(c.var.ctx, c.req.param("id"), { status });
    return redirectWithNotice(
      c,
      href.link(c.var.workspace, link.id),
      status === "archived"
        ? "Archived. The link goes on leading to its destination, but gives no QR code."
        : "Restored. The link is active again.",
      await findOwnLastOperation(c.var.ctx, link.id),
    );
  });

  app.post(paths.dropSlug, ownersOnly, async (c) => {
    const id = c.req.param("id");
    try {
      const { slug = "" } = (await readForm(c)).fields;
      await dropSlug(c.var.ctx, id, slug.trim());
      return redirectWithNotice(
        c,
        href.link(c.var.workspace, id),
        `The slug ${foldSlug(slug.trim())} is dropped.`,
      );
    } catch (error) {
      return showLink(c, id, toProblem(error));
    }
  });

  app.post(paths.deleteLink, editorsOnly, async (c) => {
    const id = c.req.param("id");
    try {
      await deleteLink(c.var.ctx, id);
    } catch (error) {
      return showLink(c, id, toProblem(error));
    }
    return redirectWithNotice(c, href.links(c.var.workspace), "The link is deleted.");
  });
}

const statusForm = z.object({ status: updateLinkSchema.shape.status }).required();
