import { describe, expect, it } from "vitest";
import { etagOf } from "../../src/lib/etag";
import { updateActivityGroup } from "../../src/resources/activity-groups/manage";
import { makeWorkspace, type TestWorkspace } from "../harness";

const LINKS = "/api/v1/links";
const STRONG = /^"[\x21\x23-\x7e]+"$/;
const CHANGED = { message: "The link has changed since it was read." };

const etag = (answer: { headers: Headers }) => answer.headers.get("etag") ?? "";
const get = (ws: TestWorkspace, id: string, ifNoneMatch?: string) =>
  ws.call("GET", `${LINKS}/${id}`, { headers: { "if-none-match": ifNoneMatch ?? null } });
const patch = (ws: TestWorkspace, id: string, body: unknown, ifMatch?: string) =>
  ws.call("PATCH", `${LINKS}/${id}`, { body, headers: { "if-match": ifMatch ?? null } });

/** A link with a tag, and the other resources that a write may name. */
async function makeLink() {
  const ws = await makeWorkspace();
  const [group, tag, other] = [await ws.group(), await ws.tag(), await ws.tag()];
  const link = await ws.link({ activity_group_id: group.id, tag_ids: [tag.id] });
  return { ws, group, tag, other, link, tags: `${LINKS}/${link.id}/tags` };
}

describe("the ETag of a link", () => {
  it("is strong and the same wherever the link is returned, alone or in an envelope", async () => {
    const { ws, other, link, tags } = await makeLink();
    const current = async () => etag(await get(ws, link.id));
    expect(await current()).toMatch(STRONG);
    expect(await current()).toBe(await current());
    const created = await ws.call("POST", LINKS, { body: { destination_url: "https://www.example.com/" } });
    expect(etag(created)).toBe(etag(await get(ws, created.body.link.id)));
    expect(etag(await patch(ws, link.id, { title: "x" }))).toBe(await current());
    expect(etag(await ws.call("POST", tags, { body: { tag_ids: [other.id] } }))).toBe(await current());
    expect(etag(await ws.call("POST", tags, { body: { tag_ids: [other.id] } }))).toBe(await current());
    const head = await ws.call("HEAD", `${LINKS}/${link.id}`);
    expect([head.status, head.text, etag(head)]).toEqual([200, "", await current()]);
  });

  it("is only sent for a single link, not for a list, a refusal or a deletion", async () => {
    const { ws, link } = await makeLink();
    for (const answer of [
      await ws.call("GET", LINKS),
      await patch(ws, link.id, { title: 7 }),
      await get(ws, "01J00000000000000000000000"),
      await ws.call("DELETE", `${LINKS}/${link.id}`),
    ]) {
      expect(answer.headers.get("etag"), `${answer.status}`).toBeNull();
    }
  });

  it("is the hash of the link as a list shows it, whatever changes of it", async () => {
    const { ws, group, tag, link } = await makeLink();
    for (const change of [
      () => patch(ws, link.id, { title: "changed" }),
      () => ws.call("PATCH", `/api/v1/tags/${tag.id}`, { body: { colour: "#fff" } }),
      () => updateActivityGroup(ws.ctx, group.id, { name: "Renamed" }),
    ]) {
      await change();
      const [listed] = (await ws.call("GET", LINKS)).body.links;
      expect(etag(await get(ws, link.id))).toBe(await etagOf(listed));
    }
  });
});

