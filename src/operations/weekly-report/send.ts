import { sendMail } from "../../access/mail";
import { listDueReports, takeDueReport } from "../../access/weekly-report";
import { listTopGroups, listTopLinks } from "../../analytics/rankings";
import { reportVisits } from "../../analytics/report";
import type { Context, ServiceContext } from "../../context";
import { rangeOfDays } from "../../lib/range";
import { localDayAt } from "../../lib/time-zone";
import { logFailure, logMisconfiguration } from "../../log";
import { weeklyReportText } from "./text";

/** The others are sent on the next day. */
const MAX_REPORTS_PER_RUN = 500;
/** Then the mail service or D1 seems to be down, or a quota used up. */
const MAX_FAILURES_PER_RUN = 5;
/** Of the figures of a workspace, and of a report. */
const STATEMENTS = 9;
const DAYS = 7;
const TOP = 5;

/** The report of the last seven days that are over where the workspace is. */
async function composeReport(ctx: Context): Promise<string> {
  const { workspace } = ctx;
  const today = localDayAt(workspace.timeZone, ctx.now());
  const range = rangeOfDays(workspace.timeZone, today - DAYS, today - 1);
  const [report, links, groups] = await Promise.all([
    reportVisits(ctx, { workspace: true }, range, { compare: true }),
    listTopLinks(ctx, range, TOP),
    listTopGroups(ctx, range, TOP),
  ]);
  return weeklyReportText({ workspace, range, report, links, groups });
}

/** Sends the weekly reports that are due. Each is taken before it is sent, so that none is sent twice. */
export async function sendWeeklyReports(ctx: ServiceContext): Promise<void> {
  const { mail, missingMailSetting: missing, baseUrl } = ctx.config;
  if (missing !== null) logMisconfiguration(`${missing} is not set, so no mail is sent.`);
  if (mail === null || ctx.db.statementsLeft() < 1) return;
  /** By workspace. */
  const composed = new Map<number, string>();
  let failures = 0;
  for (const { email: to, token, workspace } of await listDueReports(ctx, MAX_REPORTS_PER_RUN)) {
    if (ctx.db.statementsLeft() < STATEMENTS || failures === MAX_FAILURES_PER_RUN) return;
    if (!(await takeDueReport(ctx, token))) continue;
    try {
      const report = composed.get(workspace.rowId) ?? (await composeReport({ ...ctx, workspace }));
      composed.set(workspace.rowId, report);
      const stopUrl = `${baseUrl}/reports/stop/${token}`;
      const text = `${report}\n\nOpen the workspace: ${baseUrl}/app/${workspace.slug}\nStop this report: ${stopUrl}\n`;
      const subject = `Weekly report of ${workspace.name}`;
      if (!(await sendMail(mail, { to, subject, text, stopUrl }))) failures++;
    } catch (error) {
      logFailure("weekly-report", error);
      failures++;
    }
  }
}
