import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { getDemoKey } from "../../src/cli/demo";
import { openPlatform, proxyOptions } from "../../src/cli/platform";
import { localOfFile } from "./local";
import { ask } from "./worker";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const id = () => expect.stringMatching(ULID);
const time = () => expect.stringMatching(TIME);

const local = localOfFile();

const { admin, json } = local;

const api = (key: string, method: string, path: string, body?: object) =>
  ask(local.env, key, method, path, body);

let workspaces = 0;

/** A workspace with a full key, both created by commands. */
async function makeWorkspace(): Promise<{ slug: string; key: string }> {
  const slug = `acme-${++workspaces}`;
  await json(`workspace create --name Acme --slug ${slug}`);
  const { key } = await json(`key create --workspace ${slug} --name test`);
  return { slug, key };
}

async function makeLink(key: string): Promise<string> {
  const { status, body } = await api(key, "POST", "/api/v1/links", {
    destination_url: "https://www.example.com/",
  });
  expect(status).toBe(201);
  return body.link.id;
}

it("a workspace is created, listed, suspended and resumed", async () => {
  const view = {
    id: id(),
    name: "Zürich & Söhne",
    slug: "zuerich",
    time_zone: "UTC",
    scans_name_asset: false,
    shares_reports: true,
    shows_name: false,
    own_networks: null,
    colour: null,
    link_limit: 1,
    links: 0,
    archived_links: 0,
    slugs: 0,
    slug_limit: 1_000,
    nearly_full: null,
    tags: 0,
    suspended_at: null,
    created_at: time(),
  };
  const created = await json(`workspace create --name " Zürich & Söhne " --slug zuerich --link-limit 1`);
  expect(created).toEqual({ workspace: view });
  expect((await json("workspace list")).workspaces).toContainEqual(created.workspace);

  const { key } = await json("key create --workspace zuerich --name test");
  await makeLink(key);
  const suspended = await json("workspace suspend --slug zuerich");
  const used = { ...view, links: 1, slugs: 1, nearly_full: "links" };
  expect(suspended).toEqual({ workspace: { ...used, suspended_at: time() } });
  expect(await api(key, "GET", "/api/v1/tags")).toEqual({
    status: 404,
    body: { message: "Workspace not found." },
  });

  expect(await json("workspace resume --slug zuerich")).toEqual({ workspace: used });
  expect((await api(key, "GET", "/api/v1/tags")).status).toBe(200);
});

it("a workspace has a time zone, which is changed with its name", async () => {
  const created = await json("workspace create --name Zone --slug zone --time-zone Europe/Zurich");
  expect(created.workspace.time_zone).toBe("Europe/Zurich");
  const moved = await json("workspace update --slug zone --time-zone Asia/Kathmandu");
  expect(moved.workspace).toEqual({ ...created.workspace, time_zone: "Asia/Kathmandu" });
  const renamed = await json(`workspace update --slug zone --name "Zone 2"`);
  expect(renamed.workspace).toEqual({ ...moved.workspace, name: "Zone 2" });
  expect((await json("workspace list")).workspaces).toContainEqual(renamed.workspace);
});

it("a workspace without a link limit, or with an empty one, is unlimited", async () => {
  const without = await json("workspace create --name A --slug no-limit");
  const empty = await json(`workspace create --name B --slug empty-limit --link-limit ""`);
  expect([without.workspace.link_limit, empty.workspace.link_limit]).toEqual([null, null]);
});

it("a report of a leaked key needs only the key, a report of a bad link only its slug", async () => {
  const { slug, key } = await makeWorkspace();
  const { body } = await api(key, "POST", "/api/v1/links", {
    destination_url: "https://www.example.com/",
    slug: "reported",
  });
  const view = { id: body.link.id, slug: "reported", taken_down_by: "operator" };
  expect((await json("link takedown --slug Reported")).link).toMatchObject(view);
  expect((await json(`link restore --id ${body.link.id}`)).link).toMatchObject({ taken_down_at: null });
  expect(await json(`key revoke --key ${key}`)).toMatchObject({
    workspace: slug,
    last4: key.slice(-4),
  });
  expect((await api(key, "GET", "/api/v1/tags")).status).toBe(401);
});

