import { type SQL, sql } from "drizzle-orm";

/**
 * A JSON list of texts as one bound parameter, to select from: D1 takes a hundred parameters a statement. Cross joined
 * with a table by `WANTED`, it reads a row of the list and one of the table for each.
 */
export const wantedIn = (json: string): SQL => sql`json_each(${json}) as wanted`;

export const WANTED = sql`wanted.value`;
