import { expect, it } from "vitest";
import { parseRetryAfter } from "../../src/lib/retry-after";

const NOW = Date.parse("2026-11-22T09:30:00Z");

it.each([
  ["90", 90_000],
  [" 90 ", 90_000],
  ["0", 0],
  ["Sun, 22 Nov 2026 09:32:00 GMT", 120_000],
  ["Sun, 22 Nov 2026 09:00:00 GMT", 0],
  ["soon", null],
  ["1.5 seconds", null],
  ["", null],
  [null, null],
])("a Retry-After of %j is a pause of %j milliseconds", (header, pause) => {
  expect(parseRetryAfter(header, NOW)).toBe(pause);
});
