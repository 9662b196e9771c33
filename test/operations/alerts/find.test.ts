import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApiKey, revokeApiKey, rotateApiKey } from "../../../src/access/keys";
import { deliverAlerts } from "../../../src/operations/alerts/deliver";
import { findAlerts } from "../../../src/operations/alerts/find-alerts";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { writeDueSlugs } from "../../../src/redirect/slugs/kv-writer";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { updateLink } from "../../../src/resources/links/update-link";
import { resumeWorkspace, suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { kvFails, withKv } from "../../faulty";
import { makeWorkspace, SHORT } from "../../harness";
import { runSql } from "../../sql";
import { alertContext, quiet, receiver, status, storedAlerts } from "./receiver";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(quiet);
afterEach(() => vi.unstubAllGlobals());

const textsOf = async (kind: string) => (await storedAlerts(kind)).map(({ text }) => text);

describe("a workspace at 90 % of its link limit", () => {
  const KIND = "workspace.link_limit";
  const setLimit = (id: string, limit: number) =>
    env.DB.prepare("update workspaces set link_limit = ? where public_id = ?").bind(limit, id).run();

  it("is told once in 30 days, and with another limit", async () => {
    const { ctx, clock } = alertContext();
    const ws = await makeWorkspace({ linkLimit: 10 });
    const { name, id } = ws.ctx.workspace;
    for (let made = 0; made < 8; made++) await ws.link();
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    const { id: ninth } = await ws.link();
    await Promise.all([findAlerts(ctx), findAlerts(ctx)]);
    await ws.link();
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    const told = [`The workspace "${name}" has 9 of at most 10 links.`];
    expect(await storedAlerts(KIND)).toMatchObject([
      { text: told[0], facts: '{"links":9,"link_limit":10}', key: `${KIND}:${id}:10` },
    ]);

    await ws.call("DELETE", `/api/v1/links/${ninth}`);
    await ws.link();
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    clock.now += 31 * DAY;
    await deliverAlerts({ ...ctx, config: { ...ctx.config, alertWebhook: null } });
    await findAlerts(ctx);
    expect(await textsOf(KIND)).toEqual([`The workspace "${name}" has 10 of at most 10 links.`]);

    await setLimit(id, 9);
    expect(await findAlerts(ctx)).toEqual({ found: 1 });
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    await setLimit(id, 100);
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    expect((await textsOf(KIND)).at(-1)).toBe(`The workspace "${name}" has 10 of at most 9 links.`);
  });

  it("is not told if it is suspended or its limit is 0", async () => {
    const { ctx } = alertContext();
    const ws = await makeWorkspace({ linkLimit: 1 });
    await makeWorkspace({ linkLimit: 0 });
    await ws.link();
    await suspendWorkspace(ctx, ws.slug);
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    await resumeWorkspace(ctx, ws.slug);
    expect(await findAlerts(ctx)).toEqual({ found: 1 });
  });

  it("is found by the next run if more than ten are", async () => {
    const { ctx } = alertContext();
    for (let made = 0; made < 12; made++) await (await makeWorkspace({ linkLimit: 1 })).link();
    expect(await findAlerts(ctx)).toEqual({ found: 10 });
    expect(await findAlerts(ctx)).toEqual({ found: 2 });
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    expect(new Set((await storedAlerts(KIND)).map(({ key }) => key)).size).toBe(12);
  });
});

describe("an API key", () => {
  const KIND = "key.expires";

  it("that expires within seven days is told once, without the key", async () => {
    const { ctx, clock } = alertContext();
    const ws = await makeWorkspace();
    const expiresAt = clock.now + 8 * DAY;
    const { key, id, last4 } = await createApiKey(ws.ctx, { name: "website <build>", expires_at: expiresAt });
    await createApiKey(ws.ctx, { name: "for ever" });
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    clock.now += DAY;
    await Promise.all([findAlerts(ctx), findAlerts(ctx)]);
    clock.now += 6 * DAY;
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    const [alert, ...others] = await storedAlerts(KIND);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      key: `${KIND}:${id}:${expiresAt}`,
      text: `The API key "website <build>" (ends in ${last4}) of the workspace "${ws.ctx.workspace.name}" expires on 2026-11-30 09:30 UTC.`,
    });
    expect(JSON.parse(alert?.facts ?? "")).toEqual({
      key: id,
      name: "website <build>",
      last4,
      expires_at: "2026-11-30T09:30:00.000Z",
      last_used_at: null,
    });
    expect(JSON.stringify(alert)).not.toContain(key.slice(4, 20));
  });

  it("is not told if it is revoked, has expired or its workspace is suspended", async () => {
    const { ctx, clock } = alertContext();
    const ws = await makeWorkspace();
    const suspended = await makeWorkspace();
    const soon = { name: "soon", expires_at: clock.now + DAY };
    await revokeApiKey(ws.ctx, (await createApiKey(ws.ctx, soon)).id);
    await createApiKey(ws.ctx, { name: "over", expires_at: clock.now });
    await createApiKey(suspended.ctx, soon);
    await suspendWorkspace(ctx, suspended.slug);
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    await resumeWorkspace(ctx, suspended.slug);
    expect(await findAlerts(ctx)).toEqual({ found: 1 });
  });

  it("is told again if its expiry changes", async () => {
    const { ctx, clock } = alertContext();
    const ws = await makeWorkspace();
    const at = { ...ws.ctx, now: () => clock.now };
    const { id } = await createApiKey(at, { name: "build", expires_at: clock.now + 3 * DAY });
    expect(await findAlerts(ctx)).toEqual({ found: 1 });
    await rotateApiKey(at, id, { overlap_hours: 24, expires_at: null });
    expect(await findAlerts(ctx)).toEqual({ found: 1 });
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
  });
});

