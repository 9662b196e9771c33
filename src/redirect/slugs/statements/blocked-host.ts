/** SQL: the host of where an ended link leads, which is set for the link or for its group. */
export const ENDED_HOST = "iif(links.ended_url is not null, links.ended_host, activity_groups.ended_host)";

/** SQL: whether the host in `column` or one of its parent domains is blocked. Reads one row per label. */
export const whereHostBlocked = (column: string): string => `exists (
  with recursive above(host) as (
    select ${column}
    union all
    select substr(host, instr(host, '.') + 1) from above where instr(host, '.') > 0
  )
  select 1 from above cross join blocked_hosts on blocked_hosts.host = above.host
)`;
