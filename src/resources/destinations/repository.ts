import { asc, eq } from "drizzle-orm";
import type { Statement } from "../../db/client";
import { blockedHosts } from "../../db/schema/destinations";

export type BlockedHostRow = typeof blockedHosts.$inferSelect;

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

export const selectBlockedHost =
  (host: string): Statement<BlockedHostRow[]> =>
  (orm) =>
    orm.select().from(blockedHosts).where(eq(blockedHosts.host, host));
