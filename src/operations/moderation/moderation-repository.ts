import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { abortUnless, ensureRow } from "../../db/audit";
import { boundList, fromList, inList, listedAs } from "../../db/bound-list";
import { orm, prepared } from "../../db/prepared";
import { workspaces } from "../../db/schema/access";
import { visitHours } from "../../db/schema/analytics";
import { auditLog } from "../../db/schema/audit";
import { linkRules, links, slugs } from "../../db/schema/links";
import { SUBJECT_INDEX } from "../../resources/audit/audit-statements";
import type { HostCheck } from "../../resources/destinations/hosts";
import { hasReceivers } from "../../resources/events/event-statements";

/** The link with the id, or else the link that the slug opens. */
export const selectLinkAnywhere = prepared((id: string, slugKey: string) =>
  orm
    .select({
      id: links.id,
      public_id: links.public_id,
      workspace_id: links.workspace_id,
      workspace_name: workspaces.name,
      version: links.version,
      slug: links.slug,
      domain: sql<string>`coalesce(${links.domain}, '')`.as("domain"),
      destination_url: links.destination_url,
      destination_host: links.destination_host,
      hostCheck: links.host_check,
      taken_down_at: links.taken_down_at,
      taken_down_by: links.taken_down_by,
      has_receivers: hasReceivers(sql`${links.workspace_id}`).as("has_receivers"),
      /** 1 if one of its slugs is taken down. */
      has_taken_down_slug:
        sql<number>`exists (select 1 from ${slugs} as own where own.workspace_id = links.workspace_id
            and own.link_id = links.id and own.taken_down_at is not null)`.as("has_taken_down_slug"),
    })
    .from(links)
    .innerJoin(workspaces, eq(workspaces.id, links.workspace_id))
    .where(
      and(
        isNull(links.deleted_at),
        sql`${links.id} = coalesce((select ${links.id} from ${links} where ${links.public_id} = ${id}),
              (select ${slugs.link_id} from ${slugs} where ${slugs.key} = ${slugKey}))`,
      ),
    ),
);

export type ModeratedLinkRow = ReturnType<typeof selectLinkAnywhere>["rows"][number];

/** True while the link has the version and takedown that were read. A takedown does not change the version. */
export const ensureLinkUnchanged = ({
  id,
  version,
  taken_down_by,
}: Pick<ModeratedLinkRow, "id" | "version" | "taken_down_by">) =>
  ensureRow(links, { id, version, taken_down_by, deleted_at: null });

export const updateTakedownOfLink = (linkRowId: number, at: number, by: "operator" | "check") =>
  orm
    .update(links)
    .set({
      taken_down_at: at,
      taken_down_by: by,
      check_at: null,
      ...(by === "check" ? { host_check: "blocked" as const } : {}),
    })
    .where(eq(links.id, linkRowId));

export const clearTakedownOfLink = (linkRowId: number) =>
  orm
    .update(links)
    .set({ taken_down_at: null, taken_down_by: null, host_check: "ok", check_at: null })
    .where(eq(links.id, linkRowId));

interface FoundLink {
  id: number;
  public_id: string;
  workspace_id: number;
  workspace: string;
  destination_url: string;
  version: number;
  /** 1 if the operator has taken it down. */
  is_taken_down: number;
}

const FOUND = sql`${links.id} as id, ${links.public_id} as public_id, ${links.workspace_id} as workspace_id,
  (select ${workspaces.slug} from ${workspaces} where ${workspaces.id} = ${links.workspace_id}) as workspace,
  ${links.destination_url} as destination_url, ${links.version} as version, ${links.taken_down_by} is 'operator' as is_taken_down`;

/** The links named by an id or by the key of an address. */
export const selectLinksNamed = (named: readonly (readonly [name: string, id: string, key: string])[]) => {
  const given = listedAs("name", "id", "key");
  return orm.all<
    FoundLink & { name: string }
  >(sql`select ${given.name} as name, ${FOUND} from ${fromList(boundList(named))}
    cross join ${links} on ${links.id} = coalesce(
      (select own.id from ${links} as own where own.public_id = ${given.id}),
      (select ${slugs.link_id} from ${slugs} where ${slugs.key} = ${given.key}))
    where ${links.deleted_at} is null`);
};

const selectPage = (where: SQL, after: number, limit: number) =>
  orm.all<FoundLink>(sql`select ${FOUND} from ${links} where ${links.id} > ${after} and ${links.deleted_at} is null
    and ${where} order by ${links.id} limit ${limit}`);

/** When a link came: an import says itself when its links were created, so the first entry of the trail tells. */
const CAME_AT = sql`(select ${auditLog.at} from ${auditLog} ${SUBJECT_INDEX}
  where ${auditLog.workspace_id} = ${links.workspace_id} and ${auditLog.subject} = ${links.public_id}
  order by ${auditLog.id} limit 1)`;

