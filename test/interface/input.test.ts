import { describe, expect, it, vi } from "vitest";
import { revokeApiKey } from "../../src/access/keys";
import { API, makeWorkspace, send } from "../harness";
import { documented, requestSchema } from "./document";
import { furnished, operations, perform, stateOf } from "./operations";
import { refusal } from "./refusals";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

/** The operations that have a body. */
const withBody = operations.filter(({ operationId }) => requestSchema(documented(operationId)) !== undefined);

it("text is trimmed of all white space before it is checked, and empty text means null", async () => {
  const link = await ws.link({
    destination_url: "\u00a0 https://www.example.com/ \n",
    title: `\ufeff\t${"t".repeat(255)}\u2003\r\n`,
    channel: "   ",
    utm_source: "",
    slug: " ",
    activity_group_id: "",
  });
  expect(link).toMatchObject({
    destination_url: "https://www.example.com/",
    title: "t".repeat(255),
    channel: null,
    utm_source: null,
  });
  expect(link.slug).toMatch(/^[a-hj-km-np-z2-9]{7}$/);
  expect(link).not.toHaveProperty("activity_group");
  const cleared = await ws.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: " " } });
  expect(cleared.body.link.title).toBeNull();
  const tag = await ws.tag();
  const attached = await ws.call("POST", `/api/v1/links/${link.id}/tags`, {
    body: { tag_ids: [` ${tag.id}\n`] },
  });
  expect(attached.body.link.tags).toEqual([tag]);
  const blank = await ws.call("POST", "/api/v1/tags", { body: { name: " \u3000 " } });
  expect(blank.body.errors).toEqual({ name: ["The name field is required."] });
});

describe("bodies", () => {
  const NOT_OBJECTS: [string, string | Uint8Array][] = [
    ["nothing", ""],
    ["half of JSON", '{"name":"a"'],
    ["a list", '[{"name":"a"}]'],
    ["null", "null"],
    ["a string", '"name"'],
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
  ];
  it.each(withBody)(
    "of $operationId must be JSON objects: 422 on body, and nothing changes",
    async (operation) => {
      const { ws, ids } = await furnished();
      const before = await stateOf(ws);
      for (const [what, raw] of [...NOT_OBJECTS, ["no body", undefined] as const]) {
        const request = raw === undefined ? { body: undefined } : { raw };
        const answer = await perform(ws, operation, ids, request);
        expect([answer.status, Object.keys(answer.body.errors)], what).toEqual([422, ["body"]]);
        expect(answer.body.message, what).toBe(answer.body.errors.body[0]);
      }
      expect(await stateOf(ws)).toEqual(before);
    },
  );

  it.each([
    [null, 422],
    ["text/plain", 422],
    ["application/x-www-form-urlencoded", 422],
    ["application/jsonx", 422],
    ["application/xml; a=application/json", 422],
    ["application/json", 200],
    ["Application/JSON;charset=UTF-8", 200],
    ["application/merge-patch+json", 200],
  ])("sent as %j get %i", async (type, status) => {
    const link = await ws.link();
    const raw = new TextEncoder().encode('{"title":"new"}');
    const answer = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
      raw,
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(status);
    if (status === 422) expect(Object.keys(answer.body.errors)).toEqual(["body"]);
    const now = await ws.call("GET", `/api/v1/links/${link.id}`);
    expect(now.body.title).toBe(status === 200 ? "new" : null);
  });

  it.each([
    ["identity", 200],
    ["gzip", 422],
    ["br, gzip", 422],
  ])("with the Content-Encoding %s get %i", async (encoding, status) => {
    const link = await ws.link();
    const answer = await ws.call("PATCH", `/api/v1/links/${link.id}`, {
      body: { title: "new" },
      headers: { "content-encoding": encoding },
    });
    expect(answer.status).toBe(status);
    if (status === 422) {
      expect(answer.body).toEqual({
        message: "The body must be sent as it is: no Content-Encoding such as gzip is accepted.",
        errors: { body: ["The body must be sent as it is: no Content-Encoding such as gzip is accepted."] },
      });
    }
  });

  /** A JSON object of exactly `bytes` bytes, most of them in an unknown field. */
  const ofLength = (bytes: number) => {
    const frame = '{"title":"big","x":""}';
    return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
  };
  const streamed = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    const chunks = [bytes.slice(0, 1000), bytes.slice(1000, 40_000), bytes.slice(40_000)];
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
  };
  it.each([
    [65_536, "with a content-length", 200],
    [65_537, "with a content-length", 413],
    [65_536, "without one", 200],
    [65_537, "without one", 413],
  ])("of %i bytes %s get %i", async (bytes, how, status) => {
    const link = await ws.link();
    const text = ofLength(bytes);
    const headers = { authorization: `Bearer ${ws.key}`, "content-type": "application/json" };
    const url = `${API}/api/v1/links/${link.id}`;
    const request =
      how === "without one"
        ? new Request(url, { method: "PATCH", headers, body: streamed(text) })
        : new Request(url, {
            method: "PATCH",
            headers: { ...headers, "content-length": String(bytes) },
            body: text,
          });
    const response = await send(request);
    expect(response.status).toBe(status);
    if (status === 413) expect(await response.text()).toBe('{"message":"The request body is too large."}');
    const now = await ws.call("GET", `/api/v1/links/${link.id}`);
    expect(now.body.title).toBe(status === 200 ? "big" : null);
  });

  it("are limited in bytes, not characters", async () => {
    const raw = `{"name":"n","x":"${"é".repeat(32_768)}"}`;
    expect((await ws.call("POST", "/api/v1/tags", { raw })).status).toBe(413);
  });
});

