import { asc, eq } from "drizzle-orm";
import { orm } from "../../db/prepared";
import { blockedHosts } from "../../db/schema/destinations";

export type BlockedHostRow = typeof blockedHosts.$inferSelect;

export const insertBlockedHost = (host: string, at: number) =>
  orm.insert(blockedHosts).values({ host, created_at: at }).onConflictDoNothing();

export const deleteBlockedHost = (host: string) =>
  orm.delete(blockedHosts).where(eq(blockedHosts.host, host));

export const selectAllBlockedHosts = () => orm.select().from(blockedHosts).orderBy(asc(blockedHosts.host));

export const selectBlockedHost = (host: string) =>
  orm.select().from(blockedHosts).where(eq(blockedHosts.host, host));
