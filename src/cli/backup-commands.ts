import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { applyAll } from "../analytics/queue";
import type { ServiceContext } from "../context";
import { readMigrations } from "../operations/applied-migrations";
import { backupLines } from "../operations/backup/back-up";
import { type Hash, refusal, type Seal, type Source, withSeal } from "../operations/backup/backup-format";
import { restoreFrom } from "../operations/backup/restore";
import { restoreMissing } from "../operations/backup/restore-missing";
import { hasOtherMigrations } from "./migrations";

const newHash = (): Hash => {
  const hash = createHash("sha256");
  return { update: (text) => hash.update(text), digest: () => hash.digest("hex") };
};

const CHUNK_BYTES = 1 << 16;

async function* withLineFeeds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** Writes a backup to `path`, readable by its owner alone. Uses `path.part` until it is complete. Throws 422 if `path` exists. */
export async function backUp(ctx: ServiceContext, path: string, workspace?: string) {
  const fileExists = () => refusal(`There is a file ${path} already: name another.`, "out");
  if (existsSync(path)) throw fileExists();
  const part = `${path}.part`;
  const done: { seal?: Seal } = {};
  await applyAll(ctx);
  async function* lines() {
    done.seal = yield* withSeal(backupLines(ctx, workspace), newHash());
  }
  try {
    await rm(part, { force: true });
    await pipeline(
      lines,
      withLineFeeds,
      createWriteStream(part, { flags: "wx", mode: 0o600, flush: true, highWaterMark: CHUNK_BYTES }),
    );
    if (existsSync(path)) throw fileExists();
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { file: path, bytes: (await stat(path)).size, ...done.seal };
}

/** The refusal of a file that a command is to read. */
export const unreadable = (path: string) => refusal(`There is no file ${path} that can be read.`);

/** Reads a file line by line. Splits at line feeds alone, since a title may contain other line separators. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: CHUNK_BYTES })) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

interface RestoreOptions {
  workspace?: string | undefined;
  missing?: boolean | undefined;
  dry_run?: boolean | undefined;
}

/**
 * Restores a backup, or one workspace from it, or adds what is `missing`. Throws 422 if the file cannot be read, or if the
 * database has other migrations than this release.
 */
export async function restore(ctx: ServiceContext, path: string, given: RestoreOptions = {}) {
  const { workspace, missing = false, dry_run: isPlan = false } = given;
  if (isPlan && !missing) throw refusal("It goes with --missing, which says what it would add.", "dry_run");
  if (hasOtherMigrations(await readMigrations(ctx.db))) {
    throw refusal(
      "The database was made with other migrations than this release has: restore into a new one.",
    );
  }
  const file = await open(path, "r").catch(() => {
    throw unreadable(path);
  });
  await file.close();
  const source: Source = { name: path, lines: () => readLines(path), newHash };
  return missing ? restoreMissing(ctx, source, { workspace, isPlan }) : restoreFrom(ctx, source, workspace);
}
