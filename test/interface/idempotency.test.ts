import { env } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { OVERLOADED, withCommit } from "../faulty";
import { type Call, hurry, makeWorkspace } from "../harness";
import { conflictOf, held, isReplay, keyed, LINK, linksOf, post, REUSED_BODY, RUNNING, seen } from "./keyed";
import { bodyOf, furnished, type Operation, pathOf, writes } from "./operations";

/** A workspace with a link, and a tag that it does not have. */
async function begin(operation: Operation) {
  const { ws, ids } = await furnished();
  const own = { ...ids, tag: (await ws.tag()).id };
  const request = { ...bodyOf(operation, own), ...keyed() };
  return { ws, path: pathOf(operation.path, own), body: request.body as object, request };
}

describe.each(writes.filter(({ method }) => method === "POST"))(
  "$operationId with an Idempotency-Key",
  (operation) => {
    it("replays its first response byte for byte, and takes effect once", async () => {
      const { ws, path, request } = await begin(operation);
      const first = await ws.call("POST", path, request);
      expect([first.headers.has("idempotent-replayed"), first.status < 300]).toEqual([false, true]);
      const changes = () =>
        env.DB.prepare("select count(*) as n from audit_log where workspace_id = ?")
          .bind(ws.ctx.workspace.rowId)
          .first();
      const before = await changes();
      for (let times = 0; times < 2; times++) {
        const again = await ws.call("POST", path, request);
        expect(seen(again)).toEqual(seen(first));
        expect(isReplay(again)).toBe(true);
        expect(again.headers.get("cache-control")).toBe("no-store");
        expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
      }
      expect(first.headers.get("etag")).toMatch(/^"[\w-]{43}"$/);
      if (first.body.link !== undefined) {
        const get = await ws.call("GET", `/api/v1/links/${first.body.link.id}`);
        expect([get.headers.get("etag"), get.body]).toEqual([first.headers.get("etag"), first.body.link]);
      }
      expect(await changes()).toEqual(before);
    });

    it("replays its response after the resource has changed or been deleted", async () => {
      const { ws, path, request } = await begin(operation);
      const first = await ws.call("POST", path, request);
      const own = first.body.tag
        ? `/api/v1/tags/${first.body.tag.id}`
        : `/api/v1/links/${first.body.link.id}`;
      await ws.call("PATCH", own, { body: { title: "Changed", name: "Changed" } });
      if (!path.endsWith("/tags") || path === "/api/v1/tags") await ws.call("DELETE", own);
      expect(seen(await ws.call("POST", path, request))).toEqual(seen(first));
    });

    it("refuses the key for another body, and for another path", async () => {
      const { ws, path, body, request } = await begin(operation);
      const key = { headers: request.headers };
      const first = await ws.call("POST", path, request);
      const others: [string, Call][] = [
        [path, { raw: `${JSON.stringify(body)} ` }],
        [path, { body: { ...body, name: "Other", title: "Other", nothing: 1 } }],
        [path === "/api/v1/tags" ? "/api/v1/links" : "/api/v1/tags", { body: { name: "Other", ...LINK } }],
      ];
      for (const [target, request] of others) {
        const answer = await ws.call("POST", target, { ...request, ...key });
        expect([answer.status, answer.body]).toEqual([422, REUSED_BODY]);
      }
      expect(seen(await ws.call("POST", path, request))).toEqual(seen(first));
    });

    it("gives a second request 409 after five seconds of waiting, and replays later", async () => {
      const { ws, path, body, request } = await begin(operation);
      const slow = held(ws, path, request);
      await slow.reached;
      const waited = hurry();
      expect(conflictOf(await ws.call("POST", path, request))).toEqual(RUNNING);
      expect(waited.done()).toBe(5_000);
      const other = await ws.call("POST", path, { ...request, raw: `${JSON.stringify(body)}\n` });
      expect([other.status, other.body]).toEqual([422, REUSED_BODY]);
      const first = await slow.letGo();
      expect([first.status < 300, isReplay(first)]).toEqual([true, false]);
      const again = await ws.call("POST", path, request);
      expect([seen(again), isReplay(again)]).toEqual([seen(first), true]);
    });

    it("takes effect once if sent twenty times at once, and every response is the same or 409", async () => {
      const { ws, path, request } = await begin(operation);
      const links = await linksOf(ws);
      const answers = await Promise.all(Array.from({ length: 20 }, () => ws.call("POST", path, request)));
      const done = answers.filter(({ status }) => status < 300);
      expect(new Set(done.map((answer) => JSON.stringify(seen(answer)))).size).toBe(1);
      expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status >= 300))
        expect(conflictOf(answer)).toEqual(RUNNING);
      expect(await linksOf(ws)).toHaveLength(links.length + (path === "/api/v1/links" ? 1 : 0));
      const made = path === "/api/v1/tags" ? 1 : 0;
      expect((await ws.call("GET", "/api/v1/tags")).body.tags).toHaveLength(2 + made);
    });
  },
);

