import { env } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Env, ServiceContext } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { restoreFrom } from "../../../src/operations/backup/restore";
import { recountWorkspaces } from "../../../src/operations/consistency/doctor";
import { SHORT, send, serviceContext, testEnv } from "../../harness";
import {
  figures,
  type Interruption,
  interrupted,
  interruptions,
  KILLED,
  neverLost,
  WHOLE_MS,
} from "../../interruption";
import { overriding } from "../../overriding";
import { backUp, backUpDuringChanges, furnishSource, OLD_KV, rowsLeft, sourceOf } from "./backups";
import { contents, emptied, memoryKv } from "./database";

const AT = Date.UTC(2026, 10, 1);

/** Restores the file into the empty database with one interruption. Returns the numbers of calls and runs. */
async function restore(file: readonly string[], interruption?: Interruption) {
  await emptied(env.RESTORED);
  // The values of the database before have another epoch.
  const { kv } = memoryKv(OLD_KV);
  let calls = 0;
  let lost: readonly number[] = [];
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
    if (runs === 0) lost = process.seen.lost;
  }
  const ctx = { ...serviceContext(), db: createDatabase(env.RESTORED), kv };
  return { calls, lost, runs, ctx };
}

/** What the doctor finds, and the target of each slug; or with a turn of every eighth slug from there on. */
async function seen({ ctx }: Awaited<ReturnType<typeof restore>>, turn?: number) {
  const { results } = await env.RESTORED.prepare("select key from slugs order by key").all<{ key: string }>();
  const visited = turn === undefined ? results : inTurn(results, turn);
  const visitors: Env = { ...testEnv, DB: env.RESTORED, KV: overriding(ctx.kv, {}) };
  const visits: unknown[] = [];
  for (const { key } of visited) {
    const answer = await send(new Request(`${SHORT}/${key}`, { redirect: "manual" }), visitors);
    visits.push([key, answer.status, answer.headers.get("location")]);
  }
  return { doctor: await recountWorkspaces(ctx), visits };
}

/** Rows and KV are compared whole after each restore, so a few visits of each are enough. */
const VISITED_IN_TURN = 8;
const inTurn = <T>(all: readonly T[], turn: number): T[] =>
  all.filter((_, index) => index % VISITED_IN_TURN === turn % VISITED_IN_TURN);

/** A backup with a change before every read. */
let file: string[];

beforeAll(async () => {
  file = (await backUpDuringChanges(await furnishSource())).lines;
});
afterEach(() => void vi.useRealTimers());

describe("an interrupted restore", { timeout: WHOLE_MS }, () => {
  it("gives the same result as an uninterrupted restore, whichever call is interrupted", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: AT });
    const undisturbed = await restore(file);
    const rows = await contents(env.RESTORED);
    const views = await seen(undisturbed);
    expect(views.doctor).toEqual({ workspaces: 3, repaired: [] });
    expect(views.visits.length).toBeGreaterThan(25);
    expect(rows.length).toBeGreaterThan(200);
    expect((await env.RESTORED.prepare("pragma foreign_key_check").all()).results).toEqual([]);
    const again = (await rowsLeft((await backUp(env.RESTORED)).lines)).split("\n");
    expect(again.filter((row) => !row.includes("workspace.restore.")).join("\n")).toBe(await rowsLeft(file));

    const cases = interruptions(undisturbed.calls);
    const wrong: unknown[] = [];
    const losses: Parameters<typeof neverLost>[1][number][] = [];
    let restarts = 0;
    for (const [turn, interruption] of cases.entries()) {
      try {
        const disturbed = await restore(file, interruption);
        restarts += disturbed.runs - 1;
        losses.push({ way: interruption.way, lost: disturbed.lost });
        const now = await contents(env.RESTORED);
        if (JSON.stringify(now) !== JSON.stringify(rows))
          wrong.push([
            interruption,
            now.filter((row) => !rows.includes(row)),
            rows.filter((row) => !now.includes(row)),
          ]);
        const then = await seen(disturbed, turn);
        const expected = { ...views, visits: inTurn(views.visits, turn) };
        if (JSON.stringify(then) !== JSON.stringify(expected)) wrong.push([interruption, then]);
      } catch (error) {
        wrong.push([interruption, String(error)]);
      }
    }
    expect(wrong).toEqual([]);
    expect(neverLost(undisturbed.calls, losses)).toEqual([]);
    expect(restarts).toBeGreaterThan(cases.length / 6);
    figures(
      `restore: ${undisturbed.calls} calls, ${cases.length} interrupted restores, ${restarts} restarts, ${rows.length} rows, ${wrong.length} differences`,
    );
  });
});
