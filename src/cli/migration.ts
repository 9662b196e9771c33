import "./node-version";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { makeMigration } from "../db/migration";
import { LAST_MIGRATION, listMigrations, MIGRATIONS, SNAPSHOT, toMigrationName } from "./migrations";
import { print } from "./run";

// Adds a migration from the last schema to that of the code. Released ones never change.
const { values } = parseArgs({ options: { name: { type: "string", default: "change" } } });
mkdirSync(dirname(SNAPSHOT), { recursive: true });
const previous = existsSync(SNAPSHOT) ? JSON.parse(readFileSync(SNAPSHOT, "utf8")) : undefined;
const { text, snapshot } = await makeMigration(previous);
if (text === "") {
  print("The migrations make this schema already.");
} else {
  const label = previous === undefined ? "first" : values.name;
  const name = toMigrationName(listMigrations().length, label, text);
  const path = join(MIGRATIONS, name);
  writeFileSync(path, text);
  writeFileSync(SNAPSHOT, `${JSON.stringify(snapshot, null, 1)}\n`);
  writeFileSync(LAST_MIGRATION, `${JSON.stringify({ name })}\n`);
  print(path);
}
