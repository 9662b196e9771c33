import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { TABLES } from "../../../src/operations/backup/backup-tables";
import { figures, WHOLE_MS } from "../../interruption";
import { backUp, backUpDuringChanges, furnishSource, rowsLeft } from "./backups";
import { CHANGES, type Furnished } from "./source";

let made: Furnished[];
beforeAll(async () => {
  made = await furnishSource();
});

/** The tables whose rows differ between two states of a database. */
function changedTables(before: string, behind: string): string[] {
  const [old, now] = [before.split("\n"), behind.split("\n")];
  const rows = [...old.filter((row) => !now.includes(row)), ...now.filter((row) => !old.includes(row))];
  return [...new Set(rows.map((row): string => JSON.parse(row)[0]))];
}

describe("a backup of a changing database", { timeout: WHOLE_MS }, () => {
  it("is consistent if changes happen before every read", async () => {
    const moments: string[] = [];
    const addMoment = async () => moments.push(await rowsLeft((await backUp(env.BACKED_UP)).lines));
    await addMoment();
    const { lines, reads } = await backUpDuringChanges(made, addMoment);
    expect(reads).toBeGreaterThan(Object.keys(TABLES).length);
    expect(lines.some((line) => line.startsWith('{"again"'))).toBe(true);
    expect(moments).toContain(await rowsLeft(lines));
  });

  it("matches the state before or after the changes, if they happen before a single read", async () => {
    const reads: string[] = [];
    await backUp(env.BACKED_UP, (_, sql) => void reads.push(sql));
    const wrong: string[] = [];
    let changes = 0;
    let before = await rowsLeft((await backUp(env.BACKED_UP)).lines);
    for (const [kind, change] of Object.entries(CHANGES)) {
      let changed: readonly string[] | undefined;
      for (let at = 1; at <= reads.length; at++) {
        // If the read before this one reads no table that the change changes, it makes no difference which of the two it precedes.
        const previous = reads[at - 2];
        if (changed !== undefined && !changed.some((table) => previous?.includes(table))) continue;
        const workspace = made[changes++ % made.length] as Furnished;
        const { lines } = await backUp(env.BACKED_UP, (read) =>
          read === at ? change(workspace) : undefined,
        );
        const behind = await rowsLeft((await backUp(env.BACKED_UP)).lines);
        expect(behind).not.toBe(before);
        changed ??= changedTables(before, behind);
        if (![before, behind].includes(await rowsLeft(lines))) wrong.push(`${kind} before read ${at}`);
        before = behind;
      }
    }
    expect(wrong).toEqual([]);
    expect(changes).toBeGreaterThan(3 * Object.keys(CHANGES).length);
    figures(`backup: ${reads.length} reads, ${changes} changes, ${wrong.length} differences`);
  });
});
