import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { revokeApiKey } from "../../src/access/keys";
import { addMember, removeMember } from "../../src/access/members";
import { createSignInLink } from "../../src/access/sessions";
import { createDatabase } from "../../src/db/client";
import { endTakedown, takeDown } from "../../src/operations/moderation/takedown";
import { dropSlug } from "../../src/resources/links/drop-slug";
import { getLink } from "../../src/resources/links/link";
import { deleteTag } from "../../src/resources/links/remove-tag";
import { updateTag } from "../../src/resources/tags/tag-service";
import { resumeWorkspace, suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import { makeMember, openBrowser } from "../console/browser";
import { withBatch } from "../faulty";
import { type Answer, makeWorkspace, otherInstance, serviceContext, testEnv, visit } from "../harness";
import { overriding } from "../overriding";

const MEGABYTE = 1_000_000;

/** An instance whose database says that it has this size. */
const withSize = (bytes: number, plan = "") => ({
  ...testEnv,
  CLOUDFLARE_PLAN: plan,
  DB: overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements);
      for (const { meta } of results) meta.size_after = bytes;
      return results;
    },
  }),
});

const outcomeOf = ({ status, headers, text }: Answer<unknown>) => [status, headers.get("retry-after"), text];
const FULL = [503, "3600", '{"message":"Service temporarily unavailable."}'];

describe("a database that is nearly full", () => {
  it("refuses what creates, and goes on editing, deleting and redirecting", async () => {
    const ws = await makeWorkspace();
    const [tag, link] = [await ws.tag(), await ws.link()];
    const full = withSize(480 * MEGABYTE);
    const destination_url = "https://www.example.com/";
    expect(
      outcomeOf(await ws.call("POST", "/api/v1/links", { body: { destination_url }, env: full })),
    ).toEqual(FULL);
    expect(outcomeOf(await ws.call("POST", "/api/v1/tags", { body: { name: "A" }, env: full }))).toEqual(
      FULL,
    );
    const path = `/api/v1/links/${link.id}`;
    expect((await ws.call("PATCH", path, { body: { title: "New" }, env: full })).status).toBe(200);
    expect((await ws.call("POST", `${path}/tags`, { body: { tag_ids: [tag.id] }, env: full })).status).toBe(
      200,
    );
    expect((await visit(`/${link.slug}`, {}, otherInstance(full))).status).toBe(302);
    expect((await ws.call("DELETE", path, { env: full })).status).toBe(204);
    expect((await ws.call("GET", "/api/v1/tags")).body.tags).toHaveLength(1);
  });

  it("refuses changes too once there is room for deletions alone", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const full = withSize(498 * MEGABYTE);
    const path = `/api/v1/links/${link.id}`;
    // The size is known from an earlier answer.
    await ws.call("GET", path, { env: full });
    expect(outcomeOf(await ws.call("PATCH", path, { body: { title: "New" }, env: full }))).toEqual(FULL);
    expect((await ws.call("DELETE", path, { env: full })).status).toBe(204);
  });

  it("goes on with whatever frees space, and with nothing else, whoever asks", async () => {
    const ws = await makeWorkspace();
    const [tag, link, old] = [await ws.tag(), await ws.link(), await ws.link()];
    await ws.call("PATCH", `/api/v1/links/${old.id}`, { body: { slug: `${old.slug}-2` } });
    await addMember(ws.ctx, { email: "old@example.com", role: "viewer" });
    const db = createDatabase(withSize(498 * MEGABYTE).DB, undefined, undefined, {
      maxBytes: 500 * MEGABYTE,
    });
    const ctx = { ...ws.ctx, db };
    await expect(getLink(ctx, link.id)).resolves.toBeDefined();
    await expect(updateTag(ctx, tag.id, { name: "New" })).rejects.toMatchObject({ status: 503 });
    await deleteTag(ctx, tag.id);
    await dropSlug(ctx, old.id, old.slug);
    await takeDown(ctx, link.id);
    await expect(endTakedown(ctx, link.id)).rejects.toMatchObject({ status: 503 });
    await removeMember(ctx, "old@example.com");
    await revokeApiKey(ctx, ws.keyId);
    await suspendWorkspace(ctx, ws.slug);
    await expect(resumeWorkspace(ctx, ws.slug)).rejects.toMatchObject({ status: 503 });
  });

  it("lets people sign in, so that they can delete", async () => {
    const { browser, workspace } = await makeMember();
    const { token } = await createSignInLink(serviceContext(), browser.email);
    const another = openBrowser(withSize(498 * MEGABYTE));
    expect((await another.post("/app/sign-in", { token })).status).toBe(303);
    expect((await another.get(`/app/${workspace.slug}/tags`)).status).toBe(200);
  });

  it("refuses the forms and files of the web application that create", async () => {
    const { browser, workspace } = await makeMember();
    const full = withSize(480 * MEGABYTE);
    const created = await browser.post(
      `/app/${workspace.slug}/groups/new`,
      { name: "Summer", type: "campaign" },
      {},
      full,
    );
    expect([created.status, created.headers.get("retry-after")]).toEqual([503, "3600"]);
    const file = new File(["destination_url\nhttps://www.example.com/"], "links.csv");
    expect((await browser.post(`/app/${workspace.slug}/import`, { file }, {}, full)).status).toBe(503);
  });

  it("has 500 MB by the free plan, and 10 GB by the paid one", async () => {
    const ws = await makeWorkspace();
    const statusWith = async (megabytes: number, plan?: string) => {
      const body = { name: `${megabytes} ${plan}` };
      return (await ws.call("POST", "/api/v1/tags", { body, env: withSize(megabytes * MEGABYTE, plan) }))
        .status;
    };
    expect([await statusWith(474), await statusWith(475)]).toEqual([201, 503]);
    expect([await statusWith(9_499, "paid"), await statusWith(9_500, "paid")]).toEqual([201, 503]);
  });
});

it.each([
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: Exceeded maximum DB size",
  "D1_ERROR: Your account has exceeded D1's maximum account storage limit",
])("a full database is 503, to be tried again in an hour: %s", async (message) => {
  const ws = await makeWorkspace();
  const full = withBatch(
    (send) => (statements) =>
      JSON.stringify(statements).includes("insert into")
        ? Promise.reject(new Error(message))
        : send(statements),
  );
  expect(outcomeOf(await ws.call("POST", "/api/v1/tags", { body: { name: "A" }, env: full }))).toEqual(FULL);
});
