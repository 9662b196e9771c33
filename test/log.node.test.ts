import { afterEach, expect, it, vi } from "vitest";
import { notFound } from "../src/errors";
import { logFailure } from "../src/log";

afterEach(() => vi.restoreAllMocks());

function lineOf(error: unknown) {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  logFailure("request", error);
  return JSON.parse(String(log.mock.calls.at(-1)?.[0]));
}

it.each([
  ["D1_ERROR: no such table: secret: SQLITE_ERROR", "no such table"],
  ["D1_ERROR: UNIQUE constraint failed: secret.name: SQLITE_CONSTRAINT", "UNIQUE constraint failed"],
  ["D1_TYPE_ERROR: Type 'secret' not supported for value", "D1_TYPE_ERROR"],
  ["KV PUT failed: 429 secret", "KV PUT failed"],
  ["Cannot read properties of undefined (reading 'secret')", "Cannot read properties of"],
  ["secret", null],
])("an unexpected error is logged with a code of a list, and without its own text: %s", (message, code) => {
  const wrapped = new Error("Failed query: secret", { cause: new Error(message) });
  for (const error of [new Error(message), wrapped]) {
    const line = lineOf(error);
    expect(line).toMatchObject({ level: "error", request_id: "request", error: "Error", code });
    expect(JSON.stringify(line)).not.toContain("secret");
  }
});

it("an unexpected error is logged with the positions of its stack, and none that only its text has", () => {
  const error = new Error("One line\n    at secret (secret.ts:1:2)\n    at secret.ts:3:4");
  const { at } = lineOf(error);
  expect(at[0]).toMatch(/^log\.node\.test\.ts:\d+:\d+$/);
  expect(at.length).toBeLessThanOrEqual(8);
  expect(at.join()).not.toContain("secret");
  error.message = "Another one";
  expect(lineOf(error).at).toEqual([]);
});

it("what a job was refused with is logged by its own code", () => {
  expect(lineOf(notFound()).code).toBe("not_found");
  expect(lineOf("secret")).toMatchObject({ error: "string", code: null, at: [] });
});
