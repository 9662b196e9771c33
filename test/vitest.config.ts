import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const migrations = await readD1Migrations(`${root}migrations`);

const WORKERS = 2;
/** No test measures time; a busy machine must not fail one. */
const PATIENCE_MS = 60_000;
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
  "isbot",
  "jsqr",
  "ulidx",
  "zod",
];

/** Tests in workerd, with real D1 and KV. */
const inWorker = (name: string, include: string[], exclude: string[]) => ({
  root,
  plugins: [
    cloudflareTest({
      wrangler: { configPath: `${root}wrangler.toml` },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: migrations,
          RUNS: process.env["RUNS"] ?? "",
          SEED: process.env["SEED"] ?? "",
        },
      },
    }),
  ],
  test: {
    name,
    include,
    exclude,
    setupFiles: ["test/setup.ts"],
    isolate: false,
    maxWorkers: WORKERS,
    testTimeout: PATIENCE_MS,
    // Bundled once, they load and run faster than module by module.
    deps: { optimizer: { ssr: { enabled: true, include: DEPENDENCIES } } },
  },
});

// `faults` has a command of its own; the tests of the commands run in Node, as the commands do.
export default defineConfig({
  test: {
    projects: [
      inWorker("worker", ["test/**/*.test.ts"], ["test/cli/**", "test/faults/**"]),
      inWorker("faults", ["test/faults/*.test.ts"], []),
      {
        root,
        test: {
          name: "node",
          include: ["test/cli/**/*.test.ts"],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          maxWorkers: WORKERS,
        },
      },
    ],
  },
});
