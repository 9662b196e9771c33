import type { Context, ServiceContext, WorkspaceContext } from "../context";
import { randomSlugText } from "../lib/slug-text";
import { DAY_MS, MINUTE_MS, ownUntil, startOfUtcDay } from "../lib/time";
import { sendLimited } from "./mail";
import {
  ASKED,
  askForReport,
  endReport,
  selectDueReports,
  selectMember,
  selectReportToken,
  startReport,
  stopReport,
  updateReportDue,
} from "./member-repository";
import { toWorkspace } from "./workspace";

const TOKEN_CHARACTERS = 32;

/** `asked`: it starts when the address confirms it. */
export type WeeklyReport = "off" | "asked" | "on";

async function findReportToken(ctx: Context, email: string): Promise<string | null> {
  const [[member]] = await ctx.db.read(selectMember(ctx.workspace.rowId, email));
  return member?.report_token ?? null;
}

export async function getWeeklyReport(ctx: Context, email: string): Promise<WeeklyReport> {
  const token = await findReportToken(ctx, email);
  if (token === null) return "off";
  return token.startsWith(ASKED) ? "asked" : "on";
}

/**
 * Asks an address whether it wants the report, since whoever has invited it may be the one who is signed in as it. False if the
 * mail was not sent.
 */
export async function askForWeeklyReport(ctx: WorkspaceContext, email: string): Promise<boolean> {
  const { config, random, workspace } = ctx;
  await ctx.db.writeGuarded([askForReport(workspace.rowId, email, randomSlugText(TOKEN_CHARACTERS, random))]);
  const token = await findReportToken(ctx, email);
  if (token?.startsWith(ASKED) !== true) return true;
  const startUrl = `${config.baseUrl}/reports/start/${token.slice(ASKED.length)}`;
  return sendLimited(ctx, email, async () => ({
    subject: `The weekly report of ${workspace.name}`,
    text: `Somebody asked to send you the figures of the workspace “${workspace.name}” for short links by mail, once a week.
They come only if you start them here:

${startUrl}

If you do not want them, ignore this mail.
`,
  }));
}

/** Starts the report that a mail with the token asked for. False if none has it any more. The first one comes with the next daily job. */
export async function startWeeklyReport({ db, now }: Pick<ServiceContext, "db" | "now">, token: string) {
  const [started] = await db.writeGuarded(
    [startReport(token, startOfUtcDay(now()))],
    selectReportToken(token),
  );
  return started.length > 0;
}

export async function endWeeklyReport(ctx: Context, email: string): Promise<void> {
  await ctx.db.writeGuarded([endReport(ctx.workspace.rowId, email)]);
}

/** Stops the report whose mails have the token. False if none has it any more. */
export async function stopWeeklyReport({ db }: Pick<ServiceContext, "db">, token: string): Promise<boolean> {
  const [found] = await db.read(selectReportToken(token));
  if (found.length > 0) await db.writeGuarded([stopReport(token)]);
  return found.length > 0;
}

export async function listDueReports(ctx: ServiceContext, limit: number) {
  const [rows] = await ctx.db.read(selectDueReports(ctx.now(), limit));
  return rows.map((row) => ({ ...row, workspace: toWorkspace(row.workspace) }));
}

/** Takes a due report, so that no other run sends it, whatever becomes of it. False if it is not due any more. */
export async function takeDueReport(ctx: ServiceContext, token: string): Promise<boolean> {
  const now = ctx.now();
  const nextAt = ownUntil(startOfUtcDay(now) + 7 * DAY_MS + MINUTE_MS);
  const [taken] = await ctx.db.writeGuarded(
    [updateReportDue(token, now, nextAt)],
    selectReportToken(token, nextAt),
  );
  return taken.length > 0;
}
