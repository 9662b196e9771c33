import { applyD1Migrations, env } from "cloudflare:test";
import { expect, it } from "vitest";
import { createDatabase } from "../../src/db/client";
import {
  selectWrongClaims,
  selectWrongCopies,
  selectWrongTakedowns,
  selectWrongTotals,
  selectWrongWorkspaceTotals,
} from "../../src/doctor/repository";

const db = env.MIGRATED;
const AT = Date.UTC(2026, 0, 1);

/** Rows of every table in the first release's schema: active, archived, deleted, renamed, tagged and grouped links. */
const FIRST_ROWS = [
  `insert into workspaces (id, public_id, name, slug, active_links, archived_links, tag_count, created_at, updated_at)
    values (1, 'W1', 'Acme', 'acme', 3, 1, 2, ${AT}, ${AT}), (2, 'W2', 'Beta', 'beta', 0, 0, 0, ${AT}, ${AT})`,
  `insert into api_keys (public_id, workspace_id, hash, last4, name, access, created_at)
    values ('K1', 1, 'hash', 'last', 'key', 'full', ${AT})`,
  `insert into tags (id, public_id, workspace_id, name, name_key, slug, created_at, updated_at)
    values (1, 'T1', 1, 'Print', 'print', 'print', ${AT}, ${AT}), (2, 'T2', 1, 'Web', 'web', 'web', ${AT}, ${AT})`,
  `insert into activity_groups (id, public_id, workspace_id, name, name_key, slug, type, search_text, status, created_at, updated_at)
    values (1, 'G1', 1, 'Spring', 'spring', 'spring', 'campaign', 'spring', 'active', ${AT}, ${AT})`,
  `insert into links (id, public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host, title,
      title_key, channel, utm_campaign_origin, activity_group_id, archived_at, deleted_at, created_at, updated_at) values
    (1, 'L1', 1, 'a', 'a', 'https://example.com/a', 'https://example.com/a', 'example.com', 'Äpfel', 'äpfel', 'email', 'inherited', 1, null, null, ${AT}, ${AT}),
    (2, 'L2', 1, 'b', 'b', 'https://example.com/b', 'https://example.com/b', 'example.com', null, null, 'email', 'explicit', 1, null, null, ${AT}, ${AT}),
    (3, 'L3', 1, 'c', 'c', 'https://example.com/c', 'https://example.com/c', 'example.com', 'Nur', 'nur', null, 'explicit', null, ${AT}, null, ${AT}, ${AT}),
    (4, 'L4', 1, 'd', 'd', 'https://example.com/d', 'https://example.com/d', 'example.com', null, null, 'sms', 'explicit', 1, null, ${AT}, ${AT}, ${AT}),
    (5, 'L5', 1, 'e', 'e', 'https://example.com/e', 'https://example.com/e', 'example.com', null, null, null, 'explicit', null, null, null, ${AT}, ${AT})`,
  `insert into slugs (key, workspace_id, link_id, created_at)
    values ('a', 1, 1, ${AT}), ('b', 1, 2, ${AT}), ('b-old', 1, 2, ${AT}), ('c', 1, 3, ${AT}), ('d', 1, null, ${AT}), ('e', 1, 5, ${AT})`,
  "insert into link_tags (workspace_id, link_id, tag_id) values (1, 1, 1), (1, 1, 2), (1, 3, 1)",
  `insert into activity_group_items (workspace_id, link_id, activity_group_id, role, channel, started_at, ended_at)
    values (1, 1, 1, 'primary', 'email', ${AT}, null), (1, 2, 1, 'primary', 'email', ${AT}, null), (1, 4, 1, 'primary', 'sms', ${AT}, ${AT})`,
  `insert into offline_assets (public_id, workspace_id, link_id, name, kind, status, created_at, updated_at)
    values ('A1', 1, 1, 'Poster', 'poster', 'live', ${AT}, ${AT})`,
  `insert into audit_log (operation_id, workspace_id, actor, action, subject, at) values ('O1', 1, 'key', 'link.create', 'L1', ${AT})`,
  `insert into blocked_hosts (host, created_at) values ('evil.example', ${AT})`,
  `insert into idempotency_keys (api_key_id, key, fingerprint, operation_id, started_at) values (1, 'k', 'f', 'O1', ${AT})`,
];

const DOWN_AT = AT + 1;
const operatorsOrChecks = (id: number, slug: string, by: "operator" | "check", deletedAt: number | null) =>
  `(${id}, 'L${id}', 2, '${slug}', '${slug}', 'https://example.com/', 'https://example.com/', 'example.com', 'explicit',
    ${deletedAt}, ${DOWN_AT}, '${by}', ${AT}, ${AT})`;

