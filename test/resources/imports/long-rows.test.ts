import { expect, it } from "vitest";
import { checkFile } from "../../../src/resources/imports/check-file";
import { getImport } from "../../../src/resources/imports/import-service";
import { makeWorkspace } from "../../harness";

it("a page of an import asks for room for the bytes of its rows", async () => {
  const { ctx } = await makeWorkspace();
  const note = "é".repeat(10_000);
  const lines = Array.from({ length: 101 }, () => `https://www.example.com/,${note}`);
  const bytes = new TextEncoder().encode(["destination_url,note", ...lines].join("\n"));
  const checked = await checkFile(ctx, { name: "links.csv", bytes });
  if (!("id" in checked)) throw new Error("It was imported before");
  const held: number[] = [];
  const hold = async (size: number) => void held.push(size);
  for (const page of [1, 2]) await getImport({ ...ctx, hold }, checked.id, { show: "all", page });
  expect(held.length).toBe(2);
  const [first = 0, second = 0] = held;
  expect(first).toBeGreaterThan(100 * 20_000);
  expect(first).toBeLessThan(100 * 21_000);
  expect(second).toBeGreaterThan(20_000);
  expect(second).toBeLessThan(21_000);
});
