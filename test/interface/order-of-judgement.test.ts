import { describe, expect, it } from "vitest";
import { createApiKey } from "../../src/access/keys";
import { blockHost } from "../../src/resources/destinations/blocklist";
import { createAsset } from "../../src/resources/engagement/asset-service";
import { suspendWorkspace } from "../../src/resources/workspaces/workspace-service";
import { type Call, makeWorkspace, testEnv } from "../harness";
import { limiter } from "../limiter";
import { components, documented, requestSchema } from "./document";
import { furnished, operations, perform } from "./operations";

const NOBODY = "01J00000000000000000000000";
const TOO_LARGE = JSON.stringify({ x: "x".repeat(65_536) });
const STALE = { "if-match": '"0"' };
const MALFORMED = { "idempotency-key": "not visible" };

/** The operations that have a body. */
const withBody = operations.filter(({ operationId }) => requestSchema(documented(operationId)) !== undefined);

/** The fields of a request, in their order. */
function fieldsOf(operationId: string): string[] {
  const { $ref = "", properties } = requestSchema(documented(operationId)) ?? {};
  return Object.keys(properties ?? components[$ref.replace("#/components/schemas/", "")]?.properties ?? {});
}

const limited = () => ({ ...testEnv, KEY_RATE: limiter(0).binding });

/** A workspace with a full key, a read-only key, and a link with a tag. */
async function world() {
  const ws = await makeWorkspace();
  const tag = await ws.tag();
  const link = await ws.link({ tag_ids: [tag.id] });
  const { key } = await createApiKey(ws.ctx, { name: "reader", access: "read" });
  const reader = { authorization: `Bearer ${key}` };
  const refused = async (method: string, path: string, request: Call) => {
    const { status, body } = await ws.call(method, path, request);
    return [status, body.errors === undefined ? body.message : Object.keys(body.errors)];
  };
  return { ws, tag, link, reader, refused, path: `/api/v1/links/${link.id}` };
}

describe("a request that fails in two ways gets the first error", () => {
  it("401 before the key's 429, since an invalid key is not counted", async () => {
    const { refused } = await world();
    const { binding, asked } = limiter(0);
    const headers = { authorization: "Bearer nothing" };
    expect(await refused("GET", "/api/v1/tags", { headers, env: { ...testEnv, KEY_RATE: binding } })).toEqual(
      [401, "Unauthenticated."],
    );
    expect(asked).toEqual([]);
  });

  it("429 before the 404 of a suspended workspace", async () => {
    const { ws, refused } = await world();
    await suspendWorkspace(ws.ctx, ws.slug);
    expect(await refused("GET", "/api/v1/tags", { env: limited() })).toEqual([429, "Too Many Attempts."]);
  });

  it("the 404 of a suspended workspace before 403", async () => {
    const { ws, reader, refused } = await world();
    await suspendWorkspace(ws.ctx, ws.slug);
    expect(await refused("POST", "/api/v1/tags", { headers: reader, body: {} })).toEqual([
      404,
      "Workspace not found.",
    ]);
  });

  it.each([
    ["413", TOO_LARGE, {}],
    ["a malformed Idempotency-Key", "{}", MALFORMED],
    ["412", '{"tag_ids":[]}', STALE],
    ["an If-Match of any", "{}", { "if-match": "*" }],
    ["a body that is not JSON", "{", {}],
    ["422", '{"tag_ids":[],"name":1,"title":1}', {}],
  ])("404 for the resource in the path before %s", async (_, raw, headers) => {
    const { refused } = await world();
    const link = [404, "Link not found."];
    expect(await refused("PATCH", `/api/v1/links/${NOBODY}`, { raw, headers })).toEqual(link);
    expect(await refused("POST", `/api/v1/links/${NOBODY}/tags`, { raw, headers })).toEqual(link);
    expect(await refused("DELETE", `/api/v1/links/${NOBODY}`, { headers })).toEqual(link);
    const tag = [404, "Tag not found."];
    expect(await refused("PATCH", `/api/v1/tags/${NOBODY}`, { raw, headers })).toEqual(tag);
    expect(await refused("DELETE", `/api/v1/tags/${NOBODY}`, { headers })).toEqual(tag);
  });

  it("404 for a tag that is not on the link before 412, and for an unknown QR before 422", async () => {
    const { path, refused } = await world();
    expect(await refused("DELETE", `${path}/tags/${NOBODY}`, { headers: STALE })).toEqual([
      404,
      "Tag not found.",
    ]);
    expect(await refused("GET", `/api/v1/links/${NOBODY}/qr?size=1&x=1`, {})).toEqual([
      404,
      "Link not found.",
    ]);
  });

  it("413 before a malformed Idempotency-Key and before 412", async () => {
    const { ws, ids } = await furnished();
    for (const operation of withBody) {
      const headers = { ...MALFORMED, ...STALE };
      const { status, body } = await perform(ws, operation, ids, { headers, raw: TOO_LARGE });
      expect([status, body.message]).toEqual([413, "The request body is too large."]);
    }
  });

  it("a malformed Idempotency-Key before 412 and before the body", async () => {
    const { path, refused } = await world();
    const key = [422, ["idempotency_key"]];
    expect(await refused("POST", `${path}/tags`, { headers: { ...MALFORMED, ...STALE }, body: {} })).toEqual(
      key,
    );
    expect(await refused("POST", "/api/v1/links", { headers: MALFORMED, raw: "{" })).toEqual(key);
    expect(await refused("POST", "/api/v1/tags", { headers: MALFORMED, body: {} })).toEqual(key);
  });

  it("412 before 422, of syntax and of rules", async () => {
    const { ws, link, path, tag, refused } = await world();
    const other = await ws.link();
    const changed = [412, "The link has changed since it was read."];
    for (const body of [{ title: 1 }, { slug: other.slug }, { activity_group_id: "nothing" }]) {
      expect(await refused("PATCH", path, { headers: STALE, body })).toEqual(changed);
    }
    expect(await refused("PATCH", path, { headers: STALE, raw: "{" })).toEqual(changed);
    expect(await refused("PATCH", path, { headers: { ...STALE, "content-type": null }, raw: "{}" })).toEqual(
      changed,
    );
    for (const body of [{}, { tag_ids: [] }, { tag_ids: [NOBODY] }]) {
      expect(await refused("POST", `${path}/tags`, { headers: STALE, body })).toEqual(changed);
    }
    const taken = await ws.tag();
    for (const body of [{ name: 1 }, { name: taken.name }, { slug: taken.slug }]) {
      expect(await refused("PATCH", `/api/v1/tags/${tag.id}`, { headers: STALE, body })).toEqual([
        412,
        "The tag has changed since it was read.",
      ]);
    }
    await createAsset(ws.ctx, {
      link: link.id,
      name: "Poster",
      status: "live",
    });
    expect(await refused("DELETE", path, { headers: STALE })).toEqual(changed);
    expect(await refused("DELETE", path, {})).toEqual([422, ["link"]]);
  });
});

