import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listMigrations, MIGRATIONS } from "../../src/cli/migrations";
import { makeFirstMigration } from "../../src/db/first-migration";

it("the one migration is what `npm run migration` makes of the schema", async () => {
  const { name, text } = await makeFirstMigration();
  expect(listMigrations()).toEqual([name]);
  expect(readFileSync(join(MIGRATIONS, name), "utf8")).toBe(text);
});
