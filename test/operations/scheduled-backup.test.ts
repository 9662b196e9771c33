import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "../../src/context";
import { createDatabase } from "../../src/db/client";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/lib/time";
import { backupLines } from "../../src/operations/backup/back-up";
import { verifyFile } from "../../src/operations/backup/backup-format";
import { describeLastBackup, lastBackup, listBackups } from "../../src/operations/backup/last-backup";
import { continueBackup, startBackup } from "../../src/operations/backup/scheduled-backup";
import { blockHost } from "../../src/resources/destinations/blocklist";
import { createWorkspace } from "../../src/resources/workspaces/workspace-service";
import { serviceContext, testEnv } from "../harness";
import { rowsLeft, sealed, sourceOf } from "./backup/backups";
import { emptied } from "./backup/database";

const bucket = env.TEST_BACKUPS;
const NOW = Date.UTC(2026, 10, 30, 3, 17);

/** The database with so many entries of the audit log, each with so many bytes. */
async function fill(entries: number, bytes = 100): Promise<void> {
  const statement = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
    insert into audit_log (operation_id, actor, action, subject, before, at)
    select 'op' || i || '.' || ?2, 'operator', 'host.block', 'h' || i, hex(zeroblob(?2)), i from n`;
  await env.BACKED_UP.prepare(statement)
    .bind(entries, Math.ceil(bytes / 2))
    .run();
}

/** The context of a run a minute later than the last one. */
let now = NOW;
function run(own: Partial<ServiceContext> = {}, statements = Number.POSITIVE_INFINITY): ServiceContext {
  now += MINUTE_MS;
  const at = now;
  const ctx = serviceContext({ ...testEnv, DB: env.BACKED_UP, ALERT_WEBHOOK: "https://alerts.example/" });
  const db = { ...createDatabase(env.BACKED_UP), statementsLeft: () => statements };
  return { ...ctx, db, backups: bucket, now: () => at, ...own };
}

/** Goes on until the backup is written. Returns the number of runs. */
async function finish(context: () => ServiceContext = run): Promise<number> {
  for (let runs = 0; ; runs++) if ((await continueBackup(context())).backup === null) return runs;
}

async function linesOf(name: string): Promise<string[]> {
  const text = await (await bucket.get(name))?.text();
  return (text ?? "").split("\n").slice(0, -1);
}

const failing = (method: string, takesEffect: boolean, name: RegExp = /./): R2Bucket => {
  let isDone = false;
  const broken = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (own, key) => {
        const value = Reflect.get(own, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          const call = () => Reflect.apply(value, own, args);
          if (key === "resumeMultipartUpload") return broken(call());
          if (key !== method || isDone || (typeof args[0] === "string" && !name.test(args[0]))) return call();
          isDone = true;
          if (!takesEffect) return Promise.reject(new Error("R2 fails"));
          return call().then(() => Promise.reject(new Error("R2's answer is lost")));
        };
      },
    });
  return broken(bucket);
};

beforeEach(async () => {
  now = NOW;
  const { objects } = await bucket.list();
  for (const { key } of objects) await bucket.delete(key);
  await emptied(env.BACKED_UP);
  await createWorkspace(run(), { name: "Acme", slug: "acme" });
});

describe("a scheduled backup", () => {
  it("is nothing without a bucket", async () => {
    const { backups: _, ...without } = run();
    expect(await startBackup(without)).toEqual({ started: false });
    expect(await continueBackup(without)).toEqual({ backup: null });
    expect(await describeLastBackup(without)).toBeNull();
  });

  it("is written in portions, is what a command writes, and ends with `/health` naming it", async () => {
    await fill(2_600);
    expect(await startBackup(run())).toEqual({ started: true });
    expect(await describeLastBackup(run())).toBeNull();
    expect(await finish()).toBeGreaterThan(3);
    const [only] = await listBackups(bucket);
    expect(only?.name).toBe("backups/2026-11-30T03-19-00.000Z.backup");
    const lines = await linesOf(only?.name ?? "");
    expect(lines.filter((line) => line.startsWith('{"sealed"')).length).toBeGreaterThan(3);
    const { head, seal } = await verifyFile(sourceOf(lines));
    expect(head).toMatchObject({ workspaces: ["acme"], whole: true });
    expect(seal.rows).toMatchObject({ workspaces: 1, audit_log: 2_601 });
    expect(await rowsLeft(lines)).toBe(await rowsLeft(await sealed(backupLines(run()))));
    expect(await describeLastBackup({ ...run(), now: Date.now })).toMatchObject({
      ...{ name: only?.name, is_old: false, bytes: only?.bytes },
    });
    expect(await bucket.get("running")).toBeNull();
  });

  it("has parts of five megabytes, however large a portion is", async () => {
    await fill(600, 24_000);
    await startBackup(run());
    await finish();
    const last = await lastBackup(bucket);
    expect(last?.bytes).toBeGreaterThan(14_000_000);
    await verifyFile(sourceOf(await linesOf(last?.name ?? "")));
  });

  it("has changes made between its portions", async () => {
    await fill(600);
    await startBackup(run());
    for (let number = 0; number < 3; number++) {
      await blockHost(run(), `late-${number}.example`);
      await continueBackup(run());
    }
    await finish();
    const lines = await linesOf((await lastBackup(bucket))?.name ?? "");
    expect(lines.some((line) => line.startsWith('{"again"'))).toBe(true);
    expect(await rowsLeft(lines)).toBe(await rowsLeft(await sealed(backupLines(run()))));
  });

  it("waits while there are too few statements", async () => {
    await startBackup(run());
    for (let runs = 0; runs < 3; runs++)
      expect((await continueBackup(run({}, 0))).backup).toMatch(/^backups/);
    expect(await listBackups(bucket)).toEqual([]);
    expect(await finish()).toBeGreaterThan(0);
    expect(await listBackups(bucket)).toHaveLength(1);
  });

  it("is begun once, and two runs at once do not both go on", async () => {
    await startBackup(run());
    expect(await startBackup(run())).toEqual({ started: false });
    const [one, other] = [run(), run()];
    const names = (await Promise.all([continueBackup(one), continueBackup(other)])).map(
      ({ backup }) => backup,
    );
    expect(names.filter((name) => name === null)).toHaveLength(1);
  });

  it("is begun by one of two runs at once, which leaves no other upload", async () => {
    const aborted: string[] = [];
    const counted = new Proxy(bucket, {
      get: (own, key) => {
        const value = Reflect.get(own, key);
        if (key !== "createMultipartUpload") return typeof value === "function" ? value.bind(own) : value;
        return async (name: string) => {
          const upload = await own.createMultipartUpload(name);
          const abort = () => upload.abort().then(() => void aborted.push(upload.uploadId));
          return { uploadId: upload.uploadId, abort };
        };
      },
    });
    const begun = await Promise.all([1, 2].map(() => startBackup(run({ backups: counted }))));
    expect(begun.map(({ started }) => started).toSorted()).toEqual([false, true]);
    expect(aborted).toHaveLength(1);
    await finish();
    expect(await listBackups(bucket)).toHaveLength(1);
  });

  it.each(
    ["head", "put", "uploadPart", "complete", "delete", "list"].flatMap((method) => [
      [method, false] as const,
      [method, true] as const,
    ]),
  )("goes on after %s failed (with its effect: %s)", async (method, takesEffect) => {
    await fill(700);
    await startBackup(run());
    const broken = failing(method, takesEffect);
    let failures = 0;
    for (let tries = 0; tries < 60; tries++) {
      try {
        await continueBackup(run({ backups: broken }));
      } catch {
        failures++;
      }
    }
    expect(failures).toBe(method === "complete" && takesEffect ? 0 : 1);
    // What failed without an effect as the last step is begun anew by the next daily run.
    if (method === "complete" && !takesEffect) {
      await startBackup(run());
      await finish();
    }
    const [only, ...others] = await listBackups(bucket);
    expect(others).toEqual([]);
    await verifyFile(sourceOf(await linesOf(only?.name ?? "")));
    expect(await bucket.get("running")).toBeNull();
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "takes three days",
      async () => {
        now += 3 * DAY_MS;
      },
    ],
    ["is of a database that went back in time", () => env.BACKED_UP.prepare("delete from audit_log").run()],
    [
      "is of another schema",
      () => env.BACKED_UP.prepare("insert into d1_migrations (name) values ('0001_next.sql')").run(),
    ],
  ])("is given up if it %s, and the next daily run begins another", async (_, change) => {
    await startBackup(run());
    await change();
    await expect(continueBackup(run())).rejects.toThrow("was given up");
    expect(await continueBackup(run())).toEqual({ backup: null });
    expect(await startBackup(run())).toEqual({ started: true });
    await finish();
    expect(await listBackups(bucket)).toHaveLength(1);
    await env.BACKED_UP.prepare("delete from d1_migrations where name = '0001_next.sql'").run();
  });

  it("is kept with the 29 before it", async () => {
    for (let day = 1; day <= 31; day++)
      await bucket.put(`backups/2026-10-${String(day).padStart(2, "0")}T03-17-00.000Z.backup`, "");
    await startBackup(run());
    await finish();
    const names = (await listBackups(bucket)).map(({ name }) => name);
    expect(names).toHaveLength(30);
    expect(names.at(-1)).toContain("2026-10-03");
  });

  it("that is old is told once, and in `/health`", async () => {
    await bucket.put("backups/2026-10-03T03-17-00.000Z.backup", "");
    const later = { now: () => Date.now() + 31 * HOUR_MS };
    for (let times = 0; times < 2; times++) await startBackup(run(later));
    const { results } = await env.BACKED_UP.prepare("select kind, text from alerts").all();
    expect(results).toEqual([{ kind: "backup.old", text: expect.stringMatching(/^The last scheduled/) }]);
    expect(await describeLastBackup({ ...run(), ...later })).toMatchObject({ is_old: true });
  });
});

it("a portion altered in R2 is refused", async () => {
  await fill(1_200);
  await startBackup(run());
  await finish();
  const lines = await linesOf((await lastBackup(bucket))?.name ?? "");
  const wrong = lines.flatMap((line, at) => {
    if (!line.startsWith('{"sealed"')) return [];
    return [
      lines.with(at, line.replace(/.{3}"\}$/, '000"}')),
      lines.toSpliced(at, 1),
      lines.toSpliced(at - 1, 1),
    ];
  });
  expect(wrong.length).toBeGreaterThan(3);
  for (const altered of wrong)
    await expect(verifyFile(sourceOf(altered))).rejects.toMatchObject({
      body: { errors: { from: [expect.stringMatching(/checksum|not as it was|no backup/)] } },
    });
});
