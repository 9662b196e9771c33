import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import type { PageContext } from "./request";

/** Streams a file as a download. A part is made when the one before it has been sent. */
export function sendFile(
  c: PageContext,
  { name, type }: { name: string; type: string },
  parts: AsyncGenerator<Uint8Array | string>,
): Response {
  const encoder = new TextEncoder();
  const sent = Promise.withResolvers<void>();
  // Nobody reads the body of a HEAD.
  if (c.req.method === "GET") c.var.trace.stream = sent.promise;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done !== true)
          return controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        controller.close();
        sent.resolve();
      } catch (error) {
        sent.resolve();
        throw error;
      }
    },
    async cancel() {
      sent.resolve();
      await parts.return(undefined);
    },
  });
  return c.body(body, 200, {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
  });
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
export const sendCsv = (c: PageContext, name: string, parts: AsyncGenerator<string>): Response =>
  sendFile(c, { name, type: "text/csv; charset=utf-8" }, parts);
