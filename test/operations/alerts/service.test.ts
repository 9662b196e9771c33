import { env } from "cloudflare:test";
import { beforeEach, expect, it, vi } from "vitest";
import { newId } from "../../../src/lib/ids";
import { deliverAlerts } from "../../../src/operations/alerts/deliver";
import { findAlerts } from "../../../src/operations/alerts/find-alerts";
import { stopClock } from "../../clock";
import { withBatch, withoutD1 } from "../../faulty";
import { counted, otherInstance, SHORT, type testEnv, visit } from "../../harness";
import { runSql } from "../../sql";
import { alertContext, quiet, storedAlerts, WEBHOOK } from "./receiver";

const MINUTE = 60_000;

stopClock();
beforeEach(async () => {
  await quiet();
  await runSql`delete from answer_counts`;
  await runSql`delete from visit_queue`;
});

const countAt = (at: number, answers: number, failed: number, slow: number) =>
  runSql`insert into answer_counts (minute, answers, failed, slow)
    values (${Math.floor(at / MINUTE)}, ${answers}, ${failed}, ${slow})`;
const counts = async () =>
  (await env.DB.prepare("select answers, failed, slow from answer_counts").all()).results;

/** An instance that has a webhook, and whose D1 fails while `state.fails`. */
function instance(more: object = {}) {
  const state = { fails: false, calls: 0 };
  const faulty = withBatch((send) => (statements) => {
    state.calls++;
    return state.fails ? Promise.reject(new Error("D1_ERROR: something")) : send(statements);
  });
  return { state, env: otherInstance({ ...faulty, ALERT_WEBHOOK: WEBHOOK, ...more }) };
}

const ask = (path: string, environment: typeof testEnv) => visit(path, {}, environment);

it("failed answers of a minute are one row, written by the first answer of another minute", async () => {
  const { env: own, state } = instance();
  state.fails = true;
  for (let time = 0; time < 12; time++)
    expect((await ask(`/failed-${time}`, own)).status).toBeGreaterThan(499);
  expect(await counts()).toEqual([]);
  state.fails = false;
  await ask("/robots.txt", own);
  expect(await counts()).toEqual([]);
  vi.setSystemTime(Date.now() + MINUTE);
  await ask("/robots.txt", own);
  expect(await counts()).toEqual([{ answers: 13, failed: 12, slow: 0 }]);
  vi.setSystemTime(Date.now() + MINUTE);
  await ask("/robots.txt", own);
  expect(await counts()).toHaveLength(1);
});

it("slow calls of D1 count, and the rows of instances add up", async () => {
  const wait = withBatch((send) => async (statements) => {
    const results = await send(statements);
    vi.setSystemTime(Date.now() + 1_000);
    return results;
  });
  vi.setSystemTime(Math.ceil(Date.now() / MINUTE) * MINUTE);
  const start = Date.now();
  for (let made = 0; made < 2; made++) {
    vi.setSystemTime(start);
    const own = otherInstance({ ...wait, DB: new Proxy(wait.DB, {}), ALERT_WEBHOOK: WEBHOOK });
    await ask(`/slow-${made}`, own);
    vi.setSystemTime(start + MINUTE);
    await ask("/robots.txt", own);
  }
  expect(await counts()).toEqual([{ answers: 2, failed: 0, slow: 2 }]);
});

it("good answers write nothing, nor does an instance without a webhook", async () => {
  for (const [more, fails] of [
    [{}, false],
    [{ ALERT_WEBHOOK: "" }, true],
  ] as const) {
    const { env: own, state } = instance(more);
    const { env: watched, trips } = counted(own);
    state.fails = fails;
    for (let time = 0; time < 3; time++) {
      await ask("/robots.txt", watched);
      await ask(`/gone-${time}`, watched);
      vi.setSystemTime(Date.now() + MINUTE);
    }
    state.fails = false;
    const before = trips.d1;
    await ask("/robots.txt", watched);
    expect(trips.d1).toBe(before);
  }
  expect(await counts()).toEqual([]);
});

it("counts that D1 does not take are lost, and fail no answer", async () => {
  const own = otherInstance({ ...withoutD1(), ALERT_WEBHOOK: WEBHOOK });
  await ask("/failed", own);
  vi.setSystemTime(Date.now() + MINUTE);
  expect((await ask("/robots.txt", own)).status).toBe(200);
  expect(await counts()).toEqual([]);
});

it.each([
  ["ten of 500", 500, 10, true],
  ["nine of nine", 9, 9, false],
  ["ten of 501", 501, 10, false],
  ["ten of ten", 10, 10, true],
])("%s bad answers of five minutes are told, once an hour: %#", async (_, answers, bad, isTold) => {
  const { ctx, clock } = alertContext();
  await countAt(clock.now - 5 * MINUTE, answers - 5, bad - 5, bad - 5);
  await countAt(clock.now - MINUTE, 5, 5, 5);
  await countAt(clock.now - 6 * MINUTE, 1_000, 1_000, 1_000);
  for (let run = 0; run < 2; run++) await findAlerts(ctx);
  const told = await storedAlerts("%.%");
  const host = new URL(SHORT).host;
  const of = `for ${bad} of ${answers} requests of the last five minutes.`;
  expect(told.map(({ kind, text, facts }) => [kind, text, JSON.parse(facts)])).toEqual(
    isTold
      ? [
          ["errors.rate", `On ${host}, the answer was an error (5xx) ${of}`, { answers, failed: bad }],
          ["d1.slow", `On ${host}, D1 took more than a second a call ${of}`, { answers, slow: bad }],
        ]
      : [],
  );
  clock.now += 60 * MINUTE;
  await countAt(clock.now - MINUTE, 10, 10, 0);
  await findAlerts(ctx);
  expect(await storedAlerts("errors.rate")).toHaveLength(isTold ? 2 : 1);
});

it("counts are removed after an hour, also without a webhook", async () => {
  const { ctx, clock } = alertContext();
  await countAt(clock.now - 61 * MINUTE, 1, 1, 1);
  await countAt(clock.now - 59 * MINUTE, 2, 2, 2);
  await deliverAlerts({ ...ctx, config: { ...ctx.config, alertWebhook: null } });
  expect(await counts()).toEqual([{ answers: 2, failed: 2, slow: 2 }]);
});

it("clicks that wait for more than 75 minutes are told once an hour", async () => {
  const { ctx, clock } = alertContext();
  const insert = (at: number) => runSql`insert into visit_queue (batch, counts) values (${newId(at)}, '[]')`;
  await insert(clock.now - 75 * MINUTE);
  expect(await findAlerts(ctx)).toEqual({ found: 0 });
  await insert(clock.now - 76 * MINUTE);
  for (let run = 0; run < 2; run++) await findAlerts(ctx);
  expect(await storedAlerts("%.%")).toMatchObject([
    {
      kind: "clicks.waiting",
      text: "On s.example, clicks have waited since 2026-11-22 08:14 UTC to be added up. Figures lack them, and after two hours instances write no more.",
      facts: '{"oldest_at":"2026-11-22T08:14:00.000Z"}',
    },
  ]);
});
