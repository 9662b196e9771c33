import { env } from "cloudflare:test";
import { logged } from "./log";

// Keys, sign-in links and sessions are shown once, and the secret of alerts is the Worker's alone. So no stored or logged
// text may look like one.

const SECRET = /lnk_[0-9A-Za-z]{38}|(?:sgn|ses)_[0-9a-f]{64}|whsec_[0-9A-Za-z+/]{32}/;
const LIKE_SECRET = ["*lnk_*", "*sgn_*", "*ses_*", "*whsec_*"];
/** What signs messages to receivers has to be readable. */
const READABLE: ReadonlySet<string> = new Set(["receivers.secret"]);
/** The largest number of values that KV returns at once. */
const KV_AT_ONCE = 100;

/** The values already checked, by name and expiry. A rewritten value has a later expiry. */
const seen = new Set<string>();

async function unseenInKv(): Promise<string[][]> {
  const unseen: string[] = [];
  for (let cursor: string | undefined | null = null; cursor !== undefined; ) {
    const page: KVNamespaceListResult<unknown> = await env.KV.list({ cursor });
    for (const { name, expiration } of page.keys) {
      const value = `${name} ${expiration}`;
      if (!seen.has(value) || expiration === undefined) unseen.push(name);
      seen.add(value);
    }
    cursor = page.list_complete ? undefined : page.cursor;
  }
  const pages = Math.ceil(unseen.length / KV_AT_ONCE);
  return Array.from({ length: pages }, (_, page) => unseen.slice(page * KV_AT_ONCE, (page + 1) * KV_AT_ONCE));
}

/** The places where something looks like a secret, without the secret. */
export async function secretsKept(): Promise<string[]> {
  const found: string[] = [];
  const { results: columns } = await env.DB.prepare(
    `select tables.name as "table", columns.name as "column" from sqlite_master as tables
      join pragma_table_info(tables.name) as columns
      where tables.type = 'table' and lower(columns.type) = 'text' and tables.name not like '_cf%'`,
  ).all<{ table: string; column: string }>();
  const answers = await env.DB.batch<{ value: string }>(
    columns.map(({ table, column }) =>
      env.DB.prepare(
        `select "${column}" as value from "${table}"
          where "${column}" glob ? or "${column}" glob ? or "${column}" glob ? or "${column}" glob ?`,
      ).bind(...LIKE_SECRET),
    ),
  );
  for (const [index, { results }] of answers.entries()) {
    const { table, column } = columns[index] ?? {};
    const isSecret = results.some(({ value }) => SECRET.test(value));
    if (isSecret && !READABLE.has(`${table}.${column}`)) found.push(`D1: ${table}.${column}`);
  }
  for (const names of await unseenInKv()) {
    for (const [name, value] of await env.KV.get(names)) {
      if (SECRET.test(`${name} ${value}`)) found.push(`KV: ${name.slice(0, 4)}…`);
    }
  }
  if (logged.splice(0).some((line) => SECRET.test(line))) found.push("the log");
  return found;
}
