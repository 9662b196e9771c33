import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { releaseSlug } from "../../../src/redirect/slugs/release-slug";
import { dropSlug } from "../../../src/resources/links/drop-slug";
import { overtakenBy } from "../../faulty";
import {
  kvValue,
  makeWorkspace,
  otherInstance,
  serviceContext,
  type TestWorkspace,
  testEnv,
  visit,
} from "../../harness";
import { countClaims } from "./fill";

const name = () => `s-${crypto.randomUUID().slice(0, 8)}`;

const claimsOf = (ws: TestWorkspace) =>
  env.DB.prepare("select slug_claims from workspaces where slug = ?")
    .bind(ws.slug)
    .first<number>("slug_claims");

const trailOf = async (ws: TestWorkspace, subject: string) => {
  const { results } = await env.DB.prepare(
    "select actor, action, before, change from audit_log where workspace_id = ? and subject = ?",
  )
    .bind(ws.ctx.workspace.rowId, subject)
    .all();
  return results;
};

const create = (ws: TestWorkspace, slug: string, environment = testEnv) =>
  ws.call("POST", "/api/v1/links", {
    body: { destination_url: "https://next.example/", slug },
    env: environment,
  });

/** A tombstone, and another workspace to receive it. */
async function freed() {
  const [ws, next] = [await makeWorkspace(), await makeWorkspace()];
  const slug = name();
  const link = await ws.link({ slug });
  await visit(`/${slug}`);
  await ws.call("DELETE", `/api/v1/links/${link.id}`);
  await endDoubts(slug);
  return { ws, next, slug, link };
}

/** What the job does within some minutes. */
const endDoubts = (slug: string) =>
  env.DB.prepare("update slugs set push_at = null, doubt_until = null where key = ?").bind(slug).run();

describe("the operator gives a slug away", () => {
  it("to the next owner, whose first use is pushed", async () => {
    const { ws, next, slug } = await freed();
    expect((await create(next, slug)).status).toBe(422);
    expect(await releaseSlug(serviceContext(), slug.toUpperCase(), next.slug)).toEqual({
      slug,
      workspace: next.slug,
    });
    expect([await claimsOf(ws), await claimsOf(next)]).toEqual([0, 1]);
    const tombstone = await visit(`/${slug}`, {}, otherInstance());
    expect([tombstone.status, tombstone.headers.get("x-cache")]).toEqual([404, "hit"]);
    expect((await create(next, slug)).status).toBe(201);
    expect([await claimsOf(ws), await claimsOf(next)]).toEqual([0, 1]);
    const visited = await visit(`/${slug}`, {}, otherInstance());
    expect([visited.headers.get("x-cache"), visited.headers.get("location")]).toEqual([
      "hit",
      "https://next.example/",
    ]);
    expect((await create(ws, slug)).body.errors).toEqual({ slug: ["The slug has already been taken."] });
  });

  it("and each workspace's audit log shows only its own part", async () => {
    const { ws, next, slug } = await freed();
    await releaseSlug(serviceContext(), slug, next.slug);
    const said = { actor: "operator", before: null, change: null };
    expect(await trailOf(ws, slug)).toEqual([{ ...said, action: "slug.release" }]);
    expect(await trailOf(next, slug)).toEqual([{ ...said, action: "slug.receive" }]);
  });

  it("once, if two operators do so at the same time", async () => {
    const { ws, next, slug } = await freed();
    const third = await makeWorkspace();
    const overtaken = overtakenBy(() => releaseSlug(serviceContext(), slug, third.slug));
    const late = releaseSlug(serviceContext(overtaken), slug, next.slug);
    await expect(late).rejects.toThrow("has changed a moment ago");
    expect([await claimsOf(ws), await claimsOf(third), await claimsOf(next)]).toEqual([0, 1, 0]);
  });

  it("but not while its deletion is in doubt, and the next owner's tombstone is written too", async () => {
    const [ws, next] = [await makeWorkspace(), await makeWorkspace()];
    const link = await ws.link();
    await visit(`/${link.slug}`);
    await ws.call("DELETE", `/api/v1/links/${link.id}`);
    const release = () => releaseSlug(serviceContext(), link.slug, next.slug);
    await expect(release()).rejects.toThrow("has changed a moment ago");
    await endDoubts(link.slug);
    await release();
    const { rowId } = next.ctx.workspace;
    expect(await kvValue(link.slug)).toMatchObject({ rev: 3, target: null, workspace: rowId });
  });

  it("but not while its workspace reuses it", async () => {
    const { ws, next, slug } = await freed();
    const overtaken = overtakenBy(() => create(ws, slug));
    await expect(releaseSlug(serviceContext(overtaken), slug, next.slug)).rejects.toThrow("opens a link");
    // The reverse order: the creation read the slug before it was released.
    const other = await freed();
    const late = overtakenBy(() => releaseSlug(serviceContext(), other.slug, other.next.slug));
    const refused = await create(other.ws, other.slug, late);
    expect(refused.body.errors).toEqual({ slug: ["The slug has already been taken."] });
    expect([await claimsOf(other.ws), await claimsOf(other.next)]).toEqual([0, 1]);
  });

  it("but not an unknown, used or taken-down slug, or one that the workspace already owns", async () => {
    const { ws, next, slug } = await freed();
    const ctx = serviceContext();
    const unknown = name();
    await expect(releaseSlug(ctx, unknown, next.slug)).rejects.toThrow(
      `Nobody has ever used the slug ${unknown}: it is free.`,
    );
    await expect(releaseSlug(ctx, slug, "nobody")).rejects.toThrow("Workspace not found.");
    await expect(releaseSlug(ctx, slug, ws.slug)).rejects.toThrow(
      `belongs to the workspace ${ws.slug} already`,
    );
    const { body } = await create(ws, slug);
    await expect(releaseSlug(ctx, slug, next.slug)).rejects.toThrow(`The slug ${slug} opens a link.`);
    await takeDown(ctx, slug);
    await expect(releaseSlug(ctx, slug, next.slug)).rejects.toThrow("has been taken down");
    await ws.call("DELETE", `/api/v1/links/${body.link.id}`);
    await expect(releaseSlug(ctx, slug, next.slug)).rejects.toThrow("has been taken down");
  });
});

