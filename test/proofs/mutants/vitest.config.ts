import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The tests that do not need workerd, in Node, since Stryker's runner forces its own pool on Vitest. */
export default defineConfig({
  root,
  test: {
    include: ["test/{lib,resources/qr}/*.test.ts", "test/**/*.node.test.ts"],
    exclude: ["test/analytics/memory.node.test.ts", "test/docs/**", "test/redirect/routes.node.test.ts"],
    // A hanging mutant should fail one test. A mutant that kills a whole process costs far more.
    testTimeout: 20_000,
    // Bundled modules load faster, and every mutant loads them again.
    deps: {
      optimizer: { ssr: { enabled: true, include: ["drizzle-orm", "fast-check", "isbot", "jsqr", "zod"] } },
    },
  },
});
