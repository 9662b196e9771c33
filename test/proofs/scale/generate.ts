import { VALUE_FIELD_NAMES } from "../../../src/lib/link-fields";
import { fold, unaccented } from "../../../src/lib/slug-text";

// Fills a migrated, empty database with workspaces of links, in SQL alone. Each row follows from its number and the seed.

export interface Scale {
  /** Links of the first workspace. Each other workspace has a thousandth, at least twenty. */
  links: number;
  seed?: number;
}

export const WORKSPACES = 20;
export const TAGS = 1_000;
export const GROUPS = 200;
/** The domains of the first workspace. A quarter of its links is on each. */
export const DOMAINS = ["go.first.test", "go.second.test"] as const;
/** Words in about a third of the titles, and in one of a hundred thousand. */
export const COMMON_WORD = "summer";
export const RARE_WORD = "needle";

const START = Date.UTC(2020, 0, 1);
const SMALL_TAGS = 20;
const SMALL_GROUPS = 5;
const ROWS_A_STATEMENT = 50_000;

const TITLES = [
  "Summer sale",
  "Summer in the park",
  "Été à Zürich: summer",
  "Летняя распродажа",
  "夏のセール",
  "عرض الصيف",
  "Καλοκαίρι στην Αθήνα",
  "Website relaunch",
  "Straße des Monats",
  "Newsletter",
] as const;
const CHANNELS = ["email", "social", "print", "search", "partner", "sms"] as const;
const HOSTS = ["www.example.com", "shop.example.org", "blog.example.net", "example.de"] as const;

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** SQL for an integer below `below`, from `n`, the name of the draw and the seed. */
const draw = (below: number | string, name: number, seed: number): string =>
  `(((n * 2654435761 + ${name} * 40503 + ${seed} * 69069) % 4294967296 * 1103515245 + 12345) / 65536 % 4294967 % ${below})`;

/** As `draw`, but skewed towards small numbers. */
const zipf = (below: number, name: number, seed: number): string =>
  `cast(${below} * pow(${draw(10_000, name, seed)} / 10000.0, 4) as integer)`;

const oneOf = (values: readonly string[], index: string): string =>
  `case ${index} ${values.map((value, at) => `when ${at} then ${text(value)}`).join(" ")} end`;

const BASE32 = "'0123456789ABCDEFGHJKMNPQRSTVWXYZ'";
/** SQL for a ULID with this time and a number. */
const ulidOf = (time: string, number: string): string =>
  `${[45, 40, 35, 30, 25, 20, 15, 10, 5, 0]
    .map((shift) => `substr(${BASE32}, 1 + ((${time}) >> ${shift} & 31), 1)`)
    .join(" || ")} || printf('%016d', ${number})`;

const numbers = (from: number, to: number): string =>
  `with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to - 1})`;

