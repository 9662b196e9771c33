import type { Hono } from "hono";
import { applyBeforeReport } from "../../analytics/queue";
import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportVisits } from "../../analytics/report";
import { supplyScheme } from "../../lib/supplied-scheme";
import { storedId } from "../../lib/ulid-text";
import { listAudit } from "../../resources/audit/service";
import { createLink } from "../../resources/links/create";
import { createLinkSchema, type Link } from "../../resources/links/schema";
import { getOverview } from "../../resources/overview/service";
import { editorsOnly } from "../auth/permissions";
import { RangePicker, rangeParameters, readRange } from "../clicks/range";
import { href, paths } from "../href";
import { sayErrors } from "../links/error-labels";
import { findLink } from "../links/find-link";
import { CopyButton } from "../links/link-text";
import { Field } from "../shell/form";
import { Refusal, showPage } from "../shell/layout";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { Card } from "../shell/text";
import { OverviewBody } from "./body";

/** What to do first in a workspace without links. The field above shortens the first one. */
const Welcome = ({ workspace, isOwner }: { workspace: string; isOwner: boolean }) => (
  <Card id="welcome" title="Start here">
    <ol class="steps">
      <li>
        <strong>Shorten your first link</strong>: paste an address above, or{" "}
        <a href={href.newLink(workspace)}>choose its slug, tags and UTM values</a>.
      </li>
      <li>
        <strong>Bring the links that you have</strong>: <a href={href.imports(workspace)}>import a file</a>{" "}
        from Bitly, Rebrandly, Short.io, Shlink, Dub, Kutt, YOURLS or a spreadsheet.
      </li>
      {isOwner && (
        <li>
          <strong>Invite the others</strong>: <a href={href.members(workspace)}>invite people</a> who look or
          edit.
        </li>
      )}
    </ol>
    <p class="soft">Clicks and scans show up here within a minute.</p>
  </Card>
);

/** Shortens a pasted address at once. */
const Shorten = ({
  action,
  value,
  problem,
}: {
  action: string;
  value: string | undefined;
  problem: Problem | undefined;
}) => (
  <form class="card search shorten" method="post" action={action}>
    {problem?.errors["destination_url"] === undefined && <Refusal problem={problem} />}
    <Field
      label="Shorten a link"
      name="destination_url"
      value={value}
      problem={problem}
      required
      attributes={{ inputmode: "url", placeholder: "Paste an address" }}
    />
    <button type="submit" class="primary">
      Shorten
    </button>
  </form>
);

/** The link that was just made, with what one does next. */
const Shortened = ({ workspace, link }: { workspace: string; link: Link }) => (
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
      <a href={href.link(workspace, link.id)}>Its page</a>
      <a href={href.editLink(workspace, link.id)}>Edit</a>
      <a href={href.qr(workspace, link.id, { download: "1" })}>Download QR code (SVG)</a>
    </p>
  </section>
);

const TOP = 5;

/** The overview; `refused` is an address that was not shortened. */
async function showOverview(
  c: PageContext,
  refused?: { typed: string; problem: Problem },
): Promise<Response> {
  const { ctx, membership, workspace: slug, isEditor } = c.var;
  const isOwner = membership.role === "owner";
  const shown = readRange(c, ctx.workspace.createdAt, { comparesAtFirst: true });
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
  return showPage(
    c,
    {
      title: "Overview",
      section: "overview",
      status: refused?.problem.status ?? 200,
      actions: <RangePicker shown={shown} to={(parameters) => href.workspace(slug, parameters)} />,
    },
    <div class="stack">
      {made !== undefined && <Shortened workspace={slug} link={made} />}
      {isEditor && (
        <Shorten
          action={href.workspace(slug, rangeParameters(shown))}
          value={refused?.typed}
          problem={refused?.problem}
        />
      )}
      {isNew && isEditor && <Welcome workspace={slug} isOwner={isOwner} />}
      <OverviewBody
        c={c}
        shown={shown}
        report={report}
        overview={overview}
        top={{ links: topLinks, groups: topGroups }}
        entries={entries}
      />
    </div>,
  );
}

export function registerOverview(app: Hono<ConsoleEnv>): void {
  app.get(paths.workspace, (c) => showOverview(c));

  app.post(paths.workspace, editorsOnly, async (c) => {
    const { ctx } = c.var;
    const { destination_url: typed = "" } = (await readForm(c)).fields;
    try {
      const input = checked(createLinkSchema, { destination_url: supplyScheme(typed) });
      const link = await createLink(ctx, input);
      const shown = readRange(c, ctx.workspace.createdAt, { comparesAtFirst: true });
      return c.redirect(
        href.workspace(ctx.workspace.slug, { ...rangeParameters(shown), made: link.id }),
        303,
      );
    } catch (error) {
      return showOverview(c, { typed, problem: sayErrors(toProblem(error)) });
    }
  });
}
