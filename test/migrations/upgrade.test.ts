import { applyD1Migrations, type D1Migration, env } from "cloudflare:test";
import { getTableName } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { toLiteral } from "../../src/db/prepared";
import { restoreFrom } from "../../src/operations/backup/restore";
import { recountWorkspaces } from "../../src/operations/consistency/doctor";
import { getWorkspace } from "../../src/resources/workspaces/workspace-service";
import { signInAs } from "../console/browser";
import { API, send, serviceContext, visit } from "../harness";
import { sourceOf } from "../operations/backup/backups";
import { ENTRIES, statementsOf } from "../proofs/plans/statements";
import { TABLES } from "../tables";
import { findBreaking } from "./additive";
import { keptEnv } from "./rows";

// From one release to the next, and back: this release's code on the kept database of each earlier one, with this
// release's schema and with one that the next release may have.

const FILES = import.meta.glob<string>("./kept/*.{sql,jsonl}", {
  query: "?raw",
  import: "default",
  eager: true,
});

const VERSIONS = Object.keys(FILES).flatMap((path) => /([\d.]+)\.sql$/.exec(path)?.[1] ?? []);

const fileOf = (version: string, extension: string): string =>
  FILES[`./kept/${version}.${extension}`] ?? `no file of ${version}`;

const linesOf = (text: string, start: string): string[] =>
  text.split("\n").filter((line) => line.startsWith(start));

const headOf = (text: string, name: string): string =>
  linesOf(text, `-- ${name}: `)[0]?.slice(`-- ${name}: `.length) ?? "";

/** A column of either kind in every table, a table that refers to links, and an index. */
const NEXT: D1Migration = {
  name: "9999_next_00000000.sql",
  queries: [
    ...TABLES.map(getTableName).flatMap((table) => [
      `ALTER TABLE \`${table}\` ADD \`next_text\` text;`,
      `ALTER TABLE \`${table}\` ADD \`next_count\` integer DEFAULT 1 NOT NULL;`,
    ]),
    "CREATE TABLE `next_things` (`workspace_id` integer NOT NULL, `link_id` integer NOT NULL, PRIMARY KEY(`link_id`), FOREIGN KEY (`workspace_id`,`link_id`) REFERENCES `links`(`workspace_id`,`id`));",
    "CREATE UNIQUE INDEX `next_things_workspace` ON `next_things` (`workspace_id`,`link_id`);",
    "CREATE INDEX `next_links` ON `links` (`workspace_id`,`next_count`);",
  ],
};

const SCHEMAS = [
  { schema: "this release", migrations: env.TEST_MIGRATIONS },
  { schema: "the next release", migrations: [...env.TEST_MIGRATIONS, NEXT] },
];

async function dropEverything(db: D1Database): Promise<void> {
  const tables = [...TABLES.map(getTableName).toReversed(), "link_search", "next_things", "d1_migrations"];
  // Referring rows go first, since a table that is dropped deletes its rows.
  await db.batch([
    db.prepare("pragma defer_foreign_keys = on"),
    db.prepare("drop table if exists next_things"),
    ...tables.map((table) => db.prepare(`drop table if exists ${table}`)),
  ]);
}

it("the migrations of a release stay, and later ones come after them", () => {
  expect(VERSIONS).toContain("1.0.0");
  const names = env.TEST_MIGRATIONS.map(({ name }) => name);
  for (const version of VERSIONS) expect(names).toContain(headOf(fileOf(version, "sql"), "last migration"));
  expect(findBreaking(NEXT.queries.join("\n"))).toEqual([]);
});

