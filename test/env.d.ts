/// <reference types="vite/client" />

declare namespace Cloudflare {
  interface Env extends TestBindings {}
}

type TestBindings = import("../src/context").Env & {
  TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  /** How often the model runs and from which seed; empty where the command says nothing. */
  RUNS: string;
  SEED: string;
  PAIRS: string;
  /** `1` where tests with random input take all the time that they need. */
  LONG: string;
  SCALE: string;
  SCALE_SMALL: D1Database;
  SCALE_BIG: D1Database;
  /** Empty, without tables. */
  MIGRATED: D1Database;
  /** For the tests of backups alone. */
  BACKED_UP: D1Database;
  RESTORED: D1Database;
};
