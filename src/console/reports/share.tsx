import { z } from "zod";
import { toDate } from "../../lib/range";
import { localDayAt } from "../../lib/time-zone";
import { checkedReport, newReport, type ReportKind } from "../../resources/reports/report-link-schema";
import {
  createReport,
  endReport,
  getSubjectName,
  listReports,
  MAX_REPORT_DAYS,
  type Report,
} from "../../resources/reports/report-links";
import { getOwnWorkspace } from "../../resources/workspaces/workspace-service";
import { PRESET_NAMES, writtenDays } from "../clicks/dates";
import { nameOfOrigin, readChosenOrigin } from "../clicks/origin-figures";
import { originParameters } from "../clicks/origins";
import { RangePicker, rangeParameters, readRange, type ShownRange } from "../clicks/range";
import { ButtonLink, Copied } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href, thisPage } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, currentPage, type Form, type PageContext, readQuery } from "../shell/page-request";
import { Field, HiddenFields, PostForm, Select, Submit } from "../shell/post-form";
import { Card, quoted, Time } from "../shell/text";

const USUAL_DAYS = 90;

const subjectQuery = newReport.pick({ kind: true, subject: true }).extend({
  kind: newReport.shape.kind.default("overview"),
  subject: z.string().default(""),
});

/** The button that leads to the reports of something, with the range and the filter of its page. */
export const SendReport = ({ shown, ...of }: { kind: ReportKind; subject?: string; shown: ShownRange }) => {
  const chosen = readChosenOrigin(currentPage());
  const parameters = { ...rangeParameters(shown), ...(chosen && originParameters(chosen)) };
  return <ButtonLink to={here.reports({ ...of, ...parameters })} label="Send a report" icon="send" />;
};

const daysOf = ({ range: { last, from, to } }: Report): string =>
  last === undefined ? `${from} to ${to}` : `Always: ${PRESET_NAMES[last].toLowerCase()}`;

/** Opens the person's own mail program. */
const mailTo = (name: string, { url }: Report): string =>
  `mailto:?subject=${encodeURIComponent(`Report: ${name}`)}&body=${encodeURIComponent(url)}`;

const Made = ({ name, report }: { name: string; report: Report }) => (
  <li class="stack">
    <Copied text={report.url} label="Copy the address" />
    <details>
      <summary>For spreadsheets and programs</summary>
      <Copied text={`${report.url}.csv`} label="Copy the address of its CSV" />
      <Copied text={`${report.url}.json`} label="Copy the address of its JSON" />
    </details>
    <div class="row small">
      <a href={report.url}>Open it</a>
      <a href={mailTo(name, report)}>Send it by mail</a>
      <span>
        {daysOf(report)}, until <Time at={report.ends_at} />
      </span>
    </div>
    <Dangerous
      summary={
        <>
          End it now<span class="unseen">: {report.url}</span>
        </>
      }
      consequence="Nobody can read the report at this address any more. It cannot be opened again, but you can make another one."
      action={here.endReport(report.id)}
      button="End the report"
    />
  </li>
);

const NewReportForm = ({ shown: { range, now } }: { shown: ShownRange }) => {
  const { preset, firstDay, lastDay, zones } = range;
  const fixed = ["", `Only these days: ${writtenDays(range)}`] as const;
  const days =
    preset === undefined
      ? [fixed]
      : [[preset, `Always: ${PRESET_NAMES[preset].toLowerCase()}`] as const, fixed];
  return (
    <PostForm
      action={thisPage()}
      initial={{ last: preset, ends_on: toDate(localDayAt(zones, now) + USUAL_DAYS) }}
      class="fields narrow"
    >
      <HiddenFields fields={{ first_day: toDate(firstDay), last_day: toDate(lastDay) }} />
      {/* The value of fixed days is empty, which a browser would not send from a required field. */}
      <Select name="last" label="Days" options={days} attributes={{ required: false }} required />
      <Field
        name="ends_on"
        label="Can be read until"
        type="date"
        hint={`Within ${MAX_REPORT_DAYS} days. You can end it at any time.`}
        required
      />
      <Submit label="Make the report" />
    </PostForm>
  );
};

export async function showReports(c: PageContext): Promise<Response> {
  const { ctx, workspace } = c.var;
  const { kind, subject } = readQuery(subjectQuery, c);
  const shown = readRange(c, ctx.workspace.createdAt, { compares: false });
  const chosen = readChosenOrigin(c);
  const [name, reports, { shares_reports: isOn }] = await Promise.all([
    getSubjectName(ctx, kind, subject),
    listReports(ctx, kind, subject),
    getOwnWorkspace(ctx),
  ]);
  return c.render(
    <Page
      title={kind === "overview" ? "Reports of the overview" : `Reports of ${name}`}
      crumbs={[{ label: name, href: pageOf(workspace, kind, subject) }]}
      class="stack"
    >
      <p>A report has clicks, scans and their chart. Everybody with its address can read it.</p>
      {reports.length > 0 && (
        <Card id="made" title="Reports">
          <ul class="changes">
            {reports.map((report) => (
              <Made name={name} report={report} />
            ))}
          </ul>
        </Card>
      )}
      {isOn ? (
        <Card id="new-report" title="Make a report">
          {chosen && (
            <p class="warning">
              A report is of all visits: your filter {quoted(nameOfOrigin(chosen))} is not part of it.
            </p>
          )}
          <RangePicker shown={shown} />
          <NewReportForm shown={shown} />
        </Card>
      ) : (
        <p class="warning">An owner has switched reports off, under Workspace: none can be read now.</p>
      )}
    </Page>,
  );
}

const pageOf = (workspace: string, kind: ReportKind, subject: string): string => {
  if (kind === "overview") return href.workspace(workspace);
  return kind === "group" ? href.group(workspace, subject) : href.tag(workspace, subject);
};

export async function makeReport(c: PageContext, { fields }: Form): Promise<Response> {
  const { kind, subject } = readQuery(subjectQuery, c);
  const report = await createReport(c.var.ctx, checked(checkedReport, { ...fields, kind, subject }));
  const page = href.reports(c.var.workspace, { kind, subject, ...report.range });
  return redirectWithNotice(c, page, "The report is ready. Copy its address.");
}

export async function endSharedReport(c: PageContext): Promise<Response> {
  const { kind, subject } = await endReport(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.reports(c.var.workspace, { kind, subject }), "The report has ended.");
}
