import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { localOfFile } from "./local";
import { ask, follow } from "./worker";

const local = localOfFile();

const { admin, json } = local;

let workspaces = 0;

/** Links of two workspaces by one key each: to a shared host, by a rule to it, and to another one. */
async function furnished() {
  const made: { slug: string; key: string; keyId: string; ids: string[] }[] = [];
  const host = `shared-${++workspaces}.example`;
  for (const name of ["one", "two"]) {
    const slug = `${name}-${workspaces}`;
    await json(`workspace create --name A --slug ${slug}`);
    const { key, id: keyId } = await json(`key create --workspace ${slug} --name K`);
    const link = async (body: object): Promise<string> => {
      const answer = await ask(local.env, key, "POST", "/api/v1/links", body);
      expect(answer.status).toBe(201);
      return answer.body.link.id;
    };
    const ids = [
      await link({ destination_url: `https://${host}/~bad/1`, slug: `${slug}-a` }),
      await link({ destination_url: `https://${host.toUpperCase()}/~BAD/2`, slug: `${slug}-b` }),
      await link({ destination_url: `https://${host}/good`, slug: `${slug}-c` }),
    ];
    made.push({ slug, key, keyId, ids });
  }
  const [one, two] = made;
  if (one === undefined || two === undefined) throw new Error("There are two.");
  return { host, one, two };
}

const fileOf = (lines: readonly string[]): string => {
  const path = join(local.state, `ids-${++workspaces}.txt`);
  writeFileSync(path, lines.join("\n"));
  return path;
};

const run = async (...argv: string[]) => {
  const { code, out, err } = await admin("link takedown", ...argv, "--json");
  return { code, err, takedown: out === "" ? undefined : JSON.parse(out).takedown };
};

it("many links are taken down by the beginning of their destination, once the plan is confirmed", async () => {
  const { host, one, two } = await furnished();
  const prefix = ["--destination-prefix", `https://${host}/~bad/`];
  const plan = {
    links: 4,
    workspaces: [`${one.slug}: 2`, `${two.slug}: 2`],
    such_as: expect.arrayContaining([`${one.ids[0]} https://${host}/~bad/1`]),
    taken_down_before: 0,
    not_found: [],
    taken_down: 0,
  };
  expect(await run(...prefix)).toEqual({ code: 1, err: "", takedown: plan });
  expect((await admin("link takedown", ...prefix)).out).toMatch(/links +4\n[\s\S]*add --confirm\.\n$/);
  expect(await run(...prefix, "--dry-run")).toEqual({
    code: 0,
    err: "",
    takedown: { ...plan, is_plan: true },
  });
  expect((await follow(local.env, `${one.slug}-a`))[0]).toBe(302);
  expect(await run(...prefix, "--confirm", "--actor", "ada@example.com")).toEqual({
    code: 0,
    err: "",
    takedown: { ...plan, taken_down: 4 },
  });
  for (const slug of [`${one.slug}-a`, `${one.slug}-b`, `${two.slug}-a`])
    expect((await follow(local.env, slug))[0]).toBe(404);
  expect((await follow(local.env, `${one.slug}-c`))[0]).toBe(302);
  expect(await run(...prefix, "--confirm")).toMatchObject({
    code: 0,
    takedown: { links: 0, taken_down_before: 4, taken_down: 0 },
  });
  expect((await admin("link takedown", ...prefix, "--confirm")).out).not.toContain("add --confirm");
  const { results } = await local.env.DB.prepare(
    `select count(*) as entries, count(distinct batch) as batches from audit_log
      where action = 'link.takedown' and actor = 'operator:ada@example.com'`,
  ).all();
  expect(results).toEqual([{ entries: 4, batches: 1 }]);
  // As after a takedown of one link: the workspace cannot use the slug again.
  const again = { destination_url: "https://www.example.com/", slug: `${one.slug}-a` };
  await ask(local.env, one.key, "DELETE", `/api/v1/links/${one.ids[0]}`);
  expect((await ask(local.env, one.key, "POST", "/api/v1/links", again)).status).toBe(422);
});

it("a plan that says what is not found ends with 1, and goes with many links and without --confirm", async () => {
  const { one } = await furnished();
  const [id = ""] = one.ids;
  const from = ["--from", fileOf([id, "nobody-has-this"])];
  expect(await run(...from, "--dry-run")).toMatchObject({ code: 1, takedown: { links: 1, taken_down: 0 } });
  expect(await run(...from, "--dry-run", "--confirm")).toMatchObject({
    code: 1,
    err: "Error: --dry-run: Give --dry-run or --confirm.\n",
  });
  expect(await run("--id", id, "--dry-run")).toMatchObject({
    code: 1,
    err: "Error: --dry-run: It goes with --from, --created-by or --destination-prefix.\n",
  });
  expect((await follow(local.env, `${one.slug}-a`))[0]).toBe(302);
});

