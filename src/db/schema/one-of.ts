import { type SQL, sql } from "drizzle-orm";

/** The condition of a column that takes some values only. */
export const oneOf = ({ name, enumValues }: { name: string; enumValues: readonly string[] }): SQL =>
  sql.raw(`"${name}" in (${enumValues.map((value) => `'${value}'`).join(", ")})`);
