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

/** Streams CSV as a download. */
export const sendCsv = (c: PageContext, name: string, parts: AsyncGenerator<string>): Response =>
  sendFile(c, { name, type: "text/csv; charset=utf-8" }, encoded(parts));
