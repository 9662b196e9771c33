import { describe, expect, it } from "vitest";
import { countVisits } from "../../src/analytics/count";
import { applyAll } from "../../src/analytics/queue";
import { insertBatch } from "../../src/analytics/queue-repository";
import type { Env } from "../../src/context";
import { createDatabase } from "../../src/db/client";
import { newId } from "../../src/lib/ids";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { makeMember } from "../console/browser";
import { counted, makeWorkspace, type TestWorkspace, testEnv } from "../harness";
import { limiters } from "../limiter";
import { metered } from "../metered";

// What the dearest minute of somebody costs, in dollars, at Cloudflare's prices (docs/limits.md). Included amounts are not taken off.

const A_REQUEST = 0.3e-6;
const A_KV_READ = 0.5e-6;
const A_KV_WRITE = 5e-6;
const A_ROW_WRITTEN = 1e-6;
const A_LINE = 0.6e-6;
/** The schedule writes what was written to KV once more. */
const KV_WRITES_OF_A_PUSH = 2;

const REQUESTS_OF_A_KEY = 3_000;
const REQUESTS_OF_A_PERSON = 600;
/** Units of 10 ms that a caller has. */
const CALLER_UNITS = 800;
const UNIT_MS = 10;
/** Half of what a statement of D1 takes. Local ones say 0. */
const STATEMENT_MS = 0.5;
const VISITS_OF_A_STRANGER = 2_000;
const AT_MOST_AN_HOUR = 1;

/** An environment that counts what costs, and units that are charged. */
function priced() {
  const { bindings, countOf } = limiters({ CALLER_WORK: Number.POSITIVE_INFINITY });
  const { db, rows } = metered(testEnv.DB);
  const { env, trips } = counted({ ...testEnv, ...bindings, DB: db, CLICK_PACK_SECONDS: "0" });
  const state = () => ({
    rows: rows.written,
    statements: rows.statements,
    kvReads: trips.kvReads,
    kvWrites: trips.kvWrites,
    units: countOf("CALLER_WORK"),
  });
  return { env, state };
}

/** What an hour costs of one who does this as often as limits allow. */
async function dollarsAnHour(
  { state }: ReturnType<typeof priced>,
  mostRequests: number,
  request: (time: number) => Promise<unknown>,
) {
  const TIMES = 5;
  const before = state();
  for (let time = 0; time < TIMES; time++) await request(time);
  const after = state();
  const used = (name: keyof typeof after) => (after[name] - before[name]) / TIMES;
  const units = used("units") + (used("statements") * STATEMENT_MS) / UNIT_MS;
  const times = 60 * Math.min(mostRequests, CALLER_UNITS / units);
  const dollars =
    A_REQUEST +
    A_LINE +
    used("rows") * A_ROW_WRITTEN +
    used("kvReads") * A_KV_READ +
    used("kvWrites") * KV_WRITES_OF_A_PUSH * A_KV_WRITE;
  return { dollars: times * dollars, rows: used("rows") };
}

async function linkWithCodes(ws: TestWorkspace) {
  const link = await ws.link();
  for (let code = 0; code < 30; code++)
    await createAsset(ws.ctx, { link: link.id, name: `Poster ${code}`, kind: "poster" } as never);
  return link;
}

