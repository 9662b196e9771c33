import { type SQL, sql } from "drizzle-orm";

/** A list of texts as one bound parameter, to stand behind `in`: D1 takes a hundred parameters a statement. */
export const jsonList = (values: readonly string[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;