it("a key is shown once, opens its workspace's API, and is refused after its revocation", async () => {
  const { slug } = await makeWorkspace();
  const created = await json(`key create --workspace ${slug} --name CI`);
  const { key, ...view } = created;
  expect(key).toMatch(/^lnk_[0-9A-Za-z]{38}$/);
  expect(view).toMatchObject({ workspace: slug, name: "CI", access: "full", last4: key.slice(-4) });
  await makeLink(key);

  const listed = await json(`key list --workspace ${slug}`);
  expect(listed.keys).toHaveLength(2);
  expect(listed.keys[1]).toEqual({ ...view, last_used_at: time(), created_by: "operator" });

  const revoked = await json(`key revoke --id ${created.id.toLowerCase()}`);
  expect(revoked).toEqual({ ...view, last_used_at: time(), revoked_at: time() });
  expect((await api(key, "GET", "/api/v1/tags")).status).toBe(401);
  expect(await json(`key revoke --id ${created.id}`)).toEqual(revoked);
});

it("a key has the given access and expiry", async () => {
  const { slug } = await makeWorkspace();
  const read = await json(
    `key create --workspace ${slug} --name R --access read --expires-at 2099-01-01T01:00:00+01:00`,
  );
  expect(read).toMatchObject({ access: "read", expires_at: "2099-01-01T00:00:00.000Z" });
});

it("a key that would be expired at once is refused", async () => {
  const { slug } = await makeWorkspace();
  const [old] = (await json(`key list --workspace ${slug}`)).keys;
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  for (const line of [
    `key create --workspace ${slug} --name R`,
    `key rotate --workspace ${slug} --id ${old.id} --overlap-hours 0`,
  ]) {
    expect(await admin(`${line} --expires-at ${yesterday}`)).toEqual({
      code: 1,
      out: "",
      err: "Error: --expires-at: The expires at field must be in the future.\n",
    });
  }
  expect((await json(`key list --workspace ${slug}`)).keys).toEqual([old]);
});

it("a rotation creates a second key, and without an overlap the old key ends at once", async () => {
  const { slug, key } = await makeWorkspace();
  const [old] = (await json(`key list --workspace ${slug}`)).keys;
  const rotated = await json(`key rotate --workspace ${slug} --id ${old.id} --overlap-hours 0`);
  expect(rotated).toMatchObject({
    ...{ name: "test", access: "full" },
    ...{ replaces: old.id, replaced_ends_at: time() },
  });
  expect((await api(key, "GET", "/api/v1/tags")).status).toBe(401);
  expect((await api(rotated.key, "GET", "/api/v1/tags")).status).toBe(200);
});

const options = '--name "Summer 2026" --slug summer-2026 --type campaign';

it("an Activity Group has every given field, and the API shows the same", async () => {
  const { slug, key } = await makeWorkspace();
  const { activity_group: group } = await json(
    `group create --workspace ${slug} ${options} --status active --description "All of it" --default-utm-campaign summer_2026 --starts-at 2026-06-01 --ends-at 2026-08-31T22:00:00Z`,
  );
  expect(group).toEqual({
    id: id(),
    name: "Summer 2026",
    slug: "summer-2026",
    type: "campaign",
    description: "All of it",
    status: "active",
    default_utm_campaign: "summer_2026",
    starts_at: "2026-06-01T00:00:00.000Z",
    ends_at: "2026-08-31T22:00:00.000Z",
    archived_at: null,
  });
  expect((await api(key, "GET", "/api/v1/activity-groups")).body.activity_groups).toEqual([group]);
});

it("an Activity Group is archived", async () => {
  const { slug } = await makeWorkspace();
  const { activity_group: group } = await json(`group create --workspace ${slug} ${options}`);
  expect(await json(`group archive --id ${group.id}`)).toEqual({
    activity_group: { ...group, status: "archived", archived_at: time() },
  });
});

