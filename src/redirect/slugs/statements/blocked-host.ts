import { type SQL, sql } from "drizzle-orm";
import { blockedHosts } from "../../../db/schema/destinations";

/** True if the host in `column` or one of its parent domains is blocked. Reads one row per label. */
export const whereHostBlocked = (column: SQL): SQL<number> => sql<number>`exists (
  with recursive above(host) as (
    select ${column}
    union all
    select substr(host, instr(host, '.') + 1) from above where instr(host, '.') > 0
  )
  select 1 from above cross join ${blockedHosts} on ${blockedHosts}.host = above.host
)`;
