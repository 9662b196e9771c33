import "../src/cli/node-version.ts";
import { existsSync, statfsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { makeStaticFiles } from "../src/cli/built-files.ts";
import { workerConfig } from "./worker-config.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
makeStaticFiles(root);
const migrations = await readD1Migrations(`${root}migrations`);

/** A folder in memory for local D1 and KV, which saves a third of the time. Used if it has enough space. */
const MEMORY_DISK = "/dev/shm";
const NEEDED_BYTES = 2 * 1024 ** 3;

function hasMemoryDisk(): boolean {
  if (process.env["SCALE"] || !existsSync(MEMORY_DISK)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize >= NEEDED_BYTES;
}

if (hasMemoryDisk()) process.env["TMPDIR"] ??= MEMORY_DISK;

/** More than two cores, since some tests wait. Each worker takes seconds of CPU to load the application. */
const WORKERS = 3;
const WORKERS_THAT_WAIT = 4;
/** Generous, so that no test fails on a busy machine. Commands and browsers do the work of minutes in one test. */
const PATIENCE_MS = 180_000;
const PATIENCE_WITH_PROCESSES_MS = 900_000;
const PATIENT = { poll: { timeout: PATIENCE_MS / 2 } };
const DEPENDENCIES = [
  "@hono/zod-openapi",
  "ajv-formats",
  "ajv/dist/2020",
  "drizzle-orm",
  "drizzle-orm/batch",
  "drizzle-orm/sqlite-proxy",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "hono",
  "hono/method-not-allowed",
  "hono/route",
  "hono/router/trie-router",
  "isbot",
  "jsqr",
  "papaparse",
  "punycode/punycode.js",
  "tldts-icann",
  "ulidx",
  "zod",
];

/** Tests that take seconds of CPU each. `npm run test:faults` and `npm run test:long` run them. */
const LONG_TESTS = [
  "test/operations/backup/*.test.ts",
  "test/resources/engagement/attribution.test.ts",
  "test/resources/imports/interrupted.test.ts",
  "test/proofs/{fair,fuzz,limits,patterns}/*.test.ts",
  "test/proofs/faults/{ambiguous-commits,histories,model,overtaken-changes,protocol,verbs-overtaken}.test.ts",
  "test/proofs/scale/{pages,scale,visits}.test.ts",
];
const LEFT_OUT = ["LONG", "SCALE"].some((name) => process.env[name]) ? [] : LONG_TESTS;

/** In this order, since the browser has more short files, of which the last leaves a core idle for seconds only. */
const PROJECTS = ["commands", "browser", "client", "worker", "node"];
/** The files that take longest, in the order in which they start. Vitest would begin with the largest files. */
const LONGEST = [
  "commands/backup",
  "commands/deploy",
  "commands/examples",
  "commands/dev",
  "commands/runbook",
  "commands/admin",
  "browser/week",
  "browser/pages",
  "browser/hostile",
  "browser/docs",
  "client/package/automate",
  "client/command/process",
  "operations/backup/restore",
  "resources/imports/interrupted",
  "proofs/faults/protocol",
  "proofs/faults/overtaken-changes",
  "proofs/faults/model",
  "proofs/scale/pages",
  "proofs/fuzz/programmes",
  "console/imports/import",
  "console/tenancy",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}`));
      return place === -1 ? LONGEST.length : place;
    };
    const projectOf = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).toSorted(
      (one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other),
    );
  }
}

/** Tests that need neither workerd nor D1, and the commands in one process. */
const IN_NODE = [
  "test/proofs/{architecture,patterns}/*.test.ts",
  "test/cli/*.test.ts",
  "test/resources/qr/*.test.ts",
  "test/lib/*.test.ts",
  "test/**/*.node.test.ts",
];

const inNode = (
  name: string,
  maxWorkers: number,
  include: string[],
  globalSetup: string[] = [],
  setupFiles: string[] = [],
) => ({
  root,
  test: {
    name,
    include,
    exclude: ["**/node_modules/**", ...LEFT_OUT],
    setupFiles: ["test/long-text.ts", ...setupFiles],
    globalSetup,
    // Imports wrangler once per worker instead of once per file.
    isolate: false,
    testTimeout: PATIENCE_WITH_PROCESSES_MS,
    hookTimeout: PATIENCE_WITH_PROCESSES_MS,
    expect: PATIENT,
    maxWorkers,
  },
});

/** Prepares what local services share. */
const SERVICES = ["test/service/prepare.ts"];

/** Modules that only the package has, since the root does not install it. */
const MCP_MODULES = `${root}src/client/node_modules/@modelcontextprotocol/`;
const CLIENT_MODULES = [
  { find: /^@modelcontextprotocol\/(\w+)$/, replacement: `${MCP_MODULES}$1/dist/index.mjs` },
  { find: /^@modelcontextprotocol\/(\w+)\/stdio$/, replacement: `${MCP_MODULES}$1/dist/stdio.mjs` },
];

/** `worker`: in workerd, with real D1 and KV. `node`: the commands, the patterns of the source, and what is measured in Node. `commands`: the same as processes. `browser`: the web application in Chromium. `client`: the package in `src/client`, which needs its own `npm ci`. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // The Worker's log lines.
    onConsoleLog: (text) => !/^(\{"level":.*\}\n?)+$/.test(text),
    projects: [
      {
        root,
        plugins: [
          cloudflareTest({
            // The sources. The configuration names the build.
            main: `${root}src/worker.ts`,
            wrangler: { configPath: workerConfig() },
            miniflare: {
              email: { send_email: [{ name: "LOCAL_MAIL" }] },
              d1Databases: [
                "SCALE_SMALL",
                "SCALE_BIG",
                "SCALE_OVERVIEW",
                "SCALE_VISITS",
                "MIGRATED",
                "KEPT",
                "BACKED_UP",
                "RESTORED",
              ],
              r2Buckets: ["TEST_BACKUPS"],
              bindings: {
                SCALE: process.env["SCALE"] ?? "",
                KEEP: process.env["KEEP"] ?? "",
                TEST_MIGRATIONS: migrations,
                RUNS: process.env["RUNS"] ?? "",
                SEED: process.env["SEED"] ?? "",
              },
            },
          }),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: [
            ...IN_NODE,
            ...LEFT_OUT,
            "test/commands/**",
            "test/browser/**",
            "test/client/**",
            "**/node_modules/**",
          ],
          setupFiles: ["test/long-text.ts", "test/setup.ts"],
          globalSetup: ["test/operations/health/pages.ts"],
          isolate: false,
          maxWorkers: WORKERS,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect: PATIENT,
          // Bundled modules load and run faster.
          deps: { optimizer: { ssr: { enabled: true, include: DEPENDENCIES } } },
        },
      },
      inNode("node", WORKERS, IN_NODE),
      inNode("commands", WORKERS_THAT_WAIT, ["test/commands/*.test.ts"], SERVICES),
      inNode("browser", WORKERS_THAT_WAIT, ["test/browser/*.test.ts"], SERVICES),
      {
        ...inNode("client", WORKERS_THAT_WAIT, ["test/client/**/*.test.ts"], SERVICES, [
          "test/client/instant-time.ts",
        ]),
        resolve: { alias: CLIENT_MODULES },
      },
    ],
  },
});
