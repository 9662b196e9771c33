import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { text } from "node:stream/consumers";
import { createApiKey } from "../../../src/access/keys";
import { addMember } from "../../../src/access/members";
import { createSignInLink } from "../../../src/access/sessions";
import { signIn } from "../../../src/access/sign-in";
import { parseConfig } from "../../../src/config";
import { type Env, type ServiceContext, systemRandom } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { type Binding, createLiteralDatabase } from "../../../src/db/send";
import type { SlugKey } from "../../../src/lib/slug-text";
import { findTarget } from "../../../src/redirect/slugs/lookup";
import { getWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { fakeKv } from "../../fakes";
import { generate } from "../scale/generate";

// D1, KV and the static files for workerd, in this process. With simulators in workerd most CPU of a start would be theirs.

const SUFFIXES = ".wrangler/public/public-suffixes.txt";
const LINKS = 1_000;
const MAIN_URL = "https://links.example.com";

interface Query {
  sql: string;
  params?: SQLInputValue[];
}

function run(database: DatabaseSync, { sql, params = [] }: Query) {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  // Without columns `all` has no rows.
  const rows = statement.all(...params) as unknown as unknown[][];
  const changes = database.prepare("select changes() as n").get()?.["n"];
  return {
    success: true,
    results: { columns, rows },
    meta: { duration: 0, rows_read: rows.length, changes, size_after: 0 },
  };
}

function runAll(database: DatabaseSync, queries: readonly Query[]) {
  database.exec("begin");
  try {
    const results = queries.map((query) => run(database, query));
    database.exec("commit");
    return results;
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

/** The binding of the services that fill the database. */
const bindingTo = (database: DatabaseSync): Binding =>
  ({
    prepare: (sql: string) => ({ bind: (...params: SQLInputValue[]) => ({ sql, params }) }),
    batch: async (queries: readonly Query[]) =>
      runAll(database, queries).map(({ results: { columns, rows }, ...result }) => ({
        ...result,
        results: rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
      })),
  }) as unknown as Binding;

/** Fills the database. Returns a link and its slug, a key and an owner's cookie of its first workspace. */
async function fill(database: DatabaseSync, migrations: readonly string[]) {
  for (const sql of [...migrations, ...generate({ links: LINKS })]) database.exec(sql);
  const service: ServiceContext = {
    db: createDatabase(bindingTo(database)),
    kv: fakeKv().kv,
    config: parseConfig({} as Env, MAIN_URL),
    actor: "operator",
    now: Date.now,
    random: systemRandom,
    waitUntil: () => undefined,
  };
  const ctx = { ...service, workspace: await getWorkspace(service, "workspace-1") };
  const { key } = await createApiKey(ctx, { name: "npm run bench" });
  const { email } = await addMember(ctx, { email: "owner@example.com", role: "owner" });
  const { token } = await createSignInLink(service, email);
  const session = await signIn(service, token, { device: null, country: null });
  const found =
    database.prepare(`select public_id, slug_key from links where workspace_id = ? and domain is null
    and deleted_at is null and archived_at is null`);
  const { public_id: link, slug_key: slug } = found.get(ctx.workspace.rowId) as Record<
    "public_id" | "slug_key",
    string
  >;
  const target = await findTarget(createLiteralDatabase(bindingTo(database)), slug as SlugKey, Date.now());
  if (target === undefined) throw new Error("The slug of the first link leads nowhere.");
  return {
    link,
    slug: slug as SlugKey,
    entry: target.entry,
    authorization: `Bearer ${key}`,
    cookie: `local-session=${session}`,
  };
}

/** `values` are those of KV by key. `asked` has what was sent to either store since it was emptied. */
export async function openStores(migrations: readonly string[], values: ReadonlyMap<string, string>) {
  const database = new DatabaseSync(":memory:");
  const caller = await fill(database, migrations);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const [path = ""] = (request.url ?? "").slice(1).split("?");
    const body = await text(request);
    asked.push(`${request.method} ${path} ${body}`);
    const value = path.endsWith(".txt")
      ? readFileSync(SUFFIXES, "utf8")
      : values.get(decodeURIComponent(path));
    if (path === "query" || path === "execute") {
      const queries = JSON.parse(body) as Query | Query[];
      const results = runAll(database, [queries].flat());
      response.end(JSON.stringify(Array.isArray(queries) ? results : results[0]));
    } else response.writeHead(request.method === "GET" && value === undefined ? 404 : 200).end(value);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { caller, asked, address: `127.0.0.1:${port}`, close };
}

export type Stores = Awaited<ReturnType<typeof openStores>>;