describe("an hour costs at most what docs/limits.md says", () => {
  // An editor has the same budget and fewer requests, and changes links by the same verb.
  it.each([
    ["a key", REQUESTS_OF_A_KEY],
    ["an editor", REQUESTS_OF_A_PERSON],
  ])("of %s that changes a link with 30 codes", async (_, mostRequests) => {
    const ws = await makeWorkspace();
    const link = await linkWithCodes(ws);
    const meter = priced();
    const { dollars } = await dollarsAnHour(meter, mostRequests, (time) =>
      ws.call("PATCH", `/api/v1/links/${link.id}`, {
        env: meter.env,
        body: { destination_url: `https://www.example.com/${time}` },
      }),
    );
    expect(dollars).toBeLessThan(AT_MOST_AN_HOUR);
  });

  const FIELDS = ["channel", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];

  it.each<
    [string, number, number, (ws: TestWorkspace, env: Env) => Promise<(time: number) => Promise<unknown>>]
  >([
    [
      "changes a title",
      9,
      1.6,
      async (ws, env) => {
        const { id } = await ws.link({ title: "Before" });
        return (time) => ws.call("PATCH", `/api/v1/links/${id}`, { env, body: { title: `Title ${time}` } });
      },
    ],
    [
      "changes all values",
      45,
      1.8,
      async (ws, env) => {
        const { id } = await ws.link();
        return (time) =>
          ws.call("PATCH", `/api/v1/links/${id}`, {
            env,
            body: Object.fromEntries(FIELDS.map((name) => [name, `${name} ${time}`])),
          });
      },
    ],
    [
      "takes fifty tags off and puts them on again",
      250,
      25,
      async (ws, env) => {
        const { id } = await ws.link();
        const tags = await Promise.all(Array.from({ length: 50 }, () => ws.tag()));
        const ids = tags.map((tag) => tag.id);
        return (time) =>
          ws.call("PATCH", `/api/v1/links/${id}`, { env, body: { tag_ids: time % 2 === 0 ? ids : [] } });
      },
    ],
    [
      "creates links",
      24,
      4,
      async (ws, env) => () =>
        ws.call("POST", "/api/v1/links", { env, body: { destination_url: "https://www.example.com/" } }),
    ],
    [
      "creates links and deletes them",
      40,
      4,
      async (ws, env) => async () => {
        const body = { destination_url: "https://www.example.com/" };
        const made = await ws.call("POST", "/api/v1/links", { env, body });
        await ws.call("DELETE", `/api/v1/links/${made.body.link.id}`, { env });
      },
    ],
  ])("of a key that %s, which writes at most %i rows: %d $", async (_, mostRows, mostDollars, prepare) => {
    const ws = await makeWorkspace();
    const meter = priced();
    const request = await prepare(ws, meter.env);
    await request(-1);
    const { dollars, rows } = await dollarsAnHour(meter, REQUESTS_OF_A_KEY, request);
    expect(rows).toBeLessThanOrEqual(mostRows);
    expect(dollars).toBeLessThan(mostDollars);
  });

  it("of a viewer who opens pages", async () => {
    const { browser, workspace } = await makeMember();
    const meter = priced();
    const { dollars } = await dollarsAnHour(meter, REQUESTS_OF_A_PERSON, () =>
      browser.get(`/app/${workspace.slug}`, {}, meter.env),
    );
    expect(dollars).toBeLessThan(AT_MOST_AN_HOUR);
  });

  it("of a stranger: an instance adds up 2,000 visits of twenty links with invented referrers", async () => {
    const ws = await makeWorkspace();
    const links: string[] = [];
    for (let index = 0; index < 20; index++) links.push((await ws.link()).id);
    const visits = Array.from({ length: VISITS_OF_A_STRANGER }, (_, index) => ({
      ...{
        link: links[index % links.length] ?? "",
        asset: null,
        isAfterEnd: false,
        rule: null,
        at: Date.now(),
      },
      ...{ follows: true, agent: "Mozilla/5.0 (Windows NT 10.0)", country: "CH" },
      referrer: `https://r${index}.example/`,
    }));
    const { db, rows } = metered(testEnv.DB);
    const counts = countVisits(visits, new Set());
    const other = counts.days
      .filter(({ value }) => value === "other")
      .reduce((sum, day) => sum + day.visits, 0);
    const named = counts.days.filter(({ dimension, value }) => dimension === "referrer" && value !== "other");
    expect(other + named.reduce((sum, day) => sum + day.visits, 0)).toBe(VISITS_OF_A_STRANGER);
    const database = createDatabase(db);
    await database.writeOnce(insertBatch(newId(Date.now()), Date.now(), counts));
    await applyAll({ db: database, now: Date.now });
    expect(rows.written).toBeLessThan(200);
    const cost = VISITS_OF_A_STRANGER * (A_REQUEST + A_KV_READ) + rows.written * A_ROW_WRITTEN;
    expect(60 * cost).toBeLessThan(AT_MOST_AN_HOUR);
  });
});
