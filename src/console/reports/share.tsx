import { z } from "zod";
import { PRESETS, toDate } from "../../lib/range";
import { localDayAt } from "../../lib/time-zone";
import { checkedReport, newReport, type ReportKind } from "../../resources/reports/report-link-schema";
import {
  createReport,
  endReport,
  getSubjectName,
  listReports,
  MAX_REPORT_DAYS,
  MAX_REPORTED,
  type Report,
} from "../../resources/reports/report-links";
import { getOwnWorkspace } from "../../resources/workspaces/workspace-service";
import { PRESET_NAMES } from "../clicks/dates";
import { nameOfOrigin, readChosenOrigin } from "../clicks/origin-figures";
import { originParameters } from "../clicks/origins";
import { rangeParameters, readRange, type ShownRange } from "../clicks/range";
import { ButtonLink, Copied } from "../shell/button";
import { Dangerous } from "../shell/dangerous";
import { here, href, thisPage } from "../shell/href";
import { Page, redirectWithNotice } from "../shell/layout";
import { checked, currentPage, type Form, type PageContext, readQuery } from "../shell/page-request";
import { Field, PostForm, Select, Submit } from "../shell/post-form";
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

/** The days of a report: a range that moves on, or days that are chosen below. */
const DAYS = [
  ...PRESETS.map((preset) => [preset, `Always: ${PRESET_NAMES[preset].toLowerCase()}`] as const),
  ["", "Certain days"] as const,
];

const NewReportForm = ({ shown: { range, now } }: { shown: ShownRange }) => {
  const { preset, firstDay, lastDay, zones } = range;
  const initial = {
    last: preset,
    first_day: toDate(firstDay),
    last_day: toDate(lastDay),
    ends_on: toDate(localDayAt(zones, now) + USUAL_DAYS),
  };
  return (
    <PostForm action={thisPage()} initial={initial} class="fields narrow">
      {/* The value of certain days is empty, which a browser would not send from a required field. */}
      <Select
        name="last"
        label="Days"
        options={DAYS}
        attributes={{ required: false }}
        hint="“Always” moves on: whoever opens the report later sees later days. Certain days stay as they are."
        required
      />
      <div class="fields certain">
        <Field name="first_day" label="From" type="date" />
        <Field name="last_day" label="To" type="date" />
      </div>
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

const FIGURES = "Clicks and scans with their chart, visits to ended links, and visits by bots and previews";
const COMPARED = "How they compare with the time before";
const ORIGINS = "Sources, countries and devices of visitors";
const TOP_LINKS = `The ${MAX_REPORTED} most visited links by their titles, or by their slugs where they have none`;

/** What a report publishes, by what it is about. */
const SEEN: Readonly<Record<ReportKind, readonly string[]>> = {
  overview: [FIGURES, COMPARED, ORIGINS, TOP_LINKS, `The names of the ${MAX_REPORTED} most visited groups`],
  group: [
    FIGURES,
    COMPARED,
    "The names of channels",
    ORIGINS,
    TOP_LINKS,
    `The ${MAX_REPORTED} most scanned posters with their names and places`,
  ],
  tag: [FIGURES, COMPARED, ORIGINS, TOP_LINKS],
};

/** What somebody publishes who makes a report. */
const WhatIsSeen = ({ kind, name }: { kind: ReportKind; name: string }) => (
  <Card id="seen" title="What readers see">
    <p>
      Everybody who has its address can read a report, without an account. On top are the names of the
      workspace and of <bdi>{kind === "overview" ? "the overview" : quoted(name)}</bdi>. Below are:
    </p>
    <ul>
      {SEEN[kind].map((part) => (
        <li>{part}</li>
      ))}
    </ul>
    <p class="soft">
      Its files for spreadsheets and programs also have the short addresses of these links. Destinations, UTM
      parameters, notes and the people of the workspace are in none of them.
    </p>
  </Card>
);

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
        <div class="columns even">
          <Card id="new-report" title="Make a report">
            {chosen && (
              <p class="warning">
                A report is of all visits: your filter {quoted(nameOfOrigin(chosen))} is not part of it.
              </p>
            )}
            <NewReportForm shown={shown} />
          </Card>
          <WhatIsSeen kind={kind} name={name} />
        </div>
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

/** An instance remembers a report for a minute. */
const ENDED = "The report has ended. It may still open for a minute.";

export async function endSharedReport(c: PageContext): Promise<Response> {
  const { kind, subject } = await endReport(c.var.ctx, c.req.param("id"));
  return redirectWithNotice(c, href.reports(c.var.workspace, { kind, subject }), ENDED);
}
