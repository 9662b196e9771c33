import type { Hono } from "hono";
import { applyBeforeReport } from "../../analytics/queue";
import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportVisits } from "../../analytics/report";
import { supplyScheme } from "../../lib/supplied-scheme";
import { storedId } from "../../lib/ulid-text";
import { listAudit } from "../../resources/audit/service";
import { createLink } from "../../resources/links/create";
import { createLinkSchema } from "../../resources/links/schema";
import { getOverview } from "../../resources/overview/service";
import { editorsOnly } from "../auth/permissions";
import { RangePicker, rangeParameters, readRange } from "../clicks/range";
import { href, paths } from "../href";
import { sayErrors } from "../links/error-labels";
import { findLink } from "../links/find-link";
import { showPage } from "../shell/layout";
import { type Problem, toProblem } from "../shell/problem";
import { type ConsoleEnv, checked, type PageContext, readForm } from "../shell/request";
import { OverviewBody } from "./body";
import { Shorten, Shortened } from "./shorten";
import { Welcome } from "./welcome";

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
