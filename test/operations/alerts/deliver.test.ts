import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServiceContext } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { deliverAlerts } from "../../../src/operations/alerts/deliver";
import { type Alert, queueAlerts } from "../../../src/operations/alerts/queue-alerts";
import { CONNECTION_LOST, withBatch } from "../../faulty";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { alertContext, quiet, receiver, SECRET, status, storedAlerts, WEBHOOK } from "./receiver";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(quiet);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const event = (key: string, fields: Partial<Alert> = {}): Alert => ({
  key,
  kind: "link.taken_down",
  workspaceId: null,
  text: `Event ${key}`,
  facts: {},
  ...fields,
});

const queue = (ctx: ServiceContext, ...alerts: Alert[]) => ctx.db.writeOnce(...queueAlerts(ctx, alerts));

/** A context in which an event of each key is due. */
async function dueContext(keys: readonly string[] = ["a"], variables?: Parameters<typeof alertContext>[0]) {
  const made = alertContext(variables);
  await queue(made.ctx, ...keys.map((key) => event(key)));
  made.clock.now += 5 * MINUTE;
  return made;
}

/** The log lines from now on. */
function errorLines() {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  return lines;
}

const textsOf = (body: { data: { events: { text: string }[] } }) => body.data.events.map(({ text }) => text);

describe("events", () => {
  it("of five minutes are sent in one signed message, with their workspaces", async () => {
    const { ctx, clock } = alertContext();
    const messages = receiver(status(200));
    const ws: TestWorkspace = await makeWorkspace();
    const { rowId, id, name, slug } = ws.ctx.workspace;
    const workspace = { id, name, slug };
    await queue(ctx, event("a", { workspaceId: rowId, facts: { link: "01L" } }));
    clock.now += 4 * MINUTE;
    await queue(ctx, event("b", { kind: "pushes.overdue" }));
    expect(await deliverAlerts(ctx)).toEqual({ delivered: 0, failed: 0 });
    clock.now += MINUTE;
    expect(await deliverAlerts(ctx)).toEqual({ delivered: 1, failed: 0 });

    expect(messages).toHaveLength(1);
    const [message] = messages;
    // `webhook.node.test.ts` verifies one with the standard's own library.
    expect(message?.headers.get("webhook-signature")).toMatch(/^v1,[\w+/]{43}=$/);
    expect(message?.headers.get("webhook-timestamp")).toBe(String(clock.now / 1000));
    expect(message?.body).toEqual({
      type: "waymark.alerts",
      timestamp: "2026-11-22T09:34:00.000Z",
      text: "Event a\nEvent b",
      content: "Event a\nEvent b",
      allowed_mentions: { parse: [] },
      data: {
        events: [
          {
            kind: "link.taken_down",
            at: "2026-11-22T09:30:00.000Z",
            workspace,
            text: "Event a",
            facts: { link: "01L" },
          },
          {
            kind: "pushes.overdue",
            at: "2026-11-22T09:34:00.000Z",
            workspace: null,
            text: "Event b",
            facts: {},
          },
        ],
      },
    });
    for (let run = 0; run < 3; run++) {
      clock.now += HOUR;
      await deliverAlerts(ctx);
    }
    expect(messages).toHaveLength(1);
    expect(await storedAlerts()).toMatchObject([
      { tries: 1, due_at: null, outcome: "HTTP 200", delivered_at: expect.any(Number) },
      { tries: 1, due_at: null, outcome: "HTTP 200", delivered_at: expect.any(Number) },
    ]);
  });

  it("with the same key are told once", async () => {
    const { ctx, clock } = alertContext();
    const messages = receiver(status(200));
    await queue(ctx, event("a"), event("a"));
    await Promise.all([queue(ctx, event("a")), queue(ctx, event("a"))]);
    clock.now += 5 * MINUTE;
    await deliverAlerts(ctx);
    await queue(ctx, event("a"));
    clock.now += 5 * MINUTE;
    await deliverAlerts(ctx);
    expect(messages.map(({ body }) => textsOf(body))).toEqual([["Event a"]]);
  });

  it("are divided into messages of 20, and at most five messages a run", async () => {
    const { ctx, clock } = alertContext();
    const messages = receiver(status(200));
    for (let number = 0; number < 130; number++) await queue(ctx, event(`${number}`));
    clock.now += 5 * MINUTE;
    expect(await deliverAlerts(ctx)).toEqual({ delivered: 5, failed: 0 });
    expect(await deliverAlerts(ctx)).toEqual({ delivered: 2, failed: 0 });
    const told = messages.map(({ body }) => textsOf(body));
    expect(told.map(({ length }) => length)).toEqual([20, 20, 20, 20, 20, 20, 10]);
    expect(told.flat()).toEqual(Array.from({ length: 130 }, (_, number) => `Event ${number}`));
  });

  it("have clean texts and facts of bounded length", async () => {
    const { ctx } = alertContext();
    await queue(
      ctx,
      event("a", { text: `a\nb${"c".repeat(900)}`, facts: { name: `x\u202e${"y".repeat(900)}`, n: 1 } }),
    );
    const [row] = await storedAlerts();
    expect(row?.text).toBe(`a b${"c".repeat(496)}…`);
    expect(JSON.parse(row?.facts ?? "")).toEqual({ name: `x ${"y".repeat(297)}…`, n: 1 });
  });

  it("are not queued without a webhook", async () => {
    const { ctx } = alertContext({ ALERT_WEBHOOK: " " });
    expect(queueAlerts(ctx, [event("a")])).toEqual([]);
  });
});

