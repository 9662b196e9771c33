import { env } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import type { Context } from "../../../src/context";
import { createDatabase } from "../../../src/db/client";
import { etagOf } from "../../../src/lib/etag";
import { addressesOfDomain, setDomainAddresses } from "../../../src/resources/domains/domain-addresses";
import {
  addDomain,
  checkDomain,
  getDomain,
  listDomains,
  setPrimaryDomain,
} from "../../../src/resources/domains/domain-service";
import { finishReleases, releaseDomain } from "../../../src/resources/domains/release-domain";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { makeMember } from "../../console/browser";
import { overtakenBy } from "../../faulty";
import { makeWorkspace, serviceContext, type TestWorkspace } from "../../harness";
import { runSql, selectRows } from "../../sql";

const hostname = () => `go.${crypto.randomUUID().slice(0, 8)}.example`;

afterEach(() => void vi.unstubAllGlobals());

/** Every host has every proof, and none leads here. */
const proveAll = () =>
  vi.stubGlobal("fetch", async (url: URL | string) => {
    const name = new URL(String(url)).searchParams.get("name") ?? "";
    const { results } = await env.DB.prepare("select token from domains where '_waymark.' || host = ?")
      .bind(name)
      .all<{ token: string }>();
    return Response.json({ Answer: results.map(({ token }) => ({ type: 16, data: `waymark=${token}` })) });
  });

/** The context of a request that another one overtakes between its read and its write. */
const overtaken = (ctx: Context, other: () => Promise<unknown>): Context => ({
  ...ctx,
  db: createDatabase(overtakenBy(other).DB),
});

const statesOf = async ({ ctx }: TestWorkspace) => (await listDomains(ctx)).map(({ state }) => state);

const claimsOf = ({ ctx }: TestWorkspace) =>
  env.DB.prepare("select slug_claims from workspaces where id = ?")
    .bind(ctx.workspace.rowId)
    .first("slug_claims");

const refused = { status: 422 };

it("a host that is added twice at once is added once, and the other click is told", async () => {
  const { workspace, browser } = await makeMember();
  const host = hostname();
  const pages = `/app/${workspace.slug}/domains`;
  const answers = await Promise.all([browser.post(pages, { host }), browser.post(pages, { host })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
  await expect(
    addDomain(
      overtaken(workspace.ctx, () => addDomain(workspace.ctx, "b.example", false)),
      "b.example",
      false,
    ),
  ).rejects.toMatchObject(refused);
  expect((await listDomains(workspace.ctx)).map((domain) => domain.host).toSorted()).toEqual(
    ["b.example", host].toSorted(),
  );
});

it("of two workspaces that prove a host at once one has it, and the other's stays pending", async () => {
  proveAll();
  const [one, other] = [await makeWorkspace(), await makeWorkspace()];
  const host = hostname();
  for (const ws of [one, other]) await addDomain(ws.ctx, host, false);
  await checkDomain(
    overtaken(one.ctx, () => checkDomain(other.ctx, host)),
    host,
  );
  expect([await statesOf(one), await statesOf(other)]).toEqual([["pending"], ["verified"]]);
});

it("a host that is removed meanwhile is not made primary, nor given addresses", async () => {
  const { ctx } = await makeWorkspace();
  for (const change of [
    (own: Context, host: string) => setPrimaryDomain(own, host),
    (own: Context, host: string) =>
      setDomainAddresses(own, host, { root_url: "https://a.example/", not_found_url: null }),
  ]) {
    const { host } = await addDomain(ctx, hostname(), true);
    const own = overtaken(ctx, () => removeDomain(ctx, host));
    await expect(change(own, host)).rejects.toMatchObject({ status: 404 });
  }
});

it("the short host that is made primary twice at once leaves one entry", async () => {
  const { ctx, slug } = await makeWorkspace();
  const { host } = await addDomain(ctx, hostname(), true);
  await setPrimaryDomain(ctx, host);
  const { shortHost } = ctx.config;
  const own = overtaken(ctx, () => setPrimaryDomain(ctx, shortHost));
  expect(await setPrimaryDomain(own, shortHost)).toMatchObject({ host: shortHost, is_primary: true });
  expect(
    await selectRows`select count(*) as entries from audit_log join workspaces on workspaces.id = workspace_id
      where workspaces.slug = ${slug} and subject = ${shortHost}`,
  ).toEqual([{ entries: 1 }]);
});

it("a pending host that is proved meanwhile is removed as a proved one", async () => {
  proveAll();
  const { ctx } = await makeWorkspace();
  const host = hostname();
  await addDomain(ctx, host, false);
  await removeDomain(
    overtaken(ctx, () => checkDomain(ctx, host)),
    host,
  );
  expect(
    await selectRows`select state, removed_at is not null as removed from domains where host = ${host}`,
  ).toEqual([{ state: "verified", removed: 1 }]);
});

it("a host that gets a link meanwhile is not removed", async () => {
  const { ctx, link } = await makeWorkspace();
  const { host } = await addDomain(ctx, hostname(), true);
  await expect(
    removeDomain(
      overtaken(ctx, () => link({ domain: host })),
      host,
    ),
  ).rejects.toMatchObject(refused);
});

it("a host that is added again meanwhile is not released", async () => {
  const { ctx } = await makeWorkspace();
  const { host } = await addDomain(ctx, hostname(), true);
  await removeDomain(ctx, host);
  const { DB } = overtakenBy(() => addDomain(ctx, host, true));
  await expect(releaseDomain({ ...serviceContext(), db: createDatabase(DB) }, host)).rejects.toMatchObject(
    refused,
  );
});

it("two clicks on the check of a host that was released count its slugs once", async () => {
  proveAll();
  const ws = await makeWorkspace();
  const { host } = await addDomain(ws.ctx, hostname(), true);
  const { id } = await ws.link({ domain: host });
  await ws.call("PATCH", `/api/v1/links/${id}`, { body: { domain: "s.example" } });
  await removeDomain(ws.ctx, host);
  await releaseDomain(serviceContext(), host);
  await runSql`update slugs set push_at = null, doubt_until = null where domain = ${host}`;
  await finishReleases(serviceContext());
  expect(await claimsOf(ws)).toBe(1);
  await addDomain(ws.ctx, host, false);
  await checkDomain(
    overtaken(ws.ctx, () => checkDomain(ws.ctx, host)),
    host,
  );
  expect([await claimsOf(ws), (await getDomain(ws.ctx, host)).state]).toEqual([2, "verified"]);
});

it("the later of two changes of the addresses is refused, if it was made without the earlier", async () => {
  const { ctx } = await makeWorkspace();
  const { host, ...domain } = await addDomain(ctx, hostname(), true);
  const ifMatch = [await etagOf(addressesOfDomain(domain))];
  const save = (own: Context, root_url: string) =>
    setDomainAddresses({ ...own, ifMatch }, host, { root_url, not_found_url: null });
  const own = overtaken(ctx, () => save(ctx, "https://theirs.example/"));
  await expect(save(own, "https://mine.example/")).rejects.toMatchObject({ status: 412 });
  expect((await getDomain(ctx, host)).root_url).toBe("https://theirs.example/");
});
