import { defineConfig } from "vitest/config";

const root = new URL("../..", import.meta.url).pathname;

/** The tests that need nothing of workerd, in Node: Stryker's runner forces a pool of its own on Vitest. */
export default defineConfig({
  root,
  test: {
    include: [
      "test/lib/*.test.ts",
      "test/slugs/*.test.ts",
      "test/hosts/*.test.ts",
      "test/idempotency/*.test.ts",
      "test/clicks/count.test.ts",
      "test/links/rules.test.ts",
      "test/links/totals.test.ts",
      "test/qr/render.test.ts",
      "test/lib/target.test.ts",
      "test/workspaces/api-key.test.ts",
      "test/workspaces/authenticate.test.ts",
    ],
    // A mutant that waits for ever shall fail a test; one that takes a whole process with it costs far more.
    testTimeout: 20_000,
    // Bundled once, they load faster than module by module: every mutant loads them again.
    deps: {
      optimizer: { ssr: { enabled: true, include: ["drizzle-orm", "fast-check", "isbot", "jsqr", "zod"] } },
    },
  },
});
