import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { updateAsset } from "../../src/resources/engagement/update-asset";
import type { Link } from "../../src/resources/links/link-schema";
import { makeWorkspace, type TestWorkspace, visit } from "../harness";
import { itemsOf, keptTotals } from "./links-rows";
import { operations, perform } from "./operations";
import { refusal } from "./refusals";

const LINKS = "/api/v1/links";
const remove = (ws: TestWorkspace, id: string) => ws.call("DELETE", `${LINKS}/${id}`);
const get = (ws: TestWorkspace, id: string) => ws.call<Link>("GET", `${LINKS}/${id}`);

describe("a deleted link", () => {
  it("is 404 for every operation and its short URL from the 204 on", async () => {
    const ws = await makeWorkspace();
    const [link, tag] = [await ws.link(), await ws.tag()];
    await ws.call("POST", `${LINKS}/${link.id}/tags`, { body: { tag_ids: [tag.id] } });
    await visit(`/${link.slug}`);

    const answer = await remove(ws, link.id.toLowerCase());
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("content-type")).toBeNull();

    const ids = { link: link.id, tag: tag.id, group: "" };
    for (const operation of operations.filter(({ path }) => path.startsWith(`${LINKS}/{id}`))) {
      for (const call of operation.method === "PATCH" ? [{}, { body: { title: 7 } }] : [{}]) {
        const refused = await perform(ws, operation, ids, call);
        expect([refused.status, refused.body]).toEqual([404, { message: "Link not found." }]);
      }
    }
    expect((await visit(`/${link.slug}`)).status).toBe(404);
    for (const query of [
      "",
      "?status=all",
      `?slug=${link.slug}`,
      `?tag=${tag.slug}&status=all`,
      "?q=example",
    ]) {
      const list = await ws.call("GET", LINKS + query);
      expect(list.body).toMatchObject({ links: [], meta: { total: 0 } });
    }
  });

  it("keeps its row, ends its assignment and leaves its tags in the workspace", async () => {
    const ws = await makeWorkspace();
    const [group, tag] = [await ws.group(), await ws.tag()];
    const link = await ws.link({ activity_group_id: group.id, channel: "radio", tag_ids: [tag.id] });
    await remove(ws, link.id);
    const row = await env.DB.prepare(
      `select l.deleted_at is not null as deleted, l.title, (select count(*) from link_tags t where t.link_id = l.id) as tags
      from links l where l.public_id = ?`,
    )
      .bind(link.id)
      .first();
    expect(row).toEqual({ deleted: 1, title: null, tags: 0 });
    expect(await itemsOf(link.id)).toEqual([{ group: group.id, role: "primary", open: 0 }]);
    expect((await ws.call("GET", "/api/v1/tags")).body.tags).toEqual([tag]);
  });

  it("no longer counts in the totals of its status", async () => {
    const ws = await makeWorkspace();
    const links = [await ws.link(), await ws.link(), await ws.link(), await ws.link()];
    const [a, b, c] = links.map((link) => link.id);
    const archive = (id: string | undefined, status: string) =>
      ws.call("PATCH", `${LINKS}/${id}`, { body: { status } });
    const totals = async () => {
      const all = ["active", "archived", "all"].map((status) => ws.call("GET", `${LINKS}?status=${status}`));
      return (await Promise.all(all)).map((answer) => answer.body.meta.total);
    };
    expect(await totals()).toEqual([4, 0, 4]);
    await archive(a, "archived");
    await archive(b, "archived");
    await archive(b, "archived");
    expect(await totals()).toEqual([2, 2, 4]);
    await remove(ws, a ?? "");
    expect(await totals()).toEqual([2, 1, 3]);
    await remove(ws, c ?? "");
    expect(await totals()).toEqual([1, 1, 2]);
    await archive(b, "active");
    await archive(b, "active");
    expect(await totals()).toEqual([2, 0, 2]);
  });
});

