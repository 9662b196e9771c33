import { getTableName } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import text from "../../src/db/STORAGE.md?raw";
import { schema } from "../../src/db/schema/all";

const TABLES = Object.values(schema)
  .filter((table) => table instanceof SQLiteTable)
  .map(getTableName)
  .sort();

const section = (heading: string): string =>
  text.split("\n## ").find((part) => part.startsWith(heading)) ?? "";

/** The names in the first column of a section's table. */
const namesIn = (heading: string): string[] =>
  [...section(heading).matchAll(/^\| (`[^|]*`) \|/gm)]
    .flatMap(([, names = ""]) => names.split(", ").map((name) => name.replaceAll("`", "")))
    .sort();

it.each(["What each table is for", "Growth"])(
  "the storage document has a row for every table under “%s”",
  (heading) => {
    expect(namesIn(heading)).toEqual(TABLES);
  },
);

it("the storage document states the bound of every table", () => {
  const rows = [...section("Growth").matchAll(/^\| `.*$/gm)].map(([row]) => row.split(" | "));
  for (const row of rows)
    expect(row.map((cell) => cell.replaceAll(/[|\s]/g, "") !== "")).toEqual(Array(5).fill(true));
});
