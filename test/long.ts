import "../src/cli/node-version.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// `npm run test:faults`, `test:long` and `test:scale`, which no shell of Windows could start from a line of package.json. CI runs
// the first two as one, which starts the Worker once.

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const VITEST = join(createRequire(import.meta.url).resolve("vitest/package.json"), "..", "vitest.mjs");

interface Suite {
  variables: NodeJS.ProcessEnv;
  projects: readonly string[];
  files: readonly string[];
  /** A program that runs at the same time. */
  beside?: string;
}

const SUITES: Readonly<Record<string, Suite>> = {
  faults: {
    variables: { LONG: "1" },
    projects: ["worker"],
    files: ["test/proofs/faults", "test/operations/backup", "test/resources/imports/interrupted"],
  },
  long: {
    variables: { LONG: "1" },
    projects: ["worker", "node"],
    files: [
      ...["fair", "fuzz", "limits", "patterns", "scale"].map((name) => `test/proofs/${name}`),
      "test/resources/code-brandings/read-back",
      "test/resources/engagement/attribution",
    ],
    beside: "test/proofs/load/run.ts",
  },
  scale: {
    variables: { SCALE: "100000,1000000" },
    projects: ["worker", "node"],
    files: [
      "test/proofs/scale",
      "test/resources/links/import.test.ts",
      "test/resources/code-brandings/read-back",
    ],
  },
};

/** Runs Node.js and returns whether it succeeded. */
async function run(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const env = { ...process.env, ...variables };
  const [code] = await once(spawn(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" }), "exit");
  return code === 0;
}

const args = process.argv.slice(2);
const suites = args.flatMap((name) => SUITES[name] ?? []);
if (suites.length === 0) throw new Error(`Name a suite: ${Object.keys(SUITES).join(", ")}.`);
const variables = Object.assign({}, ...suites.map((suite) => suite.variables));
const projects = new Set(suites.flatMap((suite) => suite.projects));
const options = [
  "--config",
  "test/vitest.config.ts",
  ...[...projects].flatMap((project) => ["--project", project]),
  ...suites.flatMap(({ files }) => files),
  ...args.filter((name) => SUITES[name] === undefined),
];
const ended = await Promise.all([
  run([VITEST, "run", ...options], variables),
  ...suites.flatMap(({ beside }) => (beside === undefined ? [] : [run(["--import", "tsx", beside])])),
]);
process.exitCode = ended.every(Boolean) ? 0 : 1;
