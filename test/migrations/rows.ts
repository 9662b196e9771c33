import { env } from "cloudflare:test";
import { getTableName } from "drizzle-orm";
import { createApiKey } from "../../src/access/keys";
import { DAY_MS } from "../../src/lib/time";
import { createSavedChannel } from "../../src/resources/channels/channel-service";
import { createCodeBranding } from "../../src/resources/code-brandings/code-branding-service";
import { addDomain } from "../../src/resources/domains/domain-service";
import { createReport } from "../../src/resources/reports/report-links";
import { createView } from "../../src/resources/views/views";
import { testEnv } from "../harness";
import { memoryKv } from "../operations/backup/database";
import { furnish, furnishRest } from "../operations/backup/source";
import { TABLES } from "../tables";

// Fills a database with rows of every table, and writes them as SQL.

/** The Worker's environment on the kept database, with an empty memory and KV of its own. */
export const keptEnv = () => ({ ...testEnv, DB: env.KEPT, KV: memoryKv(new Map()).kv });

/** Rows that the services make only in the course of days, or with a mail, a browser or a file. */
const BY_TIME = [
  "insert into sign_in_links (hash, email, expires_at) values ('hash-1', 'owner@kept.example', 1)",
  "insert into sent_mails (email, sent_at) values ('owner@kept.example', 1)",
  `insert into sessions (hash, email, created_at, expires_at, public_id, last_used_at)
    values ('hash-2', 'owner@kept.example', 1, 2, '01JZ8Q4V6T3K9M2N5P7R8S0W8X', 1)`,
  `insert into alerts (key, workspace_id, kind, text, facts, created_at)
    values ('key', 1, 'key.expires', 'A key expires.', '{}', 1)`,
  `insert into passkeys (credential, public_id, email, name, public_key, algorithm, counter, rp_id, closed, created_at)
    values ('id', '01JZ8Q4V6T3K9M2N5P7R8S0W8Z', 'owner@kept.example', 'Phone', 'key', -7, 0, 'links.kept.example', '', 1)`,
  "insert into used_challenges (hash, expires_at) values ('hash-3', 1)",
  "insert into secrets (name, value) values ('challenges', 'secret')",
  "insert into visit_queue (batch, counts) values ('batch', '[]')",
  "insert into unknown_addresses (workspace_id, domain, slug, day, visits) values (1, 'go.kept.example', 'sumer', 0, 1)",
  "insert into cron_runs (cron, succeeded_at) values ('minute', 1)",
  "insert into answer_counts (minute, answers, failed, slow) values (1, 100, 10, 1)",
  `insert into destination_health (url, host, domain, due_at, state)
    values ('https://www.example.com/', 'www.example.com', 'example.com', 9e12, 'ok')`,
  "insert into destination_domains (domain, workspace_id, due_at, free_at) values ('example.com', 1, 9e12, 1)",
  `insert into idempotency_keys (api_key_id, key, fingerprint, operation_id, status, body, started_at)
    values (1, 'first', 'fingerprint', 'operation', 201, '{}', 1)`,
  `insert into imports (public_id, workspace_id, name, row_count, bytes, digest, about, created_at, started_at, finished_at)
    values ('01JZ8Q4V6T3K9M2N5P7R8S0W8Y', 1, 'links.csv', 1, 10, 'digest', '{"ignored":[],"tags":[],"forAll":{"group":null,"tags":[]},"reading":{"heading":["url"],"delimiter":",","matched":[],"hosts":[],"zone":"UTC","updates":false,"mends":false}}', 1, 2, 3)`,
  `insert into import_rows (workspace_id, import_id, number, input) values (1, 1, 1, '["https://www.example.com/"]')`,
  `insert into receivers (id, public_id, workspace_id, name, url, host, kinds, secret, is_on, switched_off_at, switched_off_by, created_at)
    values (1, '01JZ8Q4V6T3K9M2N5P7R8S0W8Z', 1, 'Hooks', 'https://hooks.example/', 'hooks.example', '["link.created"]', 'secret', 0, 2,
      'failures', 1)`,
  `insert into messages (workspace_id, receiver_id, event, kind, data, size, created_at)
    values (1, 1, '01JZ8Q4V6T3K9M2N5P7R8S0W90', 'link.created', '{}', 2, 1)`,
  "insert into untold_visits (workspace_id, receiver_id, link, clicks, scans) values (1, 1, '01JZ8Q4V6T3K9M2N5P7R8S0W91', 1, 0)",
];

/** Makes a workspace "kept" with rows of every table. Returns a key of it. */
export async function fillEveryTable(): Promise<string> {
  const environment = keptEnv();
  const { ctx, link } = await furnish(environment, "kept");
  await furnishRest(environment);
  await addDomain(ctx, "go.kept.example", true);
  await link("ruled", {
    rules: [{ destination_url: "https://www.example.com/fr", languages: ["fr"] }],
    tag_names: ["Print"],
  });
  await createSavedChannel(ctx, { name: "Mail", utm_source: "newsletter", tag_ids: [] });
  await createCodeBranding(ctx, { name: "Blue", colour: "#0b3d91", logo: "none", call: "Scan me" });
  await createView(ctx, { name: "Archived", query: "status=archived" });
  // The day of the workspace's zone may have begun already.
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  await createReport(ctx, { kind: "overview", last: "30", ends_on: tomorrow });
  await env.KEPT.batch(BY_TIME.map((statement) => env.KEPT.prepare(statement)));
  return (await createApiKey(ctx, { name: "kept" })).key;
}

/** A value of SQL on one line. */
function toSql(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return `'${String(value).replaceAll("'", "''").replaceAll("\n", "' || char(10) || '")}'`;
}

/** An index without its texts cannot be copied, so it is made from the links. */
const INDEX_LINKS = `insert into link_search (rowid, slug, title, destination, plain)
  select (workspace_id << 33) + (archived << 32) + id, folded_slug, title_key, destination_key, plain_text from links
  where deleted_at is null`.replaceAll(/\s+/g, " ");

/** An INSERT a row, on a line each. Generated columns make themselves. */
export async function toStatements(db: D1Database): Promise<string[]> {
  const lines: string[] = [];
  for (const table of TABLES.map(getTableName)) {
    const columns = await db
      .prepare("select name from pragma_table_xinfo(?) where hidden = 0")
      .bind(table)
      .all<{ name: string }>();
    const names = columns.results.map(({ name }) => name);
    const { results } = await db.prepare(`select * from ${table}`).all();
    const values = results.map((row) => names.map((name) => toSql(row[name])).join(", "));
    lines.push(...values.map((row) => `insert into ${table} (${names.join(", ")}) values (${row});`));
  }
  return [...lines, `${INDEX_LINKS};`];
}