describe("a message that is not delivered", () => {
  it("is tried again with growing pauses for a day, always with the same id and body, then given up", async () => {
    const { ctx, clock } = alertContext();
    const messages = receiver(status(500));
    const lines = errorLines();
    const startedAt = clock.now + 5 * MINUTE;
    await queue(ctx, event("a"));
    const triedAt: number[] = [];
    for (let [row] = await storedAlerts(); row?.due_at != null; [row] = await storedAlerts()) {
      clock.now = row.due_at - 1;
      expect(await deliverAlerts(ctx)).toEqual({ delivered: 0, failed: 0 });
      clock.now = row.due_at;
      expect(await deliverAlerts(ctx)).toEqual({ delivered: 0, failed: 1 });
      triedAt.push((clock.now - startedAt) / MINUTE);
    }
    clock.now += 24 * HOUR;
    expect(await deliverAlerts(ctx)).toEqual({ delivered: 0, failed: 0 });
    expect(triedAt).toEqual([0, 1, 3, 8, 18, 48, 108, 228, 468, 828, 1428]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(1);
    expect(new Set(messages.map(({ headers }) => headers.get("webhook-timestamp"))).size).toBe(11);
    expect(await storedAlerts()).toMatchObject([
      { tries: 11, due_at: null, delivered_at: null, outcome: "HTTP 500" },
    ]);
    expect(lines.map(({ given_up }) => given_up)).toEqual([...Array(10).fill(false), true]);
    expect(lines.at(-1)).toEqual({
      level: "error",
      error: "alert_not_delivered",
      message: messages[0]?.id,
      host: "hooks.example",
      events: 1,
      tries: 11,
      outcome: "HTTP 500",
      given_up: true,
    });
    expect(JSON.stringify(lines)).not.toContain("/services");
  });

  it("is delivered once the receiver answers again, without events that came meanwhile", async () => {
    const { ctx, clock } = await dueContext();
    errorLines();
    const messages = receiver(status(302), status(503), status(204));
    await deliverAlerts(ctx);
    await queue(ctx, event("b"));
    for (let run = 0; run < 20; run++) {
      clock.now += MINUTE;
      await deliverAlerts(ctx);
    }
    expect(messages.map(({ body }) => textsOf(body))).toEqual([
      ["Event a"],
      ["Event a"],
      ["Event a"],
      ["Event b"],
    ]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ["longer than the pause", "600", 10],
    ["shorter than the pause", "1", 1],
    ["of a year", String(365 * 24 * 60 * 60), 480],
  ])("waits for a Retry-After %s, within bounds", async (_, header, minutes) => {
    const { ctx, clock } = await dueContext();
    errorLines();
    receiver(status(429, { "retry-after": header }));
    await deliverAlerts(ctx);
    expect(await storedAlerts()).toMatchObject([{ due_at: clock.now + minutes * MINUTE, tries: 1 }]);
  });

  it("is given up after 25 hours even if each answer asks to wait", async () => {
    const { ctx, clock } = alertContext();
    errorLines();
    const messages = receiver(status(429, { "retry-after": "36000" }));
    const startedAt = clock.now;
    await queue(ctx, event("a"));
    for (; clock.now < startedAt + 72 * HOUR; clock.now += HOUR) await deliverAlerts(ctx);
    expect(messages).toHaveLength(4);
    expect(await storedAlerts()).toMatchObject([{ due_at: null, delivered_at: null, outcome: "HTTP 429" }]);
  });

  it("is given up at once if the receiver is gone (410)", async () => {
    const { ctx, clock } = await dueContext();
    const lines = errorLines();
    const messages = receiver(status(410));
    for (let run = 0; run < 10; run++, clock.now += HOUR) await deliverAlerts(ctx);
    expect(messages).toHaveLength(1);
    expect(lines).toMatchObject([{ outcome: "HTTP 410", given_up: true }]);
  });

  it("does not hold up the others", async () => {
    const { ctx, clock } = await dueContext();
    errorLines();
    receiver(() => Promise.reject(new TypeError("Network connection lost.")));
    expect(await deliverAlerts(ctx)).toEqual({ delivered: 0, failed: 1 });
    expect(await storedAlerts()).toMatchObject([{ outcome: "not reachable" }]);
    await queue(ctx, event("b"));
    clock.now += 5 * MINUTE;
    const messages = receiver(status(500), status(200));
    expect(await deliverAlerts(ctx)).toEqual({ delivered: 1, failed: 1 });
    expect(messages.map(({ body }) => textsOf(body))).toEqual([["Event a"], ["Event b"]]);
  });

  it.each([
    ["ALERT_WEBHOOK", { ALERT_WEBHOOK: "hooks.example/secret" }],
    ["ALERT_SECRET", { ALERT_SECRET: "whsec_secret" }],
  ])(
    "because of an unusable %s is kept and tried again, and the log names the variable",
    async (name, variables) => {
      const { ctx, clock } = await dueContext(["a"], variables);
      const messages = receiver(status(200));
      const lines = errorLines();
      expect(await deliverAlerts(ctx)).toEqual({ delivered: 0, failed: 1 });
      expect(lines[0]).toEqual({
        level: "error",
        error: "misconfigured",
        reason: expect.stringMatching(`^${name} `),
      });
      expect(JSON.stringify([lines, await storedAlerts()])).not.toMatch(/hooks\.example|whsec_secret/);
      const repaired = { ...ctx, config: alertContext().ctx.config };
      clock.now += MINUTE;
      expect(await deliverAlerts(repaired)).toEqual({ delivered: 1, failed: 0 });
      expect(messages).toHaveLength(1);
    },
  );
});

describe("runs that overlap or are interrupted", () => {
  it("send a message once", async () => {
    const { ctx } = await dueContext(["a", "b"]);
    const messages = receiver(async () => {
      await deliverAlerts(ctx);
      return new Response();
    });
    await Promise.all([deliverAlerts(ctx), deliverAlerts(ctx), deliverAlerts(ctx)]);
    await deliverAlerts(ctx);
    expect(messages.map(({ body }) => textsOf(body))).toEqual([["Event a", "Event b"]]);
  });

  it("put an event into one message if another run gathers between read and write", async () => {
    const { ctx, clock } = await dueContext();
    const messages = receiver(status(200));
    let isOvertaken = false;
    const { DB } = withBatch((send) => async (statements) => {
      const [first] = statements as (D1PreparedStatement & { statement: string })[];
      if (!isOvertaken && first?.statement.includes("set message =")) {
        isOvertaken = true;
        await deliverAlerts(ctx);
      }
      return send(statements);
    });
    expect(await deliverAlerts({ ...ctx, db: createDatabase(DB) })).toEqual({ delivered: 0, failed: 0 });
    clock.now += HOUR;
    await deliverAlerts(ctx);
    expect(isOvertaken).toBe(true);
    expect(messages).toHaveLength(1);
  });

  it("repeat a message with the same id if its result could not be stored", async () => {
    const { ctx, clock, environment } = await dueContext();
    const messages = receiver(status(200));
    const { DB } = withBatch((send) => (statements) => {
      const [first] = statements as (D1PreparedStatement & { statement: string })[];
      return first?.statement.includes("delivered_at = (listed")
        ? Promise.reject(new Error("D1_ERROR: D1 DB is overloaded."))
        : send(statements);
    });
    await expect(deliverAlerts({ ...ctx, db: createDatabase(DB) })).rejects.toThrow();
    await deliverAlerts(ctx);
    expect(messages).toHaveLength(1);
    clock.now += 5 * MINUTE;
    expect(await deliverAlerts({ ...ctx, db: createDatabase(environment.DB) })).toEqual({
      delivered: 1,
      failed: 0,
    });
    expect(messages).toHaveLength(2);
    expect([messages[1]?.id, messages[1]?.text]).toEqual([messages[0]?.id, messages[0]?.text]);
  });

  it("lose no event if the answer of any call of D1 is lost", async () => {
    for (let lost = 1; lost <= 6; lost++) {
      await quiet();
      const { ctx, clock } = await dueContext();
      const messages = receiver(status(200));
      let calls = 0;
      const { DB } = withBatch((send) => async (statements) => {
        const results = await send(statements);
        if (++calls === lost) throw new Error(CONNECTION_LOST);
        return results;
      });
      await deliverAlerts({ ...ctx, db: createDatabase(DB) });
      clock.now += 5 * MINUTE;
      await deliverAlerts(ctx);
      expect(new Set(messages.map(({ id }) => id)).size).toBe(1);
      expect(await storedAlerts()).toMatchObject([{ due_at: null, delivered_at: expect.any(Number) }]);
    }
  });

  it("do not overwrite the result of a later try", async () => {
    const { ctx, clock } = await dueContext();
    errorLines();
    const messages = receiver(async () => {
      clock.now += 5 * MINUTE;
      await deliverAlerts(ctx);
      return new Response(null, { status: 500 });
    }, status(200));
    await deliverAlerts(ctx);
    expect(messages).toHaveLength(2);
    expect(await storedAlerts()).toMatchObject([{ tries: 2, due_at: null, outcome: "HTTP 200" }]);
  });
});

it("without a webhook nothing is sent, and what waits is sent only within 25 hours of its event", async () => {
  const { ctx, clock } = alertContext();
  const without = { ...ctx, config: { ...ctx.config, alertWebhook: null } };
  const messages = receiver(status(200));
  const lines = errorLines();
  await queue(ctx, event("old"));
  clock.now += 24 * HOUR;
  await queue(ctx, event("new"));
  await deliverAlerts(without);
  clock.now += 10 * MINUTE;
  await deliverAlerts(ctx);
  expect(messages.map(({ body }) => textsOf(body))).toEqual([["Event old", "Event new"]]);

  await queue(ctx, event("later"));
  clock.now += 26 * HOUR;
  await deliverAlerts(without);
  expect(await storedAlerts()).toMatchObject([{}, {}, { due_at: expect.any(Number) }]);
  await deliverAlerts(ctx);
  expect(messages).toHaveLength(1);
  expect(lines).toEqual([
    expect.objectContaining({
      error: "alert_not_delivered",
      outcome: "never sent",
      tries: 0,
      given_up: true,
    }),
  ]);
  expect((await storedAlerts()).at(-1)).toMatchObject({
    due_at: null,
    delivered_at: null,
    outcome: "never sent",
  });
});

it("alerts are deleted after 30 days", async () => {
  const { ctx, clock } = alertContext();
  receiver(status(200));
  await queue(ctx, event("old"));
  clock.now += 5 * MINUTE;
  await deliverAlerts(ctx);
  clock.now += 29 * 24 * HOUR;
  await queue(ctx, event("new"));
  await deliverAlerts(ctx);
  expect((await storedAlerts()).map(({ key }) => key)).toEqual(["old", "new"]);
  clock.now += 2 * 24 * HOUR;
  await deliverAlerts({ ...ctx, config: { ...ctx.config, alertWebhook: null } });
  expect((await storedAlerts()).map(({ key }) => key)).toEqual(["new"]);
});

it("neither the secret nor the webhook's path is stored", async () => {
  const { ctx } = await dueContext();
  receiver(status(500));
  errorLines();
  await deliverAlerts(ctx);
  const { results } = await env.DB.prepare("select * from alerts").all();
  for (const secret of [SECRET, SECRET.slice(6), new URL(WEBHOOK).pathname])
    expect(JSON.stringify(results)).not.toContain(secret);
});
