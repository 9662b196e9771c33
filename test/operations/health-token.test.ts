import { env } from "cloudflare:test";
import { beforeEach, expect, it, vi } from "vitest";
import { newId } from "../../src/lib/ids";
import { stopClock } from "../clock";
import { withBatch } from "../faulty";
import { API, counted, otherInstance, send, testEnv } from "../harness";
import { limiters } from "../limiter";
import { runSql } from "../sql";

const TOKEN = "a-token-of-the-operator-32-chars";
const MINUTE = 60_000;

stopClock();
beforeEach(async () => {
  await runSql`delete from cron_runs`;
  await runSql`insert into cron_runs (cron, succeeded_at) values ('minute', ${Date.now()})`;
});

const withToken = (more: object = {}) => ({ ...otherInstance(), HEALTH_TOKEN: TOKEN, ...more });

async function ask(authorization: string | null, environment: object = withToken(), base = API) {
  const headers: HeadersInit = authorization === null ? {} : { authorization };
  const response = await send(new Request(`${base}/health`, { headers }), { ...testEnv, ...environment });
  return { status: response.status, headers: response.headers, body: await response.json<object>() };
}

it("with the token it says what waits, what is in doubt, and when each cron last succeeded", async () => {
  await runSql`delete from visit_queue`;
  await runSql`delete from doubts`;
  await runSql`update slugs set push_at = null, doubt_until = null`;
  const oldest = Date.now() - 5 * MINUTE;
  for (const at of [oldest, Date.now()])
    await runSql`insert into visit_queue (batch, counts) values (${newId(at)}, '[]')`;
  await runSql`insert into doubts (kind, name, since) values ('outdated', 'old', 1), ('host', 'h', 1)`;
  const { status, body } = await ask(`Bearer ${TOKEN}`);
  await runSql`delete from visit_queue`;
  await runSql`delete from doubts`;
  expect(status).toBe(200);
  expect(body).toEqual({
    status: "ok",
    version: expect.any(String),
    schema_version: expect.any(String),
    schema_expected: expect.any(String),
    d1: true,
    kv: true,
    clicks: { batches: 2, oldest_at: new Date(oldest).toISOString() },
    crons: {
      minute: new Date().toISOString(),
      checks: null,
      alerts: null,
      destinations: null,
      day: null,
    },
    pushes: { due: 0, oldest_due_at: null, kv_outdated: 1 },
    doubts: { slugs: 0, whole: 1 },
  });
});

it("everybody else is told the same as without a token", async () => {
  const { body: open } = await ask(null, otherInstance());
  expect((await ask(null)).body).toEqual(open);
  expect(Object.keys(open)).toEqual(["status", "version", "schema_version", "schema_expected", "d1", "kv"]);
});

it("without HEALTH_TOKEN each header is ignored, also an empty one", async () => {
  for (const HEALTH_TOKEN of [undefined, "", "  "])
    for (const header of ["Bearer ", `Bearer ${TOKEN}`])
      expect((await ask(header, { ...otherInstance(), HEALTH_TOKEN })).body).not.toHaveProperty("crons");
});

it.each(["Bearer wrong", `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, "Bearer "])(
  "%j is 401, reads nothing, and says what is right",
  async (header) => {
    const { env: instance, trips } = counted(withToken());
    const { status, headers, body } = await ask(header, instance);
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(body).toEqual({
      message:
        "This is not HEALTH_TOKEN. Send it as a bearer token, or no Authorization for the public part.",
    });
    expect(trips).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  },
);

it("guesses of an address are 429 above its limit, and the right token too", async () => {
  const { bindings } = limiters({ AUTH_FAILURE_RATE: 2 });
  const instance = withToken(bindings);
  const guess = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, "cf-connecting-ip": "192.0.2.7" };
    return (await send(new Request(`${API}/health`, { headers }), { ...testEnv, ...instance })).status;
  };
  const statuses: number[] = [];
  for (const token of ["a", "b", "c", TOKEN]) statuses.push(await guess(token));
  expect(statuses).toEqual([401, 401, 429, 429]);
});

it("a token that came unencrypted is refused", async () => {
  const { status, body } = await ask(`Bearer ${TOKEN}`, withToken(), API.replace("https", "http"));
  expect([status, body]).toEqual([
    403,
    { message: "Use https. This token was sent unencrypted: replace it." },
  ]);
});

it("it is 503 for operators once the minute's cron is ten minutes late", async () => {
  const setRun = (at: number) => runSql`update cron_runs set succeeded_at = ${at}`;
  await setRun(Date.now() - 10 * MINUTE + 1);
  expect((await ask(`Bearer ${TOKEN}`)).status).toBe(200);
  await setRun(Date.now() - 10 * MINUTE);
  const late = await ask(`Bearer ${TOKEN}`);
  expect([late.status, late.body]).toMatchObject([503, { status: "crons_late", d1: true }]);
  expect((await ask(null)).body).toMatchObject({ status: "ok" });
});

it("a cron that has never run is late ten minutes after the schema was applied", async () => {
  await runSql`delete from cron_runs`;
  const applied = await env.DB.prepare(
    "select max(unixepoch(applied_at)) * 1000 as at from d1_migrations",
  ).first<number>("at");
  vi.setSystemTime((applied ?? 0) + 10 * MINUTE - 1);
  expect((await ask(`Bearer ${TOKEN}`)).status).toBe(200);
  vi.setSystemTime((applied ?? 0) + 10 * MINUTE);
  expect((await ask(`Bearer ${TOKEN}`)).body).toMatchObject({ status: "crons_late" });
});

it("operators cost two more calls of D1 in ten seconds", async () => {
  const { env: instance, trips } = counted(withToken());
  for (let time = 0; time < 50; time++) await ask(`Bearer ${TOKEN}`, instance);
  expect(trips).toEqual({ d1: 3, kvReads: 1, kvWrites: 0 });
});

it("without D1 what only it knows is null", async () => {
  const broken = withBatch(() => () => Promise.reject(new Error("D1_ERROR: overloaded")));
  const { status, body } = await ask(`Bearer ${TOKEN}`, { ...broken, HEALTH_TOKEN: TOKEN });
  expect([status, body]).toMatchObject([
    503,
    { status: "unavailable", clicks: null, crons: null, pushes: null, doubts: null },
  ]);
});
