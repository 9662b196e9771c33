import { sendMail } from "../../access/mail";
import { listDueReports, takeDueReport } from "../../access/weekly-report";
import { applyBeforeJob } from "../../analytics/queue";
import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportVisits } from "../../analytics/report";
import { writtenDays } from "../../console/clicks/dates";
import { zoneText } from "../../console/shell/zone-text";
import type { ServiceContext, WorkspaceContext } from "../../context";
import { rangeOfDays } from "../../lib/range";
import { localDayAt } from "../../lib/time-zone";
import { logFailure, logLine } from "../../log";

/** The others are sent on the next day. */
const MAX_REPORTS_PER_RUN = 500;
/** Workspaces with a failure. Then the mail service or D1 seems to be down, or a quota used up. */
const MAX_FAILING_PER_RUN = 5;
/** Of the figures of a workspace, and of a report. */
const STATEMENTS = 9;
const DAYS = 7;
const TOP = 5;

const number = (value: number): string => value.toLocaleString("en-GB");

/** "Clicks: 1,200 (1,000 in the week before, +20%)". */
function figure(name: string, now: number, before: number): string {
  const change = now - before;
  const percent =
    before === 0
      ? ""
      : `, ${change < 0 ? "−" : "+"}${number(Math.round((Math.abs(change) / before) * 100))}%`;
  return `${name}: ${number(now)} (${number(before)} in the week before${percent})`;
}

const ranking = (title: string, rows: readonly (readonly [name: string, visits: number])[]): string[] =>
  rows.length === 0 ? [] : ["", title, ...rows.map(([name, visits]) => `${number(visits)}  ${name}`)];

/** The report of the last seven days that are over where the workspace is, as plain text without addresses. */
async function composeReport(ctx: WorkspaceContext): Promise<string> {
  const { workspace } = ctx;
  const today = localDayAt(workspace.zones, ctx.now());
  const range = rangeOfDays(workspace.zones, today - DAYS, today - 1);
  const [report, links, groups] = await Promise.all([
    reportVisits(ctx, { workspace: true }, range, { compare: true }),
    listTopLinks(ctx, range, TOP),
    listTopGroups(ctx, range, TOP),
  ]);
  const { totals } = report;
  const before = report.before ?? { clicks: 0, scans: 0 };
  return [
    `${workspace.name}: ${writtenDays(range)} (${zoneText(range.zone)})`,
    "",
    figure("Visits", totals.clicks + totals.scans, before.clicks + before.scans),
    figure("Clicks", totals.clicks, before.clicks),
    figure("Scans", totals.scans, before.scans),
    ...ranking(
      "Most visited links",
      links.map(({ title, slug, clicks, scans }) => [title ?? slug, clicks + scans]),
    ),
    ...ranking(
      "Most visited groups",
      groups.map(({ name, visits }) => [name, visits]),
    ),
  ].join("\n");
}

/** Sends the weekly reports that are due. Each is taken before it is sent, so that none is sent twice. */
export async function sendWeeklyReports(ctx: ServiceContext): Promise<void> {
  const { mail, missingMailSetting: missing, baseUrl } = ctx.config;
  if (missing !== null) logLine("misconfigured", { reason: `${missing} is not set, so no mail is sent.` });
  if (mail === null || ctx.db.statementsLeft() < 1) return;
  /** By workspace. */
  const composed = new Map<number, string>();
  const failing = new Set<number>();
  const due = await listDueReports(ctx, MAX_REPORTS_PER_RUN);
  if (due.length > 0) await applyBeforeJob(ctx);
  for (const { email: to, token, workspace } of due) {
    if (ctx.db.statementsLeft() < STATEMENTS || failing.size === MAX_FAILING_PER_RUN) return;
    // Addresses that take no mail delay nobody else's report.
    if (failing.has(workspace.rowId)) continue;
    if (!(await takeDueReport(ctx, token))) continue;
    try {
      const report = composed.get(workspace.rowId) ?? (await composeReport({ ...ctx, workspace }));
      composed.set(workspace.rowId, report);
      const stopUrl = `${baseUrl}/reports/stop/${token}`;
      const text = `${report}\n\nOpen the workspace: ${baseUrl}/app/${workspace.slug}\nStop this report: ${stopUrl}\n`;
      const subject = `Weekly report of ${workspace.name}`;
      if (!(await sendMail(mail, { to, subject, text, stopUrl }))) failing.add(workspace.rowId);
    } catch (error) {
      logFailure("weekly-report", error);
      failing.add(workspace.rowId);
    }
  }
}
