import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDatabase } from "../../../src/db/client";
import { newMeter } from "../../../src/db/meter";
import { deliverEvents, RETRY_PAUSES_MS } from "../../../src/resources/events/deliver-events";
import { getReceiver } from "../../../src/resources/events/receivers";
import { changeChosenLinks } from "../../../src/resources/links/change-many";
import { createLink } from "../../../src/resources/links/create-link";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { updateLink } from "../../../src/resources/links/update-link";
import { losingEachAnswer, withLostAnswer } from "../../faulty";
import { counted, makeWorkspace } from "../../harness";
import { runSql } from "../../sql";
import {
  forgetMessages,
  makeReceiver,
  makeSilentWorkspace,
  network,
  ok,
  status,
  storedMessages,
} from "./receiver";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DESTINATION = { destination_url: "https://www.example.com/" };

beforeEach(async () => void (await forgetMessages()));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const kindsOf = ({ received }: { received: readonly { body: { type: string } }[] }) =>
  received.map(({ body }) => body.type);

it("a receiver hears of a link through its life, each time as the link is after the change, behind the request", async () => {
  const hosts = network();
  const ws = await makeWorkspace();
  const receiver = await makeReceiver(ws.ctx, hosts);
  const link = await ws.link({ slug: "summer" });
  const path = `/api/v1/links/${link.id}`;
  const tag = await ws.tag();
  const updated = (await ws.call("PATCH", path, { body: { title: "Sale" } })).body.link;
  await ws.call("PATCH", path, { body: { title: "Sale" } });
  await ws.call("POST", `${path}/tags`, { body: { tag_ids: [tag.id] } });
  const tagged = (await ws.call("GET", path)).body;
  const archived = (await ws.call("PATCH", path, { body: { status: "archived" } })).body.link;
  const both = (await ws.call("PATCH", path, { body: { status: "active", channel: "poster" } })).body.link;
  await ws.call("DELETE", path);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(7));
  expect(receiver.received.map(({ body: { type, data } }) => ({ type, data }))).toEqual([
    { type: "link.created", data: link },
    { type: "link.updated", data: { ...updated, changed: ["title"] } },
    { type: "link.updated", data: { ...tagged, changed: ["tags"] } },
    { type: "link.archived", data: archived },
    { type: "link.updated", data: { ...both, changed: ["channel"] } },
    { type: "link.restored", data: both },
    { type: "link.deleted", data: both },
  ]);
  expect(receiver.received[0]?.body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(7);
});

it("it hears of nothing else: not of kinds that it does not want, nor of another workspace", async () => {
  const hosts = network();
  const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
  const receiver = await makeReceiver(ws.ctx, hosts, ["link.deleted"]);
  const stranger = await makeReceiver(other.ctx, hosts);
  const link = await ws.link();
  await ws.call("DELETE", `/api/v1/links/${link.id}`);
  await vi.waitFor(() => expect(kindsOf(receiver)).toEqual(["link.deleted"]));
  expect(await deliverEvents(other.ctx)).toEqual({ delivered: 0, failed: 0 });
  expect(stranger.received).toEqual([]);
});

it("a workspace without receivers pays no row and no call", async () => {
  const ws = await makeWorkspace();
  const { env, trips } = counted();
  await ws.call("POST", "/api/v1/links", { body: DESTINATION, env });
  trips.d1 = 0;
  await ws.call("POST", "/api/v1/links", { body: DESTINATION, env });
  expect(trips.d1).toBe(2);
  expect(await storedMessages(ws.ctx)).toEqual([]);
});

