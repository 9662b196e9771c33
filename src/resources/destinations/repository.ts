import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { type BoundList, fromList, listed } from "../../db/list";
import { prepared } from "../../db/prepared";
import { blockedHosts } from "../../db/schema/destinations";

export interface BlockedHostRow {
  host: string;
  created_at: number;
}

/** The blocked ones of `hosts`. The caller includes parent domains. */
export const selectBlockedHosts = prepared(
  (hosts: BoundList): Statement<BlockedHostRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(blockedHosts))
        .from(fromList(hosts))
        .crossJoin(blockedHosts)
        .where(eq(blockedHosts.host, listed())),
);

/** The blocked hosts that equal one of `hosts` or a parent domain. SQL derives the parent domains. */
export const selectBlockingHosts = (hosts: readonly string[]): Statement<BlockedHostRow[]> =>
  selectBlockingHostsJson(JSON.stringify(hosts));

const selectBlockingHostsJson = prepared(
  (hosts: string): Statement<BlockedHostRow[]> =>
    (orm) =>
      orm
        .select(getTableColumns(blockedHosts))
        .from(blockedHosts)
        .where(
          sql`${blockedHosts.host} in (with recursive above(host) as (select value from json_each(${hosts})
            union select substr(host, instr(host, '.') + 1) from above where instr(host, '.') > 0) select host from above)`,
        ),
);

export const insertBlockedHost =
  (host: string, at: number): Statement =>
  (orm) =>
    orm.insert(blockedHosts).values({ host, created_at: at }).onConflictDoNothing();

export const deleteBlockedHost =
  (host: string): Statement =>
  (orm) =>
    orm.delete(blockedHosts).where(eq(blockedHosts.host, host));

export const selectAllBlockedHosts = (): Statement<BlockedHostRow[]> => (orm) =>
  orm.select().from(blockedHosts).orderBy(asc(blockedHosts.host));
