import type { Hono } from "hono";
import { reportClicks } from "../../clicks/report";
import { slugKey } from "../../lib/slug-text";
import { deleteLink } from "../../links/delete";
import { getLinkDetails, type LinkDetails } from "../../links/details";
import { dropSlug } from "../../links/drop-slug";
import { editLinkSchema } from "../../links/schema";
import { updateLink } from "../../links/update";
import { editorsOnly, ownersOnly } from "../auth/permissions";
import { rangeOf } from "../clicks/date-range";
import { Clicks } from "../clicks/report";
import { href, paths } from "../href";
import { Dangerous } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { redirectWithNotice } from "../shell/notice";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Badge, Time } from "../shell/text";
import { draftOf, previewOf } from "./draft";
import { CopyButton, Destination, nameOf, UserText } from "./link-text";
import { OldSlugs } from "./old-slugs";
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

const Facts = ({
  workspace,
  details: { link, old_slugs: old, stopped_by: stoppedBy },
  owns,
}: {
  workspace: string;
  details: LinkDetails;
  /** Whether who asks may drop old slugs. */
  owns: boolean;
}) => (
  <section class="card" aria-label="About the link">
    <p class="row">
      <strong class="short-url" data-by-hand="">
        {link.short_url}
      </strong>
      <CopyButton text={link.short_url} />
      <Badge of={link.status} />
    </p>
    <dl class="facts">
      <dt>Destination</dt>
      <dd>
        <Destination url={link.destination_url} />
      </dd>
      {link.title !== null && (
        <>
          <dt>Title</dt>
          <dd>
            <UserText text={link.title} />
          </dd>
        </>
      )}
      <dt>Activity Group</dt>
      <dd>
        {link.activity_group === undefined ? (
          <span class="soft">None</span>
        ) : (
          <a href={href.group(workspace, link.activity_group.id)}>
            <UserText text={link.activity_group.name} />
          </a>
        )}
      </dd>
      <dt>Channel</dt>
      <dd>{link.channel === null ? <span class="soft">None</span> : <UserText text={link.channel} />}</dd>
      <dt>Tags</dt>
      <dd>
        {link.tags.length === 0 ? (
          <span class="soft">None</span>
        ) : (
          <span class="tags">
            {link.tags.map(({ name, slug }) => (
              <a class="badge" href={href.links(workspace, { tag: [slug] })}>
                <UserText text={name} />
              </a>
            ))}
          </span>
        )}
      </dd>
      {old.length > 0 && (
        <>
          <dt>Old slugs</dt>
          <dd>
            <OldSlugs
              slugs={old}
              action={owns && stoppedBy !== "operator" ? href.dropSlug(workspace, link.id) : undefined}
            />
            <span class="small soft block">They go on leading here, and nobody else can have them.</span>
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>
        <Time at={link.created_at} exact />
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={link.updated_at} exact />
      </dd>
    </dl>
    <p class="row">
      <a href={href.audit(workspace, { subject: link.id })}>Who changed what</a>
    </p>
  </section>
);

const Deletion = ({ workspace, details }: { workspace: string; details: LinkDetails }) => {
  const { link, live_assets: live, old_slugs: old } = details;
  if (live.length > 0) {
    return (
      <section class="card" aria-labelledby="delete-heading">
        <h2 id="delete-heading">Delete the link</h2>
        <p>
          It cannot be deleted while it is on a live Offline Engagement asset, since printed codes would lead
          nowhere:
        </p>
        <ul>
          {live.map(({ id, name }) => (
            <li>
              <a href={href.asset(workspace, id)}>
                <UserText text={name} />
              </a>
            </li>
          ))}
        </ul>
        <p class="soft">Retire {live.length === 1 ? "it" : "them"} first.</p>
      </section>
    );
  }
  return (
    <section class="card" aria-label="Delete the link">
      <Dangerous
        summary="Delete the link"
        action={href.deleteLink(workspace, link.id)}
        button="Delete it for good"
        consequence={
          <>
            <strong>{[link.short_url, ...old].join(", ")}</strong> and every code printed with{" "}
            {old.length === 0 ? "it" : "them"} lead nowhere from now on. This cannot be undone. The slugs stay
            this workspace’s own. To keep printed codes working, archive the link instead.
          </>
        }
      />
    </section>
  );
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

async function showLink(c: PageContext, id: string, problem?: Problem): Promise<Response> {
  const { ctx, membership } = c.var;
  const workspace = membership.workspace.slug;
  const mayChange = membership.role !== "viewer";
  const range = rangeOf({ last: DAYS }, ctx.now());
  const [details, report] = await Promise.all([
    getLinkDetails(ctx, id),
    reportClicks(ctx, { link: id }, range.begin, range.end),
  ]);
  const { link } = details;
  const draft = draftOf(details);
  return showPage(
    c,
    {
      title: nameOf(link),
      section: "links",
      status: problem === undefined ? 200 : 422,
      actions: mayChange && (
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
      <div class="columns">
        <div class="stack">
          <Facts workspace={workspace} details={details} owns={membership.role === "owner"} />
          <section class="card" aria-label="Landing">
            <PreviewBody preview={previewOf(draft, draft, [], { own: [], isBlocked: false }, details)} />
          </section>
          <section class="card" aria-labelledby="clicks-heading">
            <h2 id="clicks-heading">Clicks of the last {DAYS} days</h2>
            <Clicks report={report} range={range} />
          </section>
        </div>
        <div class="stack top-aligned">
          <LinkQr workspace={workspace} link={link} />
          {mayChange && link.status === "active" && (
            <p>
              <a href={href.newAsset(workspace, { link: link.id })}>Put it on a poster, flyer or package</a>
            </p>
          )}
          {mayChange && <Deletion workspace={workspace} details={details} />}
        </div>
      </div>
    </div>,
  );
}

const statusForm = editLinkSchema.pick({ status: true }).required();

/** A link's own page, and what can be redirectWithNotice with the link there. */
export function registerLink(app: Hono<ConsoleEnv>): void {
  app.get(paths.link, (c) => showLink(c, c.req.param("id")));

  app.post(paths.linkStatus, editorsOnly, async (c) => {
    const { status } = checked(statusForm, (await readForm(c)).fields);
    const link = await updateLink(c.var.ctx, c.req.param("id"), { status });
    return redirectWithNotice(
      c,
      href.link(c.var.membership.workspace.slug, link.id),
      status === "archived"
        ? "Archived. The link goes on leading to its destination, but gives no QR code."
        : "Restored. The link is active again.",
    );
  });

  app.post(paths.dropSlug, ownersOnly, async (c) => {
    const id = c.req.param("id");
    try {
      const { slug = "" } = (await readForm(c)).fields;
      await dropSlug(c.var.ctx, id, slug.trim());
      return redirectWithNotice(
        c,
        href.link(c.var.membership.workspace.slug, id),
        `The slug ${slugKey(slug.trim())} is dropped.`,
      );
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status === 404) throw error;
      return showLink(c, id, problem);
    }
  });

  app.post(paths.deleteLink, editorsOnly, async (c) => {
    const id = c.req.param("id");
    try {
      await deleteLink(c.var.ctx, id);
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status === 404) throw error;
      return showLink(c, id, problem);
    }
    return redirectWithNotice(c, href.links(c.var.membership.workspace.slug), "The link is deleted.");
  });
}