it("the end of a group's links and that it follows its dates are set and cleared, and shown where they are set", async () => {
  const { slug, key } = await makeWorkspace();
  const { activity_group: plain } = await json(`group create --workspace ${slug} ${options}`);
  expect(Object.keys(plain)).not.toContain("ends_links");
  const { activity_group: group } = await json(
    `group create --workspace ${slug} --name Fair --slug fair --type event --starts-at 2026-01-01 --ends-at 2099-08-31T22:00:00Z --ends-links true --ended-url https://www.example.com/ --follows-dates true`,
  );
  expect(group).toMatchObject({
    ...{ status: "active", follows_dates: true },
    ...{ ended_url: "https://www.example.com/", ends_links: true },
  });
  expect((await json(`group list --workspace ${slug}`)).activity_groups).toEqual([group, plain]);
  const { ended_url: _, ends_links: __, follows_dates: ___, ...shown } = group;
  expect((await api(key, "GET", "/api/v1/activity-groups?slug=fair")).body.activity_groups).toEqual([shown]);
  const updated = async (given: string) =>
    (await json(`group update --id ${group.id} ${given}`)).activity_group;
  expect(await updated("--name Été --slug fair --default-utm-campaign=")).toEqual({
    ...group,
    name: "Été",
  });
  expect(await updated("--name Fair")).toEqual(group);
  expect(await updated(`--follows-dates false --ended-url ""`)).toEqual({ ...shown, ends_links: true });
  expect(await updated(`--ends-links ""`)).toEqual(shown);
  const refused = await admin(`group update --id ${group.id} --follows-dates yes`);
  expect([refused.code, refused.err]).toEqual([
    1,
    "Error: --follows-dates: The selected follows dates is invalid.\n",
  ]);
});

it("an asset has every given field, is retired, and is listed", async () => {
  const { slug, key } = await makeWorkspace();
  const link = await makeLink(key);
  const { asset } = await json(
    `asset create --workspace ${slug} --name Poster --link ${link} --kind poster --status live --place " Main station " --quantity 12`,
  );
  expect(asset).toEqual({
    id: id(),
    name: "Poster",
    kind: "poster",
    status: "live",
    place: "Main station",
    quantity: 12,
    link: { id: link, slug: expect.any(String), status: "active" },
    code: expect.stringMatching(/^[a-z2-9]{7}$/),
    code_url: `http://localhost:8787/${asset.code}`,
    live_at: time(),
    created_at: time(),
    updated_at: time(),
  });
  const retired = await json(`asset update --id ${asset.id} --status retired`);
  expect(retired).toEqual({ asset: { ...asset, status: "retired", updated_at: time() } });
  expect(await json(`asset list --workspace ${slug}`)).toEqual({ assets: [retired.asset] });
});

it("an asset moves to another link with its code, and its scans are reported", async () => {
  const { slug, key } = await makeWorkspace();
  const [from, to] = [await makeLink(key), await makeLink(key)];
  const { asset } = await json(`asset create --workspace ${slug} --name Box --link ${from}`);
  const moved = await json(`asset update --id ${asset.id} --link ${to}`);
  expect(moved.asset).toMatchObject({ code: asset.code, code_url: asset.code_url, link: { id: to } });
  await local.env.DB.prepare(
    "insert into visit_hours (workspace_id, owner_kind, owner_id, hour, clicks, scans, bots, after_end) select workspace_id, 'asset', id, ?1, 0, 3, 1, 2 from offline_assets where public_id = ?2",
  )
    .bind(Date.UTC(2026, 4, 1, 7), asset.id)
    .run();
  const span = "--from 2026-05-01 --to 2026-05-02";
  const { scans } = await json(`clicks report --asset ${asset.id} ${span}`);
  expect(scans).toEqual({
    from: "2026-05-01T00:00:00.000Z",
    to: "2026-05-03T00:00:00.000Z",
    totals: { scans: 3, late: 2, bots: 1 },
    days: [{ day: "2026-05-01", scans: 3, late: 2, bots: 1 }],
    hours: Array.from({ length: 24 }, (_, hour) => ({ hour, scans: hour === 7 ? 3 : 0 })),
    code_at: asset.created_at,
  });
  const { clicks } = await json(`clicks report --link ${to} ${span}`);
  expect(clicks.assets).toEqual([
    { id: asset.id, name: "Box", place: null, status: "draft", scans: 3, late: 2, bots: 1 },
  ]);
  const both = await admin(`clicks report --asset ${asset.id} --link ${to}`);
  expect(both.err).toBe("Error: Give either --link, --group or --asset.\n");
});

it("an asset is by default a draft of kind other, and an emptied place is cleared", async () => {
  const { slug, key } = await makeWorkspace();
  const link = (await makeLink(key)).toLowerCase();
  const { asset } = await json(`asset create --workspace ${slug} --name Box --link ${link} --place Shop`);
  expect(asset).toMatchObject({
    ...{ name: "Box", kind: "other", status: "draft", place: "Shop", quantity: null, live_at: null },
    link: { id: link.toUpperCase() },
  });
  const { asset: changed } = await json(`asset update --id ${asset.id} --kind packaging --place ""`);
  expect(changed).toEqual({ ...asset, kind: "packaging", place: null, updated_at: time() });
});

