import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { plainEnvironment, ROOT, start, until } from "../../operations/cli/terminal";

const PACKAGE = join(ROOT, "src/client");
const LOCK = join(PACKAGE, "generated", "pack.lock");
const MAX_WAIT_SECONDS = 120;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function ownerOf(lock: string): number {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return 0;
  }
}

function takeLock(): true | undefined {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const owner = ownerOf(LOCK);
    if (owner !== 0 && !isAlive(owner)) rmSync(LOCK, { force: true });
    return undefined;
  }
}

/** Packs the package into a folder. It is packed once per run, since that builds it, which takes long. */
export async function packInto(folder: string): Promise<void> {
  const { shared } = inject("service");
  mkdirSync(dirname(LOCK), { recursive: true });
  await until(() => `Another process still packs: ${LOCK}`, MAX_WAIT_SECONDS, takeLock);
  try {
    if (readdirSync(shared).length === 0) {
      const args = ["pack", "--silent", "--pack-destination", shared];
      const { code, err } = await start("npm", args, { cwd: PACKAGE, env: plainEnvironment() }).ended;
      if (code !== 0) throw new Error(`npm pack ended with ${code}:\n${err}`);
    }
  } finally {
    rmSync(LOCK, { force: true });
  }
  cpSync(shared, folder, { recursive: true });
}
