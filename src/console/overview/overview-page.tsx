import { reportOrigin } from "../../analytics/origin-report";
import { applyBeforeReport } from "../../analytics/queue";
import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportVisits } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import { listAudit } from "../../resources/audit/audit-service";
import { findLink } from "../../resources/links/link";
import { getOverview, MAX_COUNTED_LINKS } from "../../resources/overview/overview";
import { LastChanges } from "../changes/last-changes";
import { dayName, nameOfCompared, rangeName } from "../clicks/dates";
import { OriginFigures, readChosenOrigin } from "../clicks/origin-figures";
import { OriginTabs } from "../clicks/origins";
import { RangePicker, rangeParameters, readRange, type ShownRange } from "../clicks/range";
import { ShareTable } from "../clicks/shares";
import { Stat } from "../clicks/stat";
import { ReportChart, VisitStats } from "../clicks/visit-figures";
import { TopLinks } from "../links/visited";
import { SendReport } from "../reports/share";
import { here } from "../shell/href";
import { Page } from "../shell/layout";
import type { PageContext } from "../shell/page-request";
import { NeedsAttention } from "./attention";
import { Shorten, Shortened, Welcome } from "./shorten";

const TOP = 5;

const readAll = (ctx: Context, { range, compare }: ShownRange) =>
  Promise.all([
    reportVisits(ctx, { workspace: true }, range, { compare }),
    listTopLinks(ctx, range, TOP),
    listTopGroups(ctx, range, TOP),
  ]);

interface AllProperties {
  all: Awaited<ReturnType<typeof readAll>>;
  overview: Awaited<ReturnType<typeof getOverview>>;
  shown: ShownRange;
}

/** The visits of the workspace, and how many links it has. */
const AllFigures = ({ all, overview: { links, activeBefore }, shown }: AllProperties) => {
  const [report, topLinks, topGroups] = all;
  const parameters = rangeParameters(shown);
  const whole = visitsOf(report.totals);
  const isMore = links.created === MAX_COUNTED_LINKS;
  const canCompare = shown.compare && !isMore && links.created_before < MAX_COUNTED_LINKS;
  return (
    <>
      <section class="card" aria-label={rangeName(shown.range)}>
        <VisitStats report={report} shown={shown}>
          {/* A range that is over does not have the links of now. */}
          {shown.now < shown.range.to && (
            <Stat
              value={links.active}
              label={
                <>
                  <a href={here.links()}>{links.active === 1 ? "link" : "links"}</a> now
                </>
              }
              before={activeBefore?.links ?? null}
              since={activeBefore === null ? "" : dayName(activeBefore.day)}
            />
          )}
          <Stat
            value={links.created}
            label={`${isMore ? "or more " : ""}new link${links.created === 1 ? "" : "s"}`}
            before={canCompare ? links.created_before : null}
            than={nameOfCompared(shown)}
          />
        </VisitStats>
        <ReportChart report={report} shown={shown} />
      </section>
      <div class="pair">
        <TopLinks
          title="Top links"
          links={topLinks}
          whole={whole}
          hrefOf={(id) => here.link(id, parameters)}
        />
        <section class="card">
          <ShareTable
            title="Top groups"
            whole={whole}
            rows={topGroups.map(({ id, name, visits: value }) => ({
              label: name,
              value,
              href: here.group(id, parameters),
            }))}
          />
        </section>
      </div>
      <div class="card">
        <OriginTabs origins={report.origins} areLinks />
      </div>
    </>
  );
};

export async function showOverview(c: PageContext): Promise<Response> {
  const { ctx, membership, isEditor } = c.var;
  const isOwner = membership.role === "owner";
  const shown = readRange(c, ctx.workspace.createdAt);
  await applyBeforeReport(ctx);
  const chosen = readChosenOrigin(c);
  const [made, all, ofOrigin, overview, { entries }] = await Promise.all([
    findLink(ctx, c.req.query("made")),
    chosen ? undefined : readAll(ctx, shown),
    chosen && reportOrigin(ctx, { workspace: true }, shown.range, chosen, shown),
    getOverview(ctx, shown.range, { seesKeys: isOwner, compare: shown.compare }),
    listAudit(ctx, {}, isEditor),
  ]);
  const { links } = overview;
  const isCalm = overview.attention.length === 0;
  const attention = <NeedsAttention attention={overview.attention} />;
  const isNew = links.active + links.archived === 0;
  return c.render(
    <Page
      title="Overview"
      section="overview"
      actions={
        <>
          <RangePicker shown={shown} />
          {isEditor && <SendReport kind="overview" shown={shown} />}
        </>
      }
      class="stack"
    >
      {made !== undefined && <Shortened link={made} />}
      {isEditor && <Shorten />}
      {isNew && isEditor && <Welcome isOwner={isOwner} />}
      <div class="columns">
        {!isCalm && attention}
        <div class="stack">
          {ofOrigin ? (
            <OriginFigures report={ofOrigin} shown={shown} />
          ) : (
            all && <AllFigures all={all} overview={overview} shown={shown} />
          )}
        </div>
        <div class="stack top-aligned">
          {isCalm && attention}
          <LastChanges entries={entries} />
        </div>
      </div>
    </Page>,
  );
}
