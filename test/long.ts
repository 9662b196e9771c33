import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// `npm run test:faults`, `test:long` and `test:scale`, which no shell of Windows could start from a line of package.json.

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
      "test/resources/engagement/attribution",
    ],
    beside: "test/proofs/load/run.ts",
  },
  scale: {
    variables: { SCALE: "100000,1000000" },
    projects: ["worker"],
    files: ["test/proofs/scale", "test/resources/links/import.test.ts"],
  },
};

/** Runs Node.js and returns whether it succeeded. */
async function run(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const env = { ...process.env, ...variables };
  const [code] = await once(spawn(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" }), "exit");
  return code === 0;
}

const [name = "", ...more] = process.argv.slice(2);
const suite = SUITES[name];
if (suite === undefined) throw new Error(`There is no suite ${name}: ${Object.keys(SUITES).join(", ")}.`);
const { variables, projects, files, beside } = suite;
const options = [
  "--config",
  "test/vitest.config.ts",
  ...projects.flatMap((project) => ["--project", project]),
];
const ended = await Promise.all([
  run([VITEST, "run", ...options, ...files, ...more], variables),
  ...(beside === undefined ? [] : [run(["--import", "tsx", beside])]),
]);
process.exitCode = ended.every(Boolean) ? 0 : 1;
