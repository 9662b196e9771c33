/** Who does not take the next part for so long is not waited for. */
const MAX_STALL_MS = 30_000;

/** A body whose parts are made when the reader asks for them, so that one is held at a time. `sent` settles at its end. */
export function paced(parts: AsyncIterator<Uint8Array | string, unknown, undefined>) {
  const encoder = new TextEncoder();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  let stall: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(stall);
    resolve();
  };
  const wait = (controller: ReadableStreamDefaultController) => {
    stall = setTimeout(() => {
      controller.error(new Error("The reader has stopped."));
      end();
      void parts.return?.();
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
          controller.enqueue(typeof value === "string" ? encoder.encode(value) : (value as Uint8Array));
          wait(controller);
        } catch (error) {
          end();
          throw error;
        }
      },
      async cancel() {
        end();
        await parts.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent };
}
