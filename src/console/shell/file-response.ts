import { takeShare } from "../../http/fair-shares";
import { paced } from "../../http/paced";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import type { PageContext } from "./page-request";

/** Streams a file as a download. */
export async function sendFile(
  c: PageContext,
  { name, type }: { name: string; type: string },
  parts: AsyncGenerator<Uint8Array | string>,
): Promise<Response> {
  const headers = { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` };
  // Nobody reads the body of a HEAD.
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  await takeShare(c, "file", c.var.payer);
  const { body, sent } = paced(parts);
  c.var.trace.stream = sent;
  return c.body(body, 200, headers);
}

/** Rows as CSV, in chunks, or a line that says why there are none. */
export async function* rowsAsCsv<Row>(
  heading: readonly string[],
  chunks: AsyncIterable<readonly Row[]> | readonly (readonly Row[])[] | string,
  toCells: (row: Row) => (string | null)[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([heading]);
  if (typeof chunks === "string") yield csvLines([["–", chunks]]);
  else for await (const rows of chunks) yield csvLines(rows.map(toCells));
}

/** Streams CSV as a download. */
export const sendCsv = (c: PageContext, name: string, parts: AsyncGenerator<string>): Promise<Response> =>
  sendFile(c, { name, type: "text/csv; charset=utf-8" }, parts);
