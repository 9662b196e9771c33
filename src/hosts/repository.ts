import { asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Statement } from "../db/client";
import { blockedHosts } from "../db/schema";

export interface BlockedHostRow {
  host: string;
  created_at: number;
}

const jsonValues = (values: readonly string[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

/** The rows that block any of `hosts`: a host itself and the domains above it. */
export const blockedAmong =
  (hosts: readonly string[]): Statement<BlockedHostRow[]> =>
  (orm) =>
    orm
      .select()
      .from(blockedHosts)
      .where(inArray(blockedHosts.host, jsonValues(hosts)))
      .limit(1);

export const insertBlockedHost =
  (host: string, at: number): Statement =>
  (orm) =>
    orm.insert(blockedHosts).values({ host, created_at: at }).onConflictDoNothing();

export const deleteBlockedHost =
  (host: string): Statement =>
  (orm) =>
    orm.delete(blockedHosts).where(eq(blockedHosts.host, host));

export const allBlockedHosts = (): Statement<BlockedHostRow[]> => (orm) =>
  orm.select().from(blockedHosts).orderBy(asc(blockedHosts.host));