/** Rows from before slugs were marked: links taken down, some renamed or deleted since, one on a reused slug. */
const TAKEN_DOWN_ROWS = [
  `insert into links (id, public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
      utm_campaign_origin, deleted_at, taken_down_at, taken_down_by, created_at, updated_at) values
    ${operatorsOrChecks(11, "down", "operator", null)}, ${operatorsOrChecks(12, "gone", "operator", AT)},
    ${operatorsOrChecks(13, "checked", "check", null)}, ${operatorsOrChecks(14, "checked-gone", "check", AT)},
    ${operatorsOrChecks(15, "again", "operator", AT)}`,
  `insert into links (id, public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
      utm_campaign_origin, created_at, updated_at) values
    (16, 'L16', 2, 'again', 'again', 'https://example.com/', 'https://example.com/', 'example.com', 'explicit', ${AT}, ${AT})`,
  `insert into slugs (key, workspace_id, link_id, created_at) values ('down', 2, 11, ${AT}), ('down-old', 2, 11, ${AT}),
    ('gone', 2, null, ${AT}), ('gone-old', 2, null, ${AT}), ('checked', 2, 13, ${AT}), ('checked-gone', 2, null, ${AT}),
    ('again', 2, 16, ${AT}), ('never', 2, null, ${AT})`,
  `insert into audit_log (operation_id, workspace_id, actor, action, subject, before, at) values
    ('O2', 2, 'key', 'link.update', 'L12', '{"slug":"Gone-Old"}', ${AT}), ('O3', 2, 'key', 'link.update', 'L14', '{"slug":"never"}', ${AT}),
    ('O4', 2, 'key', 'link.attach_tags', 'L12', '{"tag_ids":[]}', ${AT})`,
  "update workspaces set active_links = 3 where id = 2",
];

const names = async (type: string): Promise<string[]> => {
  const { results } = await db
    .prepare(
      "select name from sqlite_master where type = ? and name not like 'sqlite%' and name not like '_cf%' and name not like 'link_search%' order by name",
    )
    .bind(type)
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => name !== "d1_migrations");
};

async function rowsOf(tables: readonly string[]): Promise<Record<string, number | null>> {
  const counts: Record<string, number | null> = {};
  for (const table of tables)
    counts[table] = await db.prepare(`select count(*) as n from ${table}`).first("n");
  return counts;
}

it("every migration keeps existing rows and foreign keys, and creates no trigger", async () => {
  const [first, ...later] = env.TEST_MIGRATIONS;
  if (first === undefined) throw new Error("There is no migration.");
  await applyD1Migrations(db, [first]);
  for (const statement of FIRST_ROWS) await db.prepare(statement).run();
  for (const migration of later) {
    if (migration.name.startsWith("0006")) {
      for (const statement of TAKEN_DOWN_ROWS) await db.prepare(statement).run();
    }
    const before = await rowsOf(await names("table"));
    await applyD1Migrations(db, [migration]);
    expect(await rowsOf(Object.keys(before)), migration.name).toEqual(before);
    expect((await db.prepare("pragma foreign_key_check").all()).results, migration.name).toEqual([]);
    expect(await names("trigger"), migration.name).toEqual([]);
  }
  const service = createDatabase(db);
  for (const workspace of [1, 2]) {
    const wrong = await service.read(
      selectWrongWorkspaceTotals(workspace),
      selectWrongTotals(workspace),
      selectWrongCopies(workspace),
      selectWrongClaims(workspace),
      selectWrongTakedowns(workspace),
    );
    expect(wrong.flat()).toEqual([]);
  }
  const { results: marked } = await db
    .prepare("select key from slugs where taken_down_at is not null order by key")
    .all<{ key: string }>();
  expect(marked.map(({ key }) => key)).toEqual(["down", "down-old", "gone", "gone-old"]);
  const { results } = await db
    .prepare(`select rowid & 4294967295 as id from link_search where link_search match '"com/"' order by 1`)
    .all<{ id: number }>();
  expect(results.map(({ id }) => id)).toEqual([1, 2, 3, 5]);
});

it("no migration drops a table, disables foreign keys, or creates a trigger or another virtual table", () => {
  for (const { name, queries } of env.TEST_MIGRATIONS) {
    const text = queries.join("\n");
    expect(text, name).not.toMatch(/drop\s+table|pragma|create\s+trigger/i);
    for (const [made] of text.matchAll(/create\s+virtual\s+table\s+\S+/gi)) {
      expect(made, name).toMatch(/`link_search`$/);
    }
  }
});

it("the tombstones of links that were taken down are found by one scan of the links", async () => {
  const migration = env.TEST_MIGRATIONS.find(({ name }) => name.startsWith("0006"));
  const backfill = migration?.queries.filter((query) => query.includes("UPDATE `slugs`")) ?? [];
  expect(backfill).toHaveLength(2);
  const readOf = async (links: number, first: number): Promise<number> => {
    const numbers = `with recursive numbers(n) as (select ${first} union all select n + 1 from numbers where n < ${first + links - 1})`;
    await db.batch([
      db.prepare(`insert into links (id, public_id, workspace_id, slug, slug_key, destination_url, destination_key,
          destination_host, utm_campaign_origin, deleted_at, taken_down_at, taken_down_by, created_at, updated_at)
        ${numbers} select n, 'N' || n, 2, 'n' || n, 'n' || n, 'u', 'u', 'h', 'explicit', ${AT}, ${AT},
          iif(n % 10 = 0, 'operator', null), ${AT}, ${AT} from numbers`),
      db.prepare(
        `insert into slugs (key, workspace_id, link_id, created_at) ${numbers} select 'n' || n, 2, null, ${AT} from numbers`,
      ),
    ]);
    const results = await db.batch(backfill.map((query) => db.prepare(query)));
    return results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
  };
  const few = await readOf(1_000, 1_000);
  const many = await readOf(3_000, 2_000);
  expect(many).toBeLessThan(6 * few);
});
