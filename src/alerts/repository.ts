import type { Statement } from "../db/client";
import { alerts } from "../db/schema";

export type AlertKind = (typeof alerts.$inferSelect)["kind"];

/** Queues an event. An event with the same key is told once. */
export const insertAlert =
  (row: Omit<typeof alerts.$inferInsert, "id">): Statement =>
  (orm) =>
    orm.insert(alerts).values(row).onConflictDoNothing({ target: alerts.key });
