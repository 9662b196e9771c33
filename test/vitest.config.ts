import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { makeStaticFiles } from "../src/cli/static.ts";

const root = new URL("..", import.meta.url).pathname;
makeStaticFiles(root);
const migrations = await readD1Migrations(`${root}migrations`);

const WORKERS = 3;
/** No test measures time; a busy machine must not fail one. */
const PATIENCE_MS = 180_000;
const DEPENDENCIES = [
  "@hono/zod-openapi",
  "ajv-formats",
  "ajv/dist/2020",
  "drizzle-orm",
  "drizzle-orm/batch",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "hono",
  "hono/method-not-allowed",
  "hono/route",
  "hono/router/trie-router",
  "isbot",
  "jsqr",
  "papaparse",
  "tldts-icann",
  "ulidx",
  "zod",
];

const inNode = (name: string, ...include: string[]) => ({
  root,
  test: {
    name,
    include,
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    maxWorkers: WORKERS,
  },
});

/** `worker`: in workerd, with real D1 and KV. `node`: the commands, the patterns of the source, and what is measured in Node. `commands`: the same as processes. `browser`: the web application in Chromium. */
export default defineConfig({
  test: {
    // The lines that the Worker logs, one or several of them.
    onConsoleLog: (text) => !/^(\{"level":.*\}\n?)+$/.test(text),
    projects: [
      {
        root,
        plugins: [
          cloudflareTest({
            wrangler: { configPath: `${root}wrangler.toml` },
            miniflare: {
              d1Databases: ["SCALE_SMALL", "SCALE_BIG", "MIGRATED", "BACKED_UP", "RESTORED"],
              bindings: {
                SCALE: process.env["SCALE"] ?? "",
                TEST_MIGRATIONS: migrations,
                RUNS: process.env["RUNS"] ?? "",
                SEED: process.env["SEED"] ?? "",
                PAIRS: process.env["PAIRS"] ?? "",
                LONG: process.env["LONG"] ?? "",
              },
            },
          }),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/cli/**",
            "test/patterns/**",
            "test/commands/**",
            "test/browser/**",
            "test/**/*.node.test.ts",
          ],
          setupFiles: ["test/setup.ts"],
          isolate: false,
          maxWorkers: WORKERS,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          // Bundled once, they load and run faster than module by module.
          deps: { optimizer: { ssr: { enabled: true, include: DEPENDENCIES } } },
        },
      },
      inNode("node", "test/{cli,patterns}/*.test.ts", "test/**/*.node.test.ts"),
      inNode("commands", "test/commands/*.test.ts"),
      inNode("browser", "test/browser/*.test.ts"),
    ],
  },
});