function* linksOf(workspace: number, from: number, to: number, seed: number): Generator<string> {
  const isBig = workspace === 1;
  const tags = isBig ? TAGS : SMALL_TAGS;
  const groups = isBig ? GROUPS : SMALL_GROUPS;
  // The big workspace's tags and groups come first.
  const firstTag = isBig ? 1 : 1 + TAGS + (workspace - 2) * SMALL_TAGS;
  const firstGroup = isBig ? 1 : 1 + GROUPS + (workspace - 2) * SMALL_GROUPS;
  const created = `${START} + n * 60000`;
  const title = `case when n % 100000 = 77 then ${text(RARE_WORD)} || ' ' || n when ${draw(10, 1, seed)} = 0 then null
    else NAME || ' ' || n end`;
  const nameOf = (fit: (title: string) => string) => oneOf(TITLES.map(fit), draw(TITLES.length, 2, seed));
  const creator = "case when n % 1000 = 7 then 'member:rare@example.com' else 'operator' end";
  const archivedAt = `case when ${draw(20, 3, seed)} = 0 then ${created} + 1000 end`;
  const deletedAt = `case when ${draw(50, 4, seed)} = 0 then ${created} + 2000 end`;
  const group = `case when ${draw(10, 5, seed)} < 7 then ${firstGroup} + ${zipf(groups, 6, seed)} end`;
  const channel = `case when ${draw(10, 7, seed)} < 8 then ${oneOf(CHANNELS, zipf(CHANNELS.length, 8, seed))} end`;
  const externalId = "case when n < 60 then 'site:' || n when n % 16 = 0 then 'nightly:' || n end";
  const source = "case when n % 100 = 3 then 'source-' || n else 'newsletter' end";
  const slug = `printf('${workspace}-%x', n)`;
  const domain = `case n % 4 ${DOMAINS.map((host, index) => `when ${index + 1} then ${text(`${host}/`)}`).join(" ")} else '' end`;
  const key = isBig ? `${domain} || ${slug}` : slug;
  const destination = `'https://' || ${oneOf(HOSTS, draw(HOSTS.length, 9, seed))} || '/offers/' || n || '?colour=blue&size=' ||
    ${draw(100, 10, seed)} || '&session=' || printf('%x', n * 7919)`;
  const host = oneOf(HOSTS, draw(HOSTS.length, 9, seed));

  yield `insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
      title, title_key, plain_text, channel, external_id, utm_source, utm_medium, utm_campaign, utm_campaign_origin, activity_group_id,
      archived_at, deleted_at, created_at, created_by, updated_at)
    ${numbers(from, to)}
    select ${ulidOf(created, `${workspace} * 10000000 + n`)}, ${workspace}, ${slug}, ${key}, ${destination}, ${destination}, ${host},
      ${title.replace(
        "NAME",
        nameOf((one) => one),
      )}, ${title.replace("NAME", nameOf(fold))},
      concat_ws(char(10), nullif(${title.replace("NAME", nameOf(unaccented))}, ${title.replace("NAME", nameOf(fold))}),
        ${source}, 'email', 'spring_2026', ${channel}), ${channel}, ${externalId}, ${source}, 'email', 'spring_2026', 'inherited', ${group}, ${archivedAt}, ${deletedAt}, ${created}, ${creator},
      ${created} + ${draw(1_000_000, 11, seed)}
    from numbers`;
  const made = `workspace_id = ${workspace} and created_at >= ${START + from * 60_000} and created_at < ${START + to * 60_000}`;
  yield `insert into slugs (key, workspace_id, link_id, created_at)
    select slug_key, workspace_id, case when deleted_at is null then id end, created_at from links where ${made}`;
  yield `insert into activity_group_items (workspace_id, link_id, activity_group_id, role, started_at, ended_at)
    select workspace_id, id, activity_group_id, 'primary', created_at, deleted_at from links
    where ${made} and activity_group_id is not null`;
  yield `insert into audit_log (operation_id, workspace_id, actor, action, subject, change, at)
    select public_id, workspace_id, 'key', 'link.create', public_id,
      json_object('destination_url', destination_url, 'title', title, 'channel', channel), created_at from links where ${made}`;
  for (const turn of [0, 1, 2]) {
    const n = `(created_at - ${START}) / 60000`;
    const drawn = (sql: string) => sql.replaceAll(/\bn\b/g, n);
    yield `insert or ignore into link_tags (workspace_id, link_id, tag_id, link_archived, link_public_id)
      select workspace_id, id, ${firstTag} + ${drawn(zipf(tags, 20 + turn, seed))}, archived, public_id from links
      where ${made} and deleted_at is null and ${drawn(draw(4, 12, seed))} > ${turn}`;
  }
}

/** The indexes that are built after all rows are inserted, which takes half the time. */
export const BUILT_LATER = `select name, sql from sqlite_master where type = 'index' and sql is not null
  and sql not like 'CREATE UNIQUE%'`;

