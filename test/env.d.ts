/// <reference types="vite/client" />

declare namespace Cloudflare {
  interface Env extends TestBindings {}
}

type TestBindings = import("../src/context").Env & {
  TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  /** The local simulation of a mail service. */
  LOCAL_MAIL: SendEmail;
  /** The runs and the seed of the model. Empty by default. */
  RUNS: string;
  SEED: string;
  SCALE: string;
  SCALE_SMALL: D1Database;
  SCALE_BIG: D1Database;
  SCALE_OVERVIEW: D1Database;
  SCALE_VISITS: D1Database;
  /** A database without tables. */
  MIGRATED: D1Database;
  /** The database of an earlier release. */
  KEPT: D1Database;
  /** The version whose database is to be kept. Empty by default. */
  KEEP: string;
  /** Used only by the tests of backups. */
  BACKED_UP: D1Database;
  RESTORED: D1Database;
  TEST_BACKUPS: R2Bucket;
};
