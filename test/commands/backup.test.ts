import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCounts } from "../../src/analytics/write-visits";
import { openPlatform, withPlainStatements } from "../../src/cli/platform";
import { createDatabase } from "../../src/db/client";
import { schema } from "../../src/db/schema/all";
import { HOUR_MS } from "../../src/lib/time";
import { columnsOf, fileColumns, TABLES } from "../../src/operations/backup/backup-tables";
import { cleanUp, jsonOf, openLocal, runMain, temporaryDirectory } from "../cli/terminal";
import { ask, follow } from "../cli/worker";
import { fill } from "../proofs/scale/generate";

type Local = Awaited<ReturnType<typeof openLocal>>;

const opened: Local[] = [];

async function openEmpty(): Promise<Local> {
  const local = await openLocal();
  opened.push(local);
  return local;
}

afterAll(async () => {
  for (const local of opened) await local.dispose();
  cleanUp();
});

const TAKEN_DOWN = { slug: ["The slug has been taken down."] };

const newFile = () => join(temporaryDirectory(), "backup.jsonl");

interface Made {
  slug: string;
  keys: string[];
  slugs: string[];
}

/** A workspace with links in most states. `name` makes it unique. `operations/backup/source.ts` has every kind. */
async function makeWorkspace(local: Local, name: string): Promise<Made> {
  const { env, json } = local;
  await json("workspace", "create", "--name", `Zürich ${name}`, "--slug", name, "--link-limit", "50000");
  const issue = (...more: string[]) => json("key", "create", "--workspace", name, "--name", "k", ...more);
  const { key } = await issue();
  const revoked = await issue();
  await json("key", "revoke", "--id", revoked.id);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await ask(env, key, method, `/api/v1/${path}`, body);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const group = ["--name", "Spring", "--slug", "spring", "--type", "campaign"];
  await json("group", "create", "--workspace", name, ...group, "--default-utm-campaign", "spring_1");
  const tagIds: string[] = [];
  for (const tag of ["Print", "Unused"]) tagIds.push((await call("POST", "tags", { name: tag })).tag.id);
  const link = async (slug: string, more: object = {}): Promise<string> => {
    const body = {
      destination_url: `https://www.example.com/${slug}?a=%20b`,
      slug: `${name}-${slug}`,
      ...more,
    };
    return (await call("POST", "links", body)).link.id;
  };
  const plain = await link("plain", {
    title: "One 'two' \"three\" \\ 😀",
    activity_group_id: "spring",
    channel: "email",
    tag_ids: tagIds.slice(0, 1),
  });
  await link("untitled");
  const renamed = await link("first", { title: "Renamed", tag_ids: [tagIds[0]] });
  await call("PATCH", `links/${renamed}`, { slug: `${name}-second` });
  const archived = await link("archived", { activity_group_id: "spring" });
  await call("PATCH", `links/${archived}`, { status: "archived" });
  const deleted = await link("deleted");
  await call("DELETE", `links/${deleted}`);
  await link("blocked", { destination_url: `https://${name}.blocked.example/` });
  const down = await link("down");
  await json("link", "takedown", "--id", down);
  const felled = await link("felled-first");
  await call("PATCH", `links/${felled}`, { slug: `${name}-felled` });
  await json("link", "takedown", "--id", felled);
  await call("DELETE", `links/${felled}`);
  await json("asset", "create", "--workspace", name, "--name", "Poster", "--link", plain, "--status", "live");
  // Line separators other than the line feed.
  await env.DB.prepare("update links set title = title || ?1 where public_id = ?2")
    .bind(" \u2028 \u2029 \u0085 \r\n", plain)
    .run();
  const database = createDatabase(withPlainStatements(env.DB));
  const one = { link: plain, asset: null, hour: HOUR_MS, clicks: 3, scans: 0, bots: 2, after_end: 0 };
  await writeCounts(
    { db: database, now: Date.now },
    {
      hours: [{ ...one, last: HOUR_MS }],
      days: [{ link: plain, day: 0, dimension: "country", value: "CH", visits: 3 }],
    },
  );
  const slugs = ["plain", "untitled", "first", "second", "archived", "deleted", "blocked", "down", "felled"];
  return {
    slug: name,
    keys: [key, revoked.key],
    slugs: [...slugs, "felled-first", "nobody"].map((slug) => `${name}-${slug}`),
  };
}

