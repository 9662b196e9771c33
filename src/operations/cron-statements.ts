import { sql } from "drizzle-orm";
import { orm } from "../db/prepared";
import { cronRuns } from "../db/schema/operations";

/** The crons of wrangler.toml, in its order. */
export const CRONS = ["minute", "checks", "alerts", "destinations", "day"] as const;

export type Cron = (typeof CRONS)[number];

/** Records that a cron has run without a failure. */
export const upsertRun = (cron: Cron, at: number) =>
  orm.run(sql`insert into ${cronRuns} (cron, succeeded_at) values (${cron}, ${at})
    on conflict (cron) do update set succeeded_at = excluded.succeeded_at`);

export const selectRuns = () =>
  orm.all<{ cron: string; succeeded_at: number }>(sql`select cron, succeeded_at from ${cronRuns}`);

/** Names of the applied migrations, oldest first. */
export const selectMigrations = () =>
  orm.all<{ name: string }>(sql`select name from d1_migrations order by id`);

/** The last applied migration, when it was applied, and whether the named one is. */
export const selectSchema = (expected: string) =>
  orm.all<{ name: string; applied_at: number; has_expected: number }>(
    sql`select name, unixepoch(applied_at) * 1000 as applied_at,
      exists (select 1 from d1_migrations where name = ${expected}) as has_expected
    from d1_migrations order by id desc limit 1`,
  );
