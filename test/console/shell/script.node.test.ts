import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const SCRIPT = "src/public/app/console.js";
const MAX_BYTES = 15 * 1024;

it("the script of the pages has at most 15 KB, compressed", () => {
  expect(gzipSync(readFileSync(SCRIPT), { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
});