describe("brackets behind a parameter", () => {
  it("as PHP writes a list are those of the parameter, encoded or not", async () => {
    const ws = await makeWorkspace();
    const [one, two] = [await ws.link({ external_id: "a" }), await ws.link({ external_id: "b" })];
    await ws.link();
    for (const query of [
      "external_id[0]=a&external_id[1]=b",
      "external_id%5B0%5D=a&external_id%5B7%5D=b",
      "external_id[]=a&external_id=b",
      `slug[0]=${one.slug}&slug[1]=${two.slug}`,
    ]) {
      const { body } = await ws.call("GET", `/api/v1/links?${query}`);
      expect(body.links.map(({ id }: { id: string }) => id).sort(), query).toEqual([one.id, two.id].sort());
    }
    expect((await ws.call("GET", "/api/v1/links?tag[0]=none")).body.links).toEqual([]);
  });

  it.each([
    "tag[a]=x",
    "tag[0][slug]=x",
    "tag[",
    "tag]=x",
    "tag[-1]=x",
    "tag[0]x=x",
    "tag[ 0]=x",
    "status[a]=all",
    "status[0]=all",
    "page[number]=2",
  ])("other than those, as in %s, are 422 on the parameter, strict or not", async (query) => {
    const sent = query.includes("=") ? query : `${query}=x`;
    const [name = ""] = query.split(/[[\]]/);
    for (const headers of [{}, { prefer: "handling=strict" }]) {
      const answer = await ws.call("GET", `/api/v1/links?${sent}`, { headers });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [name]]);
    }
  });

  it("of an unknown parameter are ignored, or 422 on it if the request is strict", async () => {
    expect((await ws.call("GET", "/api/v1/links?filter[tag]=x&fields[0]=id")).status).toBe(200);
    const headers = { prefer: "handling=strict" };
    const strict = await ws.call("GET", "/api/v1/links?filter[tag]=x&fields[0]=id", { headers });
    expect(Object.keys(strict.body.errors)).toEqual(["filter[tag]", "fields"]);
  });
});

describe("a body with thousands of errors", () => {
  const BODIES: Record<string, object> = {
    "wrong tags": { tag_ids: Array(16_000).fill(1) },
    "wrong names": { destination_url: "x", tag_names: Array(6_000).fill("\u0000") },
    "wrong rules": { rules: Array(20_000).fill(1) },
    "rules of wrong lists": {
      rules: Array(10).fill({ countries: Array(1_500).fill(1), languages: Array(1_500).fill(1) }),
    },
    "rules of wrong items": {
      rules: Array(10).fill({
        countries: Array(50).fill("xx"),
        devices: Array(20).fill(""),
        languages: Array(20).fill(""),
      }),
    },
    "unknown fields": Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, at])),
    "unknown fields of rules": {
      rules: Array(10).fill(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, at]))),
    },
  };

  it.each(withBody)("gets at most 100 of them and 64 KiB from $operationId", async (operation) => {
    const { ws, ids } = await furnished();
    for (const [what, body] of Object.entries(BODIES)) {
      const answer = await perform(ws, operation, ids, { body, headers: { prefer: "handling=strict" } });
      expect(answer.status, what).toBe(422);
      const sentences = Object.values<string[]>(answer.body.errors).flat();
      expect(sentences.length, what).toBeLessThanOrEqual(100);
      expect(answer.text.length, what).toBeLessThan(65_536);
      const more = /\(and (\d+) more errors?\)$/.exec(answer.body.message)?.[1] ?? "0";
      expect(Number(more), what).toBe(sentences.length - 1);
    }
  });

  it("has one error for a list that is too long, and none of its items", async () => {
    const create = async (body: object) =>
      (
        await ws.call("POST", "/api/v1/links", {
          body: { destination_url: "https://www.example.com/", ...body },
        })
      ).body;
    const destination_url = "https://www.example.com/";
    expect(await create({ rules: Array(11).fill(1) })).toEqual(
      refusal("rules", "The rules field must not have more than 10 items."),
    );
    const rule = { destination_url, countries: Array(51).fill("xx"), languages: ["fr"] };
    expect(await create({ rules: [rule] })).toEqual(
      refusal("rules.0.countries", "The rules.0.countries field must not have more than 50 items."),
    );
    const { body } = await ws.call("GET", `/api/v1/links?${"slug[]=%00&".repeat(101)}`);
    expect(body).toEqual(refusal("slug", "The slug field must not have more than 100 items."));
  });

  it("is not read before a revoked key is refused", async () => {
    const ws = await makeWorkspace();
    await ws.call("GET", "/api/v1/tags");
    await revokeApiKey(ws.ctx, ws.keyId);
    const read = vi.spyOn(JSON, "parse");
    const answer = await ws.call("POST", "/api/v1/links", { body: BODIES["wrong tags"] });
    const parsed = read.mock.calls.filter(([text]) => String(text).includes("tag_ids"));
    read.mockRestore();
    expect([answer.status, parsed]).toEqual([401, []]);
  });
});
