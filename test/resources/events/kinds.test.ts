import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { applyAll } from "../../../src/analytics/queue";
import { createDatabase } from "../../../src/db/client";
import { newMeter } from "../../../src/db/meter";
import type { Health } from "../../../src/lib/health-state";
import { tellBroken } from "../../../src/operations/health/broken-events";
import { takeDownMany } from "../../../src/operations/moderation/take-down-many";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { removeExpired } from "../../../src/operations/retention/remove-expired";
import { followDates } from "../../../src/resources/activity-groups/follow-dates";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { deliverEvents } from "../../../src/resources/events/deliver-events";
import { tellVisits } from "../../../src/resources/events/tell-visits";
import { checkFile } from "../../../src/resources/imports/check-file";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { createLink } from "../../../src/resources/links/create-link";
import { deleteTag } from "../../../src/resources/links/remove-tag";
import { runSql, selectRows } from "../../sql";
import {
  forgetMessages,
  makeReceiver,
  makeSilentWorkspace,
  network,
  ok,
  status,
  storedMessages,
} from "./receiver";

const HOUR = 60 * 60_000;
const DESTINATION = { destination_url: "https://www.example.com/" };

beforeEach(async () => void (await forgetMessages()));
afterEach(() => void vi.unstubAllGlobals());

const bodiesOf = ({ received }: { received: readonly { body: unknown }[] }) =>
  received.map(({ body }) => body);

it("a takedown is told, and its end", async () => {
  const hosts = network();
  const { ctx } = await makeSilentWorkspace();
  const link = await createLink(ctx, DESTINATION);
  const receiver = await makeReceiver(ctx, hosts);
  await takeDown(ctx, link.id);
  await endTakedown(ctx, link.id);
  await deliverEvents(ctx);
  expect(bodiesOf(receiver)).toMatchObject([
    { type: "link.taken_down", data: link },
    { type: "link.restored", data: link },
  ]);
});

it("a takedown of many is told for each link, to the receivers of its own workspace", async () => {
  const hosts = network();
  const [one, other] = [await makeSilentWorkspace(), await makeSilentWorkspace()];
  const own = [await createLink(one.ctx, DESTINATION), await createLink(one.ctx, DESTINATION)];
  const foreign = await createLink(other.ctx, DESTINATION);
  const [receiver, second] = [
    await makeReceiver(one.ctx, hosts),
    await makeReceiver(other.ctx, hosts, ["link.updated"]),
  ];
  const names = [...own, foreign].map(({ id }) => id);
  expect(await takeDownMany(one.ctx, { names }, true)).toMatchObject({ taken_down: 3 });
  for (let run = 0; run < 2; run++) await deliverEvents(one.ctx);
  const told = receiver.received.map(({ body: { type, data } }) => [type, data.id, data.slug]).toSorted();
  expect(told).toEqual(own.map(({ id, slug }) => ["link.taken_down", id, slug]).toSorted());
  expect(second.received).toEqual([]);
});

it("groups start and end by a person and by their dates", async () => {
  const hosts = network();
  const { ws, ctx, clock } = await makeSilentWorkspace();
  const receiver = await makeReceiver(ctx, hosts, ["group.started", "group.ended"]);
  const byHand = await ws.group();
  await updateActivityGroup(ctx, byHand.id, { status: "active" });
  await updateActivityGroup(ctx, byHand.id, { name: "Other" });
  await updateActivityGroup(ctx, byHand.id, { status: "archived" });
  await updateActivityGroup(ctx, byHand.id, { status: "active" });
  const dated = await ws.group({
    starts_at: clock.now + HOUR,
    ends_at: clock.now + 2 * HOUR,
    follows_dates: true,
  });
  for (let run = 0; run < 4; run++, clock.now += HOUR) await followDates(ctx);
  for (let run = 0; run < 3; run++) await deliverEvents(ctx);
  const told = receiver.received.map(({ body: { type, data } }) => [type, data.id, data.status]);
  expect(told).toEqual([
    ["group.started", byHand.id, "active"],
    ["group.started", dated.id, "active"],
    ["group.ended", dated.id, "completed"],
  ]);
  expect(Object.keys(receiver.received[0]?.body.data)).toEqual([
    ...[
      "id",
      "name",
      "slug",
      "type",
      "description",
      "status",
      "default_utm_campaign",
      "starts_at",
      "ends_at",
    ],
    "archived_at",
  ]);
});

