import { beforeAll, describe, expect, it } from "vitest";
import { createAsset } from "../../src/resources/engagement/asset-service";
import type { Link } from "../../src/resources/links/link-schema";
import type { Tag } from "../../src/resources/tags/tag-schema";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { operations, pathOf, perform, UNKNOWN, writes } from "./operations";

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";

let ws: TestWorkspace;
let other: TestWorkspace;
let link: Link;
let tag: Tag;

beforeAll(async () => {
  [ws, other] = [await makeWorkspace(), await makeWorkspace()];
  tag = await ws.tag({ name: "Alpha", slug: "alpha" });
  link = await ws.link({ external_id: "a", tag_ids: [tag.id] });
});

const ids = () => ({ link: link.id, tag: tag.id, group: "" });
const strict = (method: string, path: string, body?: unknown, prefer = "handling=strict") =>
  ws.call(method, path, { ...(body === undefined ? {} : { body }), headers: { prefer } });

describe("a strict request", () => {
  it.each(operations)(
    "is refused by $operationId on an unknown query parameter",
    async ({ operationId, method, path }) => {
      const body = method === "POST" || method === "PATCH" ? { body: {} } : {};
      const answer = await ws.call(method, `${pathOf(path, ids())}?colr=1&empty=`, {
        ...body,
        headers: { prefer: "handling=strict" },
      });
      expect(answer.status, answer.text).toBe(422);
      const sentence =
        operationId === "getLinkQr" ? "The colr parameter is not supported." : "The colr field is not known.";
      expect(answer.body.errors["colr"]).toEqual([sentence]);
      expect(answer.body.codes["colr"]).toEqual(["unknown"]);
      expect(Object.keys(answer.body.errors)).not.toContain("empty");
      expect(answer.headers.get("preference-applied")).toBe("handling=strict");
    },
  );

  it.each(writes.filter(({ path }) => path.includes("{id}")))(
    "is answered 404 or 412 by $operationId, whatever its query",
    async (operation) => {
      const path = `${operation.path}?colr=1`;
      const headers = { prefer: "handling=strict", "if-match": '"stale"' };
      const unknown = await perform(ws, { ...operation, path }, UNKNOWN, { headers });
      const stale = await perform(ws, { ...operation, path }, ids(), { headers });
      expect([unknown.status, stale.status]).toEqual([404, 412]);
    },
  );

  it("ignores a parameter without a name", async () => {
    expect((await strict("GET", `${LINKS}?=x`)).status).toBe(200);
  });

  it("is not replayed if it has unknown fields", async () => {
    const body = { destination_url: DESTINATION, colr: 1 };
    const headers = { "idempotency-key": "strict" };
    expect((await ws.call("POST", LINKS, { body, headers })).status).toBe(201);
    const again = await ws.call("POST", LINKS, { body, headers: { ...headers, prefer: "handling=strict" } });
    expect(again.status).toBe(422);
  });

  it("is refused on unknown body fields, after the known ones", async () => {
    const answer = await strict("POST", LINKS, { titel: "x", title: 7, colour: null, __proto__x: 1 });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      message: "The destination url field is required. (and 4 more errors)",
      errors: {
        destination_url: ["The destination url field is required."],
        title: ["The title field must be a string."],
        titel: ["The titel field is not known."],
        colour: ["The colour field is not known."],
        __proto__x: ["The __proto__x field is not known."],
      },
      codes: {
        destination_url: ["required"],
        title: ["type"],
        titel: ["unknown"],
        colour: ["unknown"],
        __proto__x: ["unknown"],
      },
    });
  });

  // `http/prefer.test.ts` has the forms of the header.
  it.each([
    ["return=minimal, handling=strict; wait=1", true],
    ["handling=lenient, handling=strict", false],
  ])("is one with Prefer: %s (%s)", async (prefer, isStrict) => {
    const answer = await strict("GET", `${LINKS}?colr=1`, undefined, prefer);
    expect(answer.status).toBe(isStrict ? 422 : 200);
    expect(answer.headers.get("preference-applied")).toBe(isStrict ? "handling=strict" : null);
  });

  it("says so on every answer", async () => {
    const headers = { prefer: "handling=strict" };
    const answers = [
      await ws.call("GET", `${LINKS}/${link.id}`, { headers }),
      await ws.call("GET", `${LINKS}/${link.id}`, { headers: { ...headers, authorization: null } }),
      await ws.call("GET", `${LINKS}/nothing`, { headers }),
      await ws.call("GET", "/api/v1/nothing", { headers }),
      await ws.call("PUT", LINKS, { headers }),
      await ws.call("GET", "/api/v1/openapi.json", { headers }),
      await ws.call("DELETE", `${LINKS}/${(await ws.link()).id}`, { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 404, 405, 200, 204]);
    for (const answer of answers) expect(answer.headers.get("preference-applied")).toBe("handling=strict");
  });

  it.each<[string, string, string, () => string, () => string]>([
    ["a taken slug of the own workspace", LINKS, "slug", () => link.slug, () => link.id],
    ["a taken external id", LINKS, "external_id", () => "a", () => link.id],
    ["a taken tag name", "/api/v1/tags", "name", () => "ALPHA", () => tag.id],
  ])("explains %s, with what is in its way", async (_, path, field, taken, holder) => {
    const body = { ...(path === LINKS && { destination_url: DESTINATION }), [field]: taken() };
    const answer = await strict("POST", path, body);
    const { message, errors } = (await ws.call("POST", path, { body })).body;
    const explained = { message, errors, codes: { [field]: ["taken"] }, conflicts: { [field]: holder() } };
    expect([answer.status, answer.body]).toEqual([422, explained]);
  });

  it.each<[string, unknown, object]>([
    ["an unknown group", { activity_group_id: "none" }, { activity_group_id: ["unknown"] }],
    ["a reserved slug", { slug: "api" }, { slug: ["reserved"] }],
    ["a malformed slug", { slug: "a b" }, { slug: ["format"] }],
    ["a long slug", { slug: "a".repeat(65) }, { slug: ["too_long"] }],
    ["a status that does not exist", { status: "gone" }, { status: ["enum"] }],
    ["a shortener", { destination_url: "https://bit.ly/a" }, { destination_url: ["forbidden_host"] }],
    ["another scheme", { destination_url: "ftp://www.example.com/" }, { destination_url: ["scheme"] }],
    ["both forms of tags", { tag_ids: [], tag_names: [] }, { tag_names: ["exclusive"] }],
    ["a body that is no object", [], { body: ["type"] }],
  ])("explains %s", async (_, body, codes) => {
    const path = `${LINKS}/${link.id}`;
    const answer = await strict("PATCH", path, body);
    const { message, errors } = (await ws.call("PATCH", path, { body })).body;
    expect([answer.status, answer.body]).toEqual([422, { message, errors, codes }]);
  });

  it("explains a short list and a page out of range", async () => {
    const attached = await strict("POST", `${LINKS}/${link.id}/tags`, { tag_ids: [] });
    expect([attached.status, attached.body.codes]).toEqual([422, { tag_ids: ["too_short"] }]);
    const listed = await strict("GET", `${LINKS}?per_page=0`);
    expect([listed.status, listed.body.codes]).toEqual([422, { per_page: ["range"] }]);
  });

  it("does not learn whose a foreign slug is", async () => {
    const foreign = await other.link();
    const answer = await strict("POST", LINKS, { destination_url: DESTINATION, slug: foreign.slug });
    expect(answer.body.codes).toEqual({ slug: ["taken"] });
    expect(Object.keys(answer.body)).toEqual(["message", "errors", "codes"]);
  });

  it("explains a live asset", async () => {
    const own = await ws.link();
    await createAsset(ws.ctx, { name: "Poster", link: own.id, status: "live" });
    const answer = await strict("DELETE", `${LINKS}/${own.id}`);
    expect(answer.body.codes).toEqual({ link: ["live_asset"] });
  });
});

it("a request that is not strict ignores unknown fields, and its errors have no codes", async () => {
  const created = await ws.call("POST", LINKS, { body: { destination_url: DESTINATION, colr: 1 } });
  expect(created.status).toBe(201);
  const refused = await ws.call("POST", LINKS, { body: { destination_url: DESTINATION, slug: link.slug } });
  expect(Object.keys(refused.body)).toEqual(["message", "errors"]);
  expect(refused.headers.get("preference-applied")).toBeNull();
});