describe("422", () => {
  it.each(withBody)(
    "reports all syntax errors of $operationId at once, in the order of the schema, before any rule",
    async (operation) => {
      const { ws, ids } = await furnished();
      const fields = fieldsOf(operation.operationId);
      const wrong = fields.toReversed().map((name) => [name, 7]);
      const { status, body } = await perform(ws, operation, ids, { body: Object.fromEntries(wrong) });
      expect([status, Object.keys(body.errors)]).toEqual([422, fields]);
    },
  );

  it("has a sentence for each syntax error", async () => {
    const { ws, link } = await world();
    const { body } = await ws.call("POST", "/api/v1/links", {
      body: { tag_ids: [NOBODY, 7], utm_medium: "m".repeat(256), channel: {}, slug: link.slug },
    });
    expect(body).toEqual({
      message: "The destination url field is required. (and 3 more errors)",
      errors: {
        destination_url: ["The destination url field is required."],
        channel: ["The channel field must be a string."],
        utm_medium: ["The utm medium field must not be greater than 255 characters."],
        "tag_ids.1": ["The tag_ids.1 field must be a string."],
      },
    });
  });

  it("reports all failed rules at once, in the order of the schema, on creation and update", async () => {
    const ws = await makeWorkspace({ linkLimit: 2 });
    const [taken, link] = [await ws.link({ external_id: "site:taken" }), await ws.link()];
    const blocked = `h${crypto.randomUUID().slice(0, 8)}.example`;
    await blockHost(ws.ctx, blocked);
    const body = {
      tag_ids: ["x", NOBODY],
      ended_url: "https://s.example/x",
      ends_at: "2026-06-01T08:00:00Z",
      starts_at: "2026-06-01T10:00:00+02:00",
      external_id: "site:taken",
      activity_group_id: "nothing",
      slug: taken.slug,
      destination_url: `https://a.${blocked}/`,
    };
    const errors = {
      destination_url: ["The destination url field leads to a host that this service does not allow."],
      slug: ["The slug has already been taken."],
      activity_group_id: ["Activity Group was not found in this workspace."],
      external_id: ["The external id has already been taken."],
      ends_at: ["The ends at field must be a date after starts at."],
      ended_url: ["The ended url field must not point to this service itself."],
      "tag_ids.0": ["The selected tag_ids.0 is invalid."],
      "tag_ids.1": ["The selected tag_ids.1 is invalid."],
    };
    const limit = { link_limit: ["The workspace has reached its limit of 2 links."] };
    for (const [method, path, expected] of [
      ["POST", "/api/v1/links", { ...errors, ...limit }],
      ["PATCH", `/api/v1/links/${link.id}`, errors],
    ] as const) {
      const answer = await ws.call(method, path, { body });
      const [[first] = []] = Object.values(expected);
      const message = `${first} (and ${Object.keys(expected).length - 1} more errors)`;
      expect([answer.status, answer.text]).toEqual([422, JSON.stringify({ message, errors: expected })]);
    }
    expect((await ws.call("GET", `/api/v1/links/${link.id}`)).body).toEqual(link);
  });
});
