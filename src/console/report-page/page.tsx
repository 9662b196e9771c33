import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportTagVisits, reportVisits, type VisitReport } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { Context } from "../../context";
import { addressOf, countOne, isRefused } from "../../http/rate-limit";
import { tooManyPage, unknownReportPage } from "../../http/site/pages";
import { hasUsedUpTime } from "../../http/work";
import { perBinding, remember } from "../../lib/memory";
import { toRange } from "../../lib/range";
import { sleep } from "../../lib/sleep";
import { isoTime, MINUTE_MS } from "../../lib/time";
import { findSharedReport, getSubjectName, type Report } from "../../resources/reports/service";
import { PRESET_NAMES, writtenDays } from "../clicks/dates";
import { Figures } from "../clicks/figures";
import type { ShownRange } from "../clicks/range";
import { ShareTable } from "../clicks/shares";
import { GroupFigures } from "../groups/figures";
import { readGroupReport } from "../groups/report";
import { nameOf } from "../links/link-text";
import { href } from "../shell/href";
import type { PageContext } from "../shell/request";
import { serviceContext } from "../shell/service-context";
import { Time } from "../shell/text";
import { readTagLinks } from "../tags/links";

/** No scripts, and nothing from elsewhere. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

const TOP = 10;
const MAX_REMEMBERED = 100;

interface Rendered {
  /** Until when it is sent, in milliseconds. */
  until: number;
  text: string;
}

/** The pages of the last minute by token; undefined while a request renders one. */
const renderedIn = perBinding((_: KVNamespace) => new Map<string, Rendered | undefined>());

interface Visited {
  title: string | null;
  slug: string;
  clicks: number;
  scans: number;
}

const TopLinks = ({ links, whole }: { links: readonly Visited[]; whole: number }) => (
  <section class="card">
    <ShareTable
      title="Most visited links"
      of="Visits"
      whole={whole}
      rows={links
        .filter((link) => visitsOf(link) > 0)
        .slice(0, TOP)
        .map((link) => ({ label: nameOf(link), value: visitsOf(link) }))}
    />
  </section>
);

const OverviewReport = async ({ ctx, shown }: { ctx: Context; shown: ShownRange }) => {
  const [report, links, groups] = await Promise.all([
    reportVisits(ctx, { workspace: true }, shown.range, { compare: true }),
    listTopLinks(ctx, shown.range, TOP),
    listTopGroups(ctx, shown.range, TOP),
  ]);
  const whole = visitsOf(report.totals);
  return (
    <>
      <FiguresCard report={report} shown={shown} />
      <div class="pair">
        <TopLinks links={links} whole={whole} />
        <section class="card">
          <ShareTable
            title="Most visited Activity Groups"
            of="Visits"
            whole={whole}
            rows={groups.map(({ name, visits }) => ({ label: name, value: visits }))}
          />
        </section>
      </div>
    </>
  );
};

const FiguresCard = ({ report, shown }: { report: VisitReport; shown: ShownRange }) => (
  <section class="card" aria-label="Clicks and scans">
    <Figures report={report} shown={shown} />
  </section>
);

const GroupReport = async ({ ctx, id, shown }: { ctx: Context; id: string; shown: ShownRange }) => {
  const { visits, present, assets } = await readGroupReport(ctx, id, shown, 1);
  return (
    <>
      <section class="card" aria-label="Clicks and scans">
        <GroupFigures report={visits} present={present} shown={shown} />
      </section>
      <div class="pair">
        {present !== null && <TopLinks links={present.list.links} whole={present.list.whole} />}
        {assets.assets.length > 0 && (
          <section class="card">
            <ShareTable
              title="Most scanned assets"
              of="Scans"
              whole={visits.totals.scans}
              rows={assets.assets
                .filter((asset) => asset.scans > 0)
                .slice(0, TOP)
                .map(({ name, place, scans }) => ({
                  label: [name, place].filter(Boolean).join(", "),
                  value: scans,
                }))}
            />
          </section>
        )}
      </div>
    </>
  );
};

const TagReport = async ({ ctx, id, shown }: { ctx: Context; id: string; shown: ShownRange }) => {
  const [report, links] = await Promise.all([
    reportTagVisits(ctx, id, shown.range, { compare: true }),
    readTagLinks(ctx, id, shown.range),
  ]);
  if (report === null)
    return <p class="warning">Too many links were visited in this time, so the figures are not counted.</p>;
  return (
    <>
      <FiguresCard report={report} shown={shown} />
      <TopLinks links={links} whole={visitsOf(report.totals)} />
    </>
  );
};

const bodyOf = (ctx: Context, { kind, subject }: Report, shown: ShownRange) => {
  if (kind === "overview") return OverviewReport({ ctx, shown });
  return kind === "group" ? GroupReport({ ctx, id: subject, shown }) : TagReport({ ctx, id: subject, shown });
};

