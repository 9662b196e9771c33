import { expect, it } from "vitest";
import { daysAsCsv } from "../../../src/console/shell/file-response";

async function csvOf(isCut: boolean): Promise<string> {
  async function* portions() {
    yield { rows: ["a"], isCut: false };
    yield { rows: ["b"], isCut };
  }
  let csv = "";
  for await (const part of daysAsCsv(["Day"], portions(), (row) => [row])) csv += part;
  return csv;
}

it.each([
  [false, ""],
  [true, '"The file ends here, because there is too much for one. Export fewer days for the rest."\r\n'],
])("a file by day that is cut ends with a line that says so: %s", async (isCut, last) => {
  expect(await csvOf(isCut)).toBe(`\ufeffDay\r\na\r\nb\r\n${last}`);
});
