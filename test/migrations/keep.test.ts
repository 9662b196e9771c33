import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { backUp } from "../operations/backup/backups";
import { emptied } from "../operations/backup/database";
import { fillEveryTable, toStatements } from "./rows";

// `KEEP=1.1.0 npm test -- test/migrations/keep -u` keeps the database of a release and its backup. Every later
// commit must migrate it and read it.
it.runIf(env.KEEP !== "")(
  "keeps a database with rows of every table, only where KEEP names a release",
  async () => {
    await emptied(env.KEPT);
    const key = await fillEveryTable();
    const [last] = env.TEST_MIGRATIONS.slice(-1);
    const head = [`-- last migration: ${last?.name}`, `-- key: ${key}`];
    const text = [...head, ...(await toStatements(env.KEPT)), ""].join("\n");
    await expect(text).toMatchFileSnapshot(`kept/${env.KEEP}.sql`);
    const { lines } = await backUp(env.KEPT);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`kept/${env.KEEP}.jsonl`);
  },
);