describe("a request that did not end in 2xx leaves its key free", () => {
  it("after a 422 for syntax, rules or the body", async () => {
    const ws = await makeWorkspace();
    const { slug } = await ws.link();
    const key = keyed();
    for (const request of [{ body: {} }, { body: { ...LINK, slug } }, { raw: "{" }]) {
      expect((await post(ws, { ...request, ...key })).status).toBe(422);
    }
    const answer = await post(ws, { body: LINK, ...key });
    expect([answer.status, isReplay(answer)]).toEqual([201, false]);
  });

  it("after a 404 and a 412", async () => {
    const ws = await makeWorkspace();
    const [link, tag] = [await ws.link(), await ws.tag()];
    const path = `/api/v1/links/${link.id}`;
    const { headers } = keyed();
    const body = { tag_ids: [tag.id] };
    const unknown = await ws.call("POST", "/api/v1/links/01J00000000000000000000000/tags", { body, headers });
    expect(unknown.status).toBe(404);
    const stale = await ws.call("POST", `${path}/tags`, { body, headers: { ...headers, "if-match": '"0"' } });
    expect(stale.status).toBe(412);
    const etag = (await ws.call("GET", path)).headers.get("etag");
    const done = await ws.call("POST", `${path}/tags`, { body, headers: { ...headers, "if-match": etag } });
    expect([done.status, isReplay(done)]).toEqual([200, false]);
  });

  it.each([
    ["D1_ERROR: disk I/O error", 500],
    [OVERLOADED, 503],
  ])("after %s, a %i", async (message, status) => {
    const silent = vi.spyOn(console, "error").mockImplementation(() => {});
    const ws = await makeWorkspace();
    const request = { body: LINK, ...keyed() };
    const broken = withCommit(() => () => Promise.reject(new Error(message)));
    expect((await post(ws, { ...request, env: broken })).status).toBe(status);
    expect((await post(ws, request)).status).toBe(201);
    expect(await linksOf(ws)).toHaveLength(1);
    silent.mockRestore();
  });
});

describe("the resource in the path is checked before the key", () => {
  it("even if the key was used, for another request or for that link", async () => {
    const ws = await makeWorkspace();
    const [link, tag] = [await ws.link(), await ws.tag()];
    const path = `/api/v1/links/${link.id}`;
    const request = { body: { tag_ids: [tag.id] }, ...keyed() };
    await ws.call("POST", `${path}/tags`, request);
    const other = await ws.call("POST", "/api/v1/links/01J00000000000000000000000/tags", request);
    expect([other.status, other.body]).toEqual([404, { message: "Link not found." }]);
    await ws.call("DELETE", path);
    const gone = await ws.call("POST", `${path}/tags`, request);
    expect([gone.status, gone.body]).toEqual([404, { message: "Link not found." }]);
  });

  it("but a replay ignores an If-Match that its own first try made stale", async () => {
    const ws = await makeWorkspace();
    const [link, tag] = [await ws.link(), await ws.tag()];
    const path = `/api/v1/links/${link.id}`;
    const etag = (await ws.call("GET", path)).headers.get("etag") ?? "";
    const request = { body: { tag_ids: [tag.id] }, headers: { ...keyed().headers, "if-match": etag } };
    const first = await ws.call("POST", `${path}/tags`, request);
    expect(first.headers.get("etag")).not.toBe(etag);
    const again = await ws.call("POST", `${path}/tags`, request);
    expect([seen(again), isReplay(again)]).toEqual([seen(first), true]);
  });
});
