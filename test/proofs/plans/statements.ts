import { SQL, sql } from "drizzle-orm";
import { orm, type Statement } from "../../../src/db/prepared";
import { type Entry, QUERIES } from "./queries";

export const ENTRIES = Object.entries(QUERIES).flatMap(([module, entries]) =>
  Object.entries(entries).map(([name, entry]) => ({ name: `${module}.${name}`, entry })),
);

export function statementsOf(entry: Entry): readonly Statement[] {
  if (entry instanceof SQL) return [orm.all(sql`select ${entry}`)];
  return Array.isArray(entry) ? entry : [entry as Statement];
}
