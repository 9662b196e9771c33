import { afterEach, describe, expect, it, vi } from "vitest";
import { openPlatform } from "../../src/cli/platform";
import { runMain } from "./terminal";

const LOCKED = "D1_ERROR: Error: NOSENTRY database is locked: SQLITE_BUSY";
const GARBLED =
  "D1_ERROR: Failed to parse body as JSON, got: Error: internal error; reference = uj449bdco80aujcc";
const refused = (cause: string) => new TypeError("fetch failed", { cause: new Error(cause) });
const brokenOff = (cause: string) => new TypeError("terminated", { cause: new Error(cause) });

const TRANSIENT: [string, Error][] = [
  ["whose file is locked by another process", new Error(LOCKED)],
  ["whose file another process has just changed", new Error(GARBLED)],
  ["whose connection is closed", refused("other side closed")],
  ["whose connection refuses writes", refused("write EPIPE")],
  ["whose connection ends during a response", brokenOff("other side closed")],
  ["whose connection is reset during a response", brokenOff("read ECONNRESET")],
];

const NO_ROWS = [{ results: [], meta: { rows_read: 0 }, success: true }];

const opening = (bindings: object) => () =>
  openPlatform({ remote: false, persistTo: "" }, async () => ({
    env: Object.assign(Object.create(null), bindings),
    dispose: async () => undefined,
  }));

/** Bindings that answer at once and record their calls. */
function answering() {
  const batch = vi.fn(async (_: unknown) => NO_ROWS);
  const open = opening({ DB: { batch }, KV: {} });
  return { batch, open, listHosts: () => runMain(["host", "list", "--json"], open) };
}

afterEach(() => void vi.useRealTimers());

const LISTED = { code: 0, out: '{"hosts":[]}\n', err: "" };

describe("a command retries a database", () => {
  it.each(TRANSIENT)("%s", async (_, error) => {
    const { batch, listHosts } = answering();
    for (let times = 0; times < 4; times++) batch.mockRejectedValueOnce(error);
    expect(await listHosts()).toEqual(LISTED);
    expect(batch).toHaveBeenCalledTimes(5);
  });

  it("a command is not retried after any other failure of the database", async () => {
    const { batch, listHosts } = answering();
    batch.mockRejectedValue(new Error("D1_ERROR: no such column: frob: SQLITE_ERROR"));
    expect(await listHosts()).toMatchObject({ code: 1, err: expect.stringContaining("no such column") });
    expect(batch).toHaveBeenCalledOnce();
  });

  it("a command fails if the database does not answer for five seconds", async () => {
    const { batch, listHosts } = answering();
    batch.mockRejectedValue(new Error(LOCKED));
    vi.useFakeTimers();
    const begun = Date.now();
    const outcome = listHosts();
    await vi.runAllTimersAsync();
    expect(await outcome).toEqual({ code: 1, out: "", err: "Error: Service temporarily unavailable.\n" });
    expect(Date.now() - begun).toBeGreaterThan(2_000);
  });
});

it("a command sends its statements as text and values, without a call per statement", async () => {
  const { batch, open } = answering();
  expect(await runMain(["host", "unblock", "--host", "a.b.example"], open)).toMatchObject({ code: 1 });
  expect(batch.mock.calls).toEqual([
    [[{ statement: expect.stringContaining("select"), params: ["a.b.example"] }]],
  ]);
});

it("a command does not repeat a write to KV, since its read of D1 grows old", async () => {
  const put = vi.fn(async () => {
    throw refused("other side closed");
  });
  const { ctx } = await opening({ DB: {}, KV: { put } })();
  await expect(ctx.kv.put("key", "value")).rejects.toThrow("fetch failed");
  expect(put).toHaveBeenCalledOnce();
});