/** Everything that clients and visitors can see of a workspace. */
async function seen({ env, json }: Local, { slug, keys, slugs }: Made) {
  const [key = ""] = keys;
  const see = async (path: string) => [path, await ask(env, key, "GET", `/api/v1/${path}`)];
  const views: unknown[] = [];
  for (const query of [
    "status=all&sort=title&per_page=4",
    "tag=print",
    "activity_group_id=spring",
    "q=renam",
  ]) {
    views.push(await see(`links?${query}`));
  }
  views.push(await see("tags"), await see("activity-groups"));
  for (const one of keys) views.push((await ask(env, one, "GET", "/api/v1/tags")).status);
  for (const one of slugs) views.push([one, await follow(env, one)]);
  views.push((await json("asset", "list", "--workspace", slug)).assets);
  const plain = (await ask(env, key, "GET", `/api/v1/links?slug=${slug}-plain`)).body.links[0];
  views.push(
    await json("clicks", "report", "--link", plain.id, "--from", "1970-01-01", "--to", "1970-01-02"),
  );
  return views;
}

interface FileRow {
  table: string;
  workspace: string | null;
  values: unknown[];
}

function rowsIn(file: string): FileRow[] {
  const rows: FileRow[] = [];
  let section = { table: "", workspace: null };
  for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
    const value = JSON.parse(line);
    if (Array.isArray(value))
      rows.push({ table: section.table, workspace: section.workspace, values: value });
    else if ("table" in value) section = { table: value.table, workspace: value.workspace };
  }
  return rows;
}

const isStep = ({ table, values }: FileRow) =>
  table === "audit_log" && values.some((value) => String(value).startsWith("workspace.restore."));

/** A backup with changed lines and a valid checksum. */
function forge(file: string, change: (lines: string[]) => string[]): string {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const seal = JSON.parse(lines.pop() ?? "");
  const changed = change(lines);
  const sha256 = createHash("sha256")
    .update(`${changed.join("\n")}\n`)
    .digest("hex");
  const forged = newFile();
  writeFileSync(forged, `${[...changed, JSON.stringify({ ...seal, sha256 })].join("\n")}\n`);
  return forged;
}

/** A statement in the form that commands send. */
interface Plain {
  statement: string;
  params: unknown[];
}

const sorted = (file: string): string[] =>
  rowsIn(file)
    .filter((row) => !isStep(row))
    .map((row) => JSON.stringify(row))
    .sort();

const countIn = (local: Local, table: string) =>
  local.env.DB.prepare(`select count(*) as n from ${table}`).first("n");

let source: Local;
let made: Made[];
let file: string;
let before: unknown[];

beforeAll(async () => {
  source = await openEmpty();
  made = [await makeWorkspace(source, "acme"), await makeWorkspace(source, "beta")];
  await source.json("host", "block", "--host", "blocked.example");
  await source.json("workspace", "create", "--name", "Gone", "--slug", "gone");
  await source.json("workspace", "suspend", "--slug", "gone");
  before = [await seen(source, made[0] as Made), await seen(source, made[1] as Made)];
  file = newFile();
  await source.json("backup", "--out", file);
});

