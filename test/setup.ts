import { applyD1Migrations, env } from "cloudflare:test";
import { afterAll, expect } from "vitest";
import { brokenInvariants } from "./invariants";
import { logged } from "./log";
import { secretsKept } from "./secrets";
import { beginFile } from "./touched";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
await beginFile();
// The first request loads the application, which takes seconds, so no test pays for it.
await import("../src/api/app");

console.log = (...parts: unknown[]) => void logged.push(parts.join(" "));

afterAll(async () => {
  expect(await brokenInvariants()).toEqual([]);
  expect(await secretsKept()).toEqual([]);
});