describe("If-None-Match on a link", () => {
  it("that matches its ETag, also weakly, in a list or as *, gives 304 without a body", async () => {
    const { ws, link } = await makeLink();
    const tag = etag(await get(ws, link.id));
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, `"a","b",W/${tag} , "c"`, "*", " * "]) {
      const answer = await get(ws, link.id, header);
      expect(answer.status, header).toBe(304);
      expect(answer.text).toBe("");
      expect(etag(answer)).toBe(tag);
      expect(answer.headers.get("content-type")).toBeNull();
    }
    const head = await ws.call("HEAD", `${LINKS}/${link.id}`, { headers: { "if-none-match": tag } });
    expect(head.status).toBe(304);
  });

  it("that does not match returns the link", async () => {
    const { ws, link } = await makeLink();
    const tag = etag(await get(ws, link.id));
    await patch(ws, link.id, { title: "new" });
    for (const header of [tag, `W/${tag}`, '"x"', tag.slice(1, -1), '""', "", `"${tag.slice(1, -1)}x"`]) {
      const answer = await get(ws, link.id, header);
      expect(answer.status, header).toBe(200);
      expect(answer.body.title).toBe("new");
    }
  });
});

describe("If-Match on a link", () => {
  type Write = (made: Awaited<ReturnType<typeof makeLink>>, ifMatch: string) => ReturnType<typeof patch>;
  const WRITES: [string, number, Write][] = [
    ["update", 200, ({ ws, link }, ifMatch) => patch(ws, link.id, { title: "written" }, ifMatch)],
    [
      "deletion",
      204,
      ({ ws, link }, ifMatch) =>
        ws.call("DELETE", `${LINKS}/${link.id}`, { headers: { "if-match": ifMatch } }),
    ],
    [
      "attachment",
      200,
      ({ ws, other, tags }, ifMatch) =>
        ws.call("POST", tags, { body: { tag_ids: [other.id] }, headers: { "if-match": ifMatch } }),
    ],
    [
      "detachment",
      204,
      ({ ws, tag, tags }, ifMatch) =>
        ws.call("DELETE", `${tags}/${tag.id}`, { headers: { "if-match": ifMatch } }),
    ],
  ];

  it.each(WRITES)("that matches its ETag, in a list or as *, allows an %s", async (_, status, write) => {
    const forms: ((tag: string) => string)[] = [(tag) => tag, (tag) => `"x", ${tag}`, () => "*"];
    for (const form of forms) {
      const made = await makeLink();
      const answer = await write(made, form(etag(await get(made.ws, made.link.id))));
      expect(answer.status, answer.text).toBe(status);
    }
  });

  it.each(WRITES)(
    "that does not match refuses an %s with 412, and nothing changes",
    async (_, _status, write) => {
      const made = await makeLink();
      const { ws, link } = made;
      const stale = etag(await get(ws, link.id));
      await patch(ws, link.id, { channel: "radio" });
      const before = await get(ws, link.id);
      for (const ifMatch of [stale, '"0"', `W/${stale}`, etag(before).slice(1, -1), `"a", ${stale}`]) {
        const answer = await write(made, ifMatch);
        expect(answer.status, ifMatch).toBe(412);
        expect(answer.body).toEqual(CHANGED);
      }
      const after = await get(ws, link.id);
      expect(after.text).toBe(before.text);
      expect(etag(after)).toBe(etag(before));
    },
  );

  it("treats a change of the group or of a tag as a change of the link", async () => {
    const { ws, group, tag, link } = await makeLink();
    const first = etag(await get(ws, link.id));
    await updateActivityGroup(ws.ctx, group.id, { status: "active" });
    expect((await patch(ws, link.id, { title: "x" }, first)).status).toBe(412);
    const second = etag(await get(ws, link.id));
    await ws.call("PATCH", `/api/v1/tags/${tag.id}`, { body: { description: "new" } });
    expect((await patch(ws, link.id, { title: "x" }, second)).status).toBe(412);
    expect((await patch(ws, link.id, { title: "x" }, etag(await get(ws, link.id)))).status).toBe(200);
  });

  it("is ignored by reads and creations", async () => {
    const { ws, link } = await makeLink();
    const headers = { "if-match": '"0"' };
    expect((await ws.call("GET", `${LINKS}/${link.id}`, { headers })).status).toBe(200);
    const body = { destination_url: "https://www.example.com/" };
    expect((await ws.call("POST", LINKS, { body, headers })).status).toBe(201);
  });
});