const Document = ({
  name,
  workspace,
  report,
  shown: { range, now },
  style,
  children,
}: {
  name: string;
  workspace: string;
  report: Report;
  shown: ShownRange;
  style: string;
  children?: Child;
}) => {
  const document = (
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${name} · ${workspace}`}</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        <main class="stack report">
          <header>
            <p class="soft">
              <bdi>{workspace}</bdi>
            </p>
            <h1>
              <bdi>{name}</bdi>
            </h1>
            <p>
              {writtenDays(range)}
              {range.preset !== undefined && ` (${PRESET_NAMES[range.preset].toLowerCase()})`}, {range.zone}
            </p>
          </header>
          {children}
          <p class="small soft">
            Clicks and scans by people. As of <Time at={isoTime(now)} exact zone={range.zone} />. This page
            can be read until <Time at={report.ends_at} zone={range.zone} />.
          </p>
        </main>
      </body>
    </html>
  );
  return html`<!doctype html>${document}`;
};

async function readStyle(c: PageContext): Promise<string> {
  const file = await c.env.ASSETS?.fetch(new URL(href.style(), c.req.url));
  return file?.ok === true ? file.text() : "";
}

function respond(c: PageContext, text: string, status: 200 | 404 | 429 = 200): Response {
  c.header("Content-Security-Policy", POLICY);
  c.header("Referrer-Policy", "no-referrer");
  c.header("X-Robots-Tag", "noindex");
  return c.html(text, status);
}

/** The page of a report; undefined if none can be read, `refused` if the report has used up its time. */
async function render(c: PageContext, token: string): Promise<Rendered | "refused" | undefined> {
  const service = serviceContext(c);
  const found = await findSharedReport(service, token);
  if (found === undefined) return undefined;
  const { report, workspace } = found;
  const payer = { caller: `report:${report.id}`, workspaceId: undefined, limit: "REPORT_WORK" as const };
  c.var.trace.payer = payer;
  c.var.trace.workspace = workspace.id;
  if (hasUsedUpTime(c.env, payer)) return "refused";
  const ctx: Context = { ...service, workspace };
  const now = ctx.now();
  const range = toRange(report.range, workspace.timeZone, now, workspace.createdAt);
  const canCompare = range.preset !== "all";
  const shown: ShownRange = { range, now, canCompare, compare: canCompare, isWhole: false };
  const [name, body, style] = await Promise.all([
    getSubjectName(ctx, report.kind, report.subject),
    bodyOf(ctx, report, shown),
    readStyle(c),
  ]);
  const page = await c.render(
    <Document name={name} workspace={workspace.name} report={report} shown={shown} style={style}>
      {body}
    </Document>,
  );
  return { until: Math.min(now + MINUTE_MS, Date.parse(report.ends_at)), text: await page.text() };
}

/** How long a request waits for another one that renders the same report. */
const MAX_WAIT_MS = 5_000;
const WAIT_MS = 100;

/** The page that this instance has, or that another request renders; undefined if this request is to render it. */
async function findRendered(rendered: Map<string, Rendered | undefined>, token: string) {
  for (let waited = 0; waited < MAX_WAIT_MS && rendered.has(token); waited += WAIT_MS) {
    const known = rendered.get(token);
    if (known !== undefined && Date.now() < known.until) return known;
    if (known !== undefined) break;
    await sleep(WAIT_MS);
  }
  remember(rendered, token, undefined, MAX_REMEMBERED);
  return undefined;
}

const TOKEN = /^[0-9a-z]{32}$/;

/** A report for whoever has its address. An instance renders it once a minute, whatever number of requests come. */
export async function showSharedReport(c: PageContext): Promise<Response> {
  const token = c.req.param("token") ?? "";
  if (!TOKEN.test(token)) return refuse(c);
  const rendered = renderedIn(c.env.KV);
  const known = await findRendered(rendered, token);
  if (known !== undefined) return respond(c, known.text);
  let found: Rendered | undefined;
  try {
    if (isRefused(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw))) return respond(c, tooManyPage(), 429);
    const page = await render(c, token);
    if (page === "refused") return respond(c, tooManyPage(), 429);
    found = page;
  } finally {
    if (found === undefined) rendered.delete(token);
    else remember(rendered, token, found, MAX_REMEMBERED);
  }
  return found === undefined ? refuse(c) : respond(c, found.text);
}

/** Unknown tokens count as unknown slugs do. */
const refuse = async (c: PageContext): Promise<Response> =>
  (await countOne(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw)))
    ? respond(c, unknownReportPage(), 404)
    : respond(c, tooManyPage(), 429);
