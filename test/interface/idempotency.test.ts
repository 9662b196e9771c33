import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApiKey, revokeApiKey } from "../../src/access/keys";
import { upsertReservation } from "../../src/http/idempotency/idempotency-repository";
import { gate, OVERLOADED, withCommit } from "../faulty";
import { type Answer, type Call, hurry, makeWorkspace, type TestWorkspace } from "../harness";
import { selectRows, selectValue } from "../sql";
import { bodyOf, furnished, type Operation, pathOf, writes } from "./operations";
import { refusal } from "./refusals";

afterEach(() => vi.useRealTimers());

const LINK = { destination_url: "https://www.example.com/" };

const keyed = (key = crypto.randomUUID() as string): { headers: Record<string, string> } => ({
  headers: { "idempotency-key": key },
});
const post = (ws: TestWorkspace, request: Call) => ws.call("POST", "/api/v1/links", request);
const linksOf = async (ws: TestWorkspace) => (await ws.call("GET", "/api/v1/links?per_page=100")).body.links;
const seen = ({ status, text, headers }: Answer<unknown>) => ({
  status,
  text,
  etag: headers.get("etag"),
  type: headers.get("content-type"),
});
const isReplay = ({ headers }: Answer<unknown>) => headers.get("idempotent-replayed") === "true";
const conflictOf = ({ status, text, headers }: Answer<unknown>) => [status, text, headers.get("retry-after")];

const REUSED_BODY = refusal(
  "idempotency_key",
  "The idempotency key has already been used with another request.",
);
const RUNNING = [409, '{"message":"A request with this Idempotency-Key is still running."}', "1"];

/** A request that waits before its commit until it is released. */
function held(ws: TestWorkspace, path: string, request: Call) {
  const [arrived, opened] = [gate(), gate()];
  const slow = withCommit((send) => async (statements) => {
    arrived.open();
    await opened.passed;
    return send(statements);
  });
  const answer = ws.call("POST", path, { ...request, env: slow });
  return {
    reached: arrived.passed,
    letGo: () => {
      opened.open();
      return answer;
    },
  };
}

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
        [path, { body: {} }],
        [path, { raw: "{" }],
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

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe("an Idempotency-Key", () => {
  it("belongs to the API key that sent it", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const second = await createApiKey(ws.ctx, { name: "second" });
    const { headers } = keyed();
    const answers = [
      await post(ws, { body: LINK, headers }),
      await post(ws, { body: LINK, headers: { ...headers, authorization: `Bearer ${second.key}` } }),
      await post(other, { body: { ...LINK, title: "Other" }, headers }),
    ];
    expect(answers.map((answer) => [answer.status, isReplay(answer)])).toEqual(Array(3).fill([201, false]));
    expect(new Set(answers.map(({ body }) => body.link.id)).size).toBe(3);
  });

  it.each(["", "two words", "tab\there", "\u007f", "k".repeat(256), "a, b"])(
    "is refused if it is %j",
    async (key) => {
      const ws = await makeWorkspace();
      const answer = await post(ws, { body: LINK, ...keyed(key) });
      const message = "The idempotency key must be 1 to 255 visible ASCII characters.";
      expect([answer.status, answer.body]).toEqual([422, refusal("idempotency_key", message)]);
      expect(await linksOf(ws)).toEqual([]);
    },
  );

  it.each(["k", "k".repeat(255), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"])("may be %j", async (key) => {
    const ws = await makeWorkspace();
    const request = { body: { ...LINK, title: "Ü" }, ...keyed(key) };
    const first = await post(ws, request);
    expect(first.status).toBe(201);
    expect(seen(await post(ws, request))).toEqual(seen(first));
  });

  it("is ignored on requests other than POST, even if malformed or used", async () => {
    const ws = await makeWorkspace();
    const key = crypto.randomUUID();
    const { body } = await post(ws, { body: LINK, ...keyed(key) });
    const path = `/api/v1/links/${body.link.id}`;
    for (const each of [key, "two words"]) {
      for (const title of ["One", "Two"]) {
        const answer = await ws.call("PATCH", path, { body: { title }, ...keyed(each) });
        expect([answer.status, answer.body.link.title, isReplay(answer)]).toEqual([200, title, false]);
      }
      expect((await ws.call("GET", path, keyed(each))).status).toBe(200);
    }
    expect((await ws.call("DELETE", path, keyed("two words"))).status).toBe(204);
    expect((await ws.call("DELETE", path, keyed("two words"))).status).toBe(404);
  });

  it("is valid for 24 hours, then free for any request", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const ws = await makeWorkspace();
    const key = keyed();
    const first = await post(ws, { body: LINK, ...key });
    vi.setSystemTime(start + 24 * HOUR - SECOND);
    expect(seen(await post(ws, { body: LINK, ...key }))).toEqual(seen(first));
    expect((await post(ws, { body: { ...LINK, title: "Other" }, ...key })).status).toBe(422);
    vi.setSystemTime(start + 24 * HOUR + SECOND);
    const second = await post(ws, { body: { ...LINK, title: "Other" }, ...key });
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    expect(seen(await post(ws, { body: { ...LINK, title: "Other" }, ...key }))).toEqual(seen(second));
    expect(await linksOf(ws)).toHaveLength(2);
  });
});