const setFailing = (host: string, since: number | null) =>
  env.DB.prepare("update domains set state = 'active', failing_since = ? where host = ?")
    .bind(since, host)
    .run();

it("a domain that has stopped to answer is told once for each failure, and not of a suspended workspace or once it is removed", async () => {
  const { ctx, clock } = alertContext();
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `${ws.slug}.acme.example`, true);
  expect(await findAlerts(ctx)).toEqual({ found: 0 });
  await setFailing(host, clock.now);
  await suspendWorkspace(ctx, ws.slug);
  expect(await findAlerts(ctx)).toEqual({ found: 0 });
  await resumeWorkspace(ctx, ws.slug);
  await Promise.all([findAlerts(ctx), findAlerts(ctx)]);
  expect(await findAlerts(ctx)).toEqual({ found: 0 });
  const text = `The domain ${host} of the workspace "${ws.ctx.workspace.name}" has not led to this service since 2026-11-22 09:30 UTC.`;
  const facts = JSON.stringify({ host, failing_since: "2026-11-22T09:30:00.000Z" });
  expect(await storedAlerts("domain.failing")).toMatchObject([{ text, facts }]);

  await setFailing(host, null);
  expect(await findAlerts(ctx)).toEqual({ found: 0 });
  await setFailing(host, clock.now + DAY);
  expect(await findAlerts(ctx)).toEqual({ found: 1 });
  await setFailing(host, clock.now + 2 * DAY);
  await removeDomain(ws.ctx, host);
  expect(await findAlerts(ctx)).toEqual({ found: 0 });
});

