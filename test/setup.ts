import { applyD1Migrations, env } from "cloudflare:test";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
// The first request loads it, which takes seconds here and shall be no test's own.
await import("../src/api/app");
