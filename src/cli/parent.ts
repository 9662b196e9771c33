import { execFile } from "node:child_process";

/** Read at once, since the other modules take seconds to load. */
const PARENT = process.ppid;
const LOOK_MS = 500;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * npm runs a script in a shell, and a shell outlives an npm that is killed. Calls `found` with npm's process, or with
 * undefined if this process has lost its parent before it could read its id. Without `ps` nothing is found.
 */
function findNpm(found: (npm: number | undefined) => void): void {
  if (process.env["npm_lifecycle_event"] !== "dev") return;
  execFile("ps", ["-o", "ppid=,args=", "-p", String(PARENT)], (_, out) => {
    const [, above, args = ""] = /^ *(\d+) +(.*)/.exec(out) ?? [];
    if (above === undefined) return;
    if (args.includes("dev.ts")) found(Number(above));
    else found(/\b(?:npm|pnpm|yarn|bun)\b/.test(args) ? PARENT : undefined);
  });
}

/**
 * Calls `end`, again and again, once the process that has started this one is gone, or the npm above it. Windows itself ends
 * what a closed console has started.
 */
export function onParentEnd(end: () => void): void {
  if (process.platform === "win32") return;
  let npm: number | undefined = PARENT;
  findNpm((found) => {
    npm = found;
  });
  setInterval(() => {
    if (process.ppid !== PARENT || npm === undefined || !isThere(npm)) end();
  }, LOOK_MS).unref();
}
