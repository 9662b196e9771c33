import { type SQL, sql } from "drizzle-orm";
import { boundList, inList } from "../../db/bound-list";
import { MAX_REMOVED_ROWS } from "../../db/chunk";
import { orm } from "../../db/prepared";
import { apiKeys, workspaces } from "../../db/schema/access";
import { alerts } from "../../db/schema/alerts";
import { domains } from "../../db/schema/domains";
import { offlineAssets } from "../../db/schema/engagement";
import { messages } from "../../db/schema/events";
import { links } from "../../db/schema/links";
import { firstIdAt } from "../../lib/ids";
import { TEST_KIND } from "../../resources/events/event-kinds";

export type AlertKind = (typeof alerts.$inferSelect)["kind"];

/** Queues events. An event with the same key is reported once. */
export const insertAlerts = (rows: readonly Omit<typeof alerts.$inferInsert, "id">[]) =>
  orm.run(sql`insert into ${alerts} (key, kind, workspace_id, text, facts, message, created_at, due_at)
    select value ->> 'key', value ->> 'kind', value ->> 'workspace_id', value ->> 'text', value ->> 'facts',
      value ->> 'message', value ->> 'created_at', value ->> 'due_at'
    from json_each(${JSON.stringify(rows)}) where true on conflict (key) do nothing`);

/** The receiver of the operator's messages in the outbox. */
export const OPERATOR = 0;

/** An event with the workspace as JSON of `id`, `name` and `slug`; null for events of the whole service. */
export interface EventRow extends Omit<typeof alerts.$inferSelect, "key" | "workspace_id"> {
  workspace: string | null;
}

/** An event with what came of its message. */
export interface AlertRow extends EventRow, Pick<MessageRow, "tries" | "delivered_at" | "outcome"> {}

type MessageRow = typeof messages.$inferSelect;

const eventColumns = sql`own.id, own.kind, own.text, own.facts, own.created_at, own.message,
  (select json_object('id', public_id, 'name', name, 'slug', slug) from ${workspaces}
    where ${workspaces.id} = own.workspace_id) as workspace`;

const stateColumns = sql`coalesce(sent.tries, 0) as tries, coalesce(sent.due_at, own.due_at) as due_at, sent.delivered_at,
  sent.outcome`;

const joinMessage = sql`left join ${messages} as sent on sent.receiver_id = ${OPERATOR} and sent.event = own.message`;

export const selectWithoutMessage = (limit: number) =>
  orm.all<EventRow>(sql`select ${eventColumns}, own.due_at from ${alerts} as own
    where own.message is null and own.due_at is not null order by own.due_at, own.id limit ${limit}`);

/** Puts a message into the outbox, to be sent at once. Its time is that of its last event. */
const insertMessage = (
  { event, kind, body, createdAt }: { event: string; kind: string; body: string; createdAt: number },
  dueAt: number,
  condition: SQL,
) =>
  orm.run(sql`insert into ${messages} (receiver_id, event, kind, data, size, created_at, due_at)
    select ${OPERATOR}, ${event}, ${kind}, ${body}, ${body.length}, ${createdAt}, ${dueAt} where ${condition}
    on conflict (receiver_id, event) do nothing`);

/** Puts events into a message that is due, unless another run has taken one of them. */
export function composeMessage(
  events: readonly Pick<EventRow, "id">[],
  message: { event: string; body: string; createdAt: number },
  at: number,
) {
  const ids = inList(boundList(events.map(({ id }) => id)));
  return [
    orm.run(sql`update ${alerts} set message = ${message.event}, due_at = null where id in ${ids}
      and (select count(*) from ${alerts} where id in ${ids} and message is null and due_at is not null) = ${events.length}`),
    insertMessage(
      { ...message, kind: "alerts" },
      at,
      sql`exists (select 1 from ${alerts} where id in ${ids} and message = ${message.event})`,
    ),
  ];
}

/** Puts a test into the outbox, before all others. */
export const insertTest = (test: { event: string; body: string; createdAt: number }) =>
  insertMessage({ ...test, kind: TEST_KIND }, 0, sql`true`);

/** Ends the tests that are due. */
export const endTests = (at: number, outcome: string) =>
  orm.run(sql`update ${messages} set due_at = null, outcome = ${outcome}
    where receiver_id = ${OPERATOR} and kind = ${TEST_KIND} and due_at is not null and due_at <= ${at}`);

/** Ends a test that was not tried yet. */
export const endTest = (event: string, outcome: string) =>
  orm.run(sql`update ${messages} set due_at = null, outcome = ${outcome}
    where receiver_id = ${OPERATOR} and event = ${event} and tries = 0`);

export const deleteAlertsBefore = (at: number) => [
  orm.run(
    sql`delete from ${alerts} where id in (select id from ${alerts} where created_at < ${at} limit ${MAX_REMOVED_ROWS})`,
  ),
  orm.run(sql`delete from ${messages} where id in (select id from ${messages}
    where receiver_id = ${OPERATOR} and event < ${firstIdAt(at)} limit ${MAX_REMOVED_ROWS})`),
];

export const selectLastAlerts = (limit: number) =>
  orm.all<AlertRow>(
    sql`select ${eventColumns}, ${stateColumns} from ${alerts} as own ${joinMessage} order by own.id desc limit ${limit}`,
  );

export const selectAlertByKey = (key: string) =>
  orm.all<Pick<AlertRow, "due_at" | "delivered_at" | "outcome">>(
    sql`select ${stateColumns} from ${alerts} as own ${joinMessage} where own.key = ${key}`,
  );

