import { ServiceError } from "../../errors";
import { invalid } from "../../field-errors";
import { toResponse } from "../../http/problem";
import { PAGE_POLICY } from "../../http/site/site-pages";
import { entityTagsMatch, parseEntityTags } from "../../lib/etag";
import type { PageContext } from "../shell/page-request";
import { writeReport } from "./read-report";
import { writeCsv, writeJson } from "./report-data";

const TYPES = { json: "application/json", csv: "text/csv; charset=utf-8" };

type DataFormat = keyof typeof TYPES;

/** What every answer about a report has, so that nobody else learns its address. */
export const REPORT_HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

// Any page may read the data: its address is the only secret, and no cookie counts. So a page that knows it learns nothing more.
const DATA_HEADERS = { ...REPORT_HEADERS, "Access-Control-Allow-Origin": "*" };

/** The table that is asked for, else the first. Throws 422 for more than one. */
function partOf(c: PageContext): string {
  const [part = "days", ...others] = (c.req.queries("part") ?? []).map((text) => text.trim()).filter(Boolean);
  if (others.length > 0) throw invalid([{ field: "part", reason: "once" }]);
  return part;
}

/** The figures of a report for programs, as are its refusals. */
export async function sendReportData(c: PageContext, token: string, format: DataFormat): Promise<Response> {
  const { trace } = c.var;
  trace.route = `/reports/{token}.${format}`;
  try {
    const part = format === "csv" ? partOf(c) : undefined;
    const { text, etag = "" } = await writeReport(c, token, `${format} ${part}`, (read) =>
      part === undefined ? writeJson(read) : writeCsv(read, part),
    );
    const headers = {
      ...DATA_HEADERS,
      "Content-Type": TYPES[format],
      "Cache-Control": "private, max-age=60",
      // Weak: what is sent may say another time at which it was made.
      ETag: `W/${etag}`,
    };
    const known = c.req.header("if-none-match");
    return known !== undefined && entityTagsMatch(parseEntityTags(known), etag)
      ? c.body(null, 304, headers)
      : c.body(text, 200, headers);
  } catch (error) {
    if (error instanceof ServiceError) trace.refusal = error.code;
    const response = await toResponse(error, trace.requestId);
    for (const [name, value] of Object.entries(DATA_HEADERS)) response.headers.set(name, value);
    return response;
  }
}
