import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { takeDown } from "../../src/operations/moderation/takedown";
import { writeDueSlugs } from "../../src/redirect/slugs/kv-writer";
import { slugMemoryOf } from "../../src/redirect/slugs/slug-memory";
import { addDomain } from "../../src/resources/domains/domain-service";
import { removeDomain } from "../../src/resources/domains/remove-domain";
import { suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import { elapse, stopClock } from "../clock";
import { kvFails, withKv, withoutD1 } from "../faulty";
import { kvValue, makeWorkspace, otherInstance, serviceContext, type TestWorkspace, visit } from "../harness";
import { runSql, selectRows, selectValue } from "../sql";
import { countClaims } from "./slugs/fill";

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";

stopClock();
beforeEach(async () => {
  await runSql`update slugs set push_at = null, doubt_until = null`;
  await runSql`delete from doubts`;
});

const refusing = () => withKv({ put: kvFails, delete: kvFails });

const leads = async (slug: string, instance = otherInstance()) => {
  const { status, headers } = await visit(`/${slug}`, {}, instance);
  return [status, headers.get("x-cache"), headers.get("location")];
};

/** A link in KV, changed by another instance whose writes KV refuses. */
async function doubtful(ws: TestWorkspace) {
  const link = await ws.link({ destination_url: OLD });
  await visit(`/${link.slug}`);
  await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { destination_url: NEW }, env: refusing() });
  return link;
}

/** The list of an instance after its first visit. */
async function listOf(instance = otherInstance()) {
  await visit("/nobody", {}, instance);
  const { doubts, allInDoubtSince } = slugMemoryOf(instance.KV);
  return { names: [...doubts.keys()].toSorted(), isAll: allInDoubtSince !== null };
}

/** Puts many slugs of a workspace in doubt. */
const insertDoubts = (ws: TestWorkspace, count: number) => runSql`
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
  insert into slugs (key, workspace_id, doubt_until, created_at)
  select ${ws.slug} || '-' || i, ${ws}, ${Date.now() + 60_000}, 0 from n`;

