import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

// An instance has 128 MB, and Node ends a process whose heap needs more than it may have. Bodies are outside of the heap.

const INSTANCE_MB = 128;
const HEAP_MB = 72;
const PROGRAM = fileURLToPath(new URL("program.ts", import.meta.url));

const [major = 0] = process.versions.node.split(".").map(Number);

function run(scenario: string) {
  const flags = [
    "--experimental-sqlite",
    "--expose-gc",
    // The heap is collected when it is full, not at a time that depends on what else the machine does.
    "--no-incremental-marking",
    `--max-old-space-size=${HEAP_MB}`,
    "--import",
    "tsx",
  ];
  const { status, stdout } = spawnSync(process.execPath, [...flags, PROGRAM, scenario], { encoding: "utf8" });
  if (status !== 0) return { status, answers: [], mostOutsideMb: 0 };
  return { status, ...(JSON.parse(stdout) as { answers: { status: number }[]; mostOutsideMb: number }) };
}

it.runIf(major >= 24).each([
  ["export.csv", "four downloads at once of links with ten long rules", 200],
  ["list.csv", "four files of a list of the same links at once", 200],
  ["import", "eight imports at once of files of nearly 10 MB", 303],
  ["change", "changes of 250 of the longest links, at once of four workspaces", 303],
  ["undo", "undos of these changes at once", 303],
  ["links", "pages of the longest links, eight at once of each of four workspaces", 200],
])(
  "%s: %s fit into an instance, and what does not is 429, where SQLite has FTS5 (Node 24)",
  (scenario, _, success) => {
    const { status, answers, mostOutsideMb } = run(scenario);
    expect(status).toBe(0);
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((one) => one !== success && one !== 429)).toEqual([]);
    expect(statuses.filter((one) => one === success).length).toBeGreaterThanOrEqual(2);
    expect(mostOutsideMb).toBeLessThan(INSTANCE_MB - HEAP_MB);
  },
);
