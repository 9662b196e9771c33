import { describe, expect, it } from "vitest";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { manyTags } from "../rows";
import { refusal } from "./refusals";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const NOWHERE = "01JZ8Q4V6T3K9M2N5P7R8S0W1X";
const TOO_MANY = refusal("tag_ids", "The link may not have more than 50 tags.");

const tagsOf = (linkId: string) => `/api/v1/links/${linkId}/tags`;

const attach = (ws: TestWorkspace, linkId: string, tag_ids: unknown, headers: Record<string, string> = {}) =>
  ws.call("POST", tagsOf(linkId), { body: { tag_ids }, headers });

const read = (ws: TestWorkspace, linkId: string) => ws.call("GET", `/api/v1/links/${linkId}`);

const idsOf = (tags: readonly { id: string }[]): string[] => tags.map(({ id }) => id);

describe("attaching tags to a link", () => {
  it("returns the link with whole tags by name, and changes the ETag but not updated_at", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const [b, a] = [await ws.tag({ name: "beta", colour: "red" }), await ws.tag({ name: "Alpha" })];
    const before = await read(ws, link.id);

    const answer = await attach(ws, link.id, [b.id, a.id]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: "Tags attached successfully.", link: { ...link, tags: [a, b] } });

    const after = await read(ws, link.id);
    expect(after.body).toEqual(answer.body.link);
    expect(after.headers.get("etag")).toBe(answer.headers.get("etag"));
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  it("changes nothing when it is repeated", async () => {
    const ws = await makeWorkspace();
    const [link, tag, other] = [await ws.link(), await ws.tag({ name: "a" }), await ws.tag({ name: "b" })];
    const first = await attach(ws, link.id, [tag.id]);
    const second = await attach(ws, link.id, [tag.id]);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
    expect((await attach(ws, link.id, [other.id, tag.id])).body.link.tags).toEqual([tag, other]);
  });

  it("is atomic: an unknown tag is refused at its index and no other is attached", async () => {
    const foreign = await (await makeWorkspace()).tag();
    const [link, tag, gone] = [await ws.link(), await ws.tag(), await ws.tag()];
    await ws.call("DELETE", `/api/v1/tags/${gone.id}`);
    const before = await read(ws, link.id);

    const one = await attach(ws, link.id, [tag.id, tag.id, NOWHERE]);
    expect([one.status, one.body]).toEqual([422, refusal("tag_ids.2", "The selected tag_ids.2 is invalid.")]);
    const more = await attach(ws, link.id, [foreign.id, tag.id, gone.id, "no-ulid", tag.slug]);
    expect(more.status).toBe(422);
    expect(more.body).toEqual({
      message: "The selected tag_ids.0 is invalid. (and 3 more errors)",
      errors: Object.fromEntries(
        [0, 2, 3, 4].map((at) => [`tag_ids.${at}`, [`The selected tag_ids.${at} is invalid.`]]),
      ),
    });

    const after = await read(ws, link.id);
    expect(after.text).toBe(before.text);
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
  });

  it.each<[string, object, Record<string, string>]>([
    ["no list", {}, { tag_ids: "The tag ids field is required." }],
    [
      "51 ids",
      { tag_ids: Array.from({ length: 51 }, (_, at) => `01JZ8Q4V6T3K9M2N5P7R8S0W${at + 10}`) },
      { tag_ids: "The link may not have more than 50 tags." },
    ],
    [
      "items that are no text",
      { tag_ids: [1, null, ["a"]] },
      {
        "tag_ids.0": "The tag_ids.0 field must be a string.",
        "tag_ids.1": "The tag_ids.1 field is required.",
        "tag_ids.2": "The tag_ids.2 field must be a string.",
      },
    ],
  ])("refuses %s", async (_, body, errors) => {
    const { id } = await ws.link();
    const answer = await ws.call("POST", tagsOf(id), { body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual(
      Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]])),
    );
    expect((await read(ws, id)).body.tags).toEqual([]);
  });
});

describe("at most 50 tags on a link", () => {
  it("fifty tags are attached in one request, a fifty-first is refused, and an attached one is accepted", async () => {
    const ws = await makeWorkspace();
    const { id } = await ws.link();
    const tags = await manyTags(ws, 51);
    const [first, ...fifty] = tags;
    expect((await attach(ws, id, idsOf(fifty))).body.link.tags).toEqual(fifty);

    const answer = await attach(ws, id, [fifty[0]?.id, first?.id]);
    expect([answer.status, answer.body]).toEqual([422, TOO_MANY]);
    expect((await read(ws, id)).body.tags).toEqual(fifty);
    expect((await attach(ws, id, idsOf(fifty))).status).toBe(200);

    await ws.call("DELETE", `${tagsOf(id)}/${fifty[0]?.id}`);
    expect((await attach(ws, id, [first?.id])).body.link.tags).toEqual([first, ...fifty.slice(1)]);
  });

  it("of eight tags attached at once to a link with room for two, two succeed and the others are refused", async () => {
    const ws = await makeWorkspace();
    const tags = await manyTags(ws, 56);
    const { id } = await ws.link({ tag_ids: idsOf(tags.slice(0, 48)) });
    const answers = await Promise.all(tags.slice(48).map((tag) => attach(ws, id, [tag.id])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(6).fill(422)]);
    for (const { status, body } of answers) if (status === 422) expect(body).toEqual(TOO_MANY);
    expect((await read(ws, id)).body.tags).toHaveLength(50);
  });
});

it.each([
  ["without", () => ({})],
  ["with", (at: number) => ({ "idempotency-key": `attach-${at}` })],
])(
  "concurrent attachments: sixteen tags in separate requests %s an Idempotency-Key are all attached",
  async (_, headers) => {
    const ws = await makeWorkspace();
    const { id } = await ws.link();
    const tags = await manyTags(ws, 16);
    const answers = await Promise.all(tags.map((tag, at) => attach(ws, id, [tag.id], headers(at))));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
    expect((await read(ws, id)).body.tags).toEqual(tags);
  },
);

describe("detaching a tag", () => {
  it("is 204 without a body, removes that tag from that link, and keeps the tag and other links", async () => {
    const ws = await makeWorkspace();
    const [a, b] = [await ws.tag({ name: "a" }), await ws.tag({ name: "b" })];
    const tag_ids = [a.id, b.id];
    const [link, other] = [await ws.link({ tag_ids }), await ws.link({ tag_ids })];

    const answer = await ws.call("DELETE", `${tagsOf(link.id)}/${a.id.toLowerCase()}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await read(ws, link.id)).body).toEqual({ ...link, tags: [b] });
    expect((await read(ws, other.id)).body).toEqual(other);
    expect((await ws.call("GET", "/api/v1/tags")).body).toEqual({ tags: [a, b] });
  });

  it("is 404 on the tag if it is not in the workspace, not on the link, or no longer on it", async () => {
    const foreign = await (await makeWorkspace()).tag();
    const [tag, elsewhere] = [await ws.tag(), await ws.tag()];
    const link = await ws.link({ tag_ids: [tag.id] });
    await ws.link({ tag_ids: [elsewhere.id] });
    await ws.call("DELETE", `${tagsOf(link.id)}/${tag.id}`);
    for (const id of [tag.id, elsewhere.id, foreign.id, NOWHERE, "no-ulid", tag.slug]) {
      const answer = await ws.call("DELETE", `${tagsOf(link.id)}/${id}`);
      expect([answer.status, answer.body], id).toEqual([404, { message: "Tag not found." }]);
    }
  });
});