describe("an old slug that is dropped", () => {
  async function renamed() {
    const ws = await makeWorkspace();
    const old = name();
    const link = await ws.link({ slug: old });
    const rename = (slug: string, environment = testEnv) =>
      ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { slug }, env: environment });
    await rename(name());
    return { ws, old, link, rename };
  }

  it("stops redirecting at once, stays with the workspace, and does not change the link", async () => {
    const { ws, old, link } = await renamed();
    await visit(`/${old}`);
    const before = await ws.call("GET", `/api/v1/links/${link.id}`);
    await dropSlug(ws.ctx, link.id, old.toUpperCase());
    const gone = await visit(`/${old}`, {}, otherInstance());
    expect([gone.status, gone.headers.get("x-cache")]).toEqual([404, "hit"]);
    const after = await ws.call("GET", `/api/v1/links/${link.id}`);
    expect([after.body, after.headers.get("etag")]).toEqual([before.body, before.headers.get("etag")]);
    expect(await claimsOf(ws)).toBe(2);
    expect((await trailOf(ws, link.id)).at(-1)).toMatchObject({
      action: "link.drop_slug",
      change: JSON.stringify({ dropped_slug: old }),
    });
    expect((await create(await makeWorkspace(), old)).status).toBe(422);
    expect((await create(ws, old)).status).toBe(201);
  });

  it("cannot be the link's current slug, another link's slug, or taken down", async () => {
    const { ws, old, link } = await renamed();
    const other = await ws.link();
    const { slug } = (await ws.call("GET", `/api/v1/links/${link.id}`)).body;
    for (const [id, dropped, message] of [
      [link.id, slug, "own slug"],
      [link.id, other.slug, "does not open this link"],
      [link.id, name(), "does not open this link"],
      [other.id, old, "does not open this link"],
      ["01J00000000000000000000000", old, "Link not found."],
    ] as const) {
      await expect(dropSlug(ws.ctx, id, dropped)).rejects.toThrow(message);
    }
    await takeDown(serviceContext(), link.id);
    await expect(dropSlug(ws.ctx, link.id, old)).rejects.toThrow("The slug has been taken down.");
  });

  it("stays if a rename or takedown commits first", async () => {
    for (const [first, message] of [
      ["rename", "own slug"],
      ["takedown", "The slug has been taken down."],
    ] as const) {
      const { ws, old, link, rename } = await renamed();
      const overtaken = overtakenBy(() =>
        first === "rename" ? rename(old) : takeDown(serviceContext(), link.id),
      );
      const ctx = { ...ws.ctx, db: serviceContext(overtaken).db };
      await expect(dropSlug(ctx, link.id, old)).rejects.toThrow(message);
    }
  });

  it("frees one of the link's 100 slugs", async () => {
    const { ws, old, link, rename } = await renamed();
    const { rowId } = ws.ctx.workspace;
    const others = Array.from({ length: 98 }, (_, number) => `${old}-${number}`);
    await env.DB.batch(
      others.map((key) =>
        env.DB.prepare(
          `insert into slugs (key, workspace_id, link_id, created_at)
           select ?, ?, id, 0 from links where public_id = ?`,
        ).bind(key, rowId, link.id),
      ),
    );
    await countClaims();
    expect((await rename(name())).status).toBe(422);
    await dropSlug(ws.ctx, link.id, old);
    expect((await rename(name())).status).toBe(200);
    expect((await rename(old)).status).toBe(422);
  });
});
