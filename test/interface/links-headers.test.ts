import { describe, expect, it } from "vitest";
import { etagOf } from "../../src/lib/etag";
import { updateActivityGroup } from "../../src/resources/activity-groups/manage-groups";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { etagOf as currentEtag, furnished, type Operation, perform, stateOf, writes } from "./operations";

const LINKS = "/api/v1/links";
const STRONG = /^"[\x21\x23-\x7e]+"$/;
const CHANGED = "The link has changed since it was read.";

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

it("If-None-Match on a link that matches its ETag, also weakly, in a list or as *, gives 304 without a body, and else the link", async () => {
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
  await patch(ws, link.id, { title: "new" });
  for (const header of [tag, '"x"', tag.slice(1, -1), ""]) {
    const answer = await get(ws, link.id, header);
    expect([answer.status, answer.body.title], header).toEqual([200, "new"]);
  }
});

describe("If-Match", () => {
  const ofResource = writes.filter(({ path }) => path.includes("{id}"));
  const send = (made: Awaited<ReturnType<typeof furnished>>, operation: Operation, ifMatch: string) =>
    perform(made.ws, operation, made.ids, { headers: { "if-match": ifMatch } });

  it.each(ofResource)("that matches, in a list or as *, allows $operationId", async (operation) => {
    for (const form of [(tag: string) => tag, (tag: string) => `"x", ${tag}`, () => "*"]) {
      const made = await furnished();
      const answer = await send(made, operation, form(await currentEtag(made.ws, operation, made.ids)));
      expect(answer.status, answer.text).toBeLessThan(300);
    }
  });

  it.each(ofResource)(
    "that does not match refuses $operationId with 412, and nothing changes",
    async (operation) => {
      const made = await furnished();
      const { ws, ids } = made;
      const stale = await currentEtag(ws, operation, ids);
      await patch(ws, ids.link, { channel: "radio" });
      await ws.call("PATCH", `/api/v1/tags/${ids.tag}`, { body: { description: "new" } });
      const [before, now] = [await stateOf(ws), await currentEtag(ws, operation, ids)];
      const message = operation.path.startsWith("/api/v1/tags") ? CHANGED.replace("link", "tag") : CHANGED;
      for (const ifMatch of [stale, '"0"', `W/${stale}`, now.slice(1, -1), `"a", ${stale}`]) {
        const answer = await send(made, operation, ifMatch);
        expect([answer.status, answer.body], ifMatch).toEqual([412, { message }]);
      }
      expect(await stateOf(ws)).toEqual(before);
    },
  );
});

describe("If-Match on a link", () => {
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
