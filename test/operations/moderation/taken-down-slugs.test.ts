import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { checkFile } from "../../../src/resources/imports/check-file";
import { continueImport } from "../../../src/resources/imports/continue-import";
import { getImport } from "../../../src/resources/imports/import-service";
import { importLinks } from "../../../src/resources/links/import-links";
import type { Link } from "../../../src/resources/links/link-schema";
import { revertLink } from "../../../src/resources/links/revert/revert-link";
import { toProgram } from "../../failures";
import {
  kvName,
  kvValue,
  makeWorkspace,
  otherInstance,
  serviceContext,
  type TestWorkspace,
  testEnv,
  visit,
} from "../../harness";

const TAKEN_DOWN = { slug: ["The slug has been taken down."] };
const TAKEN = { slug: ["The slug has already been taken."] };
const name = () => `s-${crypto.randomUUID().slice(0, 8)}`;

const kvOf = kvValue;

/** What visitors see: from KV in one instance, and from D1 in another with KV wiped. */
async function seen(slug: string): Promise<string[]> {
  const look = async () => {
    const response = await visit(`/${slug}`, {}, otherInstance(testEnv));
    const page = await response.text();
    const cache = response.headers.get("x-cache");
    return `${response.status} ${cache} ${/<h1>(.*)<\/h1>/.exec(page)?.[1] ?? response.headers.get("location")}`;
  };
  const first = await look();
  await env.KV.delete(kvName(slug));
  return [first, await look()];
}
const PAGE = "This link was taken down";
const GONE = "This link leads nowhere";

const create = (ws: TestWorkspace, slug: string) =>
  ws.call("POST", "/api/v1/links", { body: { destination_url: "https://phish.example/", slug } });
const patch = (ws: TestWorkspace, link: Link, body: object) =>
  ws.call("PATCH", `/api/v1/links/${link.id}`, { body });
const remove = (ws: TestWorkspace, link: Link) => ws.call("DELETE", `/api/v1/links/${link.id}`);

/** A link with an old slug that the operator has taken down. */
async function takenDownLink() {
  const ws = await makeWorkspace();
  const [old, slug] = [name(), name()];
  const link = await ws.link({ slug: old });
  await patch(ws, link, { slug });
  await takeDown(serviceContext(), slug);
  return { ws, link, old, slug };
}

