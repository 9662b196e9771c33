import { env } from "cloudflare:test";
import { logged } from "./log";

// Keys, sign-in links and sessions are shown once: what looks like one must be nowhere in what the service keeps or writes.

const SECRET = /lnk_[0-9A-Za-z]{38}|(?:sgn|ses)_[0-9a-f]{64}/;
const LIKE_SECRET = ["*lnk_*", "*sgn_*", "*ses_*"];

/** Where something that looks like a secret was found; no secret itself. */
export async function secretsKept(): Promise<string[]> {
  const found: string[] = [];
  const { results: columns } = await env.DB.prepare(
    `select tables.name as "table", columns.name as "column" from sqlite_master as tables
      join pragma_table_info(tables.name) as columns
      where tables.type = 'table' and lower(columns.type) = 'text' and tables.name not like '_cf%'`,
  ).all<{ table: string; column: string }>();
  for (const { table, column } of columns) {
    const { results } = await env.DB.prepare(
      `select "${column}" as value from "${table}" where "${column}" glob ? or "${column}" glob ? or "${column}" glob ?`,
    )
      .bind(...LIKE_SECRET)
      .all<{ value: string }>();
    if (results.some(({ value }) => SECRET.test(value))) found.push(`D1: ${table}.${column}`);
  }
  const { keys } = await env.KV.list();
  for (const { name } of keys) {
    if (SECRET.test(`${name} ${await env.KV.get(name)}`)) found.push(`KV: ${name.slice(0, 4)}…`);
  }
  if (logged.some((line) => SECRET.test(line))) found.push("the log");
  return found;
}
