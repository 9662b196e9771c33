import { env } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { restoreFrom } from "../../src/backup/restore";
import type { Env, ServiceContext } from "../../src/context";
import { createDatabase } from "../../src/db/client";
import { recountWorkspaces } from "../../src/doctor/service";
import { sweep } from "../../src/slugs/sync";
import { overriding } from "../faulty";
import { SHORT, send, serviceContext, testEnv } from "../harness";
import {
  figures,
  type Interruption,
  interrupted,
  interruptions,
  isWhole,
  KILLED,
  WHOLE_MS,
} from "../interruption";
import { backUp, backUpDuringChanges, furnishSource, rowsLeft, sourceOf } from "./backups";
import { contents, emptied, memoryKv } from "./database";

/** The cases of `npm test`. */
const INTERRUPTIONS = 6;
const some = isWhole ? "" : ", in some cases";

const AT = Date.UTC(2026, 10, 1);
const SECOND_PUSH_MS = 60_000;

/** Old values in KV of the file's slugs, and a slug of another workspace. */
const OLD_ENTRY = JSON.stringify({
  rev: 1,
  target: "https://old.example/",
  link: null,
  refreshAt: 9e15,
  expiresAt: 9e15,
});
export const OLD_KV = new Map(
  ["acme-plain", "beta-deleted", "somebodys", "beta-down"].map((slug) => [slug, OLD_ENTRY]),
);

/** Restores the file into the empty database with one interruption. Returns the numbers of calls and runs. */
async function restore(file: readonly string[], interruption?: Interruption) {
  await emptied(env.RESTORED);
  const { kv, kept } = memoryKv(OLD_KV);
  let calls = 0;
  let runs = 0;
  for (let isDone = false; !isDone; runs++) {
    const process = interrupted(env.RESTORED, kv, runs === 0 ? interruption : undefined);
    const ctx: ServiceContext = { ...serviceContext(), ...process, now: () => AT };
    try {
      await restoreFrom(ctx, sourceOf(file));
      isDone = true;
    } catch (error) {
      if (!(error instanceof Error && error.message === KILLED)) {
        // If the last call took effect but its answer was lost, the restore is finished.
        if (runs === 0 || !String(error).includes("already")) throw error;
        isDone = true;
      }
    }
    calls = process.seen.calls;
  }
  const ctx = { ...serviceContext(), db: createDatabase(env.RESTORED), kv };
  for (const now of [AT, AT + SECOND_PUSH_MS, AT + 2 * SECOND_PUSH_MS])
    await sweep({ ...ctx, now: () => now });
  return { calls, runs, ctx, kept };
}

/** The target of every slug of the file; asserts that the doctor finds nothing. */
async function seen({ ctx }: Awaited<ReturnType<typeof restore>>) {
  const { results } = await env.RESTORED.prepare("select key from slugs order by key").all<{ key: string }>();
  const visitors: Env = { ...testEnv, DB: env.RESTORED, KV: overriding(ctx.kv, {}) };
  const visits: unknown[] = [];
  for (const { key } of results) {
    const answer = await send(new Request(`${SHORT}/${key}`, { redirect: "manual" }), visitors);
    visits.push([key, answer.status, answer.headers.get("location")]);
  }
  return { doctor: await recountWorkspaces(ctx), visits };
}

const known = (kept: ReadonlyMap<string, string>) =>
  Object.fromEntries(
    [...kept].map(([slug, value]) => [slug, { ...JSON.parse(value), refreshAt: 0, expiresAt: 0 }]),
  );

/** Restores with every second interruption, from the first (0) or the second (1). Two files share the work. */
export function interruptedRestores(remainder: 0 | 1): void {
  /** A backup with a change before every read. */
  let file: string[];

  beforeAll(async () => {
    file = (await backUpDuringChanges(await furnishSource())).lines;
  });
  afterEach(() => void vi.useRealTimers());

  describe("an interrupted restore", { timeout: WHOLE_MS }, () => {
    it(`gives the same result as an uninterrupted restore, if any second of its calls is interrupted${some}`, async () => {
      vi.useFakeTimers({ toFake: ["Date"], now: AT });
      const undisturbed = await restore(file);
      const rows = await contents(env.RESTORED);
      const views = { ...(await seen(undisturbed)), kv: known(undisturbed.kept) };
      expect(views.doctor).toEqual({ workspaces: 3, repaired: [] });
      expect(views.visits.length).toBeGreaterThan(25);
      expect(rows.length).toBeGreaterThan(200);
      expect((await env.RESTORED.prepare("pragma foreign_key_check").all()).results).toEqual([]);
      const again = (await rowsLeft((await backUp(env.RESTORED)).lines)).split("\n");
      expect(again.filter((row) => !row.includes("workspace.restore.")).join("\n")).toBe(
        await rowsLeft(file),
      );

      const cases = interruptions(undisturbed.calls, INTERRUPTIONS).filter(
        (_, index) => index % 2 === remainder,
      );
      const wrong: unknown[] = [];
      let restarts = 0;
      for (const interruption of cases) {
        try {
          const disturbed = await restore(file, interruption);
          restarts += disturbed.runs - 1;
          const now = await contents(env.RESTORED);
          if (JSON.stringify(now) !== JSON.stringify(rows))
            wrong.push([
              interruption,
              now.filter((row) => !rows.includes(row)),
              rows.filter((row) => !now.includes(row)),
            ]);
          const then = { ...(await seen(disturbed)), kv: known(disturbed.kept) };
          if (JSON.stringify(then) !== JSON.stringify(views)) wrong.push([interruption, then]);
        } catch (error) {
          wrong.push([interruption, String(error)]);
        }
      }
      expect(wrong).toEqual([]);
      expect(restarts).toBeGreaterThan(cases.length / 6);
      figures(
        `restore: ${undisturbed.calls} calls, ${cases.length} interruptions, ${restarts} restarts, ${rows.length} rows, ${wrong.length} differences`,
      );
    });
  });
}