/** Those that came at `since` or later. Reads every link, as no index has who created one. */
export const selectLinksCreatedBy = (actor: string, since: number, after: number, limit: number) =>
  selectPage(
    sql`${links.created_by} = ${actor} and (${links.created_at} >= ${since} or ${CAME_AT} >= ${since})`,
    after,
    limit,
  );

/**
 * The links whose destination, or one of whose rules, leads to an address that begins so, in any case. A prefix without a path ends
 * with its host. Reads every link.
 */
export const selectLinksTo = (prefix: string, after: number, limit: number) => {
  const endsWithHost = /^https?:\/\/[^/?#]+$/i.test(prefix);
  const begins = (column: SQL | SQLiteColumn): SQL =>
    sql`(lower(substr(${column}, 1, length(${prefix}))) = lower(${prefix})
      and (${Number(!endsWithHost)} or substr(${column}, length(${prefix}) + 1, 1) in ('', '/', '?', '#', ':')))`;
  return selectPage(
    sql`(${begins(links.destination_url)} or ${links.id} in
      (select ${linkRules.link_id} from ${linkRules} where ${begins(linkRules.destination_url)}))`,
    after,
    limit,
  );
};

/** True while the links are as they were read, and none is deleted or taken down by the operator. */
export const ensureToBeTakenDown = (read: readonly Pick<FoundLink, "id" | "version">[]) => {
  const link = listedAs("id", "version");
  return abortUnless(sql`(select count(*) from ${fromList(boundList(read.map(({ id, version }) => [id, version])))}
    cross join ${links} on ${links.id} = ${link.id} and ${links.version} = ${link.version}
    where ${links.deleted_at} is null and ${links.taken_down_by} is not 'operator') = ${read.length}`);
};

export const updateOperatorTakedowns = (linkRowIds: readonly number[], at: number) =>
  orm
    .update(links)
    .set({ taken_down_at: at, taken_down_by: "operator", check_at: null })
    .where(sql`${links.id} in ${inList(boundList(linkRowIds))}`);

/** The last `limit` links that came due, sorted by clicks and scans since `since`, then newest first. */
export const selectDueChecks = (dueAt: number, since: number, limit: number) =>
  orm.all<{ id: number; public_id: string; host: string }>(sql`select due.id, due.public_id, due.host from
    (select ${links.id} as id, ${links.public_id} as public_id, ${links.destination_host} as host from ${links}
      where ${links.check_at} <= ${dueAt} and ${links.deleted_at} is null and ${links.taken_down_at} is null
      order by ${links.check_at} desc limit ${limit}) as due
    order by (select sum(${visitHours.clicks} + ${visitHours.scans}) from ${visitHours} where ${visitHours.owner_kind} = 'link'
      and ${visitHours.owner_id} = due.id and ${visitHours.hour} >= ${since}) desc nulls last, due.id desc`);

interface Checked {
  host: string;
  host_check: HostCheck;
  check_at: number | null;
}

/** Stores the results for links whose destination still has the checked host. */
export const updateHostChecks = (checked: readonly (Checked & { id: number })[]) =>
  orm.run(sql`update ${links} set host_check = checked.value ->> 'host_check', check_at = checked.value ->> 'check_at'
    from json_each(${JSON.stringify(checked)}) as checked
    where ${links.id} = checked.value ->> 'id' and ${links.destination_host} = checked.value ->> 'host'`);

interface DueRule {
  workspace_id: number;
  link_id: number;
  was_blocked: number;
  position: number;
  host: string;
}

export const selectDueRules = (dueAt: number, limit: number) =>
  orm.all<DueRule>(sql`select ${linkRules.workspace_id} as workspace_id, ${linkRules.link_id} as link_id,
      ${linkRules.host_check} = 'blocked' as was_blocked, ${linkRules.position} as position,
      ${linkRules.destination_host} as host
    from ${linkRules} where ${linkRules.check_at} <= ${dueAt} order by ${linkRules.check_at} limit ${limit}`);

/** Stores the results for rules that still have the checked host. */
export const updateRuleChecks = (checked: readonly (Checked & DueRule)[]) =>
  orm.run(sql`update ${linkRules} set host_check = checked.value ->> 'host_check', check_at = checked.value ->> 'check_at'
    from json_each(${JSON.stringify(checked)}) as checked
    where ${linkRules.link_id} = checked.value ->> 'link_id' and ${linkRules.position} = checked.value ->> 'position'
      and ${linkRules.destination_host} = checked.value ->> 'host'`);

/** Queues a check for never-checked links, newest first. Such links predate the resolver's configuration. */
export const queueMissingChecks = (at: number, limit: number) =>
  orm
    .update(links)
    .set({ check_at: at })
    .where(sql`${links.id} in (select ${links.id} from ${links} where ${links.check_at} is null
        and ${links.host_check} = 'unknown' and ${links.deleted_at} is null and ${links.taken_down_at} is null
        order by ${links.id} desc limit ${limit})`);
