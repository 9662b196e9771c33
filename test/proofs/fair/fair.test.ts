import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Env } from "../../../src/context";
import { listChange } from "../../../src/redirect/slugs/doubts";
import { slugMemoryOf } from "../../../src/redirect/slugs/slug-memory";
import { importLinks } from "../../../src/resources/links/import-links";
import { clicksIn, requestWith, simulateInstance } from "../../analytics/platform";
import { type Browser, makeMember } from "../../console/browser";
import { otherInstance, type TestWorkspace, testEnv, visit } from "../../harness";
import { limiters } from "../../limiter";
import { metered } from "../../metered";
import { overriding } from "../../overriding";

// One workspace behaves as badly as it can on an instance, and another one's visits, reads and writes cost what they cost in a
// quiet minute: the same answers, the same statements, the same rows. Its clicks are all there. The limits are those of
// wrangler.toml, divided by a hundred.

const LIMITS = {
  KEY_RATE: 30,
  PERSON_RATE: 6,
  CALLER_WORK: 8,
  WORKSPACE_WORK: 10,
  AUTH_FAILURE_RATE: 10,
  UNKNOWN_SLUG_RATE: 10,
};
/** What D1 says that a statement of the bad workspace took, in milliseconds. */
const SLOW_MS = 15;
const LINKS = "/api/v1/links";
const STRANGER = { "cf-connecting-ip": "203.0.113.9" };

/** An instance with limits, and the statements and rows that it costs. */
function makeInstance() {
  const { bindings, clear } = limiters(LIMITS);
  const { db, rows } = metered(testEnv.DB);
  const state = { ms: 0 };
  const timed = overriding(db, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await db.batch(statements);
      for (const { meta } of results) meta.duration = state.ms;
      return results;
    },
  });
  const env: Env = {
    ...otherInstance(testEnv),
    ...bindings,
    DB: timed,
  };
  return { env, rows, state, clear };
}

const instance = makeInstance();
const { env } = instance;
let good: Member;
let bad: Member;
/** A link of each. */
let link: { id: string; slug: string };
let other: { id: string; slug: string };
let quiet: unknown[];

type Member = { workspace: TestWorkspace; browser: Browser };

/** Counters begin anew, and nothing is remembered as refused. */
function nextMinute(): void {
  vi.setSystemTime(Date.now() + 61_000);
  instance.clear();
}

/** What the good workspace does in a minute: each answer, with its statements and rows. */
async function ordinaryMinute(): Promise<unknown[]> {
  const { workspace: ws, browser } = good;
  const seen: unknown[] = [];
  const measure = async (what: string, act: () => Promise<{ status: number; headers: Headers }>) => {
    Object.assign(instance.rows, { read: 0, written: 0, statements: 0 });
    const { status, headers } = await act();
    seen.push({ what, status, cache: headers.get("x-cache"), ...instance.rows });
  };
  const follow = () => visit(`/${link.slug}`, {}, env);
  instance.state.ms = 0;
  // An instance knows the slug for some minutes, and a key's and a session's last use is written once in some minutes.
  await follow();
  await ws.call("GET", LINKS, { env });
  await browser.get(`/app/${ws.slug}/tags`, {}, env);
  for (let time = 0; time < 3; time++) await measure("visit", follow);
  await measure("get", () => ws.call("GET", `${LINKS}/${link.id}`, { env }));
  await measure("list", () => ws.call("GET", `${LINKS}?per_page=5`, { env }));
  let made = "";
  await measure("create", async () => {
    const answer = await ws.call("POST", LINKS, {
      env,
      body: { destination_url: "https://www.example.com/" },
      headers: { "Idempotency-Key": crypto.randomUUID() },
    });
    made = answer.body.link.id;
    return answer;
  });
  await measure("change", () => ws.call("PATCH", `${LINKS}/${made}`, { env, body: { title: "Changed" } }));
  await measure("delete", () => ws.call("DELETE", `${LINKS}/${made}`, { env }));
  await measure("page", () => browser.get(`/app/${ws.slug}/tags`, {}, env));
  return seen;
}

/** Calls of the bad workspace until one is refused, and how many statements the calls after it cost. */
async function untilRefused(call: () => Promise<{ status: number }>, most = 60): Promise<number> {
  let status = 0;
  for (let time = 0; time < most && status !== 429; time++) ({ status } = await call());
  expect(status).toBe(429);
  instance.rows.statements = 0;
  for (let time = 0; time < 20; time++) expect((await call()).status).toBe(429);
  return instance.rows.statements;
}

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  good = await makeMember();
  bad = await makeMember();
  link = await good.workspace.link({ slug: `${good.workspace.slug}-poster` });
  other = await bad.workspace.link({ slug: `${bad.workspace.slug}-poster` });
  await good.workspace.tag();
  await ordinaryMinute();
  nextMinute();
  quiet = await ordinaryMinute();
  expect(quiet).toEqual(quiet.map((one) => ({ ...(one as object), status: expect.any(Number) })));
});
afterAll(() => {
  vi.useRealTimers();
});