describe("a message that is not delivered", () => {
  it("is tried again after 5 seconds, 1, 10 and 60 minutes and hourly for three days, then the receiver is off and says why", async () => {
    const hosts = network();
    const { ctx, clock } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    receiver.answer(status(500, "no"));
    const startedAt = clock.now;
    await createLink(ctx, DESTINATION);
    const triedAt: number[] = [];
    for (let [row] = await storedMessages(ctx); row?.due_at != null; [row] = await storedMessages(ctx)) {
      clock.now = row.due_at - 1;
      expect(await deliverEvents(ctx)).toEqual({ delivered: 0, failed: 0 });
      clock.now = row.due_at;
      expect(await deliverEvents(ctx)).toEqual({ delivered: 0, failed: 1 });
      triedAt.push(clock.now - startedAt);
    }
    const pauses = [5_000, MINUTE, 10 * MINUTE, HOUR, ...Array<number>(72).fill(HOUR)];
    expect(RETRY_PAUSES_MS).toEqual(pauses);
    expect(triedAt).toEqual(
      [0, ...pauses].map((_, index) => pauses.slice(0, index).reduce((a, b) => a + b, 0)),
    );
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    const stopped = {
      is_on: false,
      switched_off_by: "failures",
      switched_off_at: expect.any(String),
      waiting: 0,
    };
    expect(await getReceiver(ctx, receiver.id)).toMatchObject(stopped);
    await createLink(ctx, DESTINATION);
    clock.now += HOUR;
    await deliverEvents(ctx);
    expect(receiver.received).toHaveLength(77);
  });

  it("is tried a second time behind the request, five seconds later", async () => {
    const { setTimeout: usual } = globalThis;
    let waited = 0;
    vi.stubGlobal("setTimeout", (run: () => void, ms = 0) => {
      if (ms !== 5_000) return usual(run, ms);
      waited += ms;
      return usual(run, 0);
    });
    const startedAt = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => startedAt + waited);
    const hosts = network();
    const ws = await makeWorkspace();
    const receiver = await makeReceiver(ws.ctx, hosts);
    receiver.answer(status(503), ok);
    await ws.link();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    expect(waited).toBe(5_000);
    await vi.waitFor(async () => expect((await storedMessages(ws.ctx))[0]?.due_at).toBeNull());
    const { deliveries } = await getReceiver(ws.ctx, receiver.id);
    expect(deliveries).toMatchObject([
      { is_delivered: true, tries: 2, outcome: "HTTP 200", answer: "thanks" },
    ]);
  });

  it.each([
    ["refuses the connection", () => Promise.reject(new TypeError("Connection refused")), "not reachable"],
    ["has a wrong certificate", () => Promise.reject(new TypeError("TLS handshake failed")), "not reachable"],
    ["hangs", () => Promise.reject(new DOMException("", "TimeoutError")), "no answer within ten seconds"],
    ["redirects", status(302, null, { location: "https://www.example.com/" }), "HTTP 302"],
    ["answers 500", status(500, "oh"), "HTTP 500"],
    ["answers 404", status(404), "HTTP 404"],
    ["asks to wait", status(429, null, { "retry-after": "600" }), "HTTP 429"],
  ])("by a receiver that %s waits for its next try", async (_, answer, outcome) => {
    const hosts = network();
    const { ctx, clock } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    receiver.answer(answer, ok);
    await createLink(ctx, DESTINATION);
    await deliverEvents(ctx);
    expect(await storedMessages(ctx)).toMatchObject([{ outcome, tries: 1, due_at: expect.any(Number) }]);
    clock.now += HOUR;
    await deliverEvents(ctx);
    expect(kindsOf(receiver)).toEqual(["link.created", "link.created"]);
    expect(receiver.received[0]?.id).toBe(receiver.received[1]?.id);
  });

  it("ends at once if the receiver is gone (410)", async () => {
    const hosts = network();
    const { ctx, clock } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    receiver.answer(status(410));
    const { id } = await createLink(ctx, DESTINATION);
    await updateLink(ctx, id, { title: "a" });
    await deliverEvents(ctx);
    clock.now += HOUR;
    await deliverEvents(ctx);
    expect(receiver.received).toHaveLength(1);
    expect(await getReceiver(ctx, receiver.id)).toMatchObject({ is_on: false, switched_off_by: "gone" });
    expect((await storedMessages(ctx)).map((one) => one.due_at)).toEqual([null, null]);
  });

  it("since its host was blocked later is not sent", async () => {
    const hosts = network();
    const { ctx } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    await runSql`insert into blocked_hosts (host, created_at) values (${receiver.host}, 0)`;
    await createLink(ctx, DESTINATION);
    await deliverEvents(ctx);
    expect(receiver.received).toEqual([]);
    expect((await storedMessages(ctx))[0]?.outcome).toContain("does not allow the host");
  });
});