it("a prefix that is a host takes no other host that begins so", async () => {
  const { one } = await furnished();
  const host = `evil-${one.slug}.example`;
  for (const url of [
    `https://${host}`,
    `https://${host}?a`,
    `https://${host}:8443/`,
    `https://${host}.good.example/`,
  ])
    expect((await ask(local.env, one.key, "POST", "/api/v1/links", { destination_url: url })).status).toBe(
      201,
    );
  for (const prefix of [`https://${host}`, `HTTPS://${host.toUpperCase()}`])
    expect((await run("--destination-prefix", prefix)).takedown).toMatchObject({ links: 3 });
  expect((await run("--destination-prefix", `https://${host}/`)).takedown).toMatchObject({ links: 0 });
});

it("many links are taken down by who created them", async () => {
  const { one } = await furnished();
  expect(await run("--created-by", `key:${one.keyId}`, "--confirm")).toMatchObject({
    code: 0,
    takedown: { links: 3, workspaces: [`${one.slug}: 3`], taken_down: 3 },
  });
  expect((await json(`link restore --id ${one.ids[0]}`)).link).toMatchObject({ taken_down_at: null });
});

it("of the links that somebody created those since a time are taken down", async () => {
  const { one } = await furnished();
  const by = ["--created-by", `key:${one.keyId}`, "--since"];
  await local.env.DB.prepare(
    "update links set created_at = unixepoch('2026-01-01 09:30') * 1000 where public_id = ?",
  )
    .bind(one.ids[0])
    .run();
  // The trail says when a link came, also of one whose time a file has given.
  await local.env.DB.prepare(
    "update audit_log set at = (select created_at from links where public_id = ?1) where subject = ?1",
  )
    .bind(one.ids[0])
    .run();
  expect(await run(...by, "2026-01-01T09:30:00Z")).toMatchObject({ takedown: { links: 3 } });
  expect(await run(...by, "2026-01-01T09:30:00.001Z", "--confirm")).toMatchObject({
    code: 0,
    takedown: { links: 2, workspaces: [`${one.slug}: 2`], taken_down: 2 },
  });
  expect((await follow(local.env, `${one.slug}-a`))[0]).toBe(302);
  expect((await follow(local.env, `${one.slug}-b`))[0]).toBe(404);
});

it("a link is taken down and restored by the short URL of a report", async () => {
  const { one } = await furnished();
  const slug = `http://localhost:8787/${one.slug}-a`;
  expect((await json("link takedown", "--slug", slug)).link).toMatchObject({ id: one.ids[0] });
  expect((await follow(local.env, `${one.slug}-a`))[0]).toBe(404);
  expect((await json("link restore", "--slug", slug)).link).toMatchObject({ taken_down_at: null });
});

it("many links are taken down by a file of ids, slugs and short URLs, in chunks", async () => {
  const { one, two } = await furnished();
  const more = Array.from({ length: 205 }, (_, number) => `${one.slug}-many-${number}`);
  const links = more.map((slug) => JSON.stringify({ slug, destination_url: "https://www.example.com/" }));
  await json("import", "--workspace", one.slug, "--from", fileOf(links));
  const path = fileOf([
    ...more,
    `${one.ids[0]?.toLowerCase()}\r`,
    `${one.slug}-a`,
    "",
    `http://localhost:8787/${two.slug}-B`,
    "nothing-has-this",
  ]);
  expect(await run("--from", path, "--confirm")).toEqual({
    code: 1,
    err: "",
    takedown: expect.objectContaining({
      links: 207,
      workspaces: [`${one.slug}: 206`, `${two.slug}: 1`],
      not_found: ["nothing-has-this"],
      taken_down: 207,
    }),
  });
  const { results } = await local.env.DB.prepare(
    "select count(*) as links from links where taken_down_by = 'operator' and slug like ? || '-many-%'",
  )
    .bind(one.slug)
    .all();
  expect(results).toEqual([{ links: 205 }]);
});

it.each([
  [["--destination-prefix", "https://"], "--destination-prefix: The destination prefix field must be"],
  [["--destination-prefix", "evil.example"], "--destination-prefix: The destination prefix field must be"],
  [["--from", "/nowhere/ids.txt"], "--from: There is no file /nowhere/ids.txt that can be read."],
  [["--created-by", "operator", "--since", "yesterday"], "--since: The since field must be"],
  [
    ["--destination-prefix", "https://evil.example/", "--since", "2026-01-01T09:30:00Z"],
    "Give --since with --created-by alone.",
  ],
  [
    ["--slug", "a", "--created-by", "operator"],
    "Give either --id, --slug, --from, --created-by or --destination-prefix.",
  ],
])("a takedown of many is refused with %j", async (options, message) => {
  const { code, err } = await run(...options, "--confirm");
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});
