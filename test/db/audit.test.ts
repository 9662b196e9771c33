import { env } from "cloudflare:test";
import { type SQL, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { abortUnless } from "../../src/db/audit";
import { createDatabase } from "../../src/db/client";
import { newMeter } from "../../src/db/meter";
import { orm } from "../../src/db/prepared";
import type { Binding } from "../../src/db/send";
import { LostRace, retryLostRaces } from "../../src/errors";
import { newId } from "../../src/lib/ids";

const CHANGE = { workspaceId: null, actor: "a", action: "a", at: 0 };

const countOf = (subject: string) =>
  env.DB.prepare("select count(*) as count from audit_log where subject = ?").bind(subject).first("count");

const holds = abortUnless(sql`1 = 1`);

it.each([
  ["is false", sql`1 = 2`],
  ["is null", sql`null`],
])("a batch with a guard that %s writes nothing", async (_, condition) => {
  const subject = newId(0);
  const guards = [holds, abortUnless(condition)];
  await expect(createDatabase(env.DB).write({ ...CHANGE, subject, guards }, [])).rejects.toThrow(LostRace);
  expect(await countOf(subject)).toBe(0);
});

it("a batch whose guards hold is written, and leaves nothing but its audit row", async () => {
  const subject = newId(0);
  await createDatabase(env.DB).write({ ...CHANGE, subject, guards: [holds, holds] }, []);
  expect(await countOf(subject)).toBe(1);
  expect(await countOf("")).toBe(0);
});

it("a batch that was committed although its answer was lost is done, even if its guards no longer hold", async () => {
  const [subject, taken] = [newId(0), newId(0)];
  let sent = 0;
  const binding: Binding = {
    prepare: (text) => env.DB.prepare(text),
    async batch<T>(statements: D1PreparedStatement[]) {
      sent++;
      const results = await env.DB.batch<T>(statements);
      if (sent === 1) throw new Error("Network connection lost.");
      return results;
    },
  };
  const isFree = abortUnless(sql`not exists (select 1 from audit_log where subject = ${taken})`);
  await createDatabase(binding, undefined, [0]).write({ ...CHANGE, subject, guards: [isFree] }, [
    orm.run(sql`insert into audit_log (operation_id, actor, action, subject, at)
        values (${taken}, 'a', 'a', ${taken}, 0)`),
  ]);
  expect([sent, await countOf(subject), await countOf(taken)]).toEqual([2, 1, 1]);
});

it("a write is refused by any of its guards, and passes if all of them hold", async () => {
  const db = createDatabase(env.DB);
  const write = (subject: string, ...conditions: SQL[]) =>
    db.write({ ...CHANGE, subject, guards: conditions.map(abortUnless) }, []);
  const [good, unknown] = [sql`${"a"} = ${"a"}`, sql`null = ${1}`];
  await write("guarded", good, sql`${2} > ${1}`, good);
  await expect(write("guarded", good, sql`1 = ${2}`, good)).rejects.toThrow(LostRace);
  await expect(write("guarded", unknown, good)).rejects.toThrow(LostRace);
  expect(await countOf("guarded")).toBe(1);
});

it("a write that loses every race ends with 503 before it has sent as many statements as an invocation may", async () => {
  const meter = newMeter();
  const db = createDatabase(env.DB, meter);
  const never = abortUnless(sql`1 = 2`);
  const many = Array.from({ length: 30 }, () => orm.run(sql`select 1`));
  const change = { ...CHANGE, subject: "always-overtaken", guards: [never] };
  await expect(retryLostRaces(() => db.write(change, many))).rejects.toMatchObject({ status: 503 });
  expect(meter.statements).toBeGreaterThan(500);
  expect(meter.statements).toBeLessThan(700);
});
