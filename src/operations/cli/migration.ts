import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFirstMigration } from "../../db/first-migration";
import { MIGRATIONS } from "./migrations";

// Until the first release every change of the schema makes the one migration anew.
const { name, text } = await makeFirstMigration();
rmSync(MIGRATIONS, { recursive: true, force: true });
mkdirSync(MIGRATIONS);
writeFileSync(join(MIGRATIONS, name), text);
process.stdout.write(`${join(MIGRATIONS, name)}\n`);
