import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { startWeeklyReport, stopWeeklyReport } from "../../access/weekly-report";
import { applyBeforeReport } from "../../analytics/queue";
import type { WorkspaceContext } from "../../context";
import { hasUsedUpTime } from "../../http/fair-shares";
import { addressOf, countOne, isRefused } from "../../http/rate-limits";
import {
  endedReportPage,
  PAGE_POLICY,
  startedReportPage,
  startReportPage,
  stopReportPage,
  tooManyPage,
  unknownReportPage,
} from "../../http/site/site-pages";
import { toRange } from "../../lib/range";
import { perBinding, RecentMap } from "../../lib/recent-map";
import { sleep } from "../../lib/sleep";
import { isoTime, MINUTE_MS } from "../../lib/time";
import { findSharedReport, getSubjectName, type Report } from "../../resources/reports/report-links";
import { PRESET_NAMES, writtenDays } from "../clicks/dates";
import { type ShownRange, showRange } from "../clicks/range";
import { href } from "../shell/href";
import type { PageContext } from "../shell/page-request";
import { serviceContext } from "../shell/service-context";
import { Time } from "../shell/text";
import { figuresOf } from "./shared-report-figures";

const MAX_REMEMBERED = 100;

interface Rendered {
  /** Until when it is sent, in milliseconds. */
  until: number;
  text: string;
}

/** The pages of the last minute, and the requests that render one, by token. */
const memoryOf = perBinding((_: KVNamespace) => ({
  pages: new RecentMap<Rendered>(MAX_REMEMBERED),
  pending: new RecentMap<true>(MAX_REMEMBERED),
}));

type Memory = ReturnType<typeof memoryOf>;

interface DocumentProperties {
  name: string;
  workspace: string;
  report: Report;
  shown: ShownRange;
  style: string;
  children?: Child;
}

const Document = ({ name, workspace, report, shown, style, children }: DocumentProperties) => {
  const { range, now } = shown;
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
  c.header("Content-Security-Policy", PAGE_POLICY);
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
  const ctx: WorkspaceContext = { ...service, workspace };
  await applyBeforeReport(ctx);
  const now = ctx.now();
  const range = toRange(report.range, workspace.zones, now, workspace.createdAt);
  const shown = showRange(range, workspace.createdAt, now);
  const [name, figures, style] = await Promise.all([
    getSubjectName(ctx, report.kind, report.subject),
    figuresOf(ctx, report, shown),
    readStyle(c),
  ]);
  const page = await c.render(
    <Document name={name} workspace={workspace.name} report={report} shown={shown} style={style}>
      {figures}
    </Document>,
  );
  return { until: Math.min(now + MINUTE_MS, Date.parse(report.ends_at)), text: await page.text() };
}

/** How long a request waits for another one that renders the same report. */
const MAX_WAIT_MS = 5_000;
const WAIT_MS = 100;

/** The page that this instance has, or that another request renders; undefined if this request is to render it. */
async function findRendered({ pages, pending }: Memory, token: string): Promise<Rendered | undefined> {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += WAIT_MS) {
    const known = pages.get(token);
    if (known !== undefined && Date.now() < known.until) return known;
    if (!pending.has(token)) break;
    await sleep(WAIT_MS);
  }
  pending.set(token, true);
  return undefined;
}

const TOKEN = /^[0-9a-z]{32}$/;

/** A report for whoever has its address. An instance renders it once a minute, whatever number of requests come. */
export async function showSharedReport(c: PageContext): Promise<Response> {
  const token = c.req.param("token") ?? "";
  if (!TOKEN.test(token)) return refuse(c);
  const memory = memoryOf(c.env.KV);
  const known = await findRendered(memory, token);
  if (known !== undefined) return respond(c, known.text);
  try {
    if (isRefused(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw))) return respond(c, tooManyPage(), 429);
    const page = await render(c, token);
    if (page === undefined) return await refuse(c);
    if (page === "refused") return respond(c, tooManyPage(), 429);
    memory.pages.set(token, page);
    return respond(c, page.text);
  } finally {
    memory.pending.delete(token);
  }
}

/** Unknown tokens count as unknown slugs do. */
const refuse = async (c: PageContext): Promise<Response> =>
  (await countOne(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw)))
    ? respond(c, unknownReportPage(), 404)
    : respond(c, tooManyPage(), 429);

// They ask before they act: programs that scan mail open its links. The token is not looked up.
export const showStartReport = (c: PageContext): Response => respond(c, startReportPage());
export const showStopReport = (c: PageContext): Response => respond(c, stopReportPage());

/** Does what a mail offers for the weekly report of whoever has its token, signed in or not. */
const answerMail =
  (act: typeof stopWeeklyReport | typeof startWeeklyReport, done: () => string) =>
  async (c: PageContext): Promise<Response> => {
    const token = c.req.param("token") ?? "";
    if (isRefused(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw))) return respond(c, tooManyPage(), 429);
    const isDone = TOKEN.test(token) && (await act(serviceContext(c), token));
    return isDone ? respond(c, done()) : refuse(c);
  };

export const startReport = answerMail(startWeeklyReport, startedReportPage);
export const stopReport = answerMail(stopWeeklyReport, endedReportPage);
