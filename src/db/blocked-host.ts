import { type SQL, sql } from "drizzle-orm";
import { blockedHosts } from "./schema";

/** SQL that is true where the host in `column` or a domain above it is blocked; reads one row a label. */
export const isBlocked = (column: SQL): SQL<number> => sql<number>`exists (
  with recursive above(host) as (
    select ${column}
    union all
    select substr(host, instr(host, '.') + 1) from above where instr(host, '.') > 0
  )
  select 1 from above cross join ${blockedHosts} on ${blockedHosts}.host = above.host
)`;
