import { expect, it } from "vitest";
import { inviteMember } from "../../src/access/invitations";
import { createApiKey } from "../../src/access/keys";
import type { Env } from "../../src/context";
import { sleep } from "../../src/lib/sleep";
import { pass, stopClock } from "../clock";
import { makeMember, openBrowser } from "../console/browser";
import { counted, makeWorkspace, testEnv } from "../harness";
import { limiters } from "../limiter";
import { overriding } from "../overriding";
import { slow } from "../slow";

// A payer of D1's time: what is charged, and what is refused beyond it.

stopClock();

type WorkLimit = "CALLER_WORK" | "KEY_RATE" | "PERSON_RATE" | "WORKSPACE_WORK";

/** An instance whose D1 says that every call took `ms`, and whose counters allow so many each. */
function instance<Limit extends WorkLimit>(limits: Readonly<Record<Limit, number>>, ms = 0) {
  const { bindings, countOf, clear } = limiters(limits);
  const { env, trips } = counted({ ...testEnv, ...bindings });
  return { env: { ...env, DB: slow(env.DB, ms) }, trips, countOf, clear };
}

const LINKS = "/api/v1/links";

it("a key is charged one unit for 10 ms of D1, whatever it waited, and so is its workspace", async () => {
  const ws = await makeWorkspace();
  const { env, countOf } = instance({ CALLER_WORK: 800, WORKSPACE_WORK: 1000 }, 4);
  for (let time = 0; time < 5; time++) await ws.call("GET", LINKS, { env });
  expect([countOf("CALLER_WORK"), countOf("WORKSPACE_WORK")]).toEqual([2, 2]);
});

it("a stored answer of more than eight kilobytes is charged a millisecond a kilobyte", async () => {
  const ws = await makeWorkspace();
  const description = "d".repeat(255);
  const tags = await Promise.all(Array.from({ length: 50 }, () => ws.tag({ description })));
  const { env, countOf } = instance({ CALLER_WORK: 800 });
  const create = async (tag_ids: string[], key: string) => {
    const body = { destination_url: "https://www.example.com/", tag_ids };
    const before = countOf("CALLER_WORK");
    const made = await ws.call("POST", LINKS, { env, body, headers: { "Idempotency-Key": key } });
    expect(made.status).toBe(201);
    return countOf("CALLER_WORK") - before;
  };
  expect(await create([], "small")).toBe(0);
  // Some 19 KB.
  expect(
    await create(
      tags.map(({ id }) => id),
      "large",
    ),
  ).toBe(1);
});

it("rules of more than eight kilobytes are charged a millisecond a kilobyte, as often as they change", async () => {
  const ws = await makeWorkspace();
  const { env, countOf } = instance({ CALLER_WORK: 800 });
  const { id } = await ws.link();
  const rulesOf = (characters: number) => [
    { destination_url: `https://www.example.com/${"x".repeat(characters)}`, devices: ["ios"] },
  ];
  const update = async (rules: object[]) => {
    const before = countOf("CALLER_WORK");
    expect((await ws.call("PATCH", `${LINKS}/${id}`, { env, body: { rules } })).status).toBe(200);
    return countOf("CALLER_WORK") - before;
  };
  const many = Array.from({ length: 10 }, () => rulesOf(1_900)).flat();
  // The write to KV alone.
  expect(await update(rulesOf(100))).toBe(1);
  // Some 20 KB.
  expect(await update(many)).toBeGreaterThan(1);
  expect(await update(many)).toBe(0);
  // What was there before is stored in the audit trail.
  expect(await update(rulesOf(100))).toBeGreaterThan(1);
});

it("a response asks each counter at most 20 times, and leaves the rest to the next one", async () => {
  const ws = await makeWorkspace();
  const { env, countOf } = instance({ CALLER_WORK: 800 }, 300);
  await ws.call("GET", LINKS, { env });
  const before = countOf("CALLER_WORK");
  await ws.call("GET", LINKS, { env });
  expect(countOf("CALLER_WORK") - before).toBe(20);
});

it("time beyond what can be counted at once is a debt, which a key pays off before it may go on", async () => {
  const ws = await makeWorkspace();
  const { env } = instance({ CALLER_WORK: 800 }, 5_000);
  const statusOf = async () => (await ws.call("GET", LINKS, { env })).status;
  expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
  pass(120);
  expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
});

it.each([
  ["eight cheap", 4, 8],
  ["three dear", 160, 3],
])(
  "%s requests of a workspace are under way at once, and what waits is refused once its time is used up",
  async (_, ms, atOnce) => {
    const ws = await makeWorkspace();
    const { env } = instance({ CALLER_WORK: 100 }, ms);
    const { DB } = env;
    await ws.call("GET", LINKS, { env });
    let [underWay, most] = [0, 0];
    const waiting = {
      ...env,
      DB: overriding(DB, {
        batch: async (statements: D1PreparedStatement[]) => {
          most = Math.max(most, ++underWay);
          await sleep(50);
          underWay--;
          return DB.batch(statements);
        },
      }),
    };
    const call = () => ws.call("GET", LINKS, { env: waiting });
    const answers = await Promise.all(Array.from({ length: 40 }, call));
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(most).toBe(atOnce);
    // A hundred units of 10 ms, and what was under way when they were used up.
    expect(passed).toBeLessThanOrEqual(Math.min(40, 1_000 / ms + atOnce));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - passed);
  },
);

