import { beforeAll, describe, expect, it } from "vitest";
import { makeApiKey } from "../../src/access/api-key";
import { createApiKey, revokeApiKey } from "../../src/access/keys";
import { systemRandom } from "../../src/context";
import { addDomain } from "../../src/resources/domains/domain-service";
import { suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import { API, type Call, makeWorkspace, send, type TestWorkspace } from "../harness";
import {
  BODIES,
  bodyOf,
  bytesOf,
  furnished,
  type Ids,
  operations,
  pathOf,
  perform,
  reads,
  stateOf,
  UNKNOWN,
  writes,
} from "./operations";

const keyWith = async (ws: TestWorkspace, fields: { access?: "read"; expires_at?: number }) =>
  createApiKey(ws.ctx, { name: "other", ...fields });

it("every write operation of the document has a body in this file", () => {
  expect(writes.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(BODIES).sort());
  expect(operations).toHaveLength(13);
});

describe("without a valid key every operation returns 401 with the same bytes", () => {
  const flipped = (key: string): string => key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const credentials: Record<string, (ws: TestWorkspace) => Promise<string | null> | string | null> = {
    "no Authorization": () => null,
    "the scheme alone": () => "Bearer",
    "another scheme": (ws) => `Basic ${btoa(`${ws.key}:`)}`,
    "the key without a scheme": (ws) => ws.key,
    "a malformed key": () => "Bearer lnk_short",
    "a key with something behind it": (ws) => `Bearer ${ws.key} extra`,
    "a wrong checksum": (ws) => `Bearer ${flipped(ws.key)}`,
    "an unknown key": () => `Bearer ${makeApiKey(systemRandom)}`,
    "an expired key": async (ws) => `Bearer ${(await keyWith(ws, { expires_at: Date.now() })).key}`,
    "a revoked key": async (ws) => {
      const { id, key } = await keyWith(ws, {});
      await revokeApiKey(ws.ctx, id);
      return `Bearer ${key}`;
    },
    "a revoked key in a suspended workspace": async () => {
      const ws = await makeWorkspace();
      const { id, key } = await keyWith(ws, {});
      await revokeApiKey(ws.ctx, id);
      await suspendWorkspace(ws.ctx, ws.slug);
      return `Bearer ${key}`;
    },
  };
  let ws: TestWorkspace;
  let ids: Ids;
  let headers: [string, string | null][];

  beforeAll(async () => {
    ({ ws, ids } = await furnished());
    headers = await Promise.all(
      Object.entries(credentials).map(
        async ([name, make]) => [name, await make(ws)] as [string, string | null],
      ),
    );
  });

  it.each(operations)("$operationId", async (operation) => {
    const before = await stateOf(ws);
    for (const [index, [name, authorization]] of headers.entries()) {
      const others: Call[] = [{ raw: "{" }, { headers: { "idempotency-key": "a b", "if-match": '"x"' } }];
      for (const call of index === 0 || index === headers.length - 1 ? [{}, ...others] : [{}]) {
        if ("raw" in call && !operation.writes) continue;
        const answer = await perform(ws, operation, ids, {
          ...call,
          headers: { ...call.headers, authorization },
        });
        expect(bytesOf(answer), name).toEqual({
          status: 401,
          text: '{"message":"Unauthenticated."}',
          headers: {
            "cache-control": "no-store",
            "content-type": "application/json",
            "ratelimit-policy": '"key";q=3000;w=60',
            "strict-transport-security": "max-age=31536000",
            "www-authenticate": "Bearer",
          },
        });
        expect(answer.headers.get("x-request-id")).toMatch(/./);
      }
    }
    expect(await stateOf(ws)).toEqual(before);
  });

  it.each(operations)("$operationId, with the key in the query or in a cookie", async ({ method, path }) => {
    for (const name of ["api_key", "key", "token", "access_token"]) {
      const url = `${API}${pathOf(path, ids)}?${name}=${ws.key}`;
      const response = await send(new Request(url, { method, headers: { cookie: `${name}=${ws.key}` } }));
      expect(response.status).toBe(401);
    }
  });

  it.each(operations)("$operationId, for unknown ids too", async (operation) => {
    const malformed = { link: "nothing", tag: "nothing", group: "nothing" };
    for (const named of [UNKNOWN, malformed]) {
      const answer = await perform(ws, operation, named, { headers: { authorization: null } });
      expect([answer.status, answer.body]).toEqual([401, { message: "Unauthenticated." }]);
    }
  });
});

describe("another workspace's resource gives the same bytes as an unknown one", () => {
  it.each(operations.filter(({ path }) => path.includes("{")))(
    "$operationId, by its path",
    async (operation) => {
      const [{ ws, ids: own }, other] = [await furnished(), await furnished()];
      const [before, theirs] = [await stateOf(ws), await stateOf(other.ws)];
      // If the path has two ids, one of them is the workspace's own.
      const mixes: [Ids, Ids][] = [
        [other.ids, UNKNOWN],
        [
          { ...own, tag: other.ids.tag },
          { ...own, tag: UNKNOWN.tag },
        ],
        [
          { ...own, link: other.ids.link },
          { ...own, link: UNKNOWN.link },
        ],
      ];
      for (const [foreign, unknown] of mixes.filter(
        ([ids]) => pathOf(operation.path, ids) !== pathOf(operation.path, own),
      )) {
        for (const call of [
          {},
          { headers: { "if-match": "*", "if-none-match": "*" } },
          { raw: '{"name":7}' },
        ]) {
          if ("raw" in call && bodyOf(operation, own).body === undefined) continue;
          const answer = await perform(ws, operation, foreign, call);
          expect(answer.status).toBe(404);
          expect(bytesOf(answer)).toEqual(bytesOf(await perform(ws, operation, unknown, call)));
        }
      }
      expect(await stateOf(ws)).toEqual(before);
      expect(await stateOf(other.ws)).toEqual(theirs);
    },
  );

  it.each<[string, string, (ids: Ids) => object]>([
    [
      "POST",
      "/api/v1/links",
      ({ group }) => ({ destination_url: "https://example.com", activity_group_id: group }),
    ],
    ["POST", "/api/v1/links", ({ tag }) => ({ destination_url: "https://example.com", tag_ids: [tag] })],
    ["PATCH", "/api/v1/links/{id}", ({ group }) => ({ activity_group_id: group })],
    ["POST", "/api/v1/links/{id}/tags", ({ tag }) => ({ tag_ids: [tag] })],
  ])("in the body of %s %s, case %#", async (method, path, body) => {
    const [{ ws, ids }, other] = [await furnished(), await furnished()];
    const [before, theirs] = [await stateOf(ws), await stateOf(other.ws)];
    const unknowns = [UNKNOWN, { link: "nope", tag: "nope", group: "nope" }];
    const answers = [];
    for (const named of [other.ids, other.slugs, ...unknowns]) {
      answers.push(await ws.call(method, pathOf(path, ids), { body: body(named) }));
    }
    expect(answers[0]?.status).toBe(422);
    for (const answer of answers) expect(bytesOf(answer)).toEqual(bytesOf(answers[2] ?? answer));
    expect(await stateOf(ws)).toEqual(before);
    expect(await stateOf(other.ws)).toEqual(theirs);
  });

  it.each<[string, keyof Ids]>([
    ["/api/v1/links?tag=", "tag"],
    ["/api/v1/links?activity_group_id=", "group"],
    ["/api/v1/links?slug=", "link"],
    ["/api/v1/links?q=", "link"],
    ["/api/v1/activity-groups?id=", "group"],
    ["/api/v1/activity-groups?slug=", "group"],
    ["/api/v1/activity-groups?q=", "group"],
  ])("in the query %s", async (query, kind) => {
    const [{ ws }, other] = [await furnished(), await furnished()];
    const unknown = await ws.call("GET", query + UNKNOWN[kind]);
    expect(unknown.status).toBe(200);
    for (const named of [other.ids[kind], other.slugs[kind]]) {
      const answer = await ws.call("GET", query + named);
      expect([answer.status, answer.text]).toEqual([200, unknown.text]);
    }
  });

  it("as a domain, in a body, in the query and as the host of a visit", async () => {
    const [{ ws, ids, slugs }, other] = [await furnished(), await makeWorkspace()];
    const { host } = await addDomain(other.ctx, `go.${other.slug}.example`, true);
    const before = await stateOf(ws);
    const bytes = async (domain: string) => {
      const created = { destination_url: "https://example.com", domain };
      return [
        bytesOf(await ws.call("POST", "/api/v1/links", { body: created })),
        bytesOf(await ws.call("PATCH", `/api/v1/links/${ids.link}`, { body: { domain } })),
        (await ws.call("GET", `/api/v1/links?domain=${domain}&status=all`)).text,
        (await send(new Request(`https://${domain}/${slugs.link}`))).status,
      ];
    };
    const theirs = await bytes(host);
    expect(theirs).toEqual(await bytes("go.unknown.example"));
    expect(theirs).toMatchObject([{ status: 422 }, { status: 422 }, expect.any(String), 404]);
    expect(await stateOf(ws)).toEqual(before);
  });

  it("is in no list", async () => {
    const [{ ws, ids }, other] = [await furnished(), await furnished()];
    for (const state of await stateOf(ws)) {
      for (const id of Object.values(other.ids)) expect(state).not.toContain(id);
    }
    expect((await stateOf(ws)).join()).toContain(ids.group);
  });
});

describe("a read-only key", () => {
  it.each(writes)(
    "cannot write: $operationId is 403 and changes nothing, for any path and body",
    async (operation) => {
      const { ws, ids } = await furnished();
      const authorization = `Bearer ${(await keyWith(ws, { access: "read" })).key}`;
      const before = await stateOf(ws);
      for (const [named, call] of [
        [ids, {}],
        [UNKNOWN, {}],
        [ids, { raw: "{" }],
        [ids, { raw: "x".repeat(70_000) }],
      ] as [Ids, Call][]) {
        const answer = await perform(ws, operation, named, { ...call, headers: { authorization } });
        expect([answer.status, answer.text]).toEqual([403, '{"message":"This API key is read-only."}']);
      }
      expect(await stateOf(ws)).toEqual(before);
    },
  );

  it.each(reads)("can read: $operationId returns the same as for a full key", async (operation) => {
    const { ws, ids } = await furnished();
    const authorization = `Bearer ${(await keyWith(ws, { access: "read" })).key}`;
    const answer = await perform(ws, operation, ids, { headers: { authorization } });
    expect(answer.status).toBe(200);
    expect(bytesOf(answer)).toEqual(bytesOf(await perform(ws, operation, ids)));
  });
});