describe("an instance", () => {
  it("asks D1 for what is in doubt once it has the list, which only its first visit lacks", async () => {
    const ws = await makeWorkspace();
    const { slug } = await doubtful(ws);
    const instance = otherInstance();
    expect(await leads(slug, instance)).toEqual([302, "hit", OLD]);
    // The list that arrived behind the answer has evicted it from memory.
    expect(await leads(slug, instance)).toEqual([302, "miss", NEW]);
    expect(await leads(slug, instance)).toEqual([302, "hit", NEW]);
    elapse(5_000);
    expect(await leads(slug, instance)).toEqual([302, "miss", NEW]);
    // A slug that is listed by its key is never served from KV.
    elapse(10_000);
    expect(await leads(slug, { ...instance, DB: withoutD1().DB })).toEqual([503, null, null]);
  });

  it("lists up to 20 slugs of a workspace, and one with more itself and 21 of its deletions", async () => {
    const [few, many] = [await makeWorkspace(), await makeWorkspace()];
    await insertDoubts(few, 20);
    await insertDoubts(many, 5_000);
    await countClaims();
    const { names, isAll } = await listOf();
    expect(isAll).toBe(false);
    expect(names).toHaveLength(20 + 1 + 21);
    expect(names).toContain(`${few.slug}-20`);
    expect(names).toContain(`workspace::${many.ctx.workspace.rowId}`);
    elapse(60_000);
    expect((await listOf()).names).toEqual([]);
  });

  it("has a doubt of everything if more than a thousand are listed", async () => {
    const ws = await makeWorkspace();
    const { slug } = await ws.link({ destination_url: OLD });
    await visit(`/${slug}`);
    await runSql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1001)
      insert into doubts (kind, name, since) select 'host', 'h' || i || '.example', 0 from n`;
    const instance = otherInstance();
    expect((await listOf(instance)).isAll).toBe(true);
    expect(await leads(slug, instance)).toEqual([302, "miss", OLD]);
    await runSql`delete from doubts`;
    elapse(60_000);
    await leads(slug, instance);
    elapse(66_000);
    expect(await leads(slug, instance)).toEqual([302, "hit", OLD]);
  });
});

it("what KV has not taken of a takedown is taken down without D1, also among many doubts of its workspace", async () => {
  const ws = await makeWorkspace();
  await insertDoubts(ws, 30);
  const { slug, id } = await ws.link({ destination_url: OLD });
  await visit(`/${slug}`);
  await takeDown({ ...ws.ctx, kv: refusing().KV }, id);
  const instance = otherInstance();
  expect((await listOf(instance)).names).toContain(`workspace::${ws.ctx.workspace.rowId}`);
  expect(await leads(slug, { ...instance, DB: withoutD1().DB })).toEqual([404, "hit", null]);
});

it("a slug that KV has as a former owner's tombstone opens, also if its new workspace is in doubt as a whole", async () => {
  const [from, to] = [await makeWorkspace(), await makeWorkspace()];
  const { slug, id } = await from.link({ destination_url: OLD });
  await from.call("DELETE", `/api/v1/links/${id}`);
  await runSql`update slugs set workspace_id = ${to}, push_at = null, doubt_until = null where key = ${slug}`;
  await insertDoubts(to, 30);
  await to.call("POST", "/api/v1/links", { body: { destination_url: NEW, slug }, env: refusing() });
  const instance = otherInstance();
  expect((await listOf(instance)).names).not.toContain(slug);
  expect(await leads(slug, instance)).toEqual([302, "miss", NEW]);
});

it.each([
  [2_000, true],
  [1_999, false],
])("with slugs of %i workspaces whose doubt has ended, everything is in doubt: %s", async (count, isAll) => {
  await runSql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into workspaces (id, public_id, slug, name, created_at, updated_at)
    select 100000 + i, 'P' || i, 'w' || i, 'w', 0, 0 from n`;
  await runSql`insert into slugs (key, workspace_id, doubt_until, created_at)
    select 'of-' || id, id, 1, 0 from workspaces where id > 100000`;
  expect(await listOf()).toEqual({ names: [], isAll });
  await runSql`delete from slugs where workspace_id > 100000`;
  await runSql`delete from workspaces where id > 100000`;
});

describe("a change of many slugs", () => {
  const marked = (ws: TestWorkspace) =>
    selectValue<number>`select count(*) from slugs
      where workspace_id = ${ws} and link_id is not null and push_at is not null`;

  it("is marked in chunks, in doubt as a whole until all is written, and then forgotten", async () => {
    const ws = await makeWorkspace();
    const { slug } = await ws.link();
    await visit(`/${slug}`);
    const row = ws.ctx.workspace.rowId;
    await runSql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
      insert into slugs (key, workspace_id, link_id, created_at)
      select ${ws.slug} || '-' || i, ${ws}, (select max(id) from links where workspace_id = ${ws}), 0 from n`;
    await countClaims();
    const stopped = { ...ws.ctx, db: { ...ws.ctx.db, statementsLeft: () => 0 } };
    await suspendWorkspace(stopped, ws.slug);
    expect(await marked(ws)).toBe(0);
    expect(await selectRows`select kind, name, cursor from doubts`).toEqual([
      { kind: "workspace", name: String(row), cursor: "0" },
    ]);
    expect((await listOf()).names).toEqual([`workspace:${row}/`, `workspace::${row}`]);
    await writeDueSlugs({ ...serviceContext(), kv: refusing().KV });
    expect(await marked(ws)).toBe(2501);
    expect(await selectRows`select cursor from doubts`).toEqual([{ cursor: null }]);
    for (let run = 0; run < 4; run++) await writeDueSlugs(serviceContext());
    expect(await kvValue(slug)).toMatchObject({ target: null });
    expect(await selectRows`select * from doubts`).toEqual([]);
    expect((await listOf()).names).toEqual([`workspace::${row}`]);
    await runSql`update slugs set link_id = null where workspace_id = ${ws} and key like ${`${ws.slug}-%`}`;
  });

  it("closes a domain for other instances at once, also while KV refuses it", async () => {
    const ws = await makeWorkspace();
    const { host } = await addDomain(ws.ctx, `d${crypto.randomUUID().slice(0, 8)}.acme.example`, true);
    const { id, slug } = await ws.link({ domain: host });
    await ws.call("PATCH", `/api/v1/links/${id}`, { body: { domain: "s.example" } });
    const instance = otherInstance();
    await removeDomain({ ...ws.ctx, kv: refusing().KV }, host);
    expect((await listOf(instance)).names).toContain(`domain::${host}`);
    expect(slugMemoryOf(instance.KV).doubts.get(`domain::${host}`)?.state).toBe("gone");
    expect(await env.KV.get(`1:${host}/${slug}`)).toBeNull();
  });
});
