import { expect, it } from "vitest";
import { rowsAsCsv } from "../../../src/console/shell/file-response";

async function csvOf(chunks: Parameters<typeof rowsAsCsv<string>>[1]): Promise<string> {
  let csv = "";
  for await (const part of rowsAsCsv(["Day"], chunks, (row: string) => [row])) csv += part;
  return csv;
}

it("a file by day says why it has none", async () => {
  expect(await csvOf("Too many links.")).toBe("\ufeffDay\r\n–,Too many links.\r\n");
});
