import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFirstMigration } from "../../src/db/first-migration";
import { listMigrations, MIGRATIONS } from "../../src/operations/cli/migrations";

it("the one migration is what `npm run migration` makes of the schema", async () => {
  const { name, text } = await makeFirstMigration();
  expect(listMigrations()).toEqual([name]);
  expect(readFileSync(join(MIGRATIONS, name), "utf8")).toBe(text);
});
