import { z } from "zod";
import { applyBeforeReport } from "../../analytics/queue";
import { foldSlug } from "../../lib/slug-text";
import { findActors } from "../../resources/audit/actors";
import { findOwnLastOperation } from "../../resources/audit/audit-service";
import { getHealthOfLink } from "../../resources/destinations/health";
import { MAX_CHANGED_ASSETS } from "../../resources/engagement/asset-schema";
import { deleteLink } from "../../resources/links/delete-link";
import { dropSlug } from "../../resources/links/drop-slug";
import { getLinkDetails, type LinkDetails } from "../../resources/links/link-details";
import { updateLinkSchema } from "../../resources/links/link-schema";
import { updateLink } from "../../resources/links/update-link";
import { LastChanges } from "../changes/last-changes";
import { OriginFigures } from "../clicks/origin-figures";
import { RangePicker } from "../clicks/range";
import { ActionForm, Button, ButtonLink } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, type Form, type PageContext } from "../shell/page-request";
import { HiddenFields } from "../shell/post-form";
import { Card, count } from "../shell/text";
import { StateBadges, WindowNotice } from "./active-window";
import { draftOf, previewOf } from "./draft";
import { PreviewBody } from "./link-preview";
import { nameOf } from "./link-text";
import { LinkProperties, LinkQr, LinkToolbar } from "./properties";
import { LinkVisits, readHistory } from "./visits";

/** The form that deletes the link, or the live assets that prevent it. */
const Deletion = ({ details }: { details: LinkDetails }) => {
  const { link, live_assets: liveAssets, old_slugs: oldSlugs } = details;
  if (liveAssets.length > 0) {
    return (
      <Card id="delete" title="Delete the link">
        <p>
          It cannot be deleted while it is on <strong>{count(liveAssets.length, "live poster")}</strong>,
          since printed codes would lead nowhere.
        </p>
        <div class="row">
          <ButtonLink to={here.assets({ link: link.id, status: "live" })} label="Show the posters" />
          {liveAssets.length <= MAX_CHANGED_ASSETS && (
            <ActionForm method="post" action={here.changeAssets({ link: link.id })}>
              <HiddenFields fields={{ id: liveAssets.map(({ id }) => id) }} />
              <Button
                label={liveAssets.length === 1 ? "Retire it" : "Retire all"}
                name="status"
                value="retired"
              />
            </ActionForm>
          )}
        </div>
      </Card>
    );
  }
  return (
    <section class="card" id="delete" aria-label="Delete the link">
      <Dangerous
        summary="Delete the link"
        action={here.deleteLink(link.id)}
        button="Delete it for good"
        consequence={
          <>
            <strong>{[link.short_url, ...oldSlugs].join(", ")}</strong> and every code printed with{" "}
            {oldSlugs.length === 0 ? "it" : "them"} lead nowhere from now on. So do the codes of its posters,
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

export async function showLink(c: PageContext): Promise<Response> {
  const { ctx, isEditor, problem } = c.var;
  const id = c.req.param("id");
  if (problem === undefined) await applyBeforeReport(ctx);
  const [{ toCreator, ...details }, health, history] = await Promise.all([
    getLinkDetails(ctx, id).then(async (found) => ({
      ...found,
      toCreator: await findActors(ctx, [found.createdBy], isEditor),
    })),
    getHealthOfLink(ctx, id),
    // A refused action has used its round trips, so its page shows neither visits nor changes.
    problem === undefined ? readHistory(c, id) : undefined,
  ]);
  const { link, taken_down_by: takenDownBy } = details;
  const { windowState: state } = details.activeWindow;
  const draft = draftOf(details);
  const isBroken = health?.state === "broken";
  return c.render(
    <Page
      title={nameOf(link)}
      section="links"
      crumbs={["links"]}
      state={
        <StateBadges
          link={link}
          takenDownBy={takenDownBy ?? undefined}
          isBroken={isBroken}
          windowState={state === "open" ? undefined : state}
        />
      }
      actions={
        history && (
          <RangePicker
            shown={history.shown}
            compares={details.visitTotals.clicks + details.visitTotals.scans > 0}
          />
        )
      }
      toolbar={<LinkToolbar details={details} />}
      class="stack"
    >
      {takenDownBy !== null && <p class="warning">{TAKEN_DOWN[takenDownBy]}</p>}
      {isBroken && (
        <p class="warning">
          The destination of this link is broken. Visitors are still redirected to it. Give the link another
          destination, or restore the page.
        </p>
      )}
      {takenDownBy === null && <WindowNotice details={details} />}
      <div class="columns">
        <div class="stack">
          {history?.own && <LinkVisits details={details} shown={history.shown} own={history.own} />}
          {history?.ofOrigin && <OriginFigures report={history.ofOrigin} shown={history.shown} />}
          <section class="card" aria-label="Landing">
            <PreviewBody
              preview={previewOf(draft, draft, [], undefined, details)}
              hints={link.rules.length === 0 ? [] : ["Rules lead some visitors elsewhere."]}
            />
          </section>
        </div>
        <div class="stack top-aligned">
          <LinkQr link={link} />
          <LinkProperties details={details} creator={toCreator(details.createdBy)} health={health} />
          {history && <LastChanges entries={history.entries} link={link.id} />}
          {isEditor && <Deletion details={details} />}
        </div>
      </div>
    </Page>,
  );
}

const statusForm = z.object({ status: updateLinkSchema.shape.status }).required();

export async function changeStatus(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { status } = checked(statusForm, fields);
  const link = await updateLink(ctx, c.req.param("id"), { status });
  return redirectWithNotice(
    c,
    href.link(workspace, link.id),
    status === "archived"
      ? "Archived. The link goes on leading to its destination, but gives no QR code."
      : "Restored. The link is active again.",
    await findOwnLastOperation(ctx, link.id),
  );
}

export async function dropOldSlug(c: PageContext, { fields }: Form): Promise<Response> {
  const id = c.req.param("id");
  const slug = fields["slug"]?.trim() ?? "";
  await dropSlug(c.var.ctx, id, slug);
  return redirectWithNotice(c, href.link(c.var.workspace, id), `The slug ${foldSlug(slug)} is dropped.`);
}

export async function removeLink(c: PageContext): Promise<Response> {
  await deleteLink(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.links(c.var.workspace), "The link is deleted.");
}
