import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { localOfFile } from "./local";
import { ask } from "./worker";

const SLUG = "sound";

/** What the tests damage: links in a group with a rule and an asset each, and visits. */
const local = localOfFile(async ({ json, env }) => {
  await json(`workspace create --name A --slug ${SLUG}`);
  const { key } = await json(`key create --workspace ${SLUG} --name K`);
  await json(`group create --workspace ${SLUG} --name G --slug g --type campaign --status active`);
  const [group] = (await json(`group list --workspace ${SLUG}`)).activity_groups;
  for (const slug of ["one", "two", "three"]) {
    const rules = [{ countries: ["CH"], destination_url: "https://www.example.com/ch" }];
    const body = { slug, destination_url: "https://www.example.com/", activity_group_id: group.id };
    const { status, body: made } = await ask(env, key, "POST", "/api/v1/links", body);
    expect(status).toBe(201);
    await json(`asset create --link ${made.link.id} --workspace ${SLUG} --name Poster --kind poster`);
    await env.DB.prepare("update links set rules = ? where public_id = ?")
      .bind(JSON.stringify(rules), made.link.id)
      .run();
  }
  await env.DB.prepare(
    `insert into link_rules select workspace_id, id, 0, 'https://www.example.com/ch', 'www.example.com', 'ok', null from links`,
  ).run();
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await env.DB.prepare(
    `insert into visit_hours select workspace_id, 'link', id, ?1, 3, 0, 0, 0 from links where slug = 'one'`,
  )
    .bind(hour)
    .run();
  await env.DB.prepare(
    `insert into visit_days select workspace_id, 'link', id, ?1, 3, '{}' from links where slug = 'one'`,
  )
    .bind(hour - (hour % 86_400_000))
    .run();
  await env.DB.prepare("update links set clicks = 3 where slug = 'one'").run();
});

const run = (text: string) => local.env.DB.prepare(text).run();

/** D1 itself refuses a row that refers to nothing. Node 22.12 has SQLite only with the option. */
function withoutForeignKeys(file: string, text: string): void {
  const script = `const { DatabaseSync } = require("node:sqlite");
    new DatabaseSync(process.argv[1], { enableForeignKeyConstraints: false }).exec(process.argv[2]);`;
  const { status, stderr } = spawnSync(process.execPath, ["--experimental-sqlite", "-e", script, file, text]);
  if (status !== 0) throw new Error(String(stderr));
}

async function examined(...options: string[]) {
  const { code, out } = await local.admin("doctor", "--deep", "--json", ...options);
  const { doctor } = JSON.parse(out) as {
    doctor: {
      repaired: { kept: string; is: number; should_be: number }[];
      problems: { problem: string; rows: number; such_as: string }[];
    };
  };
  return {
    code,
    repaired: doctor.repaired.map(({ kept, is, should_be }) => [kept, is, should_be]),
    problems: doctor.problems.map(({ problem }) => problem),
    rows: doctor.problems,
  };
}

const SOUND = { code: 0, repaired: [], problems: [], rows: [] };

const TWO = "(select id from links where slug = 'two')";