it.each([
  ["of a megabyte", () => new Response("x".repeat(2 ** 20)), "x".repeat(500)],
  [
    "that never ends",
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode("begun"));
            setTimeout(() => controller.error(new DOMException("", "TimeoutError")), 20);
          },
        }),
      ),
    "begun",
  ],
  ["with control characters", () => new Response("a\u0000\u001bb"), "a b"],
])(
  "an answer %s is read as far as it goes: its status says that the message is there",
  async (_, answer, kept) => {
    const hosts = network();
    const { ctx } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    receiver.answer(answer);
    await createLink(ctx, DESTINATION);
    expect(await deliverEvents(ctx)).toEqual({ delivered: 1, failed: 0 });
    expect((await storedMessages(ctx))[0]?.answer).toBe(kept);
  },
);

describe("the order", () => {
  it("of the messages of a link is kept while one of them fails, and other links go on", async () => {
    const hosts = network();
    const { ctx, clock } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    receiver.answer(status(500));
    const { id } = await createLink(ctx, DESTINATION);
    await deliverEvents(ctx);
    for (const title of ["a", "b"]) await updateLink(ctx, id, { title });
    const other = await createLink(ctx, DESTINATION);
    await deleteLink(ctx, id);
    receiver.answer(ok);
    receiver.received.length = 0;
    await deliverEvents(ctx);
    expect(receiver.received.map(({ body }) => body.data.id)).toEqual([other.id]);
    clock.now += HOUR;
    for (let run = 0; run < 3; run++) await deliverEvents(ctx);
    const ofLink = receiver.received.slice(1).map(({ body }) => [body.type, body.data.title]);
    expect(ofLink).toEqual([
      ["link.created", null],
      ["link.updated", "a"],
      ["link.updated", "b"],
      ["link.deleted", "b"],
    ]);
  });
});

describe("a failure", () => {
  it("of one workspace's receiver delays nobody else's", async () => {
    const hosts = network();
    const [bad, good] = [await makeSilentWorkspace(), await makeSilentWorkspace()];
    const failing = [];
    for (let number = 0; number < 5; number++) failing.push(await makeReceiver(bad.ctx, hosts));
    for (const one of failing) one.answer(status(500));
    const receiver = await makeReceiver(good.ctx, hosts);
    for (let number = 0; number < 30; number++) await createLink(bad.ctx, DESTINATION);
    await deliverEvents(bad.ctx);
    await createLink(good.ctx, DESTINATION);
    bad.clock.now += MINUTE;
    await deliverEvents(bad.ctx);
    expect(receiver.received).toHaveLength(1);
    // A receiver that fails gets one message in a round.
    expect(failing.reduce((sum, { received }) => sum + received.length, 0)).toBeLessThanOrEqual(2 * 15);
  });

  it("to answer soon takes no more of a round than ten seconds, and of a run than the next round", async () => {
    const hosts = network();
    const { ctx, clock } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    receiver.answer(() => {
      clock.now += 6_000;
      return ok();
    });
    for (let number = 0; number < 6; number++) await createLink(ctx, DESTINATION);
    const startedAt = clock.now;
    expect(await deliverEvents(ctx)).toEqual({ delivered: 4, failed: 0 });
    expect(clock.now - startedAt).toBe(24_000);
    expect((await storedMessages(ctx)).map(({ tries, outcome }) => [tries, outcome]).slice(3)).toEqual([
      [1, "HTTP 200"],
      [0, null],
      [0, null],
    ]);
    expect(await deliverEvents(ctx)).toEqual({ delivered: 2, failed: 0 });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6);
  });

  it("between commit and send is made good by the job", async () => {
    const hosts = network();
    const { ctx } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    await createLink(ctx, DESTINATION);
    expect(receiver.received).toEqual([]);
    expect(await deliverEvents(ctx)).toEqual({ delivered: 1, failed: 0 });
    expect(await deliverEvents(ctx)).toEqual({ delivered: 0, failed: 0 });
  });

  it("of D1 to answer the commit queues a message once", async () => {
    network();
    const { ctx } = await makeSilentWorkspace();
    await makeReceiver(ctx, network());
    await createLink({ ...ctx, db: createDatabase(withLostAnswer().DB) }, DESTINATION);
    expect(await storedMessages(ctx)).toHaveLength(1);
  });

  it("of D1 to answer any call of the job sends it again at worst, and loses none", async () => {
    const hosts = network();
    const { ctx, clock } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    const { id } = await createLink(ctx, DESTINATION);
    await updateLink(ctx, id, { title: "a" });
    const db = createDatabase(losingEachAnswer().DB);
    for (let run = 0; run < 3; run++, clock.now += 10 * MINUTE) await deliverEvents({ ...ctx, db });
    expect(kindsOf(receiver)).toEqual(["link.created", "link.updated"]);
    expect((await storedMessages(ctx)).map((one) => one.outcome)).toEqual(["HTTP 200", "HTTP 200"]);
  });
});

