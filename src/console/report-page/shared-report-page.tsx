import { html, raw } from "hono/html";
import { startWeeklyReport, stopWeeklyReport } from "../../access/weekly-report";
import { ServiceError, tooManyAttempts } from "../../errors";
import { addressOf, isRefused } from "../../http/rate-limits";
import {
  endedReportPage,
  startedReportPage,
  startReportPage,
  stopReportPage,
  tooManyPage,
  unknownReportPage,
} from "../../http/site/site-pages";
import { isoTime } from "../../lib/time";
import { nameOfCompared, PRESET_NAMES, writtenDays } from "../clicks/dates";
import { href } from "../shell/href";
import type { PageContext } from "../shell/page-request";
import { serviceContext } from "../shell/service-context";
import { Time } from "../shell/text";
import { zoneText } from "../shell/zone-text";
import { isReportToken, type ReadReport, refuseToken, writeReport } from "./read-report";
import { REPORT_HEADERS, sendReportData } from "./send-report-data";
import { ReportCards } from "./shared-report-figures";

const Document = ({ read, style }: { read: ReadReport; style: string }) => {
  const { name, workspace, report, shown, figures } = read;
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
              {range.preset !== undefined && ` (${PRESET_NAMES[range.preset].toLowerCase()})`},{" "}
              {zoneText(range.zone)}
            </p>
            {figures.visits?.before && <p class="soft">Compared with {nameOfCompared(shown)}.</p>}
          </header>
          <ReportCards figures={figures} shown={shown} />
          <p class="small soft">
            Clicks and scans by people. As of <Time at={isoTime(now)} exact zone={range.zone} />. This page
            can be read until <Time at={report.ends_at} zone={range.zone} />.
          </p>
          <p class="small soft screen">
            The same figures for spreadsheets and programs: <a href={`${report.url}.csv`}>{report.url}.csv</a>{" "}
            and <a href={`${report.url}.json`}>{report.url}.json</a>
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

async function render(c: PageContext, read: ReadReport) {
  const page = await c.render(<Document read={read} style={await readStyle(c)} />);
  return { text: await page.text() };
}

const respond = (c: PageContext, text: string, status: 200 | 404 | 429 = 200): Response =>
  c.html(text, status, REPORT_HEADERS);

async function respondWith(c: PageContext, read: () => Promise<string>): Promise<Response> {
  try {
    return respond(c, await read());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 404) return respond(c, unknownReportPage(), 404);
    if (error.status === 429) return respond(c, tooManyPage(), 429);
    throw error;
  }
}

const FILE = /^(.*)\.(json|csv)$/;

/** A report for whoever has its address: its page, or its figures for programs. */
export async function showSharedReport(c: PageContext): Promise<Response> {
  const address = c.req.param("token") ?? "";
  const [, token = "", format] = FILE.exec(address) ?? [];
  if (format === "json" || format === "csv") return sendReportData(c, token, format);
  return respondWith(c, async () => (await writeReport(c, address, "page", (read) => render(c, read))).text);
}

// They ask before they act: programs that scan mail open its links. The token is not looked up.
export const showStartReport = (c: PageContext): Response => respond(c, startReportPage());
export const showStopReport = (c: PageContext): Response => respond(c, stopReportPage());

/** Does what a mail offers for the weekly report of whoever has its token, signed in or not. */
const answerMail =
  (act: typeof stopWeeklyReport | typeof startWeeklyReport, done: () => string) =>
  (c: PageContext): Promise<Response> =>
    respondWith(c, async () => {
      const token = c.req.param("token") ?? "";
      if (isRefused(c.env, "UNKNOWN_SLUG_RATE", addressOf(c.req.raw))) throw tooManyAttempts();
      const isDone = isReportToken(token) && (await act(serviceContext(c), token));
      return isDone ? done() : refuseToken(c);
    });

export const startReport = answerMail(startWeeklyReport, startedReportPage);
export const stopReport = answerMail(stopWeeklyReport, endedReportPage);
