import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDatabase } from "../../src/db/client";
import { newMeter } from "../../src/db/meter";
import { readMigrations } from "../../src/operations/applied-migrations";
import { makeMember } from "../console/browser";
import { gate, type Sent, withBatch } from "../faulty";
import { makeWorkspace, type TestWorkspace } from "../harness";

// D1 was seen not to answer for 20 to 80 seconds, without an error.

const UNAVAILABLE = '{"message":"Service temporarily unavailable."}';
/** Timers from here on are those of the test's own tools. */
const BEYOND_D1_MS = 30_000;

/** Those that ended without an answer. */
let waits: number[] = [];
beforeEach(() => {
  waits = [];
  const { setTimeout: usual } = globalThis;
  // Waits for D1 end a hundred times as fast.
  vi.stubGlobal("setTimeout", (run: () => void, ms = 0) => {
    if (ms < 1_000 || ms >= BEYOND_D1_MS) return usual(run, ms);
    return usual(() => {
      waits.push(Math.round(ms));
      run();
    }, ms / 100);
  });
});
afterEach(() => vi.unstubAllGlobals());

const isCommit = ([first]: readonly Sent[]): boolean =>
  first?.statement.startsWith('insert into "audit_log"') ?? false;

/** D1 that does not answer some batches. They take effect before, or only when they are released. */
function silent(
  takesEffect: "at once" | "on release",
  { times = Number.POSITIVE_INFINITY, of = (_: readonly Sent[]): boolean => true } = {},
) {
  const { passed, open } = gate();
  const { passed: never } = gate();
  const held: Promise<unknown>[] = [];
  const environment = withBatch((send) => async (statements) => {
    if (!of(statements as Sent[]) || held.length >= times) return send(statements);
    const late = takesEffect === "at once" ? send(statements) : passed.then(() => send(statements));
    held.push(late.catch(() => undefined));
    await never;
    return late;
  });
  const release = async () => {
    open();
    await Promise.all(held);
  };
  return { environment, release, held };
}

const create = (ws: TestWorkspace, environment = silent("at once", { times: 0 }).environment, key?: string) =>
  ws.call("POST", "/api/v1/links", {
    body: { destination_url: "https://www.example.com/" },
    headers: key === undefined ? {} : { "idempotency-key": key },
    env: environment,
  });

const linksOf = async (ws: TestWorkspace): Promise<string[]> =>
  (await ws.call("GET", "/api/v1/links")).body.links.map(({ id }: { id: string }) => id);

describe("D1 that does not answer", () => {
  it("makes the API answer 503 after ten seconds in all", async () => {
    const ws = await makeWorkspace();
    const { environment, held } = silent("on release");
    const answer = await ws.call("GET", "/api/v1/tags", { env: environment });
    expect([answer.status, answer.text, answer.headers.get("retry-after")]).toEqual([503, UNAVAILABLE, "5"]);
    expect([waits, held.length]).toEqual([[7_000, 3_000], 2]);
  });

  it("makes a page of the web application answer 503 after ten seconds in all", async () => {
    const { browser, workspace } = await makeMember();
    const page = await browser.get(`/app/${workspace.slug}/tags`, {}, silent("on release").environment);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(waits).toEqual([7_000, 3_000]);
  });

  it("is not waited for twice by a request that makes several calls", async () => {
    const ws = await makeWorkspace();
    const { environment } = silent("on release", { of: isCommit });
    expect((await create(ws, environment, "k")).status).toBe(503);
    expect(waits).toEqual([7_000, 3_000]);
  });

  it("is waited for by a command as long as it takes", async () => {
    const { passed, open } = gate();
    const slow = withBatch((send) => async (statements) => {
      await passed;
      return send(statements);
    });
    const read = readMigrations(createDatabase(slow.DB, newMeter(Number.POSITIVE_INFINITY)));
    open();
    expect((await read).length).toBeGreaterThan(0);
    expect(waits).toEqual([]);
  });
});

describe("a write whose answer does not come", () => {
  it.each(["at once", "on release"] as const)(
    "is found by its operation id, or made by the repeat, and never twice: it takes effect %s",
    async (takesEffect) => {
      const ws = await makeWorkspace();
      const { environment, release } = silent(takesEffect, { times: 1, of: isCommit });
      const answer = await create(ws, environment);
      expect(answer.status).toBe(201);
      await release();
      expect(await linksOf(ws)).toEqual([answer.body.link.id]);
      expect((await ws.call("GET", `/api/v1/links/${answer.body.link.id}`)).body).toEqual(answer.body.link);
    },
  );

  it("is answered with its Idempotency-Key when it is sent again, if it took effect after the 503", async () => {
    const ws = await makeWorkspace();
    const { environment, release } = silent("at once", { of: isCommit });
    expect((await create(ws, environment, "k")).status).toBe(503);
    await release();
    const again = await create(ws, undefined, "k");
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(await linksOf(ws)).toEqual([again.body.link.id]);
  });

  it("does nothing any more once its Idempotency-Key was sent again", async () => {
    const ws = await makeWorkspace();
    const { environment, release } = silent("on release", { of: isCommit });
    expect((await create(ws, environment, "k")).status).toBe(503);
    const again = await create(ws, undefined, "k");
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, null]);
    await release();
    expect(await linksOf(ws)).toEqual([again.body.link.id]);
  });
});
