import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./contract/processes";

/** Installs the tools of a folder with a lock file of its own, unless this lock file is installed. */
export async function installTools(folder: string): Promise<void> {
  const lock = join(folder, "package-lock.json");
  const installed = join(folder, "node_modules", ".installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lock, "utf8")) return;
  await run("npm", ["ci", "--prefix", folder, "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: folder,
  });
  cpSync(lock, installed);
}
