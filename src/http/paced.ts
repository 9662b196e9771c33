/** Who does not take the next part for so long is not waited for. */
const MAX_STALL_MS = 30_000;
/** Nor longer in all. */
const MAX_SENDING_MS = 600_000;

/** A body whose parts are made when the reader asks for them, so that one is held at a time. `sent` settles at its end. */
export function paced(parts: AsyncIterator<Uint8Array | string, unknown, undefined>) {
  const encoder = new TextEncoder();
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  let stall: ReturnType<typeof setTimeout> | undefined;
  let limit: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(stall);
    clearTimeout(limit);
    resolve();
  };
  const stop = (controller: ReadableStreamDefaultController, reason: string) => {
    controller.error(new Error(reason));
    end();
    void parts.return?.();
  };
  const wait = (controller: ReadableStreamDefaultController) => {
    stall = setTimeout(stop, MAX_STALL_MS, controller, "The reader has stopped.");
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        limit = setTimeout(stop, MAX_SENDING_MS, controller, "The reader is too slow.");
        wait(controller);
      },
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
