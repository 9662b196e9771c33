import { afterEach, describe, expect, it, vi } from "vitest";
import { MINUTE_JOBS, startCrons } from "../../src/cli/crons";
import { openPlatform, type PlatformOptions } from "../../src/cli/platform";
import { JOBS } from "../../src/operations/schedule";
import { overriding } from "../overriding";
import { localOfFile } from "./local";
import { runMain, until } from "./terminal";

const local = localOfFile();

afterEach(() => void vi.useRealTimers());

const opening = (db: D1Database) => (options: PlatformOptions) =>
  openPlatform(options, async () => ({ env: { ...local.env, DB: db }, dispose: async () => undefined }));

/** Creates work for the jobs: a slug due for a push, and a day whose active links are not stored. */
async function leaveWork(): Promise<void> {
  await local.json("demo");
  await local.env.DB.batch([
    local.env.DB.prepare("update slugs set push_at = 0 where key = 'summer'"),
    local.env.DB.prepare("delete from active_link_days"),
  ]);
  await local.env.KV.delete("1:summer");
}

/** Which of that work is done. */
async function workDone() {
  const [due, days] = await local.env.DB.batch<{ count: number }>([
    local.env.DB.prepare("select count(*) as count from slugs where key = 'summer' and push_at is not 0"),
    local.env.DB.prepare("select count(*) as count from active_link_days"),
  ]);
  return { pushed: due?.results[0]?.count === 1, counted: days?.results[0]?.count !== 0 };
}

const becomes = (isSo: () => Promise<boolean>) =>
  until(
    () => "it did not happen",
    30,
    async () => (await isSo()) || undefined,
  );

/** D1 that fails every batch whose SQL contains a word. */
const refusing = (word: string, message = "D1_ERROR: no such column: frob: SQLITE_ERROR"): D1Database =>
  overriding(local.env.DB, {
    batch: async (statements: (D1PreparedStatement & { statement: string })[]) => {
      if (statements.some(({ statement }) => statement.includes(word))) throw new Error(message);
      return local.env.DB.batch(statements);
    },
  });

describe("cron run", () => {
  it("runs the jobs of every minute, or with --daily the daily jobs, and reports their counts", async () => {
    await leaveWork();
    const { jobs } = await local.json("cron run");
    expect(jobs.map(({ job }: { job: string }) => job)).toEqual([
      ...Object.keys(MINUTE_JOBS),
      "probeDestinations",
    ]);
    expect(jobs.at(-1).did).toBe("left to the deployed Worker");
    const { did } = jobs.find(({ job }: { job: string }) => job === "sweep");
    expect(did).toEqual({ pushed: expect.any(Number), failed: 0 });
    expect(did.pushed).toBeGreaterThan(0);
    expect((await workDone()).pushed).toBe(true);
    expect((await workDone()).counted).toBe(false);

    const daily = await local.json("cron run --daily");
    expect(daily.jobs.map(({ job }: { job: string }) => job)).toEqual(Object.keys(JOBS.day));
    expect((await workDone()).counted).toBe(true);
  });

  it("prints one line for each job without --json", async () => {
    const { out } = await local.admin("cron run");
    expect(out).toMatch(/^sweep +pushed \d+, failed 0$/m);
  });

  it("reports a failed job, runs the others, and exits with 1", async () => {
    await leaveWork();
    const { code, out, err } = await runMain(
      ["cron", "run"],
      opening(refusing('delete from "idempotency_keys"')),
    );
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^(?:Error: )?removeExpired: failed: .*no such column: frob/m);
    expect(err.split("\n").filter((line) => line.includes("failed:"))).toHaveLength(1);
    expect((await workDone()).pushed).toBe(true);
  });

  it("leaves the jobs that queue or send alerts to the deployed Worker with --remote", async () => {
    await leaveWork();
    await local.env.DB.prepare(
      "insert into messages (receiver_id, event, kind, data, created_at, due_at) values (0, 'a', 'test', '{}', 0, 0)",
    ).run();
    const open = (options: PlatformOptions) => opening(local.env.DB)({ ...options, remote: false });
    const { out } = await runMain(["cron", "run", "--remote", "--json"], open);
    const { jobs } = JSON.parse(out);
    const left = jobs.slice(Object.keys(JOBS.minute).length);
    expect(left.map(({ job }: { job: string }) => job)).toEqual([
      ...["followDates", "checkDestinations", "findAlerts", "deliverAlerts"],
      ...["continueImports", "probeDestinations"],
    ]);
    for (const { did } of left) expect(did).toBe("left to the deployed Worker");
    expect((await workDone()).pushed).toBe(true);
    expect(
      await local.env.DB.prepare("select due_at, outcome from messages where event = 'a'").all(),
    ).toMatchObject({
      results: [{ due_at: 0, outcome: null }],
    });
    await local.env.DB.prepare("delete from messages").run();
  });
});

describe("the crons of npm run dev", () => {
  const start = async (db: D1Database, told: string[] = []) => {
    const { ctx } = await opening(db)({ remote: false, persistTo: local.state });
    startCrons(ctx, (line) => told.push(line));
    return told;
  };

  it("run all jobs at the start, then the jobs of every minute", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    await leaveWork();
    const told = await start(local.env.DB);
    await becomes(async () => (await workDone()).counted && (await workDone()).pushed);
    await leaveWork();
    await becomes(async () => {
      // A run is skipped while the one before it is not over.
      await vi.advanceTimersByTimeAsync(60_000);
      return (await workDone()).pushed;
    });
    expect((await workDone()).counted).toBe(false);
    expect(told).toEqual([]);
  });

  it("report a failure once for each run", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const told = await start(refusing('insert into "active_link_days"'));
    await becomes(async () => told.length > 0);
    expect(told).toEqual([
      expect.stringMatching(/^The job recordActiveLinks failed: .*no such column: frob/),
    ]);
  });

  it("do not report a busy database as a failure", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const db = refusing(
      'insert into "active_link_days"',
      "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
    );
    await leaveWork();
    const told = await start(db);
    await becomes(async () => (await workDone()).pushed);
    expect(told).toEqual([]);
  });
});
