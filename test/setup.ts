import { applyD1Migrations, env } from "cloudflare:test";
import { afterAll, expect } from "vitest";
import { brokenInvariants } from "./invariants";
import { logged } from "./log";
import { secretsKept } from "./secrets";
import { deleteAllRows } from "./tables";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
// The files of a worker share one database. Jobs and checks that go through all workspaces would take ever longer.
await deleteAllRows(env.DB);
// The first request loads the application, which takes seconds, so no test pays for it.
await import("../src/api/api-app");

console.log = (...parts: unknown[]) => void logged.push(parts.join(" "));

afterAll(async () => {
  expect(await brokenInvariants()).toEqual([]);
  expect(await secretsKept()).toEqual([]);
});