it("a host is blocked, listed and unblocked", async () => {
  const blocked = await json(`host block --host " BÖSE.example. "`);
  expect(blocked).toEqual({ host: "xn--bse-sna.example", blocked_at: time() });
  expect(await json("host list")).toEqual({ hosts: [blocked] });
  expect(await json("host unblock --host böse.example")).toEqual({ host: "xn--bse-sna.example" });
  expect(await json("host list")).toEqual({ hosts: [] });
});

it("unknown list shows what people asked for on the short host, the most first", async () => {
  await local.env.DB.prepare(
    `insert into unknown_addresses (workspace_id, domain, slug, day, visits)
      select 0, '', value, ?, key + 1 from json_each('["sumer", "wimter"]')`,
  )
    .bind(Date.now() - (Date.now() % 86_400_000))
    .run();
  const first_day = new Date().toISOString().slice(0, 10);
  const { unknown } = await json("unknown list");
  expect(unknown).toMatchObject([
    { address: expect.stringMatching(/\/wimter$/), recent: 2, visits: 2, first_day },
    { address: expect.stringMatching(/\/sumer$/), recent: 1, visits: 1, first_day },
  ]);
});

it("cache status shows the number of slugs due for a push, and since when", async () => {
  await local.env.DB.prepare("update slugs set push_at = null").run();
  expect(await json("cache status")).toEqual({
    cache: { due: 0, oldest_due_at: null, kv_outdated: 0 },
  });
  const { slug } = await makeWorkspace();
  await local.env.DB.prepare(
    `insert into slugs (key, workspace_id, rev, push_at, created_at)
      select ?1, id, 2, 86400000, 0 from workspaces where slug = ?1`,
  )
    .bind(slug)
    .run();
  expect(await json("cache status")).toEqual({
    cache: { due: 1, oldest_due_at: "1970-01-02T00:00:00.000Z", kv_outdated: 0 },
  });
  await local.env.DB.prepare("update slugs set push_at = null").run();
});

it("the demo has every kind of group and asset, tags and links, and is created only once", async () => {
  const demo = await json("demo");
  expect(demo).toMatchObject({ workspace: { slug: "demo", links: expect.any(Number) }, created: true });
  expect(demo.workspace.links).toBeGreaterThan(0);
  expect(demo.workspace.tags).toBeGreaterThan(0);
  const { activity_groups: groups } = await json("group list --workspace demo");
  expect(new Set(groups.map((group: { status: string }) => group.status)).size).toBe(5);
  const { assets } = await json("asset list --workspace demo");
  expect(new Set(assets.map((asset: { status: string }) => asset.status)).size).toBe(3);
  expect(await json("demo")).toEqual({ ...demo, created: false });

  const one = async (query: string) => (await local.env.DB.prepare(query).all()).results;
  const ofDemo = "workspace_id = (select id from workspaces where slug = 'demo')";
  expect(
    await one(`select count(*) > 1000 as many, min(hour) < unixepoch('now', '-50 days') * 1000 as long,
    max(hour) > unixepoch('now', '-2 days') * 1000 as recent from visit_hours where ${ofDemo}`),
  ).toEqual([{ many: 1, long: 1, recent: 1 }]);
  expect(
    await one(`select count(*) as days, count(distinct active_links) as numbers,
    max(active_links) = (select active_links from workspaces where id = workspace_id) as up_to_now
    from active_link_days where ${ofDemo}`),
  ).toEqual([{ days: 61, numbers: 2, up_to_now: 1 }]);
  expect(
    await one(`select count(starts_on) as starts, count(ends_on) as ends, sum(starts_at is not null) as dated
    from activity_groups where ${ofDemo}`),
  ).toEqual([{ starts: 2, ends: 2, dated: 2 }]);
  expect(
    await one(`select name, row_count, finished_at is not null as done,
    (select count(*) from import_rows where import_id = imports.id and errors is not null) as refused
    from imports where ${ofDemo}`),
  ).toEqual([{ name: "autumn.csv", row_count: 4, done: 1, refused: 1 }]);
  expect(
    await one(
      `select slug, state from destination_health join links on destination_url = url where ${ofDemo}`,
    ),
  ).toEqual([{ slug: "partner-offer", state: "broken" }]);
  expect((await json("member list --workspace demo")).members).toContainEqual(
    expect.objectContaining({ email: "editor@demo.example", role: "editor" }),
  );
  const { repaired } = (await json("doctor")).doctor;
  expect(repaired.filter((finding: { workspace: string }) => finding.workspace === "demo")).toEqual([]);
  expect((await json("workspace list")).workspaces).toContainEqual(demo.workspace);

  // Its key is reused until it is revoked.
  const { ctx } = await openPlatform({ remote: false, persistTo: local.state }, async () => ({
    env: local.env,
    dispose: async () => undefined,
  }));
  const file = join(local.state, "demo-key");
  const key = await getDemoKey(ctx, file);
  expect([await getDemoKey(ctx, file), readFileSync(file, "utf8")]).toEqual([key, `${key}\n`]);
  const [{ id }] = (await json("key list --workspace demo")).keys;
  await json(`key revoke --id ${id}`);
  const another = await getDemoKey(ctx, file);
  expect(another).not.toBe(key);
  expect(await getDemoKey(ctx, file)).toBe(another);
});

