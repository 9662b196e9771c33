import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import type { PageContext } from "./request";

/** Streams a file as a download. A part is made when the one before it has been sent. */
export function sendFile(
  c: PageContext,
  { name, type }: { name: string; type: string },
  parts: AsyncGenerator<Uint8Array>,
): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
  return c.body(body, 200, {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
  });
}

async function* encoded(parts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield encoder.encode(part);
}

const CUT = "The file ends here, because there is too much for one. Export fewer days for the rest.";

/** Rows by day as CSV, in portions. If the last one `isCut`, the last line says so. */
export async function* daysAsCsv<Row>(
  heading: readonly string[],
  portions: AsyncIterable<{ rows: readonly Row[]; isCut: boolean }>,
  toCells: (row: Row) => (string | null)[],
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLines([heading]);
  for await (const { rows, isCut } of portions) {
    yield csvLines(rows.map(toCells));
    if (isCut) yield csvLines([[CUT]]);
  }
}

/** Streams CSV as a download. */
export const sendCsv = (c: PageContext, name: string, parts: AsyncGenerator<string>): Response =>
  sendFile(c, { name, type: "text/csv; charset=utf-8" }, encoded(parts));