/** The statements that fill the database, each in its own batch. */
export function* generate({ links, seed = 1 }: Scale): Generator<string> {
  yield `insert into workspaces (public_id, name, slug, created_at, updated_at) ${numbers(1, WORKSPACES + 1)}
    select ${ulidOf(String(START), "n")}, 'Workspace ' || n, 'workspace-' || n, ${START}, ${START} from numbers`;
  for (let workspace = 1; workspace <= WORKSPACES; workspace++) {
    const [tags, groups] = workspace === 1 ? [TAGS, GROUPS] : [SMALL_TAGS, SMALL_GROUPS];
    yield `insert into tags (public_id, workspace_id, name, name_key, slug, created_at, updated_at) ${numbers(0, tags)}
      select ${ulidOf(String(START), `${workspace} * 100000 + n`)}, ${workspace}, 'Tag ' || n, 'tag ' || n, 'tag-' || n,
        ${START}, ${START} from numbers`;
    yield `insert into activity_groups (public_id, workspace_id, name, name_key, slug, type, search_text, status,
        default_utm_campaign, created_at, updated_at) ${numbers(0, groups)}
      select ${ulidOf(String(START), `${workspace} * 100000 + n`)}, ${workspace}, 'Group ' || n, 'group ' || n, 'group-' || n,
        'campaign', 'group ' || n, 'active', 'spring_2026', ${START}, ${START} from numbers`;
  }
  for (const host of DOMAINS) {
    yield `insert into domains (public_id, workspace_id, host, state, token, created_at)
      values (${text(host)}, 1, ${text(host)}, 'active', 'token', ${START})`;
    yield `insert into slugs (key, workspace_id, created_at) values (${text(`${host}/`)}, 1, ${START})`;
  }
  const small = Math.max(20, Math.ceil(links / 1_000));
  for (let workspace = WORKSPACES; workspace >= 1; workspace--) {
    const all = workspace === 1 ? links : small;
    for (let from = 0; from < all; from += ROWS_A_STATEMENT) {
      yield* linksOf(workspace, from, Math.min(all, from + ROWS_A_STATEMENT), seed);
    }
  }
  yield `insert into link_totals (workspace_id, kind, key, active, archived)
    select workspace_id, 'tag', tag_id, sum(1 - link_archived), sum(link_archived) from link_tags group by workspace_id, tag_id`;
  for (const [kind, column] of [
    ["group", "activity_group_id"] as const,
    ...VALUE_FIELD_NAMES.map((name) => [name, name] as const),
    ["domain", "domain"] as const,
  ]) {
    yield `insert into link_totals (workspace_id, kind, key, active, archived)
      select workspace_id, '${kind}', ${column}, sum(1 - archived), sum(archived) from links
      where deleted_at is null and ${column} is not null group by workspace_id, ${column}`;
  }
  for (let from = 0; from < links + WORKSPACES * small; from += ROWS_A_STATEMENT) {
    yield `insert into link_search (rowid, slug, title, destination, plain)
      select (workspace_id << 33) + (archived << 32) + id, folded_slug, title_key, destination_key, plain_text from links
      where id > ${from} and id <= ${from + ROWS_A_STATEMENT} and deleted_at is null`;
  }
  yield `update workspaces set tag_count = (select count(*) from tags where workspace_id = workspaces.id),
    (active_links, archived_links) = (select coalesce(sum(1 - archived), 0), coalesce(sum(archived), 0) from links
      where workspace_id = workspaces.id and deleted_at is null)`;
}

/** Drops the indexes, fills the database and builds the indexes. */
export async function fill(db: D1Database, scale: Scale): Promise<void> {
  const { results: indexes } = await db.prepare(BUILT_LATER).all<{ name: string; sql: string }>();
  for (const { name } of indexes) await db.prepare(`drop index ${name}`).run();
  await db.prepare("create index scale_made on links (workspace_id, created_at)").run();
  for (const statement of generate(scale)) await db.prepare(statement).run();
  await db.prepare("drop index scale_made").run();
  for (const { sql } of indexes) await db.prepare(sql).run();
}
