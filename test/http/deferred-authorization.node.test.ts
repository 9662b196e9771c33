import { describe, expect, it } from "vitest";
import { selectKeyByHash } from "../../src/access/key-repository";
import { selectUsage } from "../../src/access/workspace-statements";
import type { AuditedChange } from "../../src/db/client";
import { deferAuthorization } from "../../src/http/deferred-authorization";
import { fakeDatabase, written } from "../fakes";

const KEY = selectKeyByHash("h");
const READ = selectUsage(1);
const CHANGE: AuditedChange = { workspaceId: 1, actor: "a", action: "b", subject: "c", at: 0 };

/** A database whose authorization throws `refusal`, with the rows that were checked. */
function deferred(refusal: Error | undefined, ...answers: (readonly unknown[][])[]) {
  const fake = fakeDatabase(...answers);
  const checked: unknown[] = [];
  const authorize = async (rows: unknown[]) => {
    checked.push(rows);
    if (refusal !== undefined) throw refusal;
  };
  return { ...fake, checked, ...deferAuthorization<unknown>(fake.db, { statement: KEY, authorize }) };
}

describe("a database with deferred authorization", () => {
  it("authorizes with the first read only", async () => {
    const { db, reads, checked, assertAuthorized } = deferred(undefined, [["key"], ["use"]], [["use"]]);
    expect(await db.read(READ, undefined)).toEqual([["use"], []]);
    await assertAuthorized();
    expect(await db.read(READ)).toEqual([["use"]]);
    expect(checked).toEqual([["key"]]);
    expect(reads).toEqual([[written(KEY), written(READ)], [written(READ)]]);
  });

  it("sends another read once the request is authorized", async () => {
    const { db, reads, checked } = deferred(undefined, [["key"], ["one"]], [["two"]]);
    expect(await Promise.all([db.read(READ), db.read(READ)])).toEqual([[["one"]], [["two"]]]);
    expect([reads.length, checked]).toEqual([2, [["key"]]]);
  });

  it.each(["write", "writeGuarded", "writeOnce"] as const)("authorizes before a first %s", async (call) => {
    const { db, reads, writes, notes, checked } = deferred(undefined, [["key"]]);
    if (call === "write") await db.write(CHANGE, [READ]);
    else if (call === "writeGuarded") await db.writeGuarded([READ]);
    else await db.writeOnce(READ);
    expect([reads, checked]).toEqual([[[written(KEY)]], [["key"]]]);
    expect(writes.length + notes.length).toBe(1);
  });

  it("returns and changes nothing once the request is refused", async () => {
    const refusal = new Error("refused");
    const { db, reads, writes, notes, assertAuthorized } = deferred(refusal, [["key"], ["use"]]);
    await expect(db.read(READ)).rejects.toBe(refusal);
    await expect(db.read(READ)).rejects.toBe(refusal);
    await expect(db.write(CHANGE, [READ])).rejects.toBe(refusal);
    await expect(db.writeGuarded([READ])).rejects.toBe(refusal);
    await expect(assertAuthorized()).rejects.toBe(refusal);
    expect([reads.length, writes.length, notes.length]).toEqual([1, 0, 0]);
  });

  it("authorizes again after a failed call", async () => {
    const { db: failing } = fakeDatabase();
    let calls = 0;
    const fails: typeof failing.read = () => Promise.reject(new Error(`call ${++calls}`));
    const { db, assertAuthorized } = deferAuthorization(
      { ...failing, read: fails },
      { statement: KEY, authorize: async () => {} },
    );
    await expect(db.read(READ)).rejects.toThrow("call 1");
    await expect(assertAuthorized()).rejects.toThrow("call 2");
  });
});