it("whoever invites a person elsewhere, and opens the invitation, does not use up that person's limit", async () => {
  const { browser, workspace } = await makeMember();
  const bad = await makeWorkspace();
  const { env } = instance({ PERSON_RATE: 2 });
  const { token } = await inviteMember(bad.ctx, { email: browser.email, role: "viewer" });
  const attacker = openBrowser(env);
  await attacker.post("/app/sign-in", { token: token ?? "" }, {}, env);
  const statuses: number[] = [];
  for (let time = 0; time < 4; time++)
    statuses.push((await attacker.get(`/app/${bad.slug}/tags`, {}, env)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await browser.get(`/app/${workspace.slug}/tags`, {}, env)).status).toBe(200);
});

it("a key that has used up its time is 429 for a minute without a call of D1, also a replay", async () => {
  const ws = await makeWorkspace();
  const { env, trips, clear } = instance({ CALLER_WORK: 10 }, 60);
  const request = { env, body: { name: "A" }, headers: { "Idempotency-Key": "one" } };
  expect((await ws.call("POST", "/api/v1/tags", request)).status).toBe(201);
  const before = trips.d1;
  for (const call of [
    () => ws.call("POST", "/api/v1/tags", request),
    () => ws.call("GET", LINKS, { env }),
    () => ws.call("GET", LINKS, { env }),
  ])
    await call();
  const refused = await ws.call("POST", "/api/v1/tags", request);
  expect([refused.status, refused.text, refused.headers.get("retry-after")]).toEqual([
    429,
    '{"message":"Too Many Attempts."}',
    "60",
  ]);
  const used = trips.d1 - before;
  for (let time = 0; time < 10; time++) {
    expect((await ws.call("POST", "/api/v1/tags", request)).status).toBe(429);
  }
  expect(trips.d1 - before).toBe(used);
  clear();
  pass(60);
  expect((await ws.call("GET", LINKS, { env })).status).toBe(200);
});

it("a workspace that has used up its time refuses its other keys and people, and no other workspace", async () => {
  const { browser, workspace } = await makeMember();
  const ws = await makeWorkspace();
  const other = await makeWorkspace();
  const { env } = instance({ WORKSPACE_WORK: 1 }, 30);
  const second = await createApiKey(ws.ctx, { name: "second" });
  const bySecond = { env, headers: { authorization: `Bearer ${second.key}` } };
  expect((await ws.call("GET", LINKS, { env })).status).toBe(200);
  expect((await ws.call("GET", LINKS, bySecond)).status).toBe(429);
  expect((await other.call("GET", LINKS, { env })).status).toBe(200);
  const path = `/app/${workspace.slug}/links`;
  expect((await browser.get(path, {}, env)).status).toBe(200);
  expect((await browser.get(path, {}, env)).status).toBe(429);
});

it("a key over its requests is refused before D1, and this instance remembers it", async () => {
  const ws = await makeWorkspace();
  const { env, trips, countOf } = instance({ KEY_RATE: 2 });
  for (let time = 0; time < 2; time++) await ws.call("GET", LINKS, { env });
  const before = trips.d1;
  const request = { env, body: { name: "A" }, headers: { "Idempotency-Key": "one" } };
  for (let time = 0; time < 5; time++) {
    expect((await ws.call("POST", "/api/v1/tags", request)).status).toBe(429);
  }
  expect([trips.d1 - before, countOf("KEY_RATE")]).toEqual([0, 3]);
});

it("files of QR codes are counted by the limit of a key", async () => {
  const { browser, workspace } = await makeMember();
  const { env } = instance({ KEY_RATE: 1 });
  const file = async () => (await browser.get(`/app/${workspace.slug}/links/x/qr`, {}, env)).status;
  expect([await file(), await file()]).toEqual([404, 429]);
});

it("a person over their requests is 429 without a call of D1; files of QR codes do not count", async () => {
  const { browser, workspace } = await makeMember();
  const { env, trips, countOf } = instance({ PERSON_RATE: 2 });
  const path = `/app/${workspace.slug}/links`;
  for (let time = 0; time < 2; time++) expect((await browser.get(path, {}, env)).status).toBe(200);
  expect((await browser.get(`${path}/x/qr`, {}, env)).status).toBe(404);
  expect(countOf("PERSON_RATE")).toBe(2);
  expect((await browser.get(path, {}, env)).status).toBe(429);
  const before = trips.d1;
  const refused = await browser.get(path, {}, env);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(trips.d1 - before).toBe(0);
});

it("rows that are written are not charged: a key that writes a million at once goes on", async () => {
  const ws = await makeWorkspace();
  const { bindings } = limiters({ CALLER_WORK: 800, WORKSPACE_WORK: 1000 });
  const env: Env = {
    ...counted({ ...testEnv, ...bindings }).env,
    DB: overriding(testEnv.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await testEnv.DB.batch(statements);
        for (const { meta } of results) meta.rows_written = 1_000_000;
        return results;
      },
    }),
  };
  for (let time = 0; time < 3; time++) expect((await ws.call("GET", LINKS, { env })).status).toBe(200);
});
