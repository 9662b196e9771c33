import type { listTopGroups, listTopLinks } from "../../analytics/rankings";
import type { VisitReport } from "../../analytics/report";
import { writtenDays } from "../../console/clicks/dates";
import type { Workspace } from "../../context";
import type { Range } from "../../lib/range";

interface Figures {
  workspace: Workspace;
  range: Range;
  report: VisitReport;
  links: Awaited<ReturnType<typeof listTopLinks>>;
  groups: Awaited<ReturnType<typeof listTopGroups>>;
}

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

/** The weekly report as plain text, without addresses. */
export function weeklyReportText({ workspace, range, report, links, groups }: Figures): string {
  const { totals } = report;
  const before = report.before ?? { clicks: 0, scans: 0 };
  return [
    `${workspace.name}: ${writtenDays(range)} (${range.zone})`,
    "",
    figure("Visits", totals.clicks + totals.scans, before.clicks + before.scans),
    figure("Clicks", totals.clicks, before.clicks),
    figure("Scans", totals.scans, before.scans),
    ...ranking(
      "Most visited links",
      links.map(({ title, slug, clicks, scans }) => [title ?? slug, clicks + scans]),
    ),
    ...ranking(
      "Most visited Activity Groups",
      groups.map(({ name, visits }) => [name, visits]),
    ),
  ].join("\n");
}