/** Tables that a backup omits, each with the reason. */
const OMITTED_TABLES: Readonly<Record<string, string>> = {
  link_totals: "counted again at a restore",
  idempotency_keys: "a day's memory of answers; a repeat after a restore is a new request",
  imports: "a file under way, which can be sent again",
  import_rows: "as imports",
  sign_in_links: "lapse within a week",
  sent_mails: "an hour's count",
  unknown_addresses: "what was asked for in the last thirty days",
  sessions: "whoever is a member signs in again",
  passkeys: "one that was removed since would sign in again",
  used_challenges: "minutes",
  secrets: "made anew",
  visit_queue: "added up before the backup; what comes meanwhile is as what instances still buffer",
  visit_runs: "a day's memory of what was added up",
  destination_health: "asked again after a restore",
  destination_domains: "the queue of what is asked",
  alerts: "events of another database",
  doubts: "what another KV may not show yet",
  messages: "what receivers were told of another database",
  untold_visits: "as messages",
  answer_counts: "an hour's count",
  cron_runs: "runs of another database",
};

describe("the content of a backup", () => {
  it("is every table of the schema, except those excluded with a reason", () => {
    const tables = Object.values(schema)
      .filter((value) => is(value, SQLiteTable))
      .map((table) => getTableName(table));
    expect(tables.length).toBeGreaterThan(10);
    expect([...Object.keys(TABLES), ...Object.keys(OMITTED_TABLES)].sort()).toEqual(tables.sort());
    for (const [name, kept] of Object.entries(TABLES)) expect(getTableName(kept.table)).toBe(name);
  });

  it("is every column, except row numbers, generated columns and those excluded with a reason", () => {
    for (const kept of Object.values(TABLES)) {
      const columns = columnsOf(kept);
      for (const name of Object.keys(kept.without)) expect(Object.keys(columns)).toContain(name);
      const held = fileColumns(kept).map(({ column }) => column.name);
      const generated = Object.keys(columns).filter((name) => columns[name]?.generated !== undefined);
      const without = ["id", "workspace_id", ...generated, ...Object.keys(kept.without)];
      const missing = Object.keys(columns).filter((name) => !held.includes(name) && !without.includes(name));
      expect(missing).toEqual([]);
      expect(held.filter((name) => without.includes(name))).toEqual([]);
    }
  });

  it("is readable only by the file's owner, and has keys only as hashes", () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
    const text = readFileSync(file, "utf8");
    for (const key of made.flatMap(({ keys }) => keys)) expect(text).not.toContain(key);
  });

  it("does not overwrite a file", async () => {
    const kept = readFileSync(file, "utf8");
    expect(await source.admin("backup", "--out", file)).toEqual({
      code: 1,
      out: "",
      err: `Error: --out: There is a file ${file} already: name another.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(kept);
  });

  it("leaves no file behind after a failure", async () => {
    const path = newFile();
    const refused = await source.admin("backup", "--out", path, "--workspace", "nobody");
    expect(refused).toEqual({ code: 1, out: "", err: "Error: Workspace not found.\n" });
    expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, false]);
  });
});

describe("a restore", () => {
  it("of everything keeps lists, redirects, keys, searches, totals and the backup itself the same", async () => {
    const target = await openEmpty();
    const { restore: result } = await target.json("restore", "--from", file);
    expect(result.workspaces.sort()).toEqual(["acme", "beta", "gone"]);
    const again = newFile();
    await target.json("backup", "--out", again);
    expect(rowsIn(again).filter((row) => !isStep(row))).toEqual(rowsIn(file));

    expect(await target.json("doctor")).toEqual({ doctor: { workspaces: 3, repaired: [] } });
    expect([await seen(target, made[0] as Made), await seen(target, made[1] as Made)]).toEqual(before);
    const hosts = (await target.json("host", "list")).hosts.map(({ host }: { host: string }) => host);
    expect(hosts).toEqual(["blocked.example"]);
    expect((await target.json("workspace", "list")).workspaces).toEqual(
      (await source.json("workspace", "list")).workspaces,
    );

    const key = made[0]?.keys[0] ?? "";
    const create = (slug: string) =>
      ask(target.env, key, "POST", "/api/v1/links", { destination_url: "https://www.example.com/", slug });
    expect((await create("quite-new")).status).toBe(201);
    expect((await create("acme-deleted")).status).toBe(201);
    expect((await create("beta-deleted")).status).toBe(422);
    for (const slug of ["acme-down", "acme-felled", "acme-felled-first"]) {
      expect((await create(slug)).body).toMatchObject({ errors: TAKEN_DOWN });
    }
    expect((await ask(target.env, key, "POST", "/api/v1/tags", { name: "New" })).status).toBe(201);
    expect(await target.json("doctor")).toMatchObject({ doctor: { repaired: [] } });
  });

  it("of one workspace works beside others that use its old row ids", async () => {
    const target = await openEmpty();
    const other = await makeWorkspace(target, "other");
    const views = await seen(target, other);
    const one = newFile();
    await source.json("backup", "--out", one, "--workspace", "beta");
    for (const [from, slug] of [
      [file, "acme"],
      [one, "beta"],
    ] as const) {
      await target.json("restore", "--from", from, "--workspace", slug);
    }
    const key = made[0]?.keys[0] ?? "";
    const body = { destination_url: "https://www.example.com/", slug: "acme-felled" };
    expect((await ask(target.env, key, "POST", "/api/v1/links", body)).body).toMatchObject({
      errors: TAKEN_DOWN,
    });
    // Blocked hosts do not belong to a workspace.
    await target.json("host", "block", "--host", "blocked.example");
    expect([await seen(target, made[0] as Made), await seen(target, made[1] as Made)]).toEqual(before);
    await target.json("host", "unblock", "--host", "blocked.example");
    const changed = (await seen(target, other)).map((view, index) => [view, views[index]]);
    expect(changed.filter(([now, then]) => JSON.stringify(now) !== JSON.stringify(then))).toEqual([]);
    expect(await target.json("doctor")).toMatchObject({ doctor: { repaired: [] } });
    expect((await target.env.DB.prepare("pragma foreign_key_check").all()).results).toEqual([]);
  });
});

describe("a backup and a restore of many links", () => {
  const LINKS = 2_000;

  it(`${LINKS} links use pages of 500 rows, batches of 100 statements and parameters of 100 KB`, async () => {
    const [big, target] = [await openEmpty(), await openEmpty()];
    await fill(big.env.DB, { links: LINKS });
    const path = newFile();
    const most = { rows: 0, statements: 0, characters: 0 };
    const measured = ({ env, state }: Local) => {
      const database = {
        batch: async (statements: D1PreparedStatement[]) => {
          for (const { statement, params } of statements as unknown as Plain[]) {
            for (const value of [statement, ...params]) {
              most.characters = Math.max(most.characters, String(value).length);
            }
          }
          const results = await env.DB.batch(statements);
          most.statements = Math.max(most.statements, statements.length);
          for (const { results: rows } of results) most.rows = Math.max(most.rows, rows.length);
          return results;
        },
      } as unknown as D1Database;
      return () =>
        openPlatform({ remote: false, persistTo: state }, async () => ({
          env: { ...env, DB: database },
          dispose: async () => undefined,
        }));
    };
    const { backup } = jsonOf(await runMain(["backup", "--out", path, "--json"], measured(big)));
    // A restore also reads the links of a range whose titles have accents.
    expect(most.rows).toBe(500);
    jsonOf(await runMain(["restore", "--from", path, "--json"], measured(target)));
    expect(backup.rows.links).toBeGreaterThan(LINKS);
    expect(most.statements).toBeLessThanOrEqual(100);
    expect(most.characters).toBeGreaterThan(50_000);
    expect(most.characters).toBeLessThanOrEqual(100_000);
    expect(await countIn(target, "links")).toBe(await countIn(big, "links"));
    const again = newFile();
    await target.json("backup", "--out", again);
    // A difference of so many rows would fill the log.
    expect(JSON.stringify(sorted(again)) === JSON.stringify(sorted(path))).toBe(true);
    expect(await target.json("doctor")).toMatchObject({ doctor: { repaired: [] } });
  });
});

describe("a restore refuses a backup file and writes nothing", () => {
  let target: Local;
  beforeAll(async () => {
    target = await openEmpty();
  });
  const text = () => readFileSync(file, "utf8");
  const written = (content: string) => {
    const path = newFile();
    writeFileSync(path, content);
    return path;
  };

  it.each<[string, () => string, string]>([
    ["that does not exist", () => "/nowhere.jsonl", "There is no file /nowhere.jsonl that can be read."],
    [
      "that is something else",
      () => written('{"destination_url":"https://a.example/"}\n'),
      "is no backup of Waymark.",
    ],
    [
      "truncated before its last line",
      () => written(`${text().trimEnd().split("\n").slice(0, -1).join("\n")}\n`),
      "it was cut off.",
    ],
    ["with an altered line", () => written(text().replace("One", "Uno")), "its checksum differs."],
    [
      "of another version",
      () => written(text().replace('{"waymark_backup":1', '{"waymark_backup":2')),
      "is a backup of version 2; this release of Waymark reads version 1.",
    ],
    [
      "made with another migration",
      () =>
        forge(file, ([head = "", ...rest]) => [
          head.replace(/"schema":"[^"]*"/, '"schema":"0000_first_00000000.sql"'),
          ...rest,
        ]),
      "was made with the migration 0000_first_00000000.sql, which the database does not have: its last is 0000_first_",
    ],
  ])("%s", async (_, make, message) => {
    const { code, out, err } = await target.admin("restore", "--from", make());
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("Error: --from: ");
    expect(err).toContain(message);
    expect([await countIn(target, "workspaces"), await countIn(target, "audit_log")]).toEqual([0, 0]);
  });

  it("if the file does not contain the requested workspace", async () => {
    const { err } = await target.admin("restore", "--from", file, "--workspace", "nobody");
    expect(err).toContain(`--workspace: ${file} has no workspace "nobody"; it has "acme", "beta", "gone".`);
  });

  it("if the database was made with other migrations", async () => {
    const other = await openEmpty();
    await other.env.DB.prepare("update d1_migrations set name = '0000_first_00000000.sql'").run();
    const { err } = await other.admin("restore", "--from", file);
    expect(err).toBe(
      "Error: --from: The database was made with other migrations than this release has: restore into a new one.\n",
    );
  });

  it("but not if a later release has added migrations, as after a rollback", async () => {
    const other = await openEmpty();
    await other.env.DB.prepare("insert into d1_migrations (name) values ('9999_later_00000000.sql')").run();
    const { code, err } = await other.admin("restore", "--from", file);
    expect([code, err]).toEqual([0, ""]);
  });

  it("if the workspace, or another with its slug, exists", async () => {
    const { err } = await source.admin("restore", "--from", file, "--workspace", "acme");
    expect(err).toMatch(/^Error: --from: The database has a workspace "acme" \([0-9A-Z]{26}\) already/);
    const other = await openEmpty();
    await other.json("workspace", "create", "--name", "Another", "--slug", "beta");
    const refused = await other.admin("restore", "--from", file);
    expect(refused.err).toContain('The database has a workspace "beta"');
    expect([await countIn(other, "workspaces"), await countIn(other, "links")]).toEqual([1, 0]);
  });

  it("if another workspace owns one of its slugs", async () => {
    const other = await openEmpty();
    await other.json("workspace", "create", "--name", "Other", "--slug", "other");
    const { key } = await other.json("key", "create", "--workspace", "other", "--name", "k");
    const body = { destination_url: "https://www.example.com/", slug: "acme-deleted" };
    expect((await ask(other.env, key, "POST", "/api/v1/links", body)).status).toBe(201);
    const { err } = await other.admin("restore", "--from", file);
    expect(err).toContain('Another workspace has claimed "acme-deleted", which');
    expect(await countIn(other, "workspaces")).toBe(1);
    await other.json("restore", "--from", file, "--workspace", "beta");
  });
});
