import { asc, count, lte, min } from "drizzle-orm";
import { orm } from "../../../db/prepared";
import { slugs } from "../../../db/schema/links";

/** The number of due pushes, counted up to `limit`, and the due time of the oldest. */
export const countDuePushes = (dueAt: number, limit: number) => {
  const due = orm
    .select({ push_at: slugs.push_at })
    .from(slugs)
    .where(lte(slugs.push_at, dueAt))
    .orderBy(asc(slugs.push_at))
    .limit(limit)
    .as("due");
  return orm.select({ due: count(), oldest: min(due.push_at) }).from(due);
};
