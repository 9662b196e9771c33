import { describe, expect, it } from "vitest";
import { counted, makeWorkspace, visit } from "../harness";

type Instance = ReturnType<typeof counted>;

/** The calls of bindings that `work` makes in an instance. */
async function tripsOf(instance: Instance, work: (instance: Instance) => Promise<unknown>) {
  const before = { ...instance.trips };
  await work(instance);
  const { d1, kvReads, kvWrites } = instance.trips;
  return {
    d1: d1 - before.d1,
    kvReads: kvReads - before.kvReads,
    kvWrites: kvWrites - before.kvWrites,
  };
}

describe("round trips, counted on the bindings", () => {
  it("a redirect on a cache hit takes one read of KV, a cache miss adds one call of D1 and one write of KV; the list of doubts is asked for behind it", async () => {
    const ws = await makeWorkspace();
    const { slug } = await ws.link();

    const cold = counted();
    expect((await visit(`/${slug}`, {}, cold.env)).headers.get("x-cache")).toBe("miss");
    expect(cold.trips).toEqual({ d1: 2, kvReads: 1, kvWrites: 1 });

    const warm = counted();
    expect((await visit(`/${slug}`, {}, warm.env)).headers.get("x-cache")).toBe("hit");
    expect(warm.trips).toEqual({ d1: 1, kvReads: 1, kvWrites: 0 });
  });

  it("a read takes one call of D1 that also checks the key, and two for a key that the instance has not seen", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    for (const path of [
      `/api/v1/links/${link.id}`,
      "/api/v1/links",
      "/api/v1/links?activity_group_id=a&sort=title",
      "/api/v1/links?external_id=a&external_id=b&q=example",
      `/api/v1/links?slug=${link.slug}&tag=a&q=example`,
      `/api/v1/links/${link.id}/qr`,
      "/api/v1/activity-groups",
      "/api/v1/tags",
    ]) {
      const read = async ({ env }: Instance) =>
        expect((await ws.call("GET", path, { env })).status).toBe(200);
      const instance = counted();
      expect(await tripsOf(instance, read), path).toEqual({ d1: 2, kvReads: 0, kvWrites: 0 });
      expect(await tripsOf(instance, read), path).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    }
  });

  it("a search or a list with several filters takes two calls of D1, one to count and one for the page, and three for an unseen key", async () => {
    const ws = await makeWorkspace();
    const tags = [await ws.tag(), await ws.tag()];
    const group = await ws.group();
    const link = await ws.link({
      activity_group_id: group.id,
      channel: "email",
      external_id: "site:a",
      tag_ids: tags.map(({ id }) => id),
    });
    for (const [query, calls] of [
      ["q=example", 2],
      ["external_id_prefix=site:", 2],
      [`activity_group_id=${group.id}&channel=email&sort=title`, 2],
      [`tag=${tags[0]?.id}&tag=${tags[1]?.slug}`, 2],
      [`q=example&tag=${tags[0]?.id}&tag=${tags[1]?.id}&activity_group_id=${group.slug}&channel=email`, 2],
      // If the count is zero, the page is not read.
      ["q=nothing+contains+this", 1],
      ["external_id_prefix=none", 1],
      [`activity_group_id=${group.id}&channel=print`, 1],
      ["tag=a&tag=b", 1],
    ] as const) {
      const list = async ({ env }: Instance) => {
        const answer = await ws.call("GET", `/api/v1/links?${query}`, { env });
        expect(answer.body.links, query).toEqual(calls === 2 ? [link] : []);
      };
      const instance = counted();
      expect(await tripsOf(instance, list), query).toEqual({ d1: calls + 1, kvReads: 0, kvWrites: 0 });
      expect(await tripsOf(instance, list), query).toEqual({ d1: calls, kvReads: 0, kvWrites: 0 });
    }
  });

  it("a write takes two calls of D1, one for the rules with the key's check and one batch, and three for an unseen key", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag();
    const group = await ws.group();
    const link = await ws.link();
    const used = await ws.link({ slug: `Used-${tag.id}` });
    await ws.call("DELETE", `/api/v1/links/${used.id}`);
    const destination_url = "https://www.example.com/";
    const key = { "idempotency-key": "round-trips" };
    const writes: [string, string, object | undefined, number, Record<string, string>?][] = [
      ["POST", "/api/v1/tags", { name: "counted" }, 0],
      ["POST", "/api/v1/links", { destination_url, activity_group_id: group.id, tag_ids: [tag.id] }, 0],
      ["POST", "/api/v1/links", { destination_url }, 0, key],
      ["POST", "/api/v1/links", { destination_url, slug: used.slug }, 1],
      ["PATCH", `/api/v1/links/${link.id}`, { title: "no visitor sees this" }, 0],
      ["PATCH", `/api/v1/links/${link.id}`, { external_id: "a", tag_names: [] }, 0],
      ["PATCH", `/api/v1/links/${link.id}`, { destination_url: "https://www.example.com/2" }, 1],
      ["PATCH", `/api/v1/links/${link.id}`, { slug: `Renamed-${tag.id}` }, 0],
      ["PATCH", `/api/v1/links/${link.id}`, { utm_source: "seen through both slugs" }, 2],
      ["POST", `/api/v1/links/${link.id}/tags`, { tag_ids: [tag.id] }, 0],
      ["DELETE", `/api/v1/links/${link.id}/tags/${tag.id}`, undefined, 0],
      ["PATCH", `/api/v1/tags/${tag.id}`, { colour: "blue" }, 0],
      ["DELETE", `/api/v1/links/${link.id}`, undefined, 2],
      ["DELETE", `/api/v1/tags/${tag.id}`, undefined, 0],
    ];
    const instance = counted();
    for (const [index, [method, path, body, kvWrites, headers = {}]] of writes.entries()) {
      const trips = await tripsOf(instance, async ({ env }) => {
        const answer = await ws.call(method, path, { body, headers, env });
        expect(answer.status, answer.text).toBeLessThan(300);
      });
      const atFirstSight = index === 0 ? 1 : 0;
      // The push is settled after the answer.
      const settling = kvWrites > 0 ? 1 : 0;
      expect(trips, `${method} ${path}`).toEqual({ d1: 2 + atFirstSight + settling, kvReads: 0, kvWrites });
    }
  });

  it("a replayed creation takes one call of D1", async () => {
    const ws = await makeWorkspace();
    const request = {
      body: { destination_url: "https://www.example.com/" },
      headers: { "idempotency-key": "again" },
    };
    const instance = counted();
    const first = await ws.call("POST", "/api/v1/links", { ...request, env: instance.env });
    const trips = await tripsOf(instance, async ({ env }) => {
      expect((await ws.call("POST", "/api/v1/links", { ...request, env })).text).toBe(first.text);
    });
    expect(trips).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
  });

  it.each([
    ["a body that fails", 422, { body: { tag_ids: 1 } }],
    ["a body that is too large", 413, { raw: JSON.stringify({ x: "x".repeat(65_536) }) }],
    ["a malformed header", 422, { body: {}, headers: { "idempotency-key": "not visible" } }],
  ])("%s takes one call of D1: the key's check and the resource in the path", async (_, status, request) => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const instance = counted();
    await ws.call("GET", "/api/v1/tags", { env: instance.env });
    for (const path of ["/api/v1/links", "/api/v1/tags", `/api/v1/links/${link.id}/tags`]) {
      const trips = await tripsOf(instance, async ({ env }) => {
        expect((await ws.call("POST", path, { ...request, env })).status).toBe(status);
      });
      expect(trips, path).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    }
  });
});
