import { env } from "cloudflare:test";
import { createHash } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { backupLines } from "../../src/backup/back-up";
import { type Hash, readTable, type Source, verifyFile, withSeal } from "../../src/backup/format";
import { restoreFrom } from "../../src/backup/restore";
import { CHANGED_WITH, TABLES } from "../../src/backup/tables";
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
  stepOf,
  WHOLE_MS,
} from "../interruption";
import { contents, emptied, memoryKv } from "./database";
import { CHANGES, type Furnished, furnish, furnishRest } from "./source";

// A backup during changes, and a restore with each of its calls interrupted.

/** The cases of `npm test`. */
const INTERRUPTIONS = 6;
const CHANGED = 5;
const LINES = 40;
const some = isWhole ? "" : ", in some cases";

const AT = Date.UTC(2026, 10, 1);
const SECOND_PUSH_MS = 60_000;

const newHash = (): Hash => {
  const hash = createHash("sha256");
  return { update: (text) => hash.update(text), digest: () => hash.digest("hex") };
};

const sourceOf = (lines: readonly string[]): Source => ({
  name: "the file",
  newHash,
  async *lines() {
    yield* lines;
  },
});

/** Makes a backup and calls `before` ahead of its reads, numbered from 1. Returns its lines and the number of reads. */
async function backUp(
  db: D1Database,
  before: (read: number) => Promise<unknown> | undefined = () => undefined,
): Promise<{ lines: string[]; reads: number }> {
  let reads = 0;
  const binding = overriding(db, {
    batch: async (statements: D1PreparedStatement[]) => {
      await before(++reads);
      return db.batch(statements);
    },
  });
  const ctx = { ...serviceContext(), db: createDatabase(binding) };
  const lines: string[] = [];
  for await (const line of withSeal(backupLines(ctx), newHash())) lines.push(line);
  return { lines, reads };
}

/** The rows that a restore of a file writes, sorted: without void rows, and each slug once. */
async function rowsLeft(lines: readonly string[]): Promise<string> {
  const source = sourceOf(lines);
  const checked = await verifyFile(source, CHANGED_WITH);
  const workspaces = new Set(checked.workspaces.map(({ id }) => id));
  const rows: string[] = [];
  for (const table of Object.keys(TABLES)) {
    if (table === "slugs") continue;
    for await (const { workspace, values } of readTable(source, checked, table, workspaces))
      rows.push(JSON.stringify([table, workspace, values]));
  }
  const slugs = new Map<string, string>();
  const open = new Set<string>();
  for await (const slug of readTable(source, { isVoid: () => false }, "slugs", workspaces)) {
    const { workspace, columns, values } = slug;
    const [key, link] = [String(values[columns.indexOf("key")]), columns.indexOf("link")];
    const isOpen = values[link] !== null && !checked.isVoid(slug);
    const row = JSON.stringify(["slugs", workspace, isOpen ? values : values.with(link, null)]);
    // As in a restore, the first row that is open wins.
    if (isOpen ? !open.has(key) : !slugs.has(key)) slugs.set(key, row);
    if (isOpen) open.add(key);
  }
  return [...rows, ...slugs.values()].sort().join("\n");
}

const source: Env = { ...testEnv, DB: env.BACKED_UP, KV: memoryKv(new Map()).kv };
let made: Furnished[];
/** A backup with every change before every read. */
let file: string[];

beforeAll(async () => {
  await emptied(env.BACKED_UP);
  await emptied(env.RESTORED);
  made = [await furnish(source, "acme"), await furnish(source, "beta")];
  await furnishRest(source);
});

describe("a backup of a changing database", { timeout: WHOLE_MS }, () => {
  it("is consistent if changes happen before every read", async () => {
    const kinds = Object.values(CHANGES);
    const moments = [await rowsLeft((await backUp(env.BACKED_UP)).lines)];
    const { lines, reads } = await backUp(env.BACKED_UP, async (read) => {
      await kinds[read % kinds.length]?.(made[read % made.length] as Furnished);
      moments.push(await rowsLeft((await backUp(env.BACKED_UP)).lines));
    });
    expect(reads).toBeGreaterThan(Object.keys(TABLES).length);
    expect(lines.some((line) => line.startsWith('{"again"'))).toBe(true);
    expect(moments).toContain(await rowsLeft(lines));
    file = lines;
  });

  it("matches the state before or after an asset's move, also if its code was read before", async () => {
    const { reads } = await backUp(env.BACKED_UP);
    let before = await rowsLeft((await backUp(env.BACKED_UP)).lines);
    const outcomes = new Set<string>();
    for (let at = reads - 7; at <= reads; at++) {
      const { lines } = await backUp(env.BACKED_UP, (read) =>
        read === at ? CHANGES["an asset is moved"]?.(made[0] as Furnished) : undefined,
      );
      const behind = await rowsLeft((await backUp(env.BACKED_UP)).lines);
      const state = await rowsLeft(lines);
      outcomes.add(state === before ? "before" : state === behind ? "after" : `wrong before read ${at}`);
      before = behind;
    }
    expect([...outcomes].filter((outcome) => outcome.startsWith("wrong"))).toEqual([]);
    expect(outcomes).toContain("after");
  });

  it(`matches the state before or after the changes, if they happen before a single read${some}`, async () => {
    const { reads } = await backUp(env.BACKED_UP);
    const cases = Object.entries(CHANGES)
      .flatMap(([kind, change]) =>
        Array.from({ length: reads }, (_, index) => ({ kind, change, at: index + 1 })),
      )
      .filter((_, index, all) => index % stepOf(all.length, CHANGED) === 0);
    const wrong: string[] = [];
    let before = await rowsLeft((await backUp(env.BACKED_UP)).lines);
    for (const [index, { kind, change, at }] of cases.entries()) {
      const workspace = made[index % made.length] as Furnished;
      const { lines } = await backUp(env.BACKED_UP, (read) => (read === at ? change(workspace) : undefined));
      const behind = await rowsLeft((await backUp(env.BACKED_UP)).lines);
      expect(behind).not.toBe(before);
      if (![before, behind].includes(await rowsLeft(lines))) wrong.push(`${kind} before read ${at}`);
      before = behind;
    }
    expect(wrong).toEqual([]);
    figures(`backup: ${reads} reads, ${cases.length} changes, ${wrong.length} differences`);
  });
});

