import { defineConfig } from "vitest/config";

const root = new URL("../..", import.meta.url).pathname;

/** The tests that need nothing of workerd, in Node: Stryker's runner forces a pool of its own on Vitest. */
export default defineConfig({
  root,
  test: {
    include: ["test/{lib,qr}/*.test.ts", "test/**/*.node.test.ts"],
    exclude: ["test/clicks/memory.node.test.ts", "test/docs/**", "test/redirect/routes.node.test.ts"],
    // A mutant that waits for ever shall fail a test; one that takes a whole process with it costs far more.
    testTimeout: 20_000,
    // Bundled once, they load faster than module by module: every mutant loads them again.
    deps: {
      optimizer: { ssr: { enabled: true, include: ["drizzle-orm", "fast-check", "isbot", "jsqr", "zod"] } },
    },
  },
});
