import { type SQL, sql } from "drizzle-orm";
import { abortUnless } from "../../db/audit";
import { boundList, fromList, listed, listedAs } from "../../db/bound-list";
import type { Guard } from "../../db/client";
import { orm } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { auditLog } from "../../db/schema/audit";
import { domains } from "../../db/schema/domains";
import { links, slugs } from "../../db/schema/links";
import { columnsOf, type TableInBackup } from "./backup-tables";

// What of a backup a database lacks, and why.

export interface Owner {
  key: string;
  workspace_id: number;
  workspace: string;
}

/** Whose the slugs are that somebody has. */
export const selectOwners = (keys: readonly string[]) =>
  orm.all<Owner>(sql`select ${slugs.key} as key, ${slugs.workspace_id} as workspace_id, ${workspaces.slug} as workspace
    from ${fromList(boundList(keys))} cross join ${slugs} cross join ${workspaces}
    where ${slugs.key} = ${listed()} and ${workspaces.id} = ${slugs.workspace_id}`);

/**
 * The public id of a row, what the audit log calls it, the slug that it needs for itself, if it is a link, and when it was made: what
 * was removed before that was another one of the same name.
 */
type Named = readonly [id: string, subject: string, slugKey: string | null, createdAt: number];

export interface State {
  id: string;
  is_there: number;
  /** The audit log of this database says so. */
  is_deleted: number;
  /** Its slug or domain is somebody else's, or its slug opens something else. */
  is_taken: number;
}

const whereDeletion = sql`(${auditLog.action} like '%.delete'
  or ${auditLog.action} in ('tag.merge', 'domain.remove', 'domain.release', 'member.remove', 'report.end'))`;

export const selectStates = ({ table }: TableInBackup, workspaceId: number, named: readonly Named[]) => {
  const row = listedAs("id", "subject", "slugKey", "createdAt");
  return orm.all<State>(sql`select ${row.id} as id,
      exists (select 1 from ${table} as own where own.public_id = ${row.id}) as is_there,
      exists (select 1 from ${auditLog} where ${auditLog.workspace_id} = ${workspaceId} and ${auditLog.subject} = ${row.subject}
        and ${whereDeletion} and ${auditLog.at} >= ${row.createdAt}) as is_deleted,
      exists (select 1 from ${slugs} where ${slugs.key} = ${row.slugKey} and (${slugs.workspace_id} <> ${workspaceId}
        or ${slugs.link_id} is not null or ${slugs.asset} is not null))
        or exists (select 1 from ${domains} where ${domains.host} = substr(${row.slugKey}, 1, instr(${row.slugKey}, '/') - 1)
          and ${domains.state} <> 'pending' and ${domains.workspace_id} <> ${workspaceId}) as is_taken
    from ${fromList(boundList(named))}`);
};

/** Inserts an audit entry for each of the rows that is there, unless its operation is. */
export const insertRecoveries = (
  kept: TableInBackup,
  rows: readonly (readonly [operation: string, id: string, subject: string])[],
  { actor, action, at }: { actor: string; action: string; at: number },
) => {
  const row = listedAs("operation", "id", "subject");
  return orm.run(sql`insert into ${auditLog} (operation_id, workspace_id, actor, action, subject, at)
    select ${row.operation}, own.${sql.raw(columnsOf(kept)["workspace_id"] === undefined ? "id" : "workspace_id")},
      ${actor}, ${action}, ${row.subject}, ${at} from ${fromList(boundList(rows))} cross join ${kept.table} as own
    where own.public_id = ${row.id} on conflict (operation_id) do nothing`);
};

interface Recovered {
  operation: string;
  id: string;
  /** The row id of a link. */
  link: number | null;
}

/** A page of what was added and has not been changed since, by operations between two. */
export const selectRecovered = (after: string, before: string, limit: number) =>
  orm.all<Recovered>(sql`select operation_id as operation, subject as id,
      (select ${links.id} from ${links} where ${links.public_id} = subject) as link
    from ${auditLog} as entry where operation_id > ${after} and operation_id < ${before}
      and not exists (select 1 from ${auditLog} where ${auditLog.workspace_id} = entry.workspace_id
        and ${auditLog.subject} = entry.subject and ${auditLog.id} > entry.id)
    order by operation_id limit ${limit}`);

/** Those of the slugs that can open their link: tombstones that nobody has dropped from it, and codes of assets. */
const openable = (workspaceId: number, pairs: readonly (readonly [key: string, link: string])[]): SQL => {
  const pair = listedAs("key", "link");
  return sql`select ${slugs.key} as key, ${links.public_id} as link
    from ${fromList(boundList(pairs))} cross join ${slugs} cross join ${links}
    where ${slugs.key} = ${pair.key} and +${slugs.workspace_id} = ${workspaceId} and ${slugs.link_id} is null
      and ${links.public_id} = ${pair.link} and +${links.workspace_id} = ${workspaceId} and ${links.deleted_at} is null
      and (${slugs.asset} is null or exists (select 1 from offline_assets
        where public_id = ${slugs.asset} and link_id = ${links.id}))
      and (${slugs.domain} = '' or exists (select 1 from ${domains} where ${domains.workspace_id} = ${workspaceId}
        and ${domains.host} = ${slugs.domain} and ${domains.state} <> 'pending' and ${domains.released_at} is null))
      and not exists (select 1 from ${auditLog} where ${auditLog.workspace_id} = ${workspaceId}
        and ${auditLog.subject} = ${links.public_id} and ${auditLog.action} = 'link.drop_slug'
        and ${auditLog.change} ->> 'dropped_slug' = ${slugs.key})`;
};

export const selectOpenable = (
  workspaceId: number,
  pairs: readonly (readonly [key: string, link: string])[],
) => orm.all<{ key: string; link: string }>(openable(workspaceId, pairs));

/** True while all of the slugs can. */
export const ensureOpenable = (
  workspaceId: number,
  pairs: readonly (readonly [key: string, link: string])[],
): Guard => abortUnless(sql`(select count(*) from (${openable(workspaceId, pairs)})) = ${pairs.length}`);