/** Old values in KV of the file's slugs, and a slug of another workspace. */
const OLD_ENTRY = JSON.stringify({
  rev: 1,
  target: "https://old.example/",
  link: null,
  refreshAt: 9e15,
  expiresAt: 9e15,
});
const OLD_KV = new Map(
  ["acme-plain", "beta-deleted", "somebodys", "beta-down"].map((slug) => [slug, OLD_ENTRY]),
);

/** Restores the file into the empty database with one interruption. Returns the numbers of calls and runs. */
async function restore(interruption?: Interruption) {
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

afterEach(() => void vi.useRealTimers());

describe("an interrupted restore", { timeout: WHOLE_MS }, () => {
  it("reports that its first call failed, not that tables are missing", async () => {
    await emptied(env.RESTORED);
    const process = interrupted(env.RESTORED, memoryKv(OLD_KV).kv, { at: 1, way: "killed" });
    const ctx: ServiceContext = { ...serviceContext(), ...process };
    await expect(restoreFrom(ctx, sourceOf(file))).rejects.toThrow(KILLED);
  });

  it(`gives the same result as an uninterrupted restore, whichever call is interrupted${some}`, async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: AT });
    const undisturbed = await restore();
    const rows = await contents(env.RESTORED);
    const views = { ...(await seen(undisturbed)), kv: known(undisturbed.kept) };
    expect(views.doctor).toEqual({ workspaces: 3, repaired: [] });
    expect(views.visits.length).toBeGreaterThan(25);
    expect(rows.length).toBeGreaterThan(200);
    expect((await env.RESTORED.prepare("pragma foreign_key_check").all()).results).toEqual([]);
    const again = (await rowsLeft((await backUp(env.RESTORED)).lines)).split("\n");
    expect(again.filter((row) => !row.includes("workspace.restore.")).join("\n")).toBe(await rowsLeft(file));

    const cases = interruptions(undisturbed.calls, INTERRUPTIONS);
    const wrong: unknown[] = [];
    let restarts = 0;
    for (const interruption of cases) {
      try {
        const disturbed = await restore(interruption);
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

describe("a damaged backup", () => {
  /** Kinds of damage to a line. */
  const DAMAGES: Readonly<Record<string, (lines: readonly string[], at: number) => string[]>> = {
    "cut off before a line": (lines, at) => lines.slice(0, at),
    "cut off within a line": (lines, at) => [
      ...lines.slice(0, at),
      lines[at]?.slice(0, -1 - (lines[at].length >> 1)) ?? "",
    ],
    "without a line": (lines, at) => lines.toSpliced(at, 1),
    "with a line twice": (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ""),
    "with a line emptied": (lines, at) => lines.with(at, ""),
    "with a character altered": (lines, at) => {
      const line = lines[at] ?? "";
      const middle = line.length >> 1;
      return lines.with(
        at,
        `${line.slice(0, middle)}${line[middle] === "0" ? "1" : "0"}${line.slice(middle + 1)}`,
      );
    },
    "with two lines in the other order": (lines, at) =>
      at === 0 ? lines.toReversed() : lines.with(at, lines[at - 1] ?? "").with(at - 1, lines[at] ?? ""),
  };

  it.each(Object.keys(DAMAGES))(
    `%s, at ${isWhole ? "every line" : "some lines"}, is refused before anything is read or written`,
    async (damage) => {
      await emptied(env.RESTORED);
      const process = interrupted(env.RESTORED, memoryKv(OLD_KV).kv);
      const ctx: ServiceContext = { ...serviceContext(), ...process };
      const accepted: unknown[] = [];
      for (let at = 0; at < file.length; at += stepOf(file.length, LINES)) {
        const damaged = DAMAGES[damage]?.(file, at) ?? [];
        if (damaged.join("\n") === file.join("\n")) continue;
        await restoreFrom(ctx, sourceOf(damaged)).then(
          () => accepted.push([at, file[at]]),
          (error) => expect(error).toMatchObject({ status: 422 }),
        );
      }
      expect(accepted).toEqual([]);
      expect(process.seen.calls).toBe(0);
      expect(await contents(env.RESTORED)).toEqual([]);
    },
  );
});
