import type { VisitReport } from "../../analytics/report";
import { visitsOf } from "../../analytics/time-series";
import type { VisitCounts } from "../../analytics/visit-buffer";
import { invalid } from "../../field-errors";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import { etagOfFile } from "../../lib/etag";
import { comparedUntil, rangeBefore, toDate } from "../../lib/range";
import { isoTime } from "../../lib/time";
import { localDayAt } from "../../lib/time-zone";
import { originShares } from "../clicks/origins";
import type { ShownRange } from "../clicks/range";
import { type Share, shownShares } from "../clicks/scale";
import { channelShares } from "../groups/group-figures";
import type { ReadReport } from "./read-report";

// A report for programs. A table is null if the page does not show it: if it is not counted, or this kind of report has none.

const COLUMNS = {
  days: ["day", "clicks", "scans"],
  links: ["id", "title", "short_url", "clicks", "scans"],
  posters: ["id", "name", "place", "scans"],
  sources: ["name", "visits"],
  countries: ["name", "visits"],
  devices: ["name", "visits"],
  channels: ["name", "visits"],
} as const;

type Part = keyof typeof COLUMNS;

const toTotals = (counts: VisitCounts) => {
  const { clicks, scans, after_end, bots } = counts;
  return { visits: visitsOf(counts), clicks, scans, after_end, bots };
};

function comparedDays({ range, now }: ShownRange) {
  const { firstDay } = rangeBefore(range);
  const last = localDayAt(range.zones, comparedUntil(range, now) - 1);
  return { compared_from: toDate(firstDay), compared_to: toDate(last) };
}

const toDays = ({ days }: VisitReport, { range, now }: ShownRange) =>
  days
    .filter(({ day }) => day <= localDayAt(range.zones, now))
    .map(({ day, clicks, scans }) => ({ day: toDate(day), clicks, scans }));

const toRows = (shares: readonly Share[]) =>
  shownShares(shares).map(({ label, value }) => ({ name: label, visits: value }));

function toData({ name, report: { kind }, shown, figures: { visits, links, posters, group } }: ReadReport) {
  const { range, now } = shown;
  const origins = visits?.origins;
  const channels = group?.channels ?? null;
  return {
    report: {
      ...{ title: name, kind },
      ...{ from: toDate(range.firstDay), to: toDate(range.lastDay), time_zone: range.zone },
      ...(visits?.before ? comparedDays(shown) : { compared_from: null, compared_to: null }),
      made_at: isoTime(now),
    },
    totals: visits && toTotals(visits.totals),
    totals_before: visits?.before ? toTotals(visits.before) : null,
    days: visits && toDays(visits, shown),
    links: links?.map(({ slug: _, ...link }) => link) ?? null,
    posters,
    sources: origins ? toRows(originShares(origins, "referrer")) : null,
    countries: origins ? toRows(originShares(origins, "country")) : null,
    devices: origins ? toRows(originShares(origins, "device")) : null,
    channels: channels && toRows(channelShares(channels)),
  };
}

/** The ETag leaves out when the report was made: a reader who has the same numbers need not read them again. */
export async function writeJson(read: ReadReport) {
  const { report, ...tables } = toData(read);
  const { made_at: _, ...rest } = report;
  return {
    text: JSON.stringify({ report, ...tables }),
    etag: await etagOfFile(JSON.stringify({ ...rest, ...tables })),
  };
}

const isPart = (text: string): text is Part => Object.hasOwn(COLUMNS, text);

/** What stands in place of a table that is null, as in other files. */
const NOT_SHOWN = ["–", "The page of this report does not show this."];

/** Throws 422 if there is no such table. */
export async function writeCsv(read: ReadReport, part: string) {
  if (!isPart(part)) {
    const rule = `must be one of ${Object.keys(COLUMNS).join(", ")}`;
    throw invalid([{ field: "part", reason: "rule", code: "enum", rule }]);
  }
  const columns = COLUMNS[part];
  const rows = toData(read)[part]?.map((row) => {
    const cells = new Map<string, unknown>(Object.entries(row));
    return columns.map((column) => String(cells.get(column) ?? ""));
  });
  // Strict readers refuse a row that has fewer cells than the first.
  const table = rows ?? [columns.map((_, place) => NOT_SHOWN[place] ?? "")];
  const text = BYTE_ORDER_MARK + csvLines([columns, ...table]);
  return { text, etag: await etagOfFile(text) };
}