describe("a request that never finished", () => {
  async function lapsing() {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const ws = await makeWorkspace();
    const request = { body: LINK, ...keyed() };
    const slow = held(ws, "/api/v1/links", request);
    await slow.reached;
    return { ws, request, slow, elapse: (milliseconds: number) => vi.setSystemTime(start + milliseconds) };
  }

  it("holds its key for 30 s, then loses it", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(29 * SECOND);
    const waited = hurry();
    expect(conflictOf(await post(ws, request))).toEqual(RUNNING);
    waited.done();
    elapse(31 * SECOND);
    const second = await post(ws, request);
    expect([second.status, isReplay(second)]).toEqual([201, false]);
    await slow.letGo();
  });

  it("but continues late creates no second link, and gets the existing one", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(31 * SECOND);
    const second = await post(ws, request);
    const late = await slow.letGo();
    expect(seen(late)).toEqual(seen(second));
    expect(isReplay(late)).toBe(true);
    expect(await linksOf(ws)).toEqual([second.body.link]);
    expect(seen(await post(ws, request))).toEqual(seen(second));
  });

  it("but continues late is refused and creates nothing if another request has taken its key", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(31 * SECOND);
    const other = { ...request, body: { ...LINK, title: "Other" } };
    const second = await post(ws, other);
    expect(second.status).toBe(201);
    const late = await slow.letGo();
    expect([late.status, late.body]).toEqual([422, REUSED_BODY]);
    expect(await linksOf(ws)).toEqual([second.body.link]);
    expect(seen(await post(ws, other))).toEqual(seen(second));
  });

  it("but continues late takes effect once if no other request came", async () => {
    const { ws, request, slow, elapse } = await lapsing();
    elapse(31 * SECOND);
    const late = await slow.letGo();
    expect([late.status, isReplay(late)]).toEqual([201, false]);
    expect(seen(await post(ws, request))).toEqual(seen(late));
    expect(await linksOf(ws)).toEqual([late.body.link]);
  });
});

it("a key that was revoked reserves nothing, also where a reservation of it has expired", async () => {
  const ws = await makeWorkspace();
  const apiKeyId = (await selectValue<number>`select id from api_keys where public_id = ${ws.keyId}`) ?? 0;
  const reserve = (operationId: string) =>
    ws.ctx.db.read(
      upsertReservation(
        { apiKeyId, key: "k", fingerprint: operationId, operationId, status: 201 },
        9e12,
        9e12,
        9e12,
      ),
    );
  await reserve("first");
  await revokeApiKey(ws.ctx, ws.keyId);
  await reserve("second");
  expect(await selectRows`select operation_id from idempotency_keys where api_key_id = ${apiKeyId}`).toEqual([
    { operation_id: "first" },
  ]);
});
