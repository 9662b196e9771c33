import {
  createExecutionContext,
  createScheduledController,
  env,
  waitOnExecutionContext,
} from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/context";
import worker from "../../src/worker";
import { kvFails, withKv } from "../faulty";
import { makeWorkspace, testEnv, visit } from "../harness";

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function runCron(cron = "* * * * *", environment: Env = testEnv): Promise<void> {
  const execution = createExecutionContext();
  await worker.scheduled(
    createScheduledController({ cron, scheduledTime: Date.now() }),
    environment,
    execution,
  );
  await waitOnExecutionContext(execution);
}

const slugRow = (slug: string) =>
  env.DB.prepare("select rev, pushed_rev, push_at from slugs where key = ?").bind(slug.toLowerCase()).first();

const kvTarget = async (slug: string) => JSON.parse((await env.KV.get(slug.toLowerCase())) ?? "{}").target;

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

/** A link with an outdated entry in KV, since its change could not be pushed. */
async function behind() {
  const ws = await makeWorkspace();
  const link = await ws.link({ destination_url: OLD });
  await visit(`/${link.slug}`);
  const change = { body: { destination_url: NEW }, env: withKv({ put: kvFails }) };
  await ws.call("PATCH", `/api/v1/links/${link.id}`, change);
  return { ws, link, slug: link.slug };
}

describe("the sweep", () => {
  it("pushes slugs whose push failed, again after 35 seconds, and then stops", async () => {
    const { slug } = await behind();
    expect(await kvTarget(slug)).toBe(OLD);
    await runCron();
    expect(await kvTarget(slug)).toBe(NEW);
    const now = Date.now();
    expect(await slugRow(slug)).toEqual({ rev: 2, pushed_rev: 2, push_at: now + 35_000 });

    await env.KV.put(slug.toLowerCase(), "a fill that landed late");
    await runCron();
    expect(await env.KV.get(slug.toLowerCase())).toBe("a fill that landed late");
    pass(36);
    await runCron();
    expect(await kvTarget(slug)).toBe(NEW);
    expect(await slugRow(slug)).toEqual({ rev: 2, pushed_rev: 2, push_at: null });
  });
});