describe.each(VERSIONS)("the database of %s", (version) => {
  describe.each(SCHEMAS)("with the schema of $schema", ({ migrations }) => {
    const dump = fileOf(version, "sql");
    const environment = keptEnv();
    const ctx = serviceContext(environment);

    // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
    async function call(method: string, path: string, body?: object): Promise<any> {
      const headers = { authorization: `Bearer ${headOf(dump, "key")}`, "content-type": "application/json" };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const answer = await send(new Request(`${API}/api/v1/${path}`, init), environment);
      const text = await answer.text();
      expect(answer.ok, `${method} ${path} ${answer.status}: ${text}`).toBe(true);
      return text === "" ? null : JSON.parse(text);
    }
    const locationOf = async (path: string) => {
      const { status, headers } = await visit(path, {}, keptEnv());
      return [status, headers.get("location")];
    };

    beforeAll(async () => {
      await dropEverything(env.KEPT);
      const upTo = migrations.findIndex(({ name }) => name === headOf(dump, "last migration"));
      await applyD1Migrations(env.KEPT, migrations.slice(0, upTo + 1));
      const rows = linesOf(dump, "insert into ");
      await env.KEPT.batch(["pragma defer_foreign_keys = on", ...rows].map((line) => env.KEPT.prepare(line)));
      await applyD1Migrations(env.KEPT, [...migrations]);
    });

    it("keeps every row", async () => {
      const counts = new Map<string, number>();
      for (const [, table = ""] of dump.matchAll(/^insert into (\w+) .* values /gm))
        counts.set(table, (counts.get(table) ?? 0) + 1);
      expect(counts.size).toBeGreaterThan(30);
      for (const [table, expected] of counts) {
        const found = await env.KEPT.prepare(`select count(*) as n from ${table}`).first("n");
        expect([table, found]).toEqual([table, expected]);
      }
    });

    it("redirects its links, their former slugs and codes", async () => {
      expect(await locationOf("/kept-plain")).toEqual([
        302,
        "https://www.example.com/plain?a=%20b&utm_campaign=spring_1",
      ]);
      expect((await locationOf("/kept-first"))[1]).toBe((await locationOf("/kept-second"))[1]);
      expect((await locationOf("/kept-deleted"))[0]).toBe(404);
      const [, code = ""] = /^insert into slugs .* values \('(\w+)'.*'01\w{24}'/m.exec(dump) ?? [];
      expect(code).not.toBe("");
      expect((await locationOf(`/${code}`))[0]).toBe(302);
    });

    it("answers the API, and takes its changes", async () => {
      expect((await call("GET", "links?q=renamed")).links).toMatchObject([{ slug: "kept-second" }]);
      expect((await call("GET", "activity-groups")).meta.total).toBe(2);
      const { link } = await call("POST", "links", {
        destination_url: "https://www.example.com/new",
        slug: "kept-new",
        tag_names: ["Print"],
        activity_group_id: "spring",
        rules: [{ destination_url: "https://www.example.com/de", countries: ["CH"] }],
      });
      await call("PATCH", `links/${link.id}`, { slug: "kept-newer", title: "Newer" });
      expect((await call("GET", "links?slug=kept-newer")).links).toMatchObject([{ title: "Newer" }]);
      expect((await locationOf("/kept-new"))[0]).toBe(302);
      await call("DELETE", `links/${link.id}`);
      expect((await locationOf("/kept-new"))[0]).toBe(404);
    });

    it("shows its pages", async () => {
      const own = { ...ctx, workspace: await getWorkspace(ctx, "kept") };
      const browser = await signInAs({ ctx: own }, "owner", environment);
      const names = "links groups tags assets audit import keys members domains channels values".split(" ");
      for (const page of ["", ...names.map((name) => `/${name}`)]) {
        const { status, location } = await browser.get(`/app/kept${page}`);
        expect([page, status, location]).toEqual([page, 200, null]);
      }
    });

    it("has totals in which the doctor finds nothing", async () => {
      expect((await recountWorkspaces(ctx)).repaired).toEqual([]);
    });

    it("takes every statement of this release", async () => {
      const texts = ENTRIES.flatMap(({ entry }) => statementsOf(entry)).map((statement) => {
        const { sql, params } = toLiteral(statement);
        return env.KEPT.prepare(`explain ${sql}`).bind(...params.map(() => null));
      });
      expect(texts.length).toBeGreaterThan(300);
      for (let from = 0; from < texts.length; from += 50) await env.KEPT.batch(texts.slice(from, from + 50));
    });

    it("is restored from its backup", async () => {
      await dropEverything(env.KEPT);
      await applyD1Migrations(env.KEPT, [...migrations]);
      const lines = fileOf(version, "jsonl").trimEnd().split("\n");
      expect((await restoreFrom(ctx, sourceOf(lines))).workspaces).toEqual(["kept", "gone"]);
      expect((await locationOf("/kept-plain"))[0]).toBe(302);
      expect((await call("GET", "links?q=renamed")).links).toMatchObject([{ slug: "kept-second" }]);
    });
  });
});
