import type { Context, ServiceContext } from "../context";
import { randomSlugText } from "../lib/slug-text";
import { DAY_MS, MINUTE_MS, ownUntil, startOfUtcDay } from "../lib/time";
import {
  endReport,
  selectDueReports,
  selectMember,
  selectReportToken,
  startReport,
  stopReport,
  updateReportDue,
} from "./member-repository";
import { toWorkspace } from "./service";

const TOKEN_CHARACTERS = 32;

export async function getsWeeklyReport(ctx: Context, email: string): Promise<boolean> {
  const [[member]] = await ctx.db.read(selectMember(ctx.workspace.rowId, email));
  return member?.report_token != null;
}

/** Switches a member's own report on or off. The first one comes with the next daily job. */
export async function setWeeklyReport(ctx: Context, email: string, isWanted: boolean): Promise<void> {
  const workspaceId = ctx.workspace.rowId;
  const today = startOfUtcDay(ctx.now());
  await ctx.db.writeGuarded([
    isWanted
      ? startReport(workspaceId, email, randomSlugText(TOKEN_CHARACTERS, ctx.random), today)
      : endReport(workspaceId, email),
  ]);
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