it("an import is finished once, with what it did", async () => {
  const hosts = network();
  const { ctx } = await makeSilentWorkspace();
  const receiver = await makeReceiver(ctx, hosts, ["import.finished", "link.created"]);
  const csv = "destination_url\nhttps://www.example.com/a\nhttps://www.example.com/b\nftp://x\n";
  const checked = await checkFile(ctx, { name: "links.csv", bytes: new TextEncoder().encode(csv) });
  const id = "id" in checked ? checked.id : "";
  await Promise.all([continueImport(ctx, id), continueImport(ctx, id)]);
  await continueImport(ctx, id);
  for (let run = 0; run < 2; run++) await deliverEvents(ctx);
  const finished = receiver.received.filter(({ body }) => body.type === "import.finished");
  const url = `${ctx.config.baseUrl}/app/${ctx.workspace.slug}/import/${id}`;
  expect(finished.map(({ body }) => body.data)).toEqual([
    { id, name: "links.csv", created: 2, updated: 0, unchanged: 0, refused: 1, url },
  ]);
  expect(receiver.received).toHaveLength(3);
});

it("links are told of whose destination is broken now, in each workspace that wants it", async () => {
  const hosts = network();
  const [one, other, silent] = [
    await makeSilentWorkspace(),
    await makeSilentWorkspace(),
    await makeSilentWorkspace(),
  ];
  const [receiver, second] = [await makeReceiver(one.ctx, hosts), await makeReceiver(other.ctx, hosts)];
  const input = { destination_url: `https://www.example.com/${crypto.randomUUID()}` };
  const links = [await createLink(one.ctx, input), await createLink(other.ctx, input)];
  await createLink(silent.ctx, input);
  const is: Health = {
    ...{ state: "broken", reason: "http", http_status: 404, failures: 3 },
    ...{ failing_since: 1, asked_at: 2, due_at: 3 },
  };
  const change = { url: input.destination_url, was: { state: "failing", failing_since: 1 }, is } as const;
  const { stored, told } = await tellBroken(one.ctx, [change, { ...change, was: is }]);
  expect(stored).toHaveLength(2);
  await one.ctx.db.writeGuarded(told);
  for (let run = 0; run < 2; run++) await deliverEvents(silent.ctx);
  expect(receiver.received.at(-1)?.body).toMatchObject({ type: "link.broken", data: links[0] });
  expect(second.received.at(-1)?.body).toMatchObject({ type: "link.broken", data: links[1] });
  expect(receiver.received).toHaveLength(2);
});

it("of a destination of more workspaces than a run has statements for, the first ones are told", async () => {
  const hosts = network();
  const input = { destination_url: `https://www.example.com/${crypto.randomUUID()}` };
  const made = [await makeSilentWorkspace(), await makeSilentWorkspace(), await makeSilentWorkspace()];
  for (const { ctx } of made) {
    await makeReceiver(ctx, hosts, ["link.broken"]);
    await createLink(ctx, input);
  }
  const is: Health = {
    ...{ state: "broken", reason: "http", http_status: 404, failures: 3 },
    ...{ failing_since: 1, asked_at: 2, due_at: 3 },
  };
  const change = { url: input.destination_url, was: { state: "failing", failing_since: 1 }, is } as const;
  const told = async (statements: number) => {
    const [{ ctx }] = made as [(typeof made)[0]];
    const found = await tellBroken({ ...ctx, db: { ...ctx.db, statementsLeft: () => statements } }, [change]);
    return [found.stored.length, found.told.length];
  };
  expect([await told(14), await told(1_000)]).toEqual([
    [1, 4],
    [1, 6],
  ]);
  // Without room for one of them, the destination is asked again.
  expect(await told(10)).toEqual([0, 0]);
});

it("a tag that is deleted changes its links: one message says how many", async () => {
  const hosts = network();
  const { ws, ctx, clock } = await makeSilentWorkspace();
  const tag = await ws.tag();
  for (let number = 0; number < 3; number++) await createLink(ctx, { ...DESTINATION, tag_ids: [tag.id] });
  const receiver = await makeReceiver(ctx, hosts);
  await deleteTag(ctx, tag.id);
  await deleteTag(ctx, (await ws.tag()).id);
  clock.now += HOUR;
  await deliverEvents(ctx);
  expect(bodiesOf(receiver)).toMatchObject([{ type: "link.updated", data: { count: 3 } }]);
});

