import { applyBeforeReport } from "../../analytics/queue";
import type { WorkspaceContext } from "../../context";
import { notFound, tooManyAttempts } from "../../errors";
import { hasUsedUpTime } from "../../http/fair-shares";
import { addressOf, countOne, isRefused } from "../../http/rate-limits";
import { toRange } from "../../lib/range";
import { perBinding, RecentMap } from "../../lib/recent-map";
import { sleep } from "../../lib/sleep";
import { MINUTE_MS } from "../../lib/time";
import { findSharedReport, getSubjectName, type Report } from "../../resources/reports/report-links";
import { type ShownRange, showRange } from "../clicks/range";
import type { PageContext } from "../shell/page-request";
import { serviceContext } from "../shell/service-context";
import { type ReportFigures, readFigures } from "./report-figures";

const MAX_REMEMBERED = 50;

/** What an instance knows of a report for a minute. */
export interface ReadReport {
  until: number;
  name: string;
  workspace: string;
  report: Report;
  shown: ShownRange;
  figures: ReportFigures;
  /** Its page and its files, once somebody has asked for them. */
  written: Map<string, Written>;
}

interface Written {
  text: string;
  /** Undefined for the page. */
  etag?: string;
}

/** What an instance knows, and the requests that read a report, by token. */
const memoryOf = perBinding((_: KVNamespace) => ({
  known: new RecentMap<ReadReport>(MAX_REMEMBERED),
  pending: new RecentMap<true>(MAX_REMEMBERED),
}));

type Memory = ReturnType<typeof memoryOf>;

/** Counts an unknown token as unknown slugs are. Throws 404 or 429. */
export async function refuseToken(c: PageContext): Promise<never> {
  const isWithinLimit = await countOne(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw));
  throw isWithinLimit ? notFound("Report") : tooManyAttempts();
}

/** Throws 404 if no report can be read, 429 if it has used up its time. */
async function readReport(c: PageContext, token: string): Promise<ReadReport> {
  const service = serviceContext(c);
  const found = await findSharedReport(service, token);
  if (found === undefined) return refuseToken(c);
  const { report, workspace } = found;
  const payer = { caller: `report:${report.id}`, workspaceId: undefined, limit: "REPORT_WORK" as const };
  c.var.trace.payer = payer;
  c.var.trace.workspace = workspace.id;
  if (hasUsedUpTime(c.env, payer)) throw tooManyAttempts();
  const ctx: WorkspaceContext = { ...service, workspace };
  await applyBeforeReport(ctx);
  const now = ctx.now();
  const range = toRange(report.range, workspace.zones, now, workspace.createdAt);
  const shown = showRange(range, workspace.createdAt, now);
  const [name, figures] = await Promise.all([
    getSubjectName(ctx, report.kind, report.subject),
    readFigures(ctx, report, shown),
  ]);
  const until = Math.min(now + MINUTE_MS, Date.parse(report.ends_at));
  return { until, name, workspace: workspace.name, report, shown, figures, written: new Map() };
}

/** How long a request waits for another one that reads the same report. */
const MAX_WAIT_MS = 5_000;
const WAIT_MS = 100;

/** What this instance knows, or another request reads; undefined if this request is to read it. */
async function findKnown({ known, pending }: Memory, token: string): Promise<ReadReport | undefined> {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += WAIT_MS) {
    const report = known.get(token);
    if (report !== undefined && Date.now() < report.until) return report;
    if (!pending.has(token)) break;
    await sleep(WAIT_MS);
  }
  pending.set(token, true);
  return undefined;
}

type Write = (report: ReadReport) => Written | Promise<Written>;

async function writeOnce(report: ReadReport, form: string, write: Write): Promise<Written> {
  const text = report.written.get(form) ?? (await write(report));
  report.written.set(form, text);
  return text;
}

const TOKEN = /^[0-9a-z]{32}$/;

export const isReportToken = (text: string): boolean => TOKEN.test(text);

/**
 * A report in one of its forms. An instance reads it once a minute for all of them, whatever number of requests come. Throws
 * 404, 429.
 */
export async function writeReport(
  c: PageContext,
  token: string,
  form: string,
  write: Write,
): Promise<Written> {
  if (!isReportToken(token)) return refuseToken(c);
  const memory = memoryOf(c.env.KV);
  const known = await findKnown(memory, token);
  if (known !== undefined) return writeOnce(known, form, write);
  try {
    if (isRefused(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw))) throw tooManyAttempts();
    const report = await readReport(c, token);
    // The others wait until it is written, so that a page is rendered once.
    return await writeOnce(report, form, write).finally(() => memory.known.set(token, report));
  } finally {
    memory.pending.delete(token);
  }
}
