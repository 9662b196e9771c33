import { applyBeforeReport } from "../../analytics/queue";
import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportVisits } from "../../analytics/report";
import { supplyScheme } from "../../lib/supplied-scheme";
import { storedId } from "../../lib/ulid-text";
import { listAudit } from "../../resources/audit/service";
import { createLink } from "../../resources/links/create";
import { createLinkSchema, type Link } from "../../resources/links/schema";
import { getOverview } from "../../resources/overview/service";
import { RangePicker, rangeParameters, readRange, type ShownRange } from "../clicks/range";
import { findLink } from "../links/find-link";
import { CopyButton } from "../links/link-text";
import { Button } from "../shell/button";
import { Field, Fields } from "../shell/form";
import { here, href } from "../shell/href";
import { Page, Refusal } from "../shell/layout";
import { checked, currentPage, type Form, type PageContext } from "../shell/request";
import { Card } from "../shell/text";
import { OverviewBody } from "./body";

/** What to do first in a workspace without links. The field above shortens the first one. */
const Welcome = ({ isOwner }: { isOwner: boolean }) => (
  <Card id="welcome" title="Start here">
    <ol class="steps">
      <li>
        <strong>Shorten your first link</strong>: paste an address above, or{" "}
        <a href={here.newLink()}>choose its slug, tags and UTM values</a>.
      </li>
      <li>
        <strong>Bring the links that you have</strong>: <a href={here.imports()}>import a file</a> from Bitly,
        Rebrandly, Short.io, Shlink, Dub, Kutt, YOURLS or a spreadsheet.
      </li>
      {isOwner && (
        <li>
          <strong>Invite the others</strong>: <a href={here.members()}>invite people</a> who look or edit.
        </li>
      )}
    </ol>
    <p class="soft">Clicks and scans show up here within a minute.</p>
  </Card>
);

/** Shortens a pasted address at once. */
const Shorten = ({ shown }: { shown: ShownRange }) => {
  const action = here.workspace(rangeParameters(shown));
  return (
    <Fields action={action}>
      <form class="card search shorten" method="post" action={action}>
        {currentPage().var.problem?.errors["destination_url"] === undefined && <Refusal />}
        <Field
          name="destination_url"
          label="Shorten a link"
          required
          attributes={{ inputmode: "url", placeholder: "Paste an address" }}
        />
        <Button label="Shorten" kind="primary" />
      </form>
    </Fields>
  );
};

/** The link that was just made, with what one does next. */
const Shortened = ({ link }: { link: Link }) => (
  <section class="notice shortened" role="status" tabindex={-1} aria-label="The new link">
    <p class="row">
      <strong class="short-url" data-by-hand="">
        {link.short_url}
      </strong>
      <CopyButton text={link.short_url} />
    </p>
    <p class="row small">
      <span>
        leads to <bdi>{link.destination_url}</bdi>
      </span>
    </p>
    <p class="row">
      <a href={here.link(link.id)}>Its page</a>
      <a href={here.editLink(link.id)}>Edit</a>
      <a href={here.qr(link.id, { download: "1" })}>Download QR code (SVG)</a>
    </p>
  </section>
);

const TOP = 5;

export async function showOverview(c: PageContext): Promise<Response> {
  const { ctx, membership, workspace: slug, isEditor } = c.var;
  const isOwner = membership.role === "owner";
  const shown = readRange(c, ctx.workspace.createdAt);
  await applyBeforeReport(ctx);
  const [made, report, overview, topLinks, topGroups, { entries }] = await Promise.all([
    findLink(ctx, storedId(c.req.query("made") ?? "")),
    reportVisits(ctx, { workspace: true }, shown.range, { compare: shown.compare }),
    getOverview(ctx, shown.range, { seesKeys: isOwner, compare: shown.compare }),
    listTopLinks(ctx, shown.range, TOP),
    listTopGroups(ctx, shown.range, TOP),
    listAudit(ctx, {}, isEditor),
  ]);
  const isNew = overview.links.active + overview.links.archived === 0;
  return c.render(
    <Page
      title="Overview"
      section="overview"
      actions={<RangePicker shown={shown} to={(parameters) => href.workspace(slug, parameters)} />}
      class="stack"
    >
      {made !== undefined && <Shortened link={made} />}
      {isEditor && <Shorten shown={shown} />}
      {isNew && isEditor && <Welcome isOwner={isOwner} />}
      <OverviewBody
        shown={shown}
        report={report}
        overview={overview}
        top={{ links: topLinks, groups: topGroups }}
        entries={entries}
      />
    </Page>,
  );
}

export async function shorten(c: PageContext, { fields }: Form): Promise<Response> {
  const { ctx, workspace } = c.var;
  const input = checked(createLinkSchema, { destination_url: supplyScheme(fields["destination_url"] ?? "") });
  const link = await createLink(ctx, input);
  const shown = readRange(c, ctx.workspace.createdAt);
  return c.redirect(href.workspace(workspace, { ...rangeParameters(shown), made: link.id }), 303);
}
