// The list of doubts, as instances ask for it and as it ends.

import { literal } from "../../../db/literal";
import type { SlugKey } from "../../../lib/slug-text";
import type { DoubtKind } from "../doubts";
import type { Doubt } from "../slug-memory";
import { whereHostBlocked } from "./blocked-host";
import { MAX_RANK, OPEN_DOUBT_MS, RANKS } from "./marks";

const MAX_DOUBTED_WORKSPACES = 2_000;
const DOUBTED = `with recursive doubted(workspace_id) as (
  select min(workspace_id) from slugs indexed by slugs_doubt where doubt_until is not null
  union all
  select (select min(slugs.workspace_id) from slugs indexed by slugs_doubt
      where doubt_until is not null and slugs.workspace_id > doubted.workspace_id)
    from doubted where doubted.workspace_id is not null limit ${MAX_DOUBTED_WORKSPACES})`;

const MAX_ENDED = 1_000;

export const clearDoubts = (now: number) =>
  literal(
    `${DOUBTED} update slugs set doubt_until = null where key in (select own.key from doubted cross join slugs as own indexed by slugs_doubt
      where own.workspace_id = doubted.workspace_id and own.doubt_until <= ?1 limit ${MAX_ENDED})`,
    now,
  );

export interface DoubtedRow {
  key: string;
  workspace_id: number;
  state: Doubt["state"];
  is_suspended: number;
}

/** With more slugs in doubt the whole workspace is. */
export const MAX_DOUBTS_OF_WORKSPACE = 20;
/** At most, so that one call of D1 is bounded. With as many everything is in doubt. */
export const MAX_DOUBTED_ROWS = 5_000;
const MAX_TAKEDOWNS = 1_000;

export const selectDoubts = (now: number) =>
  literal<DoubtedRow>(
    `${DOUBTED} select slugs.key, slugs.workspace_id, workspaces.suspended_at is not null as is_suspended,
      case when workspaces.suspended_at is not null or slugs.taken_down_at is not null or links.taken_down_at is not null
        or ${whereHostBlocked("links.destination_host")} then 'taken_down'
        when slugs.link_id is null and slugs.slug <> '' then 'gone' end as state
    from doubted cross join workspaces on workspaces.id = doubted.workspace_id
    cross join slugs on slugs.key in (select own.key from slugs as own indexed by slugs_doubt
      where own.workspace_id = doubted.workspace_id and own.doubt_until > ?1 limit ${MAX_DOUBTS_OF_WORKSPACE + 1})
    left join links on links.workspace_id = slugs.workspace_id and links.id = slugs.link_id
    limit ${MAX_DOUBTED_ROWS}`,
    now,
  );

export const selectLastDoubted = () =>
  literal<Pick<DoubtedRow, "workspace_id">>(
    `${DOUBTED} select workspace_id from doubted where workspace_id is not null limit 1 offset ${MAX_DOUBTED_WORKSPACES - 1}`,
  );

/** Takedowns that KV has not taken, also of a workspace with more slugs in doubt. */
export const selectTakedowns = () =>
  literal<Pick<DoubtedRow, "key">>(
    `select slugs.key from (select * from slugs where push_at in (${RANKS.takedown}, ${RANKS.bulkTakedown})
      order by push_at limit ${MAX_TAKEDOWNS}) as slugs
    left join links on links.workspace_id = slugs.workspace_id and links.id = slugs.link_id
    where slugs.taken_down_at is not null or links.taken_down_at is not null`,
  );

export const selectWideDoubts = (limit: number) =>
  literal<Pick<DoubtedRow, "state"> & { kind: DoubtKind; name: string }>(
    `select kind, name, case
      when kind = 'workspace' and exists (select 1 from workspaces where id = cast(doubts.name as integer) and suspended_at is not null)
        or kind = 'host' and exists (select 1 from blocked_hosts where host = doubts.name) then 'taken_down'
      when kind = 'domain' and not exists (select 1 from domains
        where host = doubts.name and state <> 'pending' and removed_at is null) then 'gone' end as state
    from doubts where kind in ('workspace', 'domain', 'host') limit ?1`,
    limit,
  );

/** Remembers for /health that a value was outdated. */
export const insertOutdated = (key: SlugKey, at: number) =>
  literal(
    "insert into doubts (kind, name, since) values ('outdated', ?1, ?2) on conflict do update set since = excluded.since",
    ...[key, at],
  );

/** Opens the doubt of a slug, or of settings, whose value is outdated, unless that is so. */
export const openDoubt = (key: SlugKey, workspaceId: number, at: number) =>
  literal(
    `insert into slugs (key, workspace_id, push_at, doubt_until, created_at)
      values (?1, ?2, ${RANKS.takedown}, ?3 + ${OPEN_DOUBT_MS}, ?3)
      on conflict (key) do update set push_at = excluded.push_at, doubt_until = excluded.doubt_until
        where coalesce(slugs.doubt_until, 0) <= ?3`,
    ...[key, workspaceId, at],
  );

/** Ends what is in doubt as a whole and has all its slugs marked and written, and what is remembered for /health. */
export const deleteWritten = (before: number) =>
  literal(
    `delete from doubts where cursor is null and iif(kind = 'outdated', since < ?1,
      not exists (select 1 from slugs where push_at < ${MAX_RANK} and doubt_until <= ${OPEN_DOUBT_MS} + doubts.since))`,
    before,
  );

/** How many slugs are in doubt, and how much is in doubt as a whole, both up to a limit. */
export const countDoubts = (limit: number) =>
  literal<{ slugs: number; whole: number }>(
    `select (select count(*) from (select 1 from slugs indexed by slugs_doubt where doubt_until is not null limit ?1)) as slugs,
      (select count(*) from (select 1 from doubts where kind in ('workspace', 'domain', 'host') limit ?1)) as whole`,
    limit,
  );

export const countOutdated = (limit: number) =>
  literal<{ outdated: number }>(
    "select count(*) as outdated from (select 1 from doubts where kind = 'outdated' limit ?1)",
    limit,
  );
