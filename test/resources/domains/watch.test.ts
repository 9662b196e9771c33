import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { addDomain, checkDomain, listDomains } from "../../../src/resources/domains/domain-service";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { watchDomains } from "../../../src/resources/domains/watch";
import { suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { makeWorkspace, serviceContext, testEnv } from "../../harness";
import { runSql, selectRows } from "../../sql";

const hostname = () => `d${crypto.randomUUID().slice(0, 8)}.acme.example`;

/** The hosts that answer with the mark of this installation, and all that were asked. */
const answering = new Set<string>();
const asked: string[] = [];

beforeEach(async () => {
  await runSql`update domains set removed_at = 0, is_primary = 0`;
  answering.clear();
  asked.length = 0;
  vi.stubGlobal("fetch", async (url: string) => {
    const { host } = new URL(url);
    asked.push(host);
    return Response.json({ installation: answering.has(host) ? "waymark" : "another" });
  });
});
afterEach(() => vi.unstubAllGlobals());

it("a verified host that answers becomes active, and one that does not stays", async () => {
  const ws = await makeWorkspace();
  const [here, elsewhere, pending] = [hostname(), hostname(), hostname()];
  for (const host of [here, elsewhere]) await addDomain(ws.ctx, host, true);
  await addDomain(ws.ctx, pending, false);
  answering.add(here);
  expect(await watchDomains(serviceContext())).toEqual({ asked: 2, activated: 1, failing: 0 });
  expect(asked.toSorted()).toEqual([elsewhere, here].toSorted());
  const states = new Map((await listDomains(ws.ctx)).map(({ host, state }) => [host, state]));
  expect([here, elsewhere, pending].map((host) => states.get(host))).toEqual([
    "active",
    "verified",
    "pending",
  ]);
  const audited = await selectRows`select actor, action, subject from audit_log
    where workspace_id = ${ws} order by id desc limit 1`;
  expect(audited[0]).toEqual({
    actor: "operator",
    action: "domain.check",
    subject: here,
  });
});

it("a host that became active while the job asked it stays active", async () => {
  const ws = await makeWorkspace();
  const host = hostname();
  await addDomain(ws.ctx, host, true);
  vi.stubGlobal("fetch", async () => {
    await runSql`update domains set state = 'active' where host = ${host}`;
    return Response.json({ installation: "another" });
  });
  await watchDomains(serviceContext());
  expect((await listDomains(ws.ctx))[0]).toMatchObject({ state: "active", failing_since: null });
});

it("an active host that does not answer twice is shown with the first time, until it answers again", async () => {
  const ws = await makeWorkspace();
  const clock = { now: Date.UTC(2026, 10, 22, 3, 17) };
  const ctx = { ...serviceContext(), now: () => clock.now };
  const host = hostname();
  await addDomain(ws.ctx, host, true);
  answering.add(host);
  await watchDomains(ctx);
  const shown = async () => (await listDomains(ws.ctx))[0];
  expect(await shown()).toMatchObject({ state: "active", failing_since: null });
  answering.clear();
  asked.length = 0;
  expect(await watchDomains(ctx)).toEqual({ asked: 1, activated: 0, failing: 1 });
  expect(asked).toEqual([host, host]);
  clock.now += 86_400_000;
  await watchDomains(ctx);
  expect(await checkDomain(ws.ctx, host)).toMatchObject({
    state: "active",
    failing_since: "2026-11-22T03:17:00.000Z",
  });
  answering.add(host);
  expect(await watchDomains(ctx)).toEqual({ asked: 1, activated: 0, failing: 0 });
  expect(await shown()).toMatchObject({ failing_since: null });
});

it("a run has the calls that the free plan allows, and the next one begins with the hosts that are left", async () => {
  const all: string[] = [];
  for (let workspaces = 0; workspaces < 3; workspaces++) {
    const ws = await makeWorkspace();
    for (let made = 0; made < 20; made++) all.push((await addDomain(ws.ctx, hostname(), true)).host);
  }
  await runSql`update domains set state = 'active' where removed_at is null`;
  const runs = [];
  for (let run = 0; run < 3; run++) {
    const before = asked.length;
    await watchDomains(serviceContext());
    runs.push(asked.length - before);
  }
  expect(runs).toEqual([48, 48, 48]);
  expect(new Set(asked)).toEqual(new Set(all));
  for (const host of all) answering.add(host);
  asked.length = 0;
  await watchDomains(serviceContext({ ...testEnv, CLOUDFLARE_PLAN: "paid" }));
  expect(asked).toHaveLength(60);
});

it("hosts of suspended workspaces, removed ones, those of a run without statements and local ones are not asked", async () => {
  const [ws, suspended] = [await makeWorkspace(), await makeWorkspace()];
  for (const own of [ws, suspended]) await addDomain(own.ctx, hostname(), true);
  await removeDomain(ws.ctx, (await addDomain(ws.ctx, hostname(), true)).host);
  await suspendWorkspace(serviceContext(), suspended.slug);
  const ctx = serviceContext();
  await watchDomains({ ...ctx, db: { ...ctx.db, statementsLeft: () => 3 } });
  await watchDomains({ ...ctx, config: { ...ctx.config, isLocal: true } });
  expect(asked).toEqual([]);
  expect(await watchDomains(ctx)).toMatchObject({ asked: 1 });
});
