import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const migrations = await readD1Migrations(`${root}migrations`);

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
  test: { name, include, exclude, setupFiles: ["test/setup.ts"], isolate: false, maxWorkers: 2 },
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
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
