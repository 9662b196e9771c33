import { env } from "cloudflare:test";
import { createHash } from "node:crypto";
import type { Env } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { backupLines } from "../../../src/operations/backup/back-up";
import {
  type Hash,
  readTable,
  type Source,
  verifyFile,
  withSeal,
} from "../../../src/operations/backup/backup-format";
import { TABLES } from "../../../src/operations/backup/backup-tables";
import { serviceContext, testEnv } from "../../harness";
import { overriding } from "../../overriding";
import { emptied, memoryKv } from "./database";
import { CHANGES, type Furnished, furnish, furnishRest } from "./source";

// Backups of two furnished workspaces.

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

export const newHash = (): Hash => {
  const hash = createHash("sha256");
  return { update: (text) => hash.update(text), digest: () => hash.digest("hex") };
};

export const sourceOf = (lines: readonly string[]): Source => ({
  name: "the file",
  newHash,
  async *lines() {
    yield* lines;
  },
});

/** Lines with a new last one, which fits them. */
export async function sealed(lines: AsyncIterable<string> | Iterable<string>): Promise<string[]> {
  async function* all() {
    yield* lines;
  }
  const written: string[] = [];
  for await (const line of withSeal(all(), newHash())) written.push(line);
  return written;
}

/**
 * Makes a backup and calls `before` ahead of its reads, with their number from 1 and their SQL. Returns its lines and the number of
 * reads.
 */
export async function backUp(
  db: D1Database,
  before: (read: number, sql: string) => Promise<unknown> | undefined = () => undefined,
): Promise<{ lines: string[]; reads: number }> {
  let reads = 0;
  const binding = overriding(db, {
    batch: async (statements: D1PreparedStatement[]) => {
      const sql = (statements as (D1PreparedStatement & { statement: string })[])
        .map(({ statement }) => statement)
        .join("\n");
      await before(++reads, sql);
      return db.batch(statements);
    },
  });
  const ctx = { ...serviceContext(), db: createDatabase(binding) };
  return { lines: await sealed(backupLines(ctx)), reads };
}

/** The rows that a restore of a file writes, sorted: without void rows, and each slug once. */
export async function rowsLeft(lines: readonly string[]): Promise<string> {
  const source = sourceOf(lines);
  const checked = await verifyFile(source);
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

/** Two workspaces with rows in every table. The database of the restore is empty. */
export async function furnishSource(): Promise<Furnished[]> {
  await emptied(env.BACKED_UP);
  await emptied(env.RESTORED);
  const made = [await furnish(source, "acme"), await furnish(source, "beta")];
  await furnishRest(source);
  return made;
}

/** A backup with a change before every read, which `afterwards` follows. */
export function backUpDuringChanges(
  made: readonly Furnished[],
  afterwards: () => Promise<unknown> = async () => undefined,
) {
  const kinds = Object.values(CHANGES);
  return backUp(env.BACKED_UP, async (read) => {
    await kinds[read % kinds.length]?.(made[read % made.length] as Furnished);
    await afterwards();
  });
}
