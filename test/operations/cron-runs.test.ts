import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runSchedule } from "../../src/operations/schedule";
import { withoutD1 } from "../faulty";
import { testEnv } from "../harness";
import { failuresOf } from "../log";
import { runSql } from "../sql";

const MINUTE = "* * * * *";
const HEARTBEAT_URL = "https://beat.example/ping/secret";

beforeEach(() => runSql`delete from cron_runs`);
afterEach(() => vi.unstubAllGlobals());

const runs = async () =>
  (await env.DB.prepare("select cron from cron_runs order by cron").all()).results.map(({ cron }) => cron);

/** Replaces `fetch`, and returns what is asked for. */
function answering(answer: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer();
  });
  return asked;
}

it("each cron of wrangler.toml records its run by its name", async () => {
  for (const cron of [MINUTE, "*/2 * * * *", "1-59/2 * * * *", "*/3 * * * *", "17 3 * * *"])
    await runSchedule(cron, testEnv);
  expect(await runs()).toEqual(["alerts", "checks", "day", "destinations", "minute"]);
});

it("a run with a failed job is not recorded, and calls nobody", async () => {
  const asked = answering(() => new Response());
  const broken = { ...testEnv, KV: env.KV, HEARTBEAT_URL };
  // One job fails; the others go on.
  await runSql`alter table visit_queue rename to visit_queue_gone`;
  await failuresOf(() => expect(runSchedule(MINUTE, broken)).rejects.toThrow("A scheduled job failed."));
  await runSql`alter table visit_queue_gone rename to visit_queue`;
  expect([await runs(), asked]).toEqual([[], []]);
});

it("a run that cannot be recorded calls nobody", async () => {
  const asked = answering(() => new Response());
  await failuresOf(() =>
    expect(runSchedule("*/3 * * * *", { ...withoutD1(), HEARTBEAT_URL })).rejects.toThrow(
      "A scheduled job failed.",
    ),
  );
  expect(asked).toEqual([]);
});

it("the minute's cron calls HEARTBEAT_URL once after its jobs, and no other cron does", async () => {
  const asked = answering(() => new Response("ok"));
  for (const cron of ["*/2 * * * *", "1-59/2 * * * *", "17 3 * * *", MINUTE])
    await runSchedule(cron, { ...testEnv, HEARTBEAT_URL });
  expect(asked).toMatchObject([
    { url: HEARTBEAT_URL, init: { redirect: "manual", headers: { "user-agent": "Waymark" } } },
  ]);
  expect(asked[0]?.init.signal).toBeInstanceOf(AbortSignal);
  await runSchedule(MINUTE, testEnv);
  expect(asked).toHaveLength(1);
});

it.each<[string, () => Response | Promise<Response>, string]>([
  ["a refusal", () => new Response(null, { status: 500 }), "HTTP 500"],
  ["a redirect", () => new Response(null, { status: 302, headers: { location: "/" } }), "HTTP 302"],
  ["no connection", () => Promise.reject(new Error("no")), "no answer"],
])("%s fails no cron, and is logged without the path", async (_, answer, outcome) => {
  answering(answer);
  const lines = await failuresOf(() => runSchedule(MINUTE, { ...testEnv, HEARTBEAT_URL }));
  expect(lines).toEqual([{ level: "error", error: "heartbeat_not_sent", host: "beat.example", outcome }]);
  expect(await runs()).toEqual(["minute"]);
});

it.each([
  ["http://beat.example/x", "HEARTBEAT_URL is not a URL that begins with https://."],
  ["nonsense", "HEARTBEAT_URL is not a URL that begins with https://."],
  ["https://a:b@beat.example/", "HEARTBEAT_URL contains a user name or a password, which cannot be sent."],
])("%s is called misconfigured, and not asked", async (url, reason) => {
  const asked = answering(() => new Response());
  const lines = await failuresOf(() => runSchedule(MINUTE, { ...testEnv, HEARTBEAT_URL: url }));
  expect(lines).toEqual([{ level: "error", error: "misconfigured", reason }]);
  expect(asked).toEqual([]);
});
