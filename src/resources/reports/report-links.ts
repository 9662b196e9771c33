import { writeWithinLimit } from "../../access/room";
import { toWorkspace } from "../../access/workspace";
import { auditEntry, type ServiceContext, type WorkspaceContext } from "../../context";
import { assertFound, retryLostRaces } from "../../errors";
import { invalid } from "../../field-errors";
import { newId } from "../../lib/ids";
import { endOfDateIn } from "../../lib/local-time";
import { PRESETS, type RangeQuery } from "../../lib/range";
import { randomSlugText } from "../../lib/slug-text";
import { DAY_MS, isoTime } from "../../lib/time";
import { storedId } from "../../lib/ulid-text";
import {
  deleteReport,
  ensureReportExists,
  insertReport,
  type ReportRow,
  selectReport,
  selectReportsOf,
  selectSharedReport,
  selectSubjectName,
} from "./report-link-repository";
import type { NewReport, ReportKind } from "./report-link-schema";

export const MAX_REPORT_DAYS = 366;
/** How many links, groups or posters a report names. */
export const MAX_REPORTED = 10;
const TOKEN_CHARACTERS = 32;

const rangeOf = ({ last, first_day: from, last_day: to }: Omit<ReportRow, "id">): RangeQuery =>
  last === null
    ? { from: from ?? undefined, to: to ?? undefined }
    : { last: PRESETS.find((preset) => preset === last) };

const toReport = ({ config }: Pick<ServiceContext, "config">, row: Omit<ReportRow, "id">) => ({
  id: row.public_id,
  kind: row.kind,
  /** Public id of the group or tag; empty for the overview. */
  subject: row.subject,
  url: `${config.baseUrl}/reports/${row.token}`,
  range: rangeOf(row),
  ends_at: isoTime(row.ends_at),
});

export type Report = ReturnType<typeof toReport>;

/** The end of the report's last day. Throws 422. */
function endOf({ workspace, now }: WorkspaceContext, date: string): number {
  const end = Date.parse(endOfDateIn(date, workspace.timeZone) ?? "");
  if (end > now() && end <= now() + MAX_REPORT_DAYS * DAY_MS) return end;
  throw invalid([
    {
      field: "ends_on",
      message: `The end must be a day from today on, within ${MAX_REPORT_DAYS} days.`,
      code: "range",
    },
  ]);
}

/** The name of what a report is about. Throws 404 if the workspace has no such group or tag. */
export async function getSubjectName(
  ctx: WorkspaceContext,
  kind: ReportKind,
  subject: string,
): Promise<string> {
  if (kind === "overview") return "Overview";
  const [[found]] = await ctx.db.read(selectSubjectName(ctx.workspace.rowId, kind, storedId(subject)));
  return assertFound(found, kind === "group" ? "Activity Group" : "Tag").name;
}

/** Makes a page that everybody with its address can read until the end of a day. Throws 404, 422. */
export async function createReport(ctx: WorkspaceContext, input: NewReport): Promise<Report> {
  const { kind, last = null, first_day = null, last_day = null } = input;
  const subject = kind === "overview" ? "" : storedId(input.subject ?? "");
  const ends_at = endOf(ctx, input.ends_on);
  const name = await getSubjectName(ctx, kind, subject);
  const at = ctx.now();
  const row = {
    public_id: newId(at),
    workspace_id: ctx.workspace.rowId,
    token: randomSlugText(TOKEN_CHARACTERS, ctx.random),
    kind,
    subject,
    last,
    first_day,
    last_day,
    ends_at,
    created_at: at,
  };
  const change = { ...auditEntry(ctx, "report.create", row.public_id, at), change: { name, ends_at } };
  await writeWithinLimit(ctx, ["report", 1], change, [insertReport(row)]);
  return toReport(ctx, row);
}

/** Ends a report at once. Throws 404. */
export const endReport = (ctx: WorkspaceContext, id: string): Promise<Report> =>
  retryLostRaces(async () => {
    const workspaceId = ctx.workspace.rowId;
    const [rows] = await ctx.db.read(selectReport(workspaceId, storedId(id)));
    const row = assertFound(rows[0], "Report");
    const name = await getSubjectName(ctx, row.kind, row.subject).catch(() => row.subject);
    const change = {
      ...auditEntry(ctx, "report.end", row.public_id, ctx.now()),
      space: "frees" as const,
      change: { name },
      guards: [ensureReportExists(workspaceId, row.public_id)],
    };
    await ctx.db.write(change, [deleteReport(workspaceId, row.public_id)]);
    return toReport(ctx, row);
  });

export async function listReports(ctx: WorkspaceContext, kind: ReportKind, subject = ""): Promise<Report[]> {
  const [rows] = await ctx.db.read(selectReportsOf(ctx.workspace.rowId, kind, storedId(subject), ctx.now()));
  return rows.map((row) => toReport(ctx, row));
}

/** The report with a token and its workspace; undefined if it has ended, or its workspace shares none. */
export async function findSharedReport(ctx: ServiceContext, token: string) {
  const [[found]] = await ctx.db.read(selectSharedReport(token, ctx.now()));
  return found && { report: toReport(ctx, found), workspace: toWorkspace(found.workspace) };
}