it("two runs at once send a message once, and a run that ends without a result is repeated with the same id", async () => {
  const hosts = network();
  const { ctx, clock } = await makeSilentWorkspace();
  const receiver = await makeReceiver(ctx, hosts);
  await createLink(ctx, DESTINATION);
  await Promise.all([deliverEvents(ctx), deliverEvents(ctx), deliverEvents(ctx)]);
  expect(receiver.received).toHaveLength(1);
  await createLink(ctx, DESTINATION);
  let calls = 0;
  const dying = {
    ...ctx.db,
    writeGuarded: ((...args: Parameters<typeof ctx.db.writeGuarded>) =>
      ++calls === 2
        ? Promise.reject(new Error("died"))
        : ctx.db.writeGuarded(...args)) as typeof ctx.db.writeGuarded,
  };
  await expect(deliverEvents({ ...ctx, db: dying })).rejects.toThrow("died");
  expect(await deliverEvents(ctx)).toEqual({ delivered: 0, failed: 0 });
  clock.now += 5 * MINUTE;
  expect(await deliverEvents(ctx)).toEqual({ delivered: 1, failed: 0 });
  expect(receiver.received[1]?.id).toBe(receiver.received[2]?.id);
});

it("a change of many links is one message a link, and beyond 500 one that says how many and where", async () => {
  const hosts = network();
  const { ctx, clock } = await makeSilentWorkspace();
  const ids: string[] = [];
  for (let number = 0; number < 3; number++) ids.push((await createLink(ctx, DESTINATION)).id);
  const receiver = await makeReceiver(ctx, hosts);
  const batch = { id: "01BATCH", isStarted: true };
  await runSql`insert into audit_log (operation_id, workspace_id, actor, action, subject, at, batch)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 498)
      select 'op-' || i, ${ctx.workspace.rowId}, 'operator', 'link.update', 'x', 0, '01BATCH' from n`;
  await changeChosenLinks(ctx, { ids: ids.slice(0, 2), change: "archive" }, batch);
  expect((await storedMessages(ctx)).map(({ kind, amount }) => [kind, amount])).toEqual([
    ["link.archived", null],
    ["link.archived", null],
  ]);
  await changeChosenLinks(ctx, { ids: ids.slice(2), change: "archive" }, batch);
  await changeChosenLinks(ctx, { ids, change: "restore" }, batch);
  expect((await storedMessages(ctx)).slice(2)).toMatchObject([
    { kind: "link.archived", amount: 1 },
    { kind: "link.restored", amount: 3 },
  ]);
  clock.now += MINUTE;
  await deliverEvents(ctx);
  const url = `${ctx.config.baseUrl}/app/${ctx.workspace.slug}/audit`;
  expect(receiver.received.slice(2).map(({ body }) => [body.type, body.data])).toEqual([
    ["link.archived", { count: 1, url }],
    ["link.restored", { count: 3, url }],
  ]);
});

