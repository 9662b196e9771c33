import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { backupLines } from "../backup/back-up";
import { type Hash, refusal, type Seal, type Source, withSeal } from "../backup/format";
import { getMigrations } from "../backup/migrations";
import { restoreFrom } from "../backup/restore";
import type { ServiceContext } from "../context";
import { invalid } from "../errors";
import { hasOtherMigrations } from "./migrations";

const newHash = (): Hash => {
  const hash = createHash("sha256");
  return { update: (text) => hash.update(text), digest: () => hash.digest("hex") };
};

const CHUNK_CHARACTERS = 1 << 16;

/** Writes a backup to `path`, readable by its owner alone. Uses `path.part` until it is complete. Throws 422 if `path` exists. */
export async function backUp(ctx: ServiceContext, path: string, workspace?: string) {
  const fileExists = () =>
    invalid([{ field: "out", message: `There is a file ${path} already: name another.`, code: "taken" }]);
  if (existsSync(path)) throw fileExists();
  const part = `${path}.part`;
  let bytes = 0;
  let seal: Seal;
  try {
    await rm(part, { force: true });
    const file = await open(part, "wx", 0o600);
    try {
      let text = "";
      const flush = async () => {
        bytes += (await file.write(text)).bytesWritten;
        text = "";
      };
      const lines = withSeal(backupLines(ctx, workspace), newHash());
      for (;;) {
        const next = await lines.next();
        if (next.done) {
          seal = next.value;
          break;
        }
        text += `${next.value}\n`;
        if (text.length >= CHUNK_CHARACTERS) await flush();
      }
      await flush();
      await file.sync();
    } finally {
      await file.close();
    }
    if (existsSync(path)) throw fileExists();
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { file: path, bytes, rows: seal.rows, sha256: seal.sha256 };
}

/** Reads a file line by line. Splits at line feeds alone, since a title may contain other line separators. */
async function* readLines(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: CHUNK_CHARACTERS })) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/**
 * Restores a backup, or one workspace from it. Throws 422 if the file cannot be read, or if the database has other
 * migrations than this release.
 */
export async function restore(ctx: ServiceContext, path: string, workspace?: string) {
  if (hasOtherMigrations(await getMigrations(ctx))) {
    throw refusal(
      "The database was made with other migrations than this release has: restore into a new one.",
    );
  }
  const file = await open(path, "r").catch(() => {
    throw invalid([
      { field: "from", message: `There is no file ${path} that can be read.`, code: "unknown" },
    ]);
  });
  await file.close();
  const source: Source = { name: path, lines: () => readLines(path), newHash };
  return restoreFrom(ctx, source, workspace);
}