describe("a link on an Offline Engagement asset", () => {
  const message = "The link is attached to a live Offline Engagement asset and cannot be deleted.";
  const asset = (ws: TestWorkspace, link: string, status: "draft" | "live" | "retired") =>
    createAsset(ws.ctx, { name: "Poster", link, kind: "poster", status });

  it("is not deleted while the asset is live, whether the link is archived or not", async () => {
    const ws = await makeWorkspace();
    const group = await ws.group();
    const link = await ws.link({ activity_group_id: group.id, tag_ids: [(await ws.tag()).id] });
    await asset(ws, link.id, "retired");
    await asset(ws, link.id, "live");
    for (const status of ["active", "archived"]) {
      await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { status } });
      const before = await get(ws, link.id);
      const answer = await remove(ws, link.id);
      expect([answer.status, answer.body]).toEqual([422, refusal("link", message)]);
      const after = await get(ws, link.id);
      expect(after.body).toEqual(before.body);
      expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
      expect((await visit(`/${link.slug}`)).status).toBe(302);
    }
    expect((await itemsOf(link.id)).map((item) => item.open)).toEqual([1]);
    expect(await keptTotals(ws.slug)).toEqual({ active: 0, archived: 1 });
  });

  it("is deleted if the asset is a draft or retired", async () => {
    const ws = await makeWorkspace();
    const [drafted, retired, twice] = [await ws.link(), await ws.link(), await ws.link()];
    await asset(ws, drafted.id, "draft");
    const { id } = await asset(ws, retired.id, "live");
    const assets = [await asset(ws, twice.id, "live"), await asset(ws, twice.id, "live")];
    expect((await remove(ws, drafted.id)).status).toBe(204);
    await updateAsset(ws.ctx, id, { status: "retired" });
    expect((await remove(ws, retired.id)).status).toBe(204);
    for (const one of assets) {
      expect((await remove(ws, twice.id)).status).toBe(422);
      await updateAsset(ws.ctx, one.id, { status: "retired" });
    }
    expect((await remove(ws, twice.id)).status).toBe(204);
  });
});

describe("an archived link", () => {
  it("can be read, listed, tagged, updated and followed as before", async () => {
    const ws = await makeWorkspace();
    const [link, tag] = [await ws.link({ utm_source: "mail" }), await ws.tag()];
    const patch = (body: object) => ws.call("PATCH", `${LINKS}/${link.id}`, { body });
    const archived = (await patch({ status: "archived" })).body.link;
    expect((await get(ws, link.id)).body).toEqual(archived);
    expect((await ws.call("GET", LINKS)).body.links).toEqual([]);
    for (const query of ["?status=archived", "?status=all", `?status=archived&slug=${link.slug}`]) {
      expect((await ws.call("GET", LINKS + query)).body.links).toEqual([archived]);
    }
    expect((await visit(`/${link.slug}`)).headers.get("location")).toBe(
      "https://www.example.com/?utm_source=mail",
    );
    const group = await ws.group({ default_utm_campaign: "spring" });
    await ws.call("POST", `${LINKS}/${link.id}/tags`, { body: { tag_ids: [tag.id] } });
    const updated = await patch({ destination_url: "https://new.example/", activity_group_id: group.id });
    expect(updated.body.link).toMatchObject({ status: "archived", tags: [tag], utm_campaign: "spring" });
    expect((await visit(`/${link.slug}`)).headers.get("location")).toBe(
      "https://new.example/?utm_source=mail&utm_campaign=spring",
    );
    expect((await remove(ws, link.id)).status).toBe(204);
  });

  it("still occupies its slug", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await ws.call("PATCH", `${LINKS}/${link.id}`, { body: { status: "archived" } });
    const body = { destination_url: "https://www.example.com/", slug: link.slug };
    expect((await ws.call("POST", LINKS, { body })).body.errors).toEqual({
      slug: ["The slug has already been taken."],
    });
  });
});
