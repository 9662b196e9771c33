import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

// Most tests run in workerd with real D1 and KV; those of the commands run in Node, as the commands do.
export default defineConfig({
  test: {
    projects: [
      {
        root,
        plugins: [
          cloudflareTest({
            wrangler: { configPath: `${root}wrangler.toml` },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations(`${root}migrations`),
                RUNS: process.env["RUNS"] ?? "",
                SEED: process.env["SEED"] ?? "",
              },
            },
          }),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/cli/**"],
          setupFiles: ["test/setup.ts"],
          isolate: false,
          maxWorkers: 2,
        },
      },
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
