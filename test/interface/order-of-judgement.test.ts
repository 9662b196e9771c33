import { describe, expect, it } from "vitest";
import { createApiKey } from "../../src/access/keys";
import { suspendWorkspace } from "../../src/access/service";
import { blockHost } from "../../src/resources/destinations/service";
import { createAsset } from "../../src/resources/engagement/service";
import { type Call, makeWorkspace, testEnv } from "../harness";

const NOBODY = "01J00000000000000000000000";
const TOO_LARGE = JSON.stringify({ x: "x".repeat(65_536) });
const STALE = { "if-match": '"0"' };
const MALFORMED = { "idempotency-key": "not visible" };

const limiter = (success: boolean) => {
  const asked: string[] = [];
  const limit = async ({ key }: RateLimitOptions) => {
    asked.push(key);
    return { success };
  };
  return { limit, asked };
};
const limited = () => ({ ...testEnv, KEY_RATE: limiter(false) });

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
  it("404 for an unknown path and 405 for a wrong method before 401", async () => {
    const { refused } = await world();
    const headers = { authorization: "Bearer nothing" };
    expect(await refused("PUT", "/api/v1/nothing", { headers })).toEqual([404, "Not found."]);
    expect(await refused("PUT", "/api/v1/links", { headers })).toEqual([405, "Method not allowed."]);
  });

  it("401 before the key's 429, since an invalid key is not counted", async () => {
    const { refused } = await world();
    const keyRate = limiter(false);
    const headers = { authorization: "Bearer nothing" };
    expect(await refused("GET", "/api/v1/tags", { headers, env: { ...testEnv, KEY_RATE: keyRate } })).toEqual(
      [401, "Unauthenticated."],
    );
    expect(keyRate.asked).toEqual([]);
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
    const { path, tag, refused } = await world();
    const tooLarge = [413, "The request body is too large."];
    const headers = { ...MALFORMED, ...STALE };
    for (const [method, target] of [
      ["POST", "/api/v1/links"],
      ["POST", "/api/v1/tags"],
      ["POST", `${path}/tags`],
      ["PATCH", path],
      ["PATCH", `/api/v1/tags/${tag.id}`],
    ] as const) {
      expect(await refused(method, target, { headers, raw: TOO_LARGE }), target).toEqual(tooLarge);
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
  const url = "https://www.example.com/";

  it("reports all syntax errors at once, in the order of the schema, before any rule", async () => {
    const { ws, link } = await world();
    const { status, body } = await ws.call("POST", "/api/v1/links", {
      body: {
        tag_ids: [NOBODY, 7],
        utm_campaign: [],
        utm_medium: "m".repeat(256),
        activity_group_id: "nothing",
        channel: {},
        title: 5,
        slug: link.slug,
      },
    });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        message: "The destination url field is required. (and 5 more errors)",
        errors: {
          destination_url: ["The destination url field is required."],
          title: ["The title field must be a string."],
          channel: ["The channel field must be a string."],
          utm_medium: ["The utm medium field must not be greater than 255 characters."],
          utm_campaign: ["The utm campaign field must be a string."],
          "tag_ids.1": ["The tag_ids.1 field must be a string."],
        },
      }),
    );
  });

  it("reports all failed rules at once, in the order of the schema", async () => {
    const ws = await makeWorkspace({ linkLimit: 1 });
    const { slug } = await ws.link();
    const blocked = `h${crypto.randomUUID().slice(0, 8)}.example`;
    await blockHost(ws.ctx, blocked);
    const { status, body } = await ws.call("POST", "/api/v1/links", {
      body: {
        destination_url: `https://a.${blocked}/`,
        slug,
        activity_group_id: "nothing",
        tag_ids: ["x", NOBODY],
      },
    });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        message:
          "The destination url field leads to a host that this service does not allow. (and 5 more errors)",
        errors: {
          destination_url: ["The destination url field leads to a host that this service does not allow."],
          slug: ["The slug has already been taken."],
          activity_group_id: ["Activity Group was not found in this workspace."],
          "tag_ids.0": ["The selected tag_ids.0 is invalid."],
          "tag_ids.1": ["The selected tag_ids.1 is invalid."],
          link_limit: ["The workspace has reached its limit of 1 links."],
        },
      }),
    );
  });

  it.each([
    [{ title: 1 }, "The title field must be a string."],
    [{ title: 1, channel: 1 }, "The title field must be a string. (and 1 more error)"],
    [{ title: 1, channel: 1, slug: "-" }, / \(and 2 more errors\)$/],
  ])("counts the errors after the first: %j", async (fields, message) => {
    const ws = await makeWorkspace();
    const { body } = await ws.call("POST", "/api/v1/links", { body: { destination_url: url, ...fields } });
    if (typeof message === "string") expect(body.message).toBe(message);
    else expect(body.message).toMatch(message);
    expect(Object.keys(body.errors)).toHaveLength(Object.keys(fields).length);
  });

  it("reports both a taken name and a taken slug", async () => {
    const { ws, tag } = await world();
    const other = await ws.tag();
    for (const [method, path] of [
      ["POST", "/api/v1/tags"],
      ["PATCH", `/api/v1/tags/${other.id}`],
    ] as const) {
      const { status, body } = await ws.call(method, path, {
        body: { slug: tag.slug, name: tag.name.toUpperCase() },
      });
      expect(status).toBe(422);
      expect(body).toEqual({
        message: "The name has already been taken. (and 1 more error)",
        errors: {
          name: ["The name has already been taken."],
          slug: ["The slug has already been taken."],
        },
      });
    }
  });
});