it("visits are told by link as they are added up, at most hourly on the free plan, each once", async () => {
  const hosts = network();
  const { ctx, clock } = await makeSilentWorkspace();
  const [one, other] = [await createLink(ctx, DESTINATION), await createLink(ctx, DESTINATION)];
  const hour = clock.now - (clock.now % HOUR);
  let batches = 0;
  const visitLinks = async (...counts: [id: string, clicks: number][]) => {
    const rows = counts.map(([id, clicks]) => [id, [[null, hour, clicks, 0, 0, 0, clock.now]], []]);
    await runSql`insert into visit_queue (batch, counts)
      values (${`01JZ${String(clock.now).slice(-8)}${String(batches++).padStart(14, "0")}`}, ${JSON.stringify(rows)})`;
    await applyAll(ctx);
  };
  await visitLinks([one.id, 9]);
  const from = clock.now;
  const receiver = await makeReceiver(ctx, hosts, ["visits.counted"]);
  await visitLinks([one.id, 2]);
  await visitLinks([one.id, 1], [other.id, 4]);
  await tellVisits(ctx);
  expect(await storedMessages(ctx)).toEqual([]);
  clock.now += HOUR;
  receiver.answer(status(500));
  await Promise.all([tellVisits(ctx), tellVisits(ctx)]);
  await deliverEvents(ctx);
  await visitLinks([other.id, 5]);
  const middle = clock.now;
  clock.now += HOUR;
  // What follows waits for it.
  await tellVisits(ctx);
  receiver.answer(ok);
  await deliverEvents(ctx);
  await tellVisits(ctx);
  await deliverEvents(ctx);
  const visitsOf = (link: { id: string; short_url: string }, clicks: number) => ({
    ...{ id: link.id, short_url: link.short_url, clicks, scans: 0 },
  });
  const [first, second, ...more] = receiver.received.slice(1).map(({ body }) => body);
  const sorted = [visitsOf(one, 3), visitsOf(other, 4)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(first).toMatchObject({
    type: "visits.counted",
    data: { from: new Date(from).toISOString(), to: new Date(middle).toISOString(), links: sorted },
  });
  expect(second.data).toMatchObject({ from: first.data.to, links: [visitsOf(other, 5)] });
  expect(more).toEqual([]);
  expect(await selectRows`select * from untold_visits`).toEqual([]);
});

it("visits of links that are not stored any more stop nobody from hearing of others", async () => {
  const hosts = network();
  const told = [];
  for (let number = 0; number < 4; number++) {
    const { ctx, clock } = await makeSilentWorkspace();
    clock.now -= 4 - number;
    const receiver = await makeReceiver(ctx, hosts, ["visits.counted"]);
    const link = await createLink(ctx, DESTINATION);
    // The first three are read first.
    await runSql`insert into untold_visits (workspace_id, receiver_id, link, clicks, scans)
      select workspace_id, id, ${number < 3 ? "01GONE" : link.id}, 1, 0 from receivers where public_id = ${receiver.id}`;
    told.push({ ctx, clock, receiver });
  }
  const [last] = told.slice(-1);
  if (last === undefined) throw new Error("no workspace");
  last.clock.now += HOUR;
  for (let run = 0; run < 2; run++) await tellVisits(last.ctx);
  await deliverEvents(last.ctx);
  expect(told.map(({ receiver }) => receiver.received.length)).toEqual([0, 0, 0, 1]);
  expect(await selectRows`select * from untold_visits`).toEqual([]);
});

it("two thousand links are told with few rows, the others by the next run", async () => {
  const { ctx, clock } = await makeSilentWorkspace();
  const receiver = await makeReceiver(ctx, network(), ["visits.counted"]);
  await runSql`insert into untold_visits (workspace_id, receiver_id, link, clicks, scans)
    with recursive n(i) as (select 1000 union all select i + 1 from n where i < 3499)
    select workspace_id, id, '01GONE' || i, 1, 0 from receivers cross join n where public_id = ${receiver.id}`;
  clock.now += HOUR;
  const meter = newMeter();
  await tellVisits({ ...ctx, db: createDatabase(env.DB, meter) });
  expect(await selectRows`select * from untold_visits`).toHaveLength(500);
  expect(meter.rowsRead).toBeLessThan(30_000);
});

it("messages are gone after seven days, also those that wait", async () => {
  const { ctx, clock } = await makeSilentWorkspace();
  await makeReceiver(ctx, network());
  await createLink(ctx, DESTINATION);
  clock.now += 7 * 24 * HOUR - 1;
  await removeExpired(ctx);
  expect(await storedMessages(ctx)).toHaveLength(1);
  clock.now += 2;
  await removeExpired(ctx);
  expect(await storedMessages(ctx)).toEqual([]);
});
