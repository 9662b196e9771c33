import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { TABLES } from "../../../src/operations/backup/tables";
import { figures, WHOLE_MS } from "../../interruption";
import { backUp, backUpDuringChanges, furnishSource, rowsLeft } from "./backups";
import { CHANGES, type Furnished } from "./source";

let made: Furnished[];
beforeAll(async () => {
  made = await furnishSource();
});

describe("a backup of a changing database", { timeout: WHOLE_MS }, () => {
  it("is consistent if changes happen before every read", async () => {
    const { lines, reads, moments } = await backUpDuringChanges(made);
    expect(reads).toBeGreaterThan(Object.keys(TABLES).length);
    expect(lines.some((line) => line.startsWith('{"again"'))).toBe(true);
    expect(moments).toContain(await rowsLeft(lines));
  });

  it("matches the state before or after the changes, if they happen before a single read", async () => {
    const { reads } = await backUp(env.BACKED_UP);
    const cases = Object.entries(CHANGES).flatMap(([kind, change]) =>
      Array.from({ length: reads }, (_, index) => ({ kind, change, at: index + 1 })),
    );
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
