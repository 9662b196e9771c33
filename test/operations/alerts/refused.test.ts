import { env } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { runSchedule } from "../../../src/operations/schedule";
import { withoutD1 } from "../../faulty";
import { overriding } from "../../overriding";
import { receiver, SECRET, status, WEBHOOK } from "./receiver";

const MINUTE = 60_000;
const EVERY_MINUTE = "* * * * *";
const DAILY_LIMIT = "D1_ERROR: Your account has exceeded D1's free tier daily row read limit.";

let hours = 1;

/** The crons of an installation whose D1 fails, from a time of its own on. */
function failing(message: string, kv: KVNamespace = env.KV) {
  const start = Date.UTC(2031, 0, 1, hours, 17);
  hours += 3;
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  vi.spyOn(console, "error").mockImplementation(() => {});
  const environment = { ...withoutD1(message), KV: kv, ALERT_WEBHOOK: WEBHOOK, ALERT_SECRET: SECRET };
  return async (minutes: number, cron = EVERY_MINUTE) => {
    vi.setSystemTime(start + minutes * MINUTE);
    await expect(runSchedule(cron, environment)).rejects.toThrow("A scheduled job failed.");
  };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("a used-up day of D1's free plan is told at once, signed, and once until midnight", async () => {
  const messages = receiver(status(204));
  const run = failing(DAILY_LIMIT);
  for (const cron of ["*/2 * * * *", "17 3 * * *"]) await run(0, cron);
  expect(messages).toEqual([]);
  await run(0);
  await run(1);
  await run(90);
  expect(messages).toHaveLength(1);
  expect(messages[0]?.headers.get("webhook-signature")).toMatch(/^v1,/);
  const text =
    "On s.example: D1's rows of today are used up, so every query fails until 00:00 UTC. Redirects go on from KV, and clicks wait.";
  expect(messages[0]?.body).toMatchObject({
    type: "waymark.alerts",
    text,
    data: {
      events: [{ kind: "daily_limit", at: "2031-01-01T01:17:00.000Z", workspace: null, text, facts: {} }],
    },
  });
  await run(24 * 60);
  expect(messages).toHaveLength(2);
});

it.each([
  ["D1_ERROR: Exceeded maximum DB size", "database.full"],
  ["D1_ERROR: Your account has exceeded D1's maximum account storage limit", "database.full"],
  ["D1_ERROR: Currently processing a long-running export.", "d1.overloaded"],
  ["D1_ERROR: D1 DB is overloaded. Requests queued for too long.", "d1.overloaded"],
])("%s is told once an hour", async (message, kind) => {
  const messages = receiver(status(204));
  const run = failing(message);
  for (const minutes of [0, 5, 42, 43, 50]) await run(minutes);
  expect(messages.map(({ body }) => body.data.events[0].kind)).toEqual([kind, kind]);
});

it("what the receiver did not take is sent again by the next run, with the same id", async () => {
  const messages = receiver(status(500), status(204));
  const run = failing("D1_ERROR: Exceeded maximum DB size");
  for (const minutes of [0, 1, 2]) await run(minutes);
  expect(messages).toHaveLength(2);
  expect(messages[0]?.id).toBe(messages[1]?.id);
});

it("it is told at the full hour alone if KV refuses to remember it", async () => {
  const messages = receiver(status(204));
  const kv = overriding(env.KV, { put: () => Promise.reject(new Error("KV PUT failed: 429")) });
  const run = failing("D1_ERROR: Exceeded maximum DB size", kv);
  for (const minutes of [0, 1, 43, 44]) await run(minutes);
  expect(messages).toHaveLength(1);
});

it("nothing is told of what an operator can only wait for", async () => {
  const messages = receiver(status(204));
  await failing("D1_ERROR: Network connection lost.")(0);
  await failing("D1_ERROR: no such table: links")(0);
  expect(messages).toEqual([]);
});