it("the doctor recounts totals, repairs and reports errors, and then finds none", async () => {
  await json("demo");
  // Other tests insert rows without the services.
  await json("doctor");
  const healthy = await json("doctor");
  expect(healthy.doctor).toEqual({ workspaces: expect.any(Number), repaired: [] });
  const wrongly = [
    "update workspaces set active_links = active_links + 1, tag_count = tag_count - 1 where slug = 'demo'",
    "update link_totals set active = active + 2 where kind = 'group' and key = (select min(key) from link_totals where kind = 'group')",
    "delete from link_totals where kind = 'channel'",
    "insert into link_totals select id, 'tag', '999999', 3, 0 from workspaces where slug = 'demo'",
    "update link_tags set link_archived = 1 - link_archived where link_id = (select min(link_id) from link_tags)",
    "update workspaces set slug_claims = slug_claims - 1 where slug = 'demo'",
  ];
  await local.env.DB.batch(wrongly.map((statement) => local.env.DB.prepare(statement)));
  const { repaired } = (await json("doctor")).doctor;
  expect(new Set(repaired.map((finding: { kept: string }) => finding.kept))).toEqual(
    new Set([
      "active links",
      "tags",
      "links of a group",
      "links of a channel",
      "links of a tag",
      "links listed wrongly",
      "slugs",
    ]),
  );
  expect(repaired).toContainEqual({
    workspace: "demo",
    kept: "links of a tag",
    of: "999999",
    is: 3,
    should_be: null,
  });
  expect(await json("doctor")).toEqual(healthy);
  expect((await admin("doctor")).out).toMatch(/^workspaces {2}\d+\nrepaired {4}-\n$/);
});

it("without --json a list is a table, an object has a line for each field, and an empty list is reported", async () => {
  const { slug } = await makeWorkspace();
  expect(await admin(`group list --workspace ${slug}`)).toEqual({
    code: 0,
    out: "No activity groups yet.\n",
    err: "",
  });
  await json(`group create --workspace ${slug} --name Summer --slug s --type event`);
  const { out } = await admin(`group list --workspace ${slug}`);
  const [head, row, ...rest] = out.split("\n");
  expect(head?.split(/ {2,}/).slice(0, 4)).toEqual(["id", "name", "slug", "type"]);
  expect(row?.split(/ {2,}/).slice(1)).toEqual(["Summer", "s", "event", "-", "draft", "-", "-", "-", "-"]);
  expect(rest).toEqual([""]);

  const key = await admin(`key create --workspace ${slug} --name CI`);
  expect(key).toMatchObject({ code: 0, err: "" });
  expect(key.out).toMatch(/^access +full$/m);
  expect(key.out).toMatch(/^key +lnk_\w{38}$/m);
  expect((await admin(`workspace resume --slug ${slug}`)).out).toMatch(/^link limit +-$/m);
});

// `test/commands/admin.test.ts` opens one.
it("a command opens the state of --persist-to", () => {
  expect(proxyOptions({ remote: false, persistTo: "here" })).toEqual({
    configPath: "wrangler.toml",
    persist: { path: join("here", "v3") },
    remoteBindings: false,
  });
});
