import { describe, expect, it } from "vitest";
import { API, makeWorkspace, send } from "../harness";
import { documented, requestSchema } from "./document";
import { furnished, operations, perform, stateOf } from "./operations";

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
