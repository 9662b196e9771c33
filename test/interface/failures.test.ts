import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CONNECTION_LOST, OVERLOADED, withBatch, withLostAnswer, withoutD1 } from "../faulty";
import { hurry, makeWorkspace } from "../harness";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const UNAVAILABLE = [503, '{"message":"Service temporarily unavailable."}', "5"];
const STORAGE_TIMEOUT = "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.";

/** D1 fails its first `failures` calls before they take effect. */
function failing(failures: number, error: () => unknown) {
  const counter = { calls: 0 };
  const batch = withBatch((send) => async (statements) => {
    if (++counter.calls <= failures) throw error();
    return send(statements);
  });
  return { env: batch, counter };
}
const failingWith = (failures: number, message: string) => failing(failures, () => new Error(message));

const answerOf = async (environment = withoutD1()) => {
  const { status, text, headers } = await ws.call("GET", "/api/v1/tags", { env: environment });
  return [status, text, headers.get("retry-after")];
};
// The pauses between retries do not matter here.
beforeEach(() => void hurry());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a transient failure of D1", () => {
  const TRANSIENT = [
    CONNECTION_LOST,
    "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
    "D1_ERROR: D1 DB reset because its code was updated.",
    "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
    "D1_ERROR: Can't read from request stream because client disconnected.",
    "D1_ERROR: Replica disconnected from primary.",
  ];
  it.each(TRANSIENT)("is retried up to twice: %s", async (message) => {
    for (const failures of [1, 2]) {
      const { env: shaky, counter } = failingWith(failures, message);
      expect((await answerOf(shaky)).slice(0, 2)).toEqual([200, '{"tags":[]}']);
      expect(counter.calls).toBeGreaterThanOrEqual(failures + 1);
    }
    const { env: down, counter } = failingWith(3, message);
    expect(await answerOf(down)).toEqual(UNAVAILABLE);
    expect(counter.calls).toBe(3);
  });

  it("is recognised in the cause of a wrapping error", async () => {
    const wrapped = () => new Error("Failed query: select 1", { cause: new Error(CONNECTION_LOST) });
    expect((await answerOf(failing(1, wrapped).env))[0]).toBe(200);
  });

  it("is retried once after a storage timeout", async () => {
    expect((await answerOf(failingWith(1, STORAGE_TIMEOUT).env))[0]).toBe(200);
    const { env: down, counter } = failingWith(9, STORAGE_TIMEOUT);
    expect(await answerOf(down)).toEqual(UNAVAILABLE);
    expect(counter.calls).toBe(2);
  });

  it.each([
    OVERLOADED,
    "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
    "Too many requests queued.",
    "D1_ERROR: Requests queued for too long.",
    "D1_ERROR: Currently processing a long-running export.",
    "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    "D1_ERROR: D1 DB exceeded memory limit and was reset.",
    "Too many API requests by single worker invocation.",
    "Too many subrequests by single Worker invocation.",
  ])("is not retried if D1 is overloaded or the invocation has used up its calls: %s", async (message) => {
    const { env: down, counter } = failingWith(1, message);
    expect(await answerOf(down)).toEqual(UNAVAILABLE);
    expect(counter.calls).toBe(1);
  });
});

it("a used-up day of the free plan is 503 until midnight UTC, and is not retried", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 22, 21, 30, 0, 500) });
  const message = "D1_ERROR: Your account has exceeded D1's free tier daily row read limit. Upgrade to Paid.";
  const { env: down, counter } = failingWith(9, message);
  expect(await answerOf(down)).toEqual([UNAVAILABLE[0], UNAVAILABLE[1], "9000"]);
  expect(counter.calls).toBe(1);
  vi.useRealTimers();
});

it.each([
  [
    "an error",
    () => new Error("D1_ERROR: no such column: secret-cause", { cause: new Error("secret-cause") }),
  ],
  [
    "drizzle's error, which holds the bound values",
    () => {
      const error = new Error("Failed query: insert … params: secret-cause");
      error.name = "DrizzleQueryError";
      return error;
    },
  ],
  ["a string", () => "secret-cause"],
])("any other failure is a 500 that neither returns nor logs its cause: %s", async (_, error) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const others = (["info", "warn", "debug"] as const).map((level) => vi.spyOn(console, level));
  const { env: broken, counter } = failing(9, error);
  const answer = await ws.call("GET", "/api/v1/tags", { env: broken });
  expect([answer.status, answer.text]).toEqual([500, '{"message":"Server Error"}']);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(JSON.stringify([...answer.headers])).not.toContain("secret");
  expect(counter.calls).toBe(1);

  expect(log).toHaveBeenCalledTimes(1);
  const [line] = log.mock.calls[0] ?? [];
  expect(JSON.parse(String(line))).toMatchObject({
    level: "error",
    request_id: answer.headers.get("x-request-id"),
  });
  expect(JSON.stringify(log.mock.calls)).not.toContain("secret");
  for (const other of others) expect(other).not.toHaveBeenCalled();
});

// `proofs/faults/ambiguous-commits.test.ts` loses every call of every write.
it("a write that took effect but whose response was lost is not 422 for the limit that it reached itself", async () => {
  const ws = await makeWorkspace({ linkLimit: 1 });
  const body = { destination_url: "https://www.example.com/" };
  const answer = await ws.call("POST", "/api/v1/links", { body, env: withLostAnswer() });
  expect(answer.status).toBe(201);
  expect((await ws.call("GET", "/api/v1/links")).body.links).toEqual([answer.body.link]);

  const count = (tags: number) =>
    env.DB.prepare("update workspaces set tag_count = ? where id = ?")
      .bind(tags, ws.ctx.workspace.rowId)
      .run();
  await count(999);
  const tag = await ws.call("POST", "/api/v1/tags", { body: { name: "Last" }, env: withLostAnswer() });
  expect(tag.status).toBe(201);
  expect((await ws.call("GET", "/api/v1/tags")).body.tags).toEqual([tag.body.tag]);
  await count(1);
});
