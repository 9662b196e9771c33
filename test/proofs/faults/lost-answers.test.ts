import { env } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendLimited } from "../../../src/access/mail";
import { addMember } from "../../../src/access/members";
import {
  askForWeeklyReport,
  startWeeklyReport,
  stopWeeklyReport,
  takeDueReport,
} from "../../../src/access/weekly-report";
import { parseConfig } from "../../../src/config";
import { createDatabase } from "../../../src/db/client";
import { DAY_MS } from "../../../src/lib/time";
import { deliverAlerts } from "../../../src/operations/alerts/deliver";
import { queueAlerts } from "../../../src/operations/alerts/queue-alerts";
import { probeDestinations } from "../../../src/operations/health/health-job";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { finishReleases, releaseDomain } from "../../../src/resources/domains/release-domain";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { losingEachAnswer, type Sent, withBatch } from "../../faulty";
import { API, hurry, makeWorkspace, serviceContext, type TestWorkspace } from "../../harness";
import { mailbox } from "../../mailbox";
import { alertContext, quiet, receiver, status, storedAlerts } from "../../operations/alerts/receiver";

// What is written without an audit entry, while D1 loses the answer of each batch.

const lossy = () => createDatabase(losingEachAnswer().DB);

beforeEach(() => void hurry());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const claimsOf = async ({ ctx }: TestWorkspace) =>
  env.DB.prepare("select slug_claims from workspaces where id = ?")
    .bind(ctx.workspace.rowId)
    .first<number>("slug_claims");

/** A workspace with three slugs on the short host and three on a host that it has removed. */
async function withRemovedHost() {
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, `d${crypto.randomUUID().slice(0, 8)}.example`, true);
  for (let number = 0; number < 3; number++) {
    const { id } = await ws.link({ domain: host });
    await ws.call("PATCH", `/api/v1/links/${id}`, { body: { domain: "s.example" } });
  }
  await removeDomain(ws.ctx, host);
  expect(await claimsOf(ws)).toBe(6);
  return { ws, host };
}

/** What the job does within some minutes: KV shows nothing of the host any more. */
const endDoubts = (host: string) =>
  env.DB.prepare("update slugs set push_at = null, doubt_until = null where domain = ?").bind(host).run();

it("a release takes the slugs of a host from its workspace once", async () => {
  const { ws, host } = await withRemovedHost();
  await releaseDomain({ ...serviceContext(), db: lossy() }, host);
  expect(await claimsOf(ws)).toBe(6);
  await endDoubts(host);
  await finishReleases({ ...serviceContext(), db: lossy() });
  expect(await claimsOf(ws)).toBe(3);
});

it("a release by the operator beside the schedule takes the slugs once", async () => {
  const { ws, host } = await withRemovedHost();
  let isOvertaken = false;
  const { DB } = withBatch((send) => async (statements) => {
    const isEnd = (statements as Sent[]).some(({ statement }) => statement.startsWith("delete from"));
    if (isEnd && !isOvertaken) {
      isOvertaken = true;
      await finishReleases(serviceContext());
    }
    return send(statements);
  });
  await releaseDomain(serviceContext(), host);
  await endDoubts(host);
  await finishReleases({ ...serviceContext(), db: createDatabase(DB) });
  expect([isOvertaken, await claimsOf(ws)]).toEqual([true, 3]);
});

async function withReader() {
  const { ctx } = await makeWorkspace();
  const email = `${crypto.randomUUID()}@people.example`;
  await addMember(ctx, { email, role: "viewer" });
  await askForWeeklyReport({ ...ctx, db: lossy() }, email);
  const asked = await env.DB.prepare("select report_token from members where email = ?")
    .bind(email)
    .first<string>("report_token");
  const token = asked?.replace(/^ask:/, "") ?? "";
  expect(await startWeeklyReport({ ...ctx, db: lossy() }, token)).toBe(true);
  return { ctx, email, token };
}

it("a weekly report is taken by one run, and comes again after a week", async () => {
  const { ctx, token } = await withReader();
  const own = { ...ctx, db: lossy() };
  expect([await takeDueReport(own, token), await takeDueReport(own, token)]).toEqual([true, false]);
  const inAWeek = { ...own, now: () => Date.now() + 7 * DAY_MS };
  const [one, other] = await Promise.all([takeDueReport(inAWeek, token), takeDueReport(inAWeek, token)]);
  expect([one, other].toSorted()).toEqual([false, true]);
});

it("a weekly report that is stopped is stopped", async () => {
  const { ctx, token } = await withReader();
  expect(await stopWeeklyReport({ ...ctx, db: lossy() }, token)).toBe(true);
  expect(await stopWeeklyReport(ctx, token)).toBe(false);
});

it("a mail is sent, and counts once", async () => {
  const { ctx, email } = await withReader();
  const { mails, env: withMail } = mailbox();
  const own = { ...ctx, config: parseConfig(withMail, API), db: lossy() };
  const compose = async () => ({ subject: "A subject", text: "A text" });
  for (let mail = 1; mail <= 6; mail++) expect(await sendLimited(own, email, compose)).toBe(mail <= 5);
  expect(mails).toHaveLength(5);
});

it("an alert that is claimed is sent, at the first try", async () => {
  await quiet();
  const { ctx, clock } = alertContext();
  const own = { ...ctx, db: lossy() };
  await own.db.writeGuarded(
    queueAlerts(ctx, [{ key: "a", kind: "test", workspaceId: null, text: "An event", facts: {} }]),
  );
  clock.now += 300_000;
  const messages = receiver(status(200));
  expect(await deliverAlerts(own)).toEqual({ delivered: 1, failed: 0 });
  expect([messages.length, (await storedAlerts()).map(({ tries }) => tries)]).toEqual([1, [1]]);
});

it("a destination whose domain is claimed is asked", async () => {
  const ws = await makeWorkspace();
  await ws.link({ destination_url: `https://${crypto.randomUUID()}.example/` });
  vi.stubGlobal("fetch", async () => new Response(null, { status: 200 }));
  const ctx = { ...serviceContext(), db: lossy() };
  const { found, asked } = await probeDestinations({ ...ctx, config: { ...ctx.config, healthCheck: true } });
  expect([found > 0, asked > 0]).toEqual([true, true]);
});
