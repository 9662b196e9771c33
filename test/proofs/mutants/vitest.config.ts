import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The tests of the pure code, in Node, since Stryker's runner forces its own pool on Vitest. */
export default defineConfig({
  root,
  test: {
    include: ["test/{lib,resources/qr}/*.test.ts", "test/access/*.node.test.ts"],
    // A hanging mutant should fail one test. A mutant that kills a whole process costs far more.
    testTimeout: 20_000,
  },
});