it.each([
  ["of different links", "'l' || i"],
  ["of one link", "'l'"],
])(
  "what waits for a receiver that fails is not read in each run: a thousand messages %s",
  async (_, subject) => {
    const hosts = network();
    const { ctx, clock } = await makeSilentWorkspace();
    const receiver = await makeReceiver(ctx, hosts);
    receiver.answer(status(500));
    await env.DB.prepare(
      `insert into messages (workspace_id, receiver_id, event, kind, subject, data, size, created_at, due_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      select workspace_id, id, 'e' || i, 'link.updated', ${subject}, '{}', 2000 - i, 0, ?1 from receivers cross join n
      where public_id = ?2`,
    )
      .bind(clock.now, receiver.id)
      .run();
    const run = async () => {
      const meter = newMeter(30_000);
      await deliverEvents({ ...ctx, db: createDatabase(env.DB, meter) });
      return meter.rowsRead;
    };
    for (let first = 0; first < 4; first++, clock.now += 11 * MINUTE) await run();
    clock.now -= 10 * MINUTE;
    expect(await run()).toBeLessThan(500);
    receiver.answer(ok);
    receiver.received.length = 0;
    clock.now += HOUR;
    await run();
    expect(receiver.received.length).toBeGreaterThan(1);
  },
);

it("of a thousand messages of one link, of which each is smaller than the one before it, a run reads each a few times", async () => {
  const { ctx, clock } = await makeSilentWorkspace();
  const receiver = await makeReceiver(ctx, network());
  await env.DB.prepare(
    `insert into messages (workspace_id, receiver_id, event, kind, subject, data, size, created_at, due_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
      select workspace_id, id, 'e' || i, 'link.updated', 'l', '{"i":' || i || '}', 2000 - i, 0, ?1
      from receivers cross join n where public_id = ?2`,
  )
    .bind(clock.now, receiver.id)
    .run();
  const meter = newMeter(30_000);
  await deliverEvents({ ...ctx, db: createDatabase(env.DB, meter) });
  expect(receiver.received.map(({ body }) => body.data.i)).toEqual([1, 2, 3]);
  // In three rounds.
  expect(meter.rowsRead).toBeLessThan(3 * 8_000);
});

it("what waits is bounded: beyond it events are added up", async () => {
  const { ctx } = await makeSilentWorkspace();
  const { id } = await makeReceiver(ctx, network());
  await runSql`insert into messages (workspace_id, receiver_id, event, kind, data, size, created_at, due_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 999)
      select workspace_id, id, 'e' || i, 'link.created', '{}', 2, 0, 9e15 from receivers cross join n where public_id = ${id}`;
  for (let number = 0; number < 3; number++) await createLink(ctx, DESTINATION);
  expect((await storedMessages(ctx)).slice(999).map((one) => one.amount)).toEqual([null, 2]);
});

it("a receiver keeps its last hundred deliveries", async () => {
  const { ctx } = await makeSilentWorkspace();
  const receiver = await makeReceiver(ctx, network());
  await runSql`insert into messages (workspace_id, receiver_id, event, kind, data, created_at, tries, outcome)
      with recursive n(i) as (select 1000 union all select i + 1 from n where i < 1119)
      select workspace_id, id, i, 'link.created', '{}', 0, 1, 'HTTP 200' from receivers cross join n where public_id = ${receiver.id}`;
  await createLink(ctx, DESTINATION);
  await deliverEvents(ctx);
  const kept = await storedMessages(ctx);
  expect(kept).toHaveLength(100);
  expect(kept.at(-1)?.kind).toBe("link.created");
});