/** By the damage: the SQL, what is found, and the SQL that takes it back. */
const DAMAGES: [name: string, damage: string[], found: string[], undo: string[]][] = [
  [
    "a slug without its row",
    ["create table kept as select * from slugs", "delete from slugs where key = 'one'"],
    ["links whose slug has no row", "slugs whose rows are missing"],
    [
      `insert into slugs (key, workspace_id, link_id, created_at) select key, workspace_id, link_id, created_at from kept
        where key = 'one'`,
      "drop table kept",
    ],
  ],
  [
    "a slug that opens another link",
    [`update slugs set link_id = ${TWO} where key = 'one'`],
    ["links whose slug opens something else, or belongs to others"],
    ["update slugs set link_id = (select id from links where slug = 'one') where key = 'one'"],
  ],
  [
    "a slug that opens a deleted link",
    ["update links set deleted_at = 1 where slug = 'three'"],
    [
      "slugs that open a deleted link",
      "codes that open something else than the link of their asset",
      "links whose group is not that of their open assignment",
    ],
    ["update links set deleted_at = null where slug = 'three'"],
  ],
  [
    "a takedown that its slugs do not have",
    ["update links set taken_down_at = 1, taken_down_by = 'operator' where slug = 'two'"],
    ["slugs of a link that the operator took down, without the mark"],
    ["update links set taken_down_at = null, taken_down_by = null where slug = 'two'"],
  ],
  [
    "an asset without the row of its code",
    [
      "create table kept as select * from slugs",
      `delete from slugs where asset = (select public_id from offline_assets where link_id = ${TWO})`,
    ],
    ["assets whose code has no row"],
    [
      `insert into slugs (key, workspace_id, link_id, asset, created_at) select key, workspace_id, link_id, asset, created_at
        from kept where asset = (select public_id from offline_assets where link_id = ${TWO})`,
      "drop table kept",
    ],
  ],
  [
    "a code that opens another link",
    [`update offline_assets set link_id = ${TWO} where link_id = (select id from links where slug = 'one')`],
    ["codes that open something else than the link of their asset"],
    [
      "update offline_assets set link_id = (select link_id from slugs where slugs.asset = offline_assets.public_id)",
    ],
  ],
  [
    "rules that are no JSON",
    ["update links set rules = '[' where slug = 'one'"],
    ["links whose rules are no JSON"],
    ["update links set rules = (select rules from links where slug = 'two') where slug = 'one'"],
  ],
  [
    "rules whose destinations are others",
    [`update link_rules set destination_url = 'https://www.example.com/at' where link_id = ${TWO}`],
    ["links whose rules are not the rows of their destinations"],
    ["update link_rules set destination_url = 'https://www.example.com/ch'"],
  ],
  [
    "a link whose assignment is to no group",
    [
      "update activity_group_items set ended_at = 1 where link_id = (select id from links where slug = 'one')",
    ],
    ["links whose group is not that of their open assignment"],
    ["update activity_group_items set ended_at = null"],
  ],
  [
    "visits of nobody",
    ["insert into visit_hours values (1, 'asset', 99999, 0, 1, 0, 0, 0)"],
    ["hours of visits of nobody"],
    ["delete from visit_hours where owner_id = 99999"],
  ],
  [
    "a day with other visits than its hours",
    ["update visit_days set visits = 5"],
    ["owners whose days of visits do not add up to their hours"],
    ["update visit_days set visits = 3"],
  ],
  [
    "a total of clicks above its hours",
    ["update links set clicks = 9 where slug = 'one'"],
    ["totals of clicks of a link that are above its hours"],
    ["update links set clicks = 3 where slug = 'one'"],
  ],
  [
    "a javascript: destination",
    ["update links set destination_url = 'javascript:alert(1)' where slug = 'one'"],
    ["addresses that the rules of destinations refuse"],
    ["update links set destination_url = 'https://www.example.com/' where slug = 'one'"],
  ],
  [
    "a javascript: address after the end of a group",
    ["update activity_groups set ended_url = 'javascript:alert(1)'"],
    ["addresses that the rules of destinations refuse"],
    ["update activity_groups set ended_url = null"],
  ],
  [
    "a stored host that is not the destination's",
    ["update links set destination_host = 'evil.example' where slug = 'one'"],
    ["links whose stored host is not that of their destination"],
    ["update links set destination_host = 'www.example.com' where slug = 'one'"],
  ],
];

describe("doctor --deep", () => {
  it("finds nothing in a sound database", async () => {
    expect(await examined()).toEqual(SOUND);
  });

  it.each(DAMAGES)("finds %s, and does not mend it", async (_, damage, found, undo) => {
    try {
      for (const text of damage) await run(text);
      expect(await examined()).toMatchObject({ code: 1, problems: found });
      expect((await examined()).problems).toEqual(found);
    } finally {
      for (const text of undo) await run(text);
      // A deleted link is in no total until it is back.
      await examined();
    }
    expect(await examined()).toEqual(SOUND);
  });

  it("finds an index that is missing, or is on other columns", async () => {
    const of = "from sqlite_master where name = 'links_destination'";
    const index = await local.env.DB.prepare(`select sql ${of}`).first<string>("sql");
    await run("drop index links_destination");
    expect(await examined()).toMatchObject({ code: 1, problems: ["tables and indexes that are missing"] });
    await run("create index links_destination on links (destination_url)");
    const { problems, rows } = await examined();
    expect(problems).toEqual(["tables and indexes that are others than the schema's"]);
    expect(rows[0]?.such_as).toBe("index links_destination");
    await run("drop index links_destination");
    await run(index ?? "");
    expect(await examined()).toEqual(SOUND);
  });

  it("finds a row that refers to nothing", async () => {
    const folder = join(local.state, "v3/d1/miniflare-D1DatabaseObject");
    const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)) ?? "";
    withoutForeignKeys(
      join(folder, file),
      "insert into link_tags (workspace_id, link_id, tag_id) values (1, 99999, 99999)",
    );
    const { problems } = await examined();
    await run("delete from link_tags");
    expect(problems).toEqual(["rows of link_tags that refer to nothing"]);
  });

  it("raises a total of clicks that is below its hours", async () => {
    await run("update links set clicks = 1 where slug = 'one'");
    const mended = { code: 0, repaired: [["clicks of a link", 1, 3]], problems: [] };
    expect(await examined()).toMatchObject(mended);
    expect(await examined()).toMatchObject({ code: 0, repaired: [] });
  });

  it("says what it found to people, and says of a dropped table nothing else", async () => {
    await run("drop table saved_views");
    const { code, out } = await local.admin("doctor", "--deep");
    expect(code).toBe(1);
    expect(out).toContain("tables and indexes that are missing");
    expect(out).toContain("table saved_views");
    expect((await examined()).rows).toHaveLength(1);
  });
});
