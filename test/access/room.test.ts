import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { inviteMember } from "../../src/access/invitations";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "../../src/access/keys";
import { addMember } from "../../src/access/members";
import { ServiceError } from "../../src/errors";
import { createActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import { createAsset, createAssets } from "../../src/resources/engagement/asset-service";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { runSql } from "../sql";

const isTextOfNumber = (column: string) => ["public_id", "hash", "email", "slug"].includes(column);

/** Copies the workspace's newest row of a table so often. */
async function copyRows(ws: TestWorkspace, table: string, times: number): Promise<void> {
  const { results } = await env.DB.prepare(
    `select name from pragma_table_info('${table}') where name <> 'id'`,
  ).all<{
    name: string;
  }>();
  const names = results.map(({ name }) => name);
  const copied = names.map((name) => (isTextOfNumber(name) ? `own.${name} || '-' || i` : `own.${name}`));
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
     insert into ${table} (${names.map((name) => `"${name}"`).join()}) select ${copied.join()}
     from n cross join ${table} as own
     where own.id = (select max(id) from ${table} where workspace_id = ?2)`,
  )
    .bind(times, ws.ctx.workspace.rowId)
    .run();
}

const errorsOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ServiceError ? error.body.errors : error;
};

const newMember = () => ({ email: `${crypto.randomUUID()}@example.com`, role: "viewer" as const });

describe("a workspace has at most", () => {
  it("100 active API keys; revoked and expired ones do not count", async () => {
    const ws = await makeWorkspace();
    const other = await createApiKey(ws.ctx, { name: "other" });
    await copyRows(ws, "api_keys", 97);
    const last = await createApiKey(ws.ctx, { name: "last" });
    const full = { key_limit: ["The workspace has reached its limit of 100 active API keys."] };
    expect(await errorsOf(createApiKey(ws.ctx, { name: "more" }))).toEqual(full);
    expect(await errorsOf(rotateApiKey(ws.ctx, last.id, { overlap_hours: 1 }))).toEqual(full);
    await revokeApiKey(ws.ctx, other.id);
    await createApiKey(ws.ctx, { name: "again" });
    expect(await errorsOf(createApiKey(ws.ctx, { name: "more" }))).toEqual(full);
  });

  it("1,000 rows of API keys: those that ended first make room", async () => {
    const ws = await makeWorkspace();
    const first = await createApiKey(ws.ctx, { name: "first" });
    await ws.call("POST", "/api/v1/tags", {
      body: { name: "reserved" },
      headers: { authorization: `Bearer ${first.key}`, "idempotency-key": "one" },
    });
    await revokeApiKey(ws.ctx, first.id);
    await copyRows(ws, "api_keys", 998);
    const ids = async () => (await listApiKeys(ws.ctx)).map(({ id }) => id);
    expect(await ids()).toContain(first.id);
    expect(await ids()).toHaveLength(1_000);
    const more = await createApiKey(ws.ctx, { name: "more" });
    const after = await ids();
    expect(after).toHaveLength(1_000);
    expect([after.includes(first.id), after.includes(more.id)]).toEqual([false, true]);
  });

  it("500 members", async () => {
    const ws = await makeWorkspace();
    await addMember(ws.ctx, newMember());
    await copyRows(ws, "members", 498);
    await addMember(ws.ctx, newMember());
    const full = { member_limit: ["The workspace has reached its limit of 500 members."] };
    expect(await errorsOf(addMember(ws.ctx, newMember()))).toEqual(full);
    expect(await errorsOf(inviteMember(ws.ctx, newMember()))).toEqual(full);
  });

  it("10,000 Activity Groups", async () => {
    const ws = await makeWorkspace();
    await ws.group();
    await copyRows(ws, "activity_groups", 9_998);
    await ws.group();
    expect(await errorsOf(createActivityGroup(ws.ctx, { name: "More", type: "campaign" }))).toEqual({
      group_limit: ["The workspace has reached its limit of 10,000 Activity Groups."],
    });
  });

  it("20,000 assets", async () => {
    const ws = await makeWorkspace();
    const [link, other] = [await ws.link(), await ws.link()];
    await createAsset(ws.ctx, { name: "Poster", link: link.id });
    await copyRows(ws, "offline_assets", 19_997);
    const create = (count: number) =>
      createAssets(ws.ctx, {
        link: other.id,
        kind: "poster",
        status: "draft",
        assets: Array.from({ length: count }, (_, index) => ({ name: `Poster ${index}` })),
      });
    const full = { asset_limit: ["The workspace has reached its limit of 20,000 assets."] };
    expect(await errorsOf(create(3))).toEqual(full);
    await create(2);
    expect(await errorsOf(create(1))).toEqual(full);
    // A link has at most 200 assets, which is checked at the end of each file.
    await runSql`delete from offline_assets where public_id like '%-%'`;
  });
});
