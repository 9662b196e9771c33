import { type SQL, sql } from "drizzle-orm";

/** A JSON list of texts as one bound parameter, to stand behind `in`: D1 takes a hundred parameters a statement. */
export const jsonList = (json: string): SQL => sql`(select value from json_each(${json}))`;
