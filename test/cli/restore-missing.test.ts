import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cleanUp, openLocal, temporaryDirectory } from "./terminal";
import { ask, follow } from "./worker";

// The order of the runbook: creations are off, the database goes back, what it lacks is added, creations are on again.

type Local = Awaited<ReturnType<typeof openLocal>>;

const DESTINATION = "https://www.example.com/";
const OFF = { CREATIONS: "off" };
const TAKEN = { slug: ["The slug has already been taken."] };

const directory = temporaryDirectory();
const [old, evidence] = [join(directory, "old.backup"), join(directory, "evidence.backup")];
const keys: Record<string, string> = {};
let before: Local;
let after: Local;
let code: string;

const post = ({ env }: Local, workspace: string, body: object, variables: object = {}) =>
  ask({ ...env, ...variables }, keys[workspace] ?? "", "POST", "/api/v1/links", {
    destination_url: DESTINATION,
    ...body,
  });

beforeAll(async () => {
  [before, after] = [await openLocal(), await openLocal()];
  const { json, env } = before;
  for (const workspace of ["acme", "beta"]) {
    await json(`workspace create --name ${workspace} --slug ${workspace}`);
    keys[workspace] = (await json(`key create --workspace ${workspace} --name k`)).key;
  }
  await post(before, "acme", { slug: "kept" });
  await json("backup", "--out", old);

  await json("group create --workspace acme --name Fair --slug fair --type campaign --status active");
  const { tag } = (await ask(env, keys["acme"] ?? "", "POST", "/api/v1/tags", { name: "Print" })).body;
  const { link } = (
    await post(before, "acme", {
      slug: "promo",
      tag_ids: [tag.id],
      activity_group_id: "fair",
      title: "Promo",
    })
  ).body;
  await ask(env, keys["acme"] ?? "", "PATCH", `/api/v1/links/${link.id}`, { slug: "promo-2" });
  code = (await json(`asset create --workspace acme --name Poster --link ${link.id} --status live`)).asset
    .code;
  const gone = (await post(before, "acme", { slug: "gone" })).body.link.id;
  await ask(env, keys["acme"] ?? "", "DELETE", `/api/v1/links/${gone}`);
  await json("member add --workspace acme --email thief@evil.example --role owner");
  await json("workspace create --name Late --slug late");
  await json("backup", "--out", evidence);
  await after.json("restore", "--from", old);
});
afterAll(async () => {
  await before.dispose();
  await after.dispose();
  cleanUp();
});

const COUNTS = { workspaces: 1, links: 1, tags: 1, activity_groups: 1, offline_assets: 1, domains: 0 };

it("after the database went back, nobody else gets a slug, and what was lost opens its links again", async () => {
  expect(await follow(after.env, "promo")).toEqual([404, null]);
  expect((await post(after, "beta", { slug: "promo" }, OFF)).status).toBe(503);

  const plan = (await after.json("restore", "--missing", "--dry-run", "--from", evidence)).restore;
  expect(plan).toMatchObject({ ...COUNTS, is_plan: true, slugs: 4, not_added: [], taken_slugs: [] });
  expect(plan.left_to_you).toEqual(["members: thief@evil.example"]);
  expect(await follow(after.env, "promo")).toEqual([404, null]);

  const { made_at: _, is_plan: __, ...planned } = plan;
  const done = (await after.json("restore", "--missing", "--from", evidence)).restore;
  expect(done).toMatchObject({ ...planned, is_plan: false, opened_slugs: 3 });
  for (const slug of ["promo", "promo-2", code])
    expect(await follow(after.env, slug)).toEqual(await follow(before.env, slug));
  expect((await follow(after.env, "promo"))[0]).toBe(302);
  expect((await follow(after.env, "kept"))[0]).toBe(302);
  expect((await after.json("member list --workspace acme")).members).toEqual([]);

  for (const slug of ["promo", "promo-2", "gone"]) {
    const { status, body } = await post(after, "beta", { slug });
    expect([slug, status, body.errors]).toEqual([slug, 422, TAKEN]);
  }
  expect((await post(after, "acme", { slug: "gone" })).status).toBe(201);
  const read = async ({ env }: Local) => {
    const { body } = await ask(env, keys["acme"] ?? "", "GET", "/api/v1/links?q=promo&tag=print");
    return body.links;
  };
  expect(await read(after)).toEqual(await read(before));
  expect(await read(after)).toHaveLength(1);
  expect((await after.admin("doctor", "--deep")).code).toBe(0);
  expect((await after.json("doctor")).doctor.repaired).toEqual([]);

  const again = (await after.json("restore", "--missing", "--from", evidence)).restore;
  expect(again).toMatchObject({ slugs: 0, links: 0, workspaces: 0, opened_slugs: 0, taken_slugs: [] });
});

it("a slug that another workspace has meanwhile is listed, and the command fails", async () => {
  const lost = await openLocal();
  await lost.json("restore", "--from", old);
  await post(lost, "beta", { slug: "promo-2" });
  const planned = await lost.admin("restore", "--missing", "--dry-run", "--from", evidence);
  const { code: exit, out } = await lost.admin("restore", "--missing", "--from", evidence);
  expect([planned.code, exit]).toEqual([1, 1]);
  expect(out).toMatch(/taken slugs\n\s*key\s+belongs to\n\s*promo-2\s+beta/);
  // It would have another workspace's slug as its own.
  expect(out).toMatch(/not added\s+links: promo-2\n/);
  expect((await post(lost, "beta", { slug: "promo" })).body.errors).toEqual(TAKEN);
  await lost.dispose();
});

it("--dry-run without --missing is refused, and says why", async () => {
  const { code: exit, err } = await after.admin("restore", "--dry-run", "--from", old);
  expect([exit, err]).toEqual([
    1,
    "Error: --dry-run: It goes with --missing, which says what it would add.\n",
  ]);
});
