import { asc, eq, getTableColumns } from "drizzle-orm";
import type { Statement } from "../db/client";
import { WANTED, wantedIn } from "../db/json";
import { prepared } from "../db/prepared";
import { blockedHosts } from "../db/schema";

export interface BlockedHostRow {
  host: string;
  created_at: number;
}

/** The rows that block any of `hosts`: a host itself and the domains above it. */
export const blockedAmong = (hosts: readonly string[]): Statement<BlockedHostRow[]> =>
  blockedAmongJson(JSON.stringify(hosts));

const blockedAmongJson = prepared(
  (hosts: string): Statement<BlockedHostRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(blockedHosts))
        .from(wantedIn(hosts))
        .crossJoin(blockedHosts)
        .where(eq(blockedHosts.host, WANTED)),
);

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
