import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The last run of each cron in which no job failed. */
export const cronRuns = sqliteTable("cron_runs", {
  cron: text().primaryKey(),
  succeeded_at: integer().notNull(),
});

/** The answers of instances that had failed or slow ones, by minute since the epoch. */
export const answerCounts = sqliteTable("answer_counts", {
  minute: integer().primaryKey(),
  answers: integer().notNull(),
  /** With a status of 5xx. */
  failed: integer().notNull(),
  /** For which D1 took more than a second a call. */
  slow: integer().notNull(),
});