describe("an operator's takedown", () => {
  it("is not undone by deleting the link and creating another on its slugs", async () => {
    const { ws, link, old, slug } = await takenDownLink();
    expect((await remove(ws, link)).status).toBe(204);
    for (const each of [slug, old, slug.toUpperCase()]) {
      const again = await create(ws, each);
      expect([again.status, again.body.errors]).toEqual([422, TAKEN_DOWN]);
    }
    for (const each of [slug, old]) expect(await seen(each)).toEqual([`404 hit ${PAGE}`, `404 miss ${PAGE}`]);
    expect(await kvOf(slug)).toMatchObject({ target: null, link: "" });
  });

  it("discloses nothing to a foreign workspace", async () => {
    const { ws, link, slug } = await takenDownLink();
    const other = await makeWorkspace();
    expect((await create(other, slug)).body.errors).toEqual(TAKEN);
    await remove(ws, link);
    expect((await create(other, slug)).body.errors).toEqual(TAKEN);
    const own = await other.link();
    expect((await patch(other, own, { slug })).body.errors).toEqual(TAKEN);
  });

  it("is not undone by a rename, of that link or of another", async () => {
    const { ws, link, old, slug } = await takenDownLink();
    const other = await ws.link();
    for (const [renamed, to] of [
      [link, name()],
      [link, old],
      [link, slug.toUpperCase()],
      [other, slug],
      [other, old],
    ] as const) {
      const answer = await patch(ws, renamed, { slug: to });
      expect([answer.status, answer.body.errors]).toEqual([422, TAKEN_DOWN]);
    }
    expect(await seen(slug)).toEqual([`404 hit ${PAGE}`, `404 miss ${PAGE}`]);
  });

  it("allows editing, archiving, unarchiving and deleting the link", async () => {
    const { ws, link, slug } = await takenDownLink();
    const body = { slug, destination_url: "https://other.example/", title: "Edited" };
    expect((await patch(ws, link, body)).status).toBe(200);
    expect((await patch(ws, link, { status: "archived" })).status).toBe(200);
    expect((await patch(ws, link, { status: "active" })).status).toBe(200);
    expect(await seen(slug)).toEqual([`404 hit ${PAGE}`, `404 miss ${PAGE}`]);
    expect((await remove(ws, link)).status).toBe(204);
  });

  it("is not undone by reverting the link to an earlier slug", async () => {
    const { ws, link, slug } = await takenDownLink();
    const { results } = await env.DB.prepare(
      "select operation_id as id from audit_log where subject = ? and action = 'link.update'",
    )
      .bind(link.id)
      .all<{ id: string }>();
    const [rename] = results;
    await expect(revertLink(ws.ctx, rename?.id ?? "")).rejects.toThrow("The slug has been taken down.");
    await patch(ws, link, { title: "Changed" });
    const reverted = await revertLink(ws.ctx, rename?.id ?? "");
    expect(reverted.fields.map(({ field }) => field)).toEqual(["title"]);
    expect(reverted.refused.map(toProgram)).toMatchObject([
      { field: "slug", message: "The slug has been taken down." },
    ]);
    expect((await ws.call("GET", `/api/v1/links/${link.id}`)).body.slug).toBe(slug);
  });

  it("is not undone by an import, for a current or old slug", async () => {
    const { ws, link, old, slug } = await takenDownLink();
    await remove(ws, link);
    const destination_url = "https://phish.example/";
    const lines = await importLinks(ws.ctx, name(), [
      { number: 1, input: { destination_url, slug } },
      { number: 2, input: { destination_url }, old_slugs: [old] },
    ]);
    expect(lines.created).toBe(0);
    expect(lines.refused).toEqual([
      { number: 1, errors: [{ field: "slug", message: "The slug has been taken down." }] },
      { number: 2, errors: [{ field: "old_slugs", message: `The old slug ${old} has been taken down.` }] },
    ]);
  });

  it("is not undone by an import that was checked before the takedown", async () => {
    const ws = await makeWorkspace();
    const slug = name();
    const link = await ws.link({ slug });
    await remove(ws, link);
    const bytes = new TextEncoder().encode(`destination_url,slug\nhttps://phish.example/,${slug}\n`);
    const checked = await checkFile(ws.ctx, { name: "links.csv", bytes });
    if (!("id" in checked)) throw new Error("imported already");
    const again = await ws.link({ slug });
    await takeDown(serviceContext(), again.id);
    await remove(ws, again);
    await continueImport(ws.ctx, checked.id ?? "");
    expect(await getImport(ws.ctx, checked.id ?? "", { show: "all", page: 1 })).toMatchObject({
      made: 0,
      refused: 1,
    });
  });

  it("can be ended by the operator, for a link with all its slugs, or for a slug of a deleted link", async () => {
    const { ws, link, old, slug } = await takenDownLink();
    await endTakedown(serviceContext(), old);
    for (const each of [slug, old]) {
      expect(await seen(each)).toEqual([
        "302 hit https://www.example.com/",
        "302 miss https://www.example.com/",
      ]);
    }
    expect((await patch(ws, link, { slug: old })).status).toBe(200);
    await takeDown(serviceContext(), link.id);
    await remove(ws, link);
    expect(await endTakedown(serviceContext(), old.toUpperCase())).toEqual({
      slug: old,
      taken_down_at: null,
    });
    expect(await seen(old)).toEqual([`404 hit ${GONE}`, `404 miss ${GONE}`]);
    expect(await seen(slug)).toEqual([`404 hit ${PAGE}`, `404 miss ${PAGE}`]);
    await expect(endTakedown(serviceContext(), old)).rejects.toThrow(`The slug ${old} is not taken down.`);
    await expect(endTakedown(serviceContext(), name())).rejects.toThrow("Link not found.");
    expect((await create(ws, slug)).body.errors).toEqual(TAKEN_DOWN);
    expect((await create(ws, old)).status).toBe(201);
    expect((await seen(old))[1]).toBe("302 miss https://phish.example/");
  });

  it("takes over a check's takedown", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await takeDown(serviceContext(), link.id, "www.example.com");
    expect((await patch(ws, link, { slug: name() })).status).toBe(200);
    expect((await takeDown(serviceContext(), link.id)).taken_down_by).toBe("operator");
    expect((await patch(ws, link, { slug: name() })).body.errors).toEqual(TAKEN_DOWN);
    await expect(takeDown(serviceContext(), link.id)).rejects.toThrow("is taken down already");
  });

  it("a check marks no slug, so the slugs of its takedowns can be reused", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await takeDown(serviceContext(), link.id, "www.example.com");
    await remove(ws, link);
    expect(await seen(link.slug)).toEqual([`404 hit ${GONE}`, `404 miss ${GONE}`]);
    expect((await create(ws, link.slug)).status).toBe(201);
  });
});