/** As in the index `workspaces_nearly_full`. */
const NEARLY_FULL = sql.raw("link_limit > 0 and (active_links + archived_links) * 10 >= link_limit * 9");
const LIMIT_KEY = sql`'workspace.link_limit:' || ${workspaces.public_id} || ':' || ${workspaces.link_limit}`;
const EXPIRY_KEY = sql`'key.expires:' || ${apiKeys.public_id} || ':' || ${apiKeys.expires_at}`;

const whereUnreported = (key: SQL): SQL =>
  sql`not exists (select 1 from ${alerts} where ${alerts.key} = ${key})`;

export interface NearlyFullRow {
  key: string;
  workspace_id: number;
  name: string;
  links: number;
  link_limit: number;
}

/** Workspaces at 90 % of their limit or above of which there is no alert yet. */
export const selectNearlyFull = (limit: number) =>
  orm.all<NearlyFullRow>(sql`select ${LIMIT_KEY} as key, id as workspace_id, name, link_limit,
      active_links + archived_links as links
    from ${workspaces} indexed by workspaces_nearly_full
    where ${NEARLY_FULL} and suspended_at is null and ${whereUnreported(LIMIT_KEY)} order by id limit ${limit}`);

export interface ExpiringKeyRow {
  key: string;
  workspace_id: number;
  workspace: string;
  id: string;
  name: string;
  last4: string;
  expires_at: number;
  last_used_at: number | null;
}

/** Keys that expire after `from` and not after `until`, of which there is no alert yet. */
export const selectExpiringKeys = (from: number, until: number, limit: number) =>
  orm.all<ExpiringKeyRow>(sql`select ${EXPIRY_KEY} as key, ${apiKeys.workspace_id} as workspace_id,
      ${workspaces.name} as workspace, ${apiKeys.public_id} as id, ${apiKeys.name} as name, ${apiKeys.last4} as last4,
      ${apiKeys.expires_at} as expires_at, ${apiKeys.last_used_at} as last_used_at
    from ${apiKeys} cross join ${workspaces} on ${workspaces.id} = ${apiKeys.workspace_id}
    where ${apiKeys.revoked_at} is null and ${apiKeys.expires_at} > ${from} and ${apiKeys.expires_at} <= ${until}
      and ${workspaces.suspended_at} is null and ${whereUnreported(EXPIRY_KEY)}
    order by ${apiKeys.expires_at} limit ${limit}`);

const DOMAIN_KEY = sql`'domain.failing:' || ${domains.public_id} || ':' || ${domains.failing_since}`;

export interface FailingDomainRow {
  key: string;
  workspace_id: number;
  workspace: string;
  host: string;
  failing_since: number;
}

/** Active domains that have stopped to answer, of which there is no alert yet. */
export const selectFailingDomains = (limit: number) =>
  orm.all<FailingDomainRow>(sql`select ${DOMAIN_KEY} as key, ${domains.workspace_id} as workspace_id,
      ${workspaces.name} as workspace, ${domains.host} as host, ${domains.failing_since} as failing_since
    from ${domains} cross join ${workspaces} on ${workspaces.id} = ${domains.workspace_id}
    where ${domains.failing_since} is not null and ${domains.removed_at} is null
      and ${workspaces.suspended_at} is null and ${whereUnreported(DOMAIN_KEY)}
    order by ${domains.failing_since} limit ${limit}`);

/** A live asset whose link has such a destination. */
export interface LiveAssetRow {
  /** The destination's index. */
  position: number;
  workspace_row_id: number;
  workspace: string;
  link_id: string;
  slug: string;
  domain: string;
  asset_id: string;
  name: string;
  /** All live assets of the workspace with the destination. */
  live_assets: number;
}

/**
 * The live assets of workspaces that need an alert: of a broken destination if none reported it, of one that is no longer
 * broken if one did. Up to `each` for a destination and workspace, by destination, workspace and link.
 */
export function selectAssetsToReport(
  destinations: readonly { url: string; since: number | null; is_broken: number }[],
  each: number,
  limit: number,
) {
  const key = sql`'broken:' || ${links.public_id} || ':' || (given.value ->> 'since')`;
  return orm.all<LiveAssetRow>(sql`select position, workspace_row_id, workspace, link_id, slug, domain, asset_id, name,
      live_assets
    from (select given.key as position, given.value ->> 'is_broken' as is_broken,
        ${workspaces.id} as workspace_row_id, ${workspaces.slug} as workspace, ${links.public_id} as link_id,
        ${links.slug} as slug, coalesce(${links.domain}, '') as domain, ${offlineAssets.public_id} as asset_id, ${offlineAssets.name} as name,
        count(*) over same as live_assets,
        row_number() over (partition by given.key, ${workspaces.id} order by ${links.id}, ${offlineAssets.id}) as number,
        max((select ${alerts.key} from ${alerts} where ${alerts.key} = ${key})) over same as reported_key
      from json_each(${JSON.stringify(destinations)}) as given
      cross join ${links} on ${links.destination_url} = given.value ->> 'url' and ${links.deleted_at} is null
        and ${links.taken_down_at} is null
      cross join ${workspaces} on ${workspaces.id} = ${links.workspace_id} and ${workspaces.suspended_at} is null
      cross join ${offlineAssets} on ${offlineAssets.workspace_id} = ${links.workspace_id}
        and ${offlineAssets.link_id} = ${links.id} and ${offlineAssets.status} = 'live'
      window same as (partition by given.key, ${workspaces.id}))
    where number <= ${each} and (reported_key is null) = is_broken
    order by position, workspace_row_id, number limit ${limit}`);
}