describe("pushes to KV", () => {
  const KIND = "pushes.overdue";
  const setDue = (slug: string, at: number) =>
    env.DB.prepare("update slugs set push_at = ?, rev = rev + 1 where key = ?").bind(at, slug).run();

  it("that are overdue by ten minutes are told once, and again when others are", async () => {
    const { ctx, clock } = alertContext();
    const ws = await makeWorkspace();
    const link = await ws.link();
    const { host } = new URL(SHORT);
    await setDue(link.slug, clock.now);
    clock.now += 10 * MINUTE - 1;
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    clock.now += 1;
    await Promise.all([findAlerts(ctx), findAlerts(ctx)]);
    clock.now += DAY;
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    const text = `On ${host}, 1 slug should have been written to KV at least ten minutes ago, the oldest at 2026-11-22 09:30 UTC.`;
    expect(await storedAlerts(KIND)).toMatchObject([
      { text, key: `${KIND}:${Date.parse("2026-11-22T09:00:00Z")}` },
    ]);

    await writeDueSlugs(ctx);
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    await setDue(link.slug, clock.now - 10 * MINUTE);
    expect(await findAlerts(ctx)).toEqual({ found: 1 });
    expect(await findAlerts(ctx)).toEqual({ found: 0 });
    expect(await storedAlerts(KIND)).toHaveLength(2);
  });

  it("are counted up to 1,000", async () => {
    const { ctx, clock } = alertContext();
    const ws = await makeWorkspace();
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 1000)
       insert into slugs (key, workspace_id, rev, push_at, created_at)
       select ? || printf('-%06d', i), ?, 2, ?, 0 from n`,
    )
      .bind(ws.slug, ws.ctx.workspace.rowId, clock.now - DAY)
      .run();
    await env.DB.prepare("update workspaces set slug_claims = 1001 where id = ?")
      .bind(ws.ctx.workspace.rowId)
      .run();
    await findAlerts(ctx);
    expect(await textsOf(KIND)).toEqual([
      expect.stringContaining(", more than 1,000 slugs should have been written to KV"),
    ]);
    expect(JSON.parse((await storedAlerts(KIND))[0]?.facts ?? "")).toEqual({
      due: 1_000,
      at_least: true,
      oldest_due_at: "2026-11-21T09:30:00.000Z",
    });
  });
});

it("a takedown that KV has not taken within two minutes is told once, whatever has changed since, and no other change", async () => {
  const { ctx, clock } = alertContext();
  const ws = await makeWorkspace();
  const [link, deleted] = [await ws.link(), await ws.link()];
  const { KV } = withKv({ put: kvFails, delete: kvFails });
  await takeDown({ ...ctx, kv: KV }, link.id);
  const at = clock.now;
  await runSql`update slugs set push_at = 0, doubt_until = ${1e14 + at} where key = ${deleted.slug}`;
  clock.now += MINUTE;
  await updateLink({ ...ws.ctx, kv: KV, now: ctx.now }, link.id, { utm_term: "a" });
  await suspendWorkspace({ ...ctx, kv: KV }, ws.slug);
  clock.now += MINUTE - 1;
  expect(await findAlerts(ctx)).toEqual({ found: 0 });
  clock.now += 1;
  await Promise.all([findAlerts(ctx), findAlerts(ctx)]);
  expect(await storedAlerts("takedown.late")).toMatchObject([
    {
      key: `takedown.late:${at}`,
      text: expect.stringContaining("KV has not taken the takedown of 1 slug since"),
    },
  ]);
  await writeDueSlugs({ ...ctx, kv: env.KV, now: Date.now });
  await runSql`update slugs set push_at = null, doubt_until = null`;
});

it("names that people typed reach the chats without effect", async () => {
  const { ctx, clock } = alertContext();
  const messages = receiver(status(200));
  const ws = await makeWorkspace();
  const name = "<!channel> @everyone [log in](https://evil.example) ||";
  await createApiKey(ws.ctx, { name, expires_at: clock.now + DAY });
  await findAlerts(ctx);
  clock.now += 5 * MINUTE;
  await deliverAlerts(ctx);
  const [{ body } = { body: {} }] = messages;
  expect(body.text).toContain("&lt;!channel&gt; @\u200beveryone [log in]\u200b(https://evil.example) ||");
  expect(body.content).toContain(
    "\\<!channel\\> @\u200beveryone \\[log in\\]\\(https://evil.example\\) \\|\\|",
  );
  expect(body.allowed_mentions).toEqual({ parse: [] });
  expect(body.data.events[0].facts.name).toBe(name);
});

it("a database that is nearly full is told at 70 and at 90 %, once each in 30 days", async () => {
  const { ctx, clock } = alertContext();
  let bytes = 0;
  const of = (megabytes: number) => {
    bytes = megabytes * 1e6;
    return { ...ctx, db: { ...ctx.db, bytes: () => bytes } };
  };
  const maximum = ctx.config.maxDatabaseBytes / 1e6;
  expect(await findAlerts(of(0.69 * maximum))).toEqual({ found: 0 });
  expect(await findAlerts(of(0.7 * maximum))).toEqual({ found: 1 });
  expect(await findAlerts(of(0.71 * maximum))).toEqual({ found: 0 });
  expect(await findAlerts(of(0.93 * maximum))).toEqual({ found: 1 });
  expect(await findAlerts(of(0.95 * maximum))).toEqual({ found: 0 });
  expect(await textsOf("database.size")).toEqual([
    "The database has 350 MB, more than 70 % of the 500 MB that the plan allows.",
    "The database has 465 MB, more than 90 % of the 500 MB that the plan allows.",
  ]);
  expect(await findAlerts(of(0.8 * maximum))).toEqual({ found: 0 });
  clock.now += 31 * DAY;
  await deliverAlerts({ ...ctx, config: { ...ctx.config, alertWebhook: null } });
  expect(await findAlerts(of(0.9 * maximum))).toEqual({ found: 2 });
});