const BEHAVIOURS: Readonly<Record<string, () => Promise<void>>> = {
  "sends more requests than its key may": async () => {
    const { workspace: ws } = bad;
    expect(await untilRefused(() => ws.call("GET", `${LINKS}?page=1000&sort=title`, { env }))).toBe(0);
    const replay = { env, body: { name: "X" }, headers: { "Idempotency-Key": "again" } };
    expect(await untilRefused(() => ws.call("POST", "/api/v1/tags", replay))).toBe(0);
  },
  "asks for what takes D1 long": async () => {
    const { workspace: ws } = bad;
    instance.state.ms = SLOW_MS;
    expect(await untilRefused(() => ws.call("GET", `${LINKS}?q=ex&page=7`, { env }))).toBe(0);
  },
  "opens pages and files without end": async () => {
    const { workspace: ws, browser } = bad;
    expect(await untilRefused(() => browser.get(`/app/${ws.slug}/links?q=ex`, {}, env))).toBe(0);
  },
  "issues keys": async () => {
    const { workspace: ws, browser } = bad;
    await untilRefused(() => browser.post(`/app/${ws.slug}/keys`, { name: "More" }, {}, env));
  },
  "tries keys that do not exist": async () => {
    const { workspace: ws } = bad;
    const headers = { authorization: `Bearer ${"x".repeat(40)}`, ...STRANGER };
    expect(await untilRefused(() => ws.call("GET", LINKS, { env, headers }))).toBe(0);
  },
  "asks for slugs that do not exist": async () => {
    let number = 0;
    // One look-up a second, since the slug may exist.
    expect(
      await untilRefused(() => visit(`/${bad.workspace.slug}-none-${number++}`, { headers: STRANGER }, env)),
    ).toBeLessThanOrEqual(1);
  },
  "imports control characters": async () => {
    const { workspace: ws, browser } = bad;
    const row = `x,"${"\u0001".repeat(20_000)}"`;
    const file = new File([["url,title", ...Array.from({ length: 300 }, () => row)].join("\n")], "a.csv");
    expect((await browser.post(`/app/${ws.slug}/import`, { file }, {}, env)).status).toBe(303);
  },
  "changes more slugs than the instance remembers": async () => {
    const { rowId } = bad.workspace.ctx.workspace;
    for (let number = 0; number < 3_000; number++)
      listChange(slugMemoryOf(env.KV), { key: `${rowId}-${number}`, workspace_id: rowId }, null);
  },
  "is visited by a flood": async () => {
    for (let number = 0; number < 400; number++) await visit(`/${other.slug}`, {}, env);
  },
  "merges and deletes a tag of many links": async () => {
    const { workspace: ws } = bad;
    const [sale, offers] = [await ws.tag(), await ws.tag()];
    const rows = Array.from({ length: 1_100 }, (_, index) => ({
      number: index + 1,
      input: { destination_url: "https://www.example.com/", tag_ids: [sale.id] },
    }));
    await importLinks(ws.ctx, `fair-${sale.id}`, rows);
    const into = { into: offers.id };
    expect((await bad.browser.post(`/app/${ws.slug}/tags/${sale.id}/merge`, into, {}, env)).status).toBe(303);
    expect((await ws.call("DELETE", `/api/v1/tags/${offers.id}`, { env })).status).toBe(204);
  },
};

it.each(Object.keys(BEHAVIOURS))("costs others nothing that a workspace %s", async (behaviour) => {
  nextMinute();
  await BEHAVIOURS[behaviour]?.();
  expect(await ordinaryMinute()).toEqual(quiet);
});

it("loses no visit of others when a flood with invented referrers comes to one", async () => {
  vi.useRealTimers();
  const visited = simulateInstance("5");
  for (let number = 0; number < 4_000; number++) {
    visited.visit(other.id, requestWith({ referer: `https://${"r".repeat(55)}${number}.example/` }));
    if (number % 100 === 0) visited.visit(link.id);
  }
  await visited.advance(10_000);
  visited.restore();
  expect([await clicksIn(link.id), await clicksIn(other.id)]).toEqual([40, 4_000]);
});
