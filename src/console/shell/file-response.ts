import { takeShare } from "../../http/shares";
import { BYTE_ORDER_MARK, csvLines } from "../../lib/csv";
import type { PageContext } from "./request";

/** Who does not take the next part for so long is not waited for. */
const MAX_STALL_MS = 30_000;

/** Streams a file as a download. A part is made when the reader asks for it, so that one is held at a time. */
export async function sendFile(
  c: PageContext,
  { name, type }: { name: string; type: string },
  parts: AsyncGenerator<Uint8Array | string>,
): Promise<Response> {
  const headers = { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` };
  // Nobody reads the body of a HEAD.
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  const free = await takeShare(c.env.KV, "file", c.var.ctx.workspace.rowId);
  const encoder = new TextEncoder();
  const sent = Promise.withResolvers<void>();
  c.var.trace.stream = sent.promise;
  let stall: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(stall);
    free();
    sent.resolve();
  };
  const wait = (controller: ReadableStreamDefaultController) => {
    stall = setTimeout(() => {
      controller.error(new Error("The reader has stopped."));
      end();
      void parts.return(undefined);
    }, MAX_STALL_MS);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: wait,
      async pull(controller) {
        clearTimeout(stall);
        try {
          const { done, value } = await parts.next();
          if (done === true) {
            controller.close();
            end();
            return;
          }
          controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
          wait(controller);
        } catch (error) {
          end();
          throw error;
        }
      },
      async cancel() {
        end();
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
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
