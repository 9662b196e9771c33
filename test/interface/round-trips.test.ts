import { describe, expect, it } from "vitest";
import { counted, makeWorkspace, visit } from "../harness";

describe("round trips, counted on the bindings", () => {
  it("a redirect from a warm KV is one read of KV, a cold one adds one call of D1 and one write behind it", async () => {
    const ws = await makeWorkspace();
    const { slug } = await ws.link();

    const cold = counted();
    expect((await visit(`/${slug}`, {}, cold.env)).headers.get("x-cache")).toBe("miss");
    expect(cold.trips).toEqual({ d1: 1, kvReads: 1, kvWrites: 1 });

    const warm = counted();
    expect((await visit(`/${slug}`, {}, warm.env)).headers.get("x-cache")).toBe("hit");
    expect(warm.trips).toEqual({ d1: 0, kvReads: 1, kvWrites: 0 });
  });

  it("a path that cannot be a slug costs nothing", async () => {
    const junk = counted();
    for (const path of ["/foo/", "/foo.php", "/%66oo", "/__proto__", "/api", `/${"a".repeat(65)}`]) {
      expect((await visit(path, {}, junk.env)).status).toBe(404);
    }
    expect(junk.trips).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it("a 401 by checksum costs nothing, an unknown key one call", async () => {
    const ws = await makeWorkspace();
    const flipped = counted();
    const answer = await ws.call("GET", "/api/v1/tags", {
      env: flipped.env,
      headers: { authorization: `Bearer ${ws.key.slice(0, -1)}${ws.key.endsWith("0") ? "1" : "0"}` },
    });
    expect(answer.status).toBe(401);
    expect(flipped.trips).toEqual({ d1: 0, kvReads: 0, kvWrites: 0 });
  });

  it("reads take two calls of D1: the key, and everything else in one batch", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    await ws.call("GET", "/api/v1/tags");
    for (const path of [
      `/api/v1/links/${link.id}`,
      "/api/v1/links",
      "/api/v1/links?activity_group_id=a&sort=title",
      `/api/v1/links?slug=${link.slug}&tag=a&q=example`,
      `/api/v1/links/${link.id}/qr`,
      "/api/v1/activity-groups",
      "/api/v1/tags",
    ]) {
      const counter = counted();
      expect((await ws.call("GET", path, { env: counter.env })).status).toBe(200);
      expect(counter.trips, path).toEqual({ d1: 2, kvReads: 0, kvWrites: 0 });
    }
  });

  it("a list of several filters, or a search, takes three calls of D1: the key, the counts it is planned by, and the page", async () => {
    const ws = await makeWorkspace();
    const tags = [await ws.tag(), await ws.tag()];
    const group = await ws.group();
    const link = await ws.link({
      activity_group_id: group.id,
      channel: "email",
      tag_ids: tags.map(({ id }) => id),
    });
    for (const [query, d1] of [
      ["q=example", 3],
      [`activity_group_id=${group.id}&channel=email&sort=title`, 3],
      [`tag=${tags[0]?.id}&tag=${tags[1]?.slug}`, 3],
      [`q=example&tag=${tags[0]?.id}&tag=${tags[1]?.id}&activity_group_id=${group.slug}&channel=email`, 3],
      // Counts that show that there is no such link end it.
      ["q=nothing+contains+this", 2],
      [`activity_group_id=${group.id}&channel=print`, 2],
      ["tag=a&tag=b", 2],
    ] as const) {
      const counter = counted();
      const answer = await ws.call("GET", `/api/v1/links?${query}`, { env: counter.env });
      expect(answer.body.links, query).toEqual(d1 === 3 ? [link] : []);
      expect(counter.trips, query).toEqual({ d1, kvReads: 0, kvWrites: 0 });
    }
  });

  it("writes take three calls of D1: the key, what the rules need, and one batch", async () => {
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
      ["PATCH", `/api/v1/links/${link.id}`, { destination_url: "https://www.example.com/2" }, 1],
      ["PATCH", `/api/v1/links/${link.id}`, { slug: `Renamed-${tag.id}` }, 0],
      ["PATCH", `/api/v1/links/${link.id}`, { utm_source: "seen through both slugs" }, 2],
      ["POST", `/api/v1/links/${link.id}/tags`, { tag_ids: [tag.id] }, 0],
      ["DELETE", `/api/v1/links/${link.id}/tags/${tag.id}`, undefined, 0],
      ["PATCH", `/api/v1/tags/${tag.id}`, { colour: "blue" }, 0],
      ["DELETE", `/api/v1/links/${link.id}`, undefined, 2],
      ["DELETE", `/api/v1/tags/${tag.id}`, undefined, 0],
    ];
    for (const [method, path, body, kvWrites, headers = {}] of writes) {
      const counter = counted();
      const answer = await ws.call(method, path, { body, headers, env: counter.env });
      expect(answer.status, answer.text).toBeLessThan(300);
      // The settling of a push comes after the answer.
      const settling = kvWrites > 0 ? 1 : 0;
      expect(counter.trips, `${method} ${path} ${answer.text}`).toEqual({
        d1: 3 + settling,
        kvReads: 0,
        kvWrites,
      });
    }
  });

  it("a replayed creation takes two calls of D1", async () => {
    const ws = await makeWorkspace();
    const request = {
      body: { destination_url: "https://www.example.com/" },
      headers: { "idempotency-key": "again" },
    };
    const first = await ws.call("POST", "/api/v1/links", request);
    const counter = counted();
    const second = await ws.call("POST", "/api/v1/links", { ...request, env: counter.env });
    expect(second.text).toBe(first.text);
    expect(counter.trips).toEqual({ d1: 2, kvReads: 0, kvWrites: 0 });
  });
});
