import { expect, it, vi } from "vitest";
import { sendFile } from "../../../src/console/shell/file-response";
import { newTrace } from "../../../src/http/request-log";
import { otherInstance } from "../../harness";

/** A file of so many parts, how many of them were made, and whether it was closed. */
function fileOf(count: number) {
  const state = { made: 0, isClosed: false };
  async function* parts() {
    try {
      for (; state.made < count; ) {
        state.made++;
        yield "part\n";
      }
    } finally {
      state.isClosed = true;
    }
  }
  const trace = newTrace("one");
  const c = {
    req: { method: "GET" },
    env: otherInstance(),
    executionCtx: { waitUntil: () => undefined },
    var: { trace, payer: { caller: "member:ada@a.example", workspaceId: 1 } },
    body: (body: BodyInit | null, status: number, headers: HeadersInit) =>
      new Response(body, { status, headers }),
  };
  const sending = sendFile(c as never, { name: "a.csv", type: "text/csv" }, parts());
  return { state, trace, sending };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

it("a file makes a part when its reader asks for one, and frees its place when it is read or left", async () => {
  const { state, trace, sending } = fileOf(3);
  const reader = (await sending).body?.getReader();
  await settled();
  expect(state.made).toBe(0);
  await reader?.read();
  await settled();
  expect(state.made).toBe(1);
  while ((await reader?.read())?.done === false);
  await trace.stream;
  const left = fileOf(3);
  await (await left.sending).body?.cancel();
  await left.trace.stream;
  expect([state.made, left.state.made]).toEqual([3, 0]);
});

it("a file does not wait for a reader who has stopped", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { state, trace, sending } = fileOf(3);
    const reader = (await sending).body?.getReader();
    await reader?.read();
    await vi.advanceTimersByTimeAsync(31_000);
    await trace.stream;
    await expect(reader?.read()).rejects.toThrow("stopped");
    expect(state).toEqual({ made: 1, isClosed: true });
  } finally {
    vi.useRealTimers();
  }
});

it("a file is not sent for longer than ten minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { state, trace, sending } = fileOf(100);
    const reader = (await sending).body?.getReader();
    const read = async () => {
      await reader?.read();
      await vi.advanceTimersByTimeAsync(29_000);
    };
    for (let part = 0; part < 20; part++) await read();
    await read();
    await expect(reader?.read()).rejects.toThrow("too slow");
    await trace.stream;
    expect(state).toEqual({ made: 21, isClosed: true });
  } finally {
    vi.useRealTimers();
  }
});
