import { describe, expect, it } from "vitest";
import { withCheck } from "../../src/db/checked";
import type { AuditedChange, Statement } from "../../src/db/client";
import { selectKeyByHash } from "../../src/workspaces/key-repository";
import { selectUsage } from "../../src/workspaces/repository";
import { fakeDatabase, written } from "../fakes";

const CHECK = selectKeyByHash("h");
const READ = selectUsage(1);
const CHANGE: AuditedChange = { workspaceId: 1, actor: "a", action: "b", subject: "c", at: 0 };

/** A database whose check throws `refusal`, with the checked rows. */
function checked(refusal: Error | undefined, ...answers: (readonly unknown[][])[]) {
  const fake = fakeDatabase(...answers);
  const judged: unknown[] = [];
  const statements: readonly [Statement<unknown[]>] = [CHECK];
  const judge = async ([rows]: readonly [unknown[]]) => {
    judged.push(rows);
    if (refusal !== undefined) throw refusal;
  };
  return { ...fake, judged, ...withCheck(fake.db, { statements, judge }) };
}

describe("a database with a check", () => {
  it("sends the check with the first read only", async () => {
    const { db, reads, judged, assertChecked } = checked(undefined, [["key"], ["use"]], [["use"]]);
    expect(await db.read(READ, undefined)).toEqual([["use"], []]);
    await assertChecked();
    expect(await db.read(READ)).toEqual([["use"]]);
    expect(judged).toEqual([["key"]]);
    expect(reads).toEqual([[written(CHECK), written(READ)], [written(READ)]]);
  });

  it("sends the check and concurrent reads in one call", async () => {
    const { db, reads, judged, hasPassed } = checked(undefined, [["key"], ["one"], ["two"], ["three"]]);
    const answers = Promise.all([db.read(READ), db.read(), db.read(READ, undefined, READ)]);
    expect(hasPassed()).toBe(false);
    expect(await answers).toEqual([[["one"]], [], [["two"], ["three"], []]]);
    expect([reads.length, judged, hasPassed()]).toEqual([1, [["key"]], true]);
  });

  it("returns the results of a later read only after the check has passed", async () => {
    const refusal = new Error("refused");
    const { db, reads } = checked(refusal, [["key"], ["one"]], [["two"]]);
    const early = expect(db.read(READ)).rejects.toBe(refusal);
    await Promise.resolve().then(() => undefined);
    await expect(db.read(READ)).rejects.toBe(refusal);
    await early;
    expect(reads).toHaveLength(2);
  });

  it("sends each read alone if one of several fails", async () => {
    const { db: working, reads } = fakeDatabase([["key"]], [["one"]]);
    const failing = new Error("no such table");
    let calls = 0;
    const read = ((...asked) => {
      calls++;
      return calls === 1 || calls === 4 ? Promise.reject(failing) : working.read(...asked);
    }) as typeof working.read;
    const judge = async () => {};
    const { db } = withCheck({ ...working, read }, { statements: [CHECK], judge });
    const [one, two] = await Promise.allSettled([db.read(READ), db.read(READ)]);
    expect([one, two]).toEqual([
      { status: "fulfilled", value: [["one"]] },
      { status: "rejected", reason: failing },
    ]);
    expect(reads).toEqual([[written(CHECK)], [written(READ)]]);
  });

  it.each(["write", "writeUnaudited", "writeCounted"] as const)(
    "asks for the check before a first %s",
    async (call) => {
      const { db, reads, writes, notes, judged } = checked(undefined, [["key"]]);
      if (call === "write") await db.write(CHANGE, [READ]);
      else await db[call](READ);
      expect([reads, judged]).toEqual([[[written(CHECK)]], [["key"]]]);
      expect(writes.length + notes.length).toBe(1);
    },
  );

  it("returns and changes nothing once the check has refused", async () => {
    const refusal = new Error("refused");
    const { db, reads, writes, notes, assertChecked } = checked(refusal, [["key"], ["use"]]);
    await expect(db.read(READ)).rejects.toBe(refusal);
    await expect(db.read(READ)).rejects.toBe(refusal);
    await expect(db.write(CHANGE, [READ])).rejects.toBe(refusal);
    await expect(db.writeUnaudited(READ)).rejects.toBe(refusal);
    await expect(db.writeCounted(READ)).rejects.toBe(refusal);
    await expect(assertChecked()).rejects.toBe(refusal);
    expect([reads.length, writes.length, notes.length]).toEqual([1, 0, 0]);
  });

  it("sends the check again after a failed call", async () => {
    const { db: failing } = fakeDatabase();
    let calls = 0;
    const fails: typeof failing.read = () => Promise.reject(new Error(`call ${++calls}`));
    const judge = async () => {};
    const { db, assertChecked } = withCheck({ ...failing, read: fails }, { statements: [CHECK], judge });
    await expect(db.read(READ)).rejects.toThrow("call 1");
    await expect(assertChecked()).rejects.toThrow("call 2");
  });
});
