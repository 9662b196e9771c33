import { describe, expect, it } from "vitest";
import type { Link } from "../../src/resources/links/link-schema";
import { makeWorkspace, type TestWorkspace, visit } from "../harness";
import { itemsOf, keptTotals } from "./links-rows";
import { furnished, perform, writes } from "./operations";
import { refusal, SLUG_TAKEN } from "./refusals";

/** Of tests that look only at what they make. */
const ws = await makeWorkspace();

const LINKS = "/api/v1/links";
const DESTINATION = "https://www.example.com/";
const CROWD = Array.from({ length: 12 }, (_, index) => index);

const create = (ws: TestWorkspace, fields: object = {}) =>
  ws.call("POST", LINKS, { body: { destination_url: DESTINATION, ...fields } });
const patch = (ws: TestWorkspace, id: string, body: object, headers: Record<string, string> = {}) =>
  ws.call("PATCH", `${LINKS}/${id}`, { body, headers });
const get = (ws: TestWorkspace, id: string) => ws.call("GET", `${LINKS}/${id}`);

/** The number of answers by status. */
function tally(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe("concurrent requests", () => {
  it("many creations with one slug create one link, and the others get “taken”", async () => {
    const ws = await makeWorkspace();
    const slug = `c-${crypto.randomUUID()}`;
    const answers = await Promise.all(
      CROWD.map((index) => create(ws, { slug: index % 2 ? slug : slug.toUpperCase() })),
    );
    expect(tally(answers)).toEqual({ 201: 1, 422: CROWD.length - 1 });
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expect(answer.body).toEqual(SLUG_TAKEN);
    }
    const made = answers.find(({ status }) => status === 201)?.body.link;
    expect((await ws.call("GET", LINKS)).body.links).toEqual([made]);
    expect((await visit(`/${slug}`)).status).toBe(302);
  });

  it("one of two workspaces that claim one slug gets it and keeps it", async () => {
    const [a, b] = [await makeWorkspace(), await makeWorkspace()];
    const slug = `c-${crypto.randomUUID()}`;
    const answers = await Promise.all(CROWD.map((index) => create(index % 2 ? a : b, { slug })));
    expect(tally(answers)).toEqual({ 201: 1, 422: CROWD.length - 1 });
    const totals = [await keptTotals(a.slug), await keptTotals(b.slug)].map((kept) => kept?.active);
    expect(totals.sort()).toEqual([0, 1]);
  });

  it("many creations fill a link limit exactly, and the others get the limit's error", async () => {
    const ws = await makeWorkspace({ linkLimit: 10 });
    await ws.link();
    const answers = await Promise.all(CROWD.map(() => create(ws)));
    expect(tally(answers)).toEqual({ 201: 9, 422: CROWD.length - 9 });
    const message = "The workspace has reached its limit of 10 links.";
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expect(answer.body).toEqual(refusal("link_limit", message));
    }
    expect((await ws.call("GET", `${LINKS}?per_page=100`)).body.links).toHaveLength(10);
    expect(await keptTotals(ws.slug)).toEqual({ active: 10, archived: 0 });
  });

  it("many first assignments to one group open one assignment", async () => {
    const [group, link] = [await ws.group(), await ws.link()];
    const answers = await Promise.all(
      CROWD.map((index) => patch(ws, link.id, { activity_group_id: index % 2 ? group.id : group.slug })),
    );
    expect(tally(answers)).toEqual({ 200: CROWD.length });
    expect(await itemsOf(link.id)).toEqual([{ group: group.id, role: "primary", open: 1 }]);
  });

  it("many updates of different fields all take effect", async () => {
    const [group, link] = [await ws.group(), await ws.link()];
    const slug = `c-${crypto.randomUUID()}`;
    const fields: Record<string, string> = {
      destination_url: "https://new.example/",
      slug,
      channel: "channel",
      status: "archived",
      activity_group_id: group.id,
      utm_campaign: "campaign",
    };
    const names = Object.keys(fields);
    const answers = await Promise.all(
      CROWD.map((index) => {
        const name = names[index % names.length] ?? "";
        return patch(ws, link.id, { [name]: fields[name] });
      }),
    );
    expect(tally(answers)).toEqual({ 200: CROWD.length });
    const { activity_group_id: _, ...shown } = fields;
    const now = (await get(ws, link.id)).body;
    expect(now).toMatchObject({
      ...shown,
      activity_group: { id: group.id, assignment: { channel: "channel" } },
    });
    expect((await visit(`/${slug}`)).headers.get("location")).toBe(
      "https://new.example/?utm_campaign=campaign",
    );
  });

  it("exactly one of many updates with one If-Match succeeds", async () => {
    const link = await ws.link();
    const etag = (await get(ws, link.id)).headers.get("etag") ?? "";
    const answers = await Promise.all(
      CROWD.map((index) => patch(ws, link.id, { title: `title ${index}` }, { "if-match": etag })),
    );
    expect(tally(answers)).toEqual({ 200: 1, 412: CROWD.length - 1 });
    for (const answer of answers.filter(({ status }) => status === 412)) {
      expect(answer.body).toEqual({ message: "The link has changed since it was read." });
    }
    const won = answers.find(({ status }) => status === 200)?.body.link;
    expect((await get(ws, link.id)).body).toEqual(won);
  });

  it("exactly one of an update, an attachment and a deletion with one If-Match succeeds", async () => {
    const tag = await ws.tag();
    for (let round = 0; round < 6; round++) {
      const link = await ws.link();
      const headers = { "if-match": (await get(ws, link.id)).headers.get("etag") ?? "" };
      const writes = [
        () => patch(ws, link.id, { title: "x" }, headers),
        () => ws.call("POST", `${LINKS}/${link.id}/tags`, { body: { tag_ids: [tag.id] }, headers }),
        () => ws.call("DELETE", `${LINKS}/${link.id}`, { headers }),
      ];
      const turned = [...writes.slice(round % 3), ...writes.slice(0, round % 3)];
      const statuses = (await Promise.all(turned.map((write) => write()))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200 || status === 204)).toHaveLength(1);
      expect(statuses.every((status) => [200, 204, 404, 412].includes(status))).toBe(true);
    }
  });

  it.each(writes.filter(({ method }) => method === "DELETE"))(
    "one of many requests of $operationId gets 204, and the others 404",
    async (operation) => {
      const { ws, ids } = await furnished();
      const answers = await Promise.all(CROWD.map(() => perform(ws, operation, ids)));
      expect(tally(answers)).toEqual({ 204: 1, 404: CROWD.length - 1 });
    },
  );

  it("one of many links that are renamed to one slug gets it", async () => {
    const ws = await makeWorkspace();
    const links = await Promise.all(CROWD.map(() => ws.link()));
    const slug = `c-${crypto.randomUUID()}`;
    const answers = await Promise.all(links.map((link) => patch(ws, link.id, { slug, title: "won" })));
    expect(tally(answers)).toEqual({ 200: 1, 422: CROWD.length - 1 });
    const won = answers.find(({ status }) => status === 200)?.body.link;
    const named = (await ws.call("GET", `${LINKS}?slug=${slug}`)).body.links;
    expect(named).toEqual([won]);
    expect((await ws.call("GET", `${LINKS}?q=won&per_page=100`)).body.links).toEqual([won]);
  });

  it("a deletion frees its slug for exactly one of several pending creations", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const waiting = CROWD.map(() => create(ws, { slug: link.slug }));
    const [gone, ...answers] = await Promise.all([ws.call("DELETE", `${LINKS}/${link.id}`), ...waiting]);
    expect(gone.status).toBe(204);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 201 || status === 422)).toBe(true);
    const now = (await ws.call("GET", `${LINKS}?slug=${link.slug}`)).body.links;
    expect(now).toEqual(made.map((answer) => answer.body.link));
    expect((await visit(`/${link.slug}`)).status).toBe(made.length === 1 ? 302 : 404);
  });

  it("a tag that is deleted while links are created with it is on none, and later creations are refused", async () => {
    const ws = await makeWorkspace();
    const tag = await ws.tag();
    const answers = await Promise.all([
      ...CROWD.map(() => create(ws, { tag_ids: [tag.id] })),
      ws.call("DELETE", `/api/v1/tags/${tag.id}`),
      ...CROWD.map(() => create(ws, { tag_ids: [tag.id] })),
    ]);
    const { 204: deleted, 201: made = 0, 422: refused = 0 } = tally(answers);
    expect([deleted, made + refused]).toEqual([1, 2 * CROWD.length]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expect(Object.keys(answer.body.errors)).toEqual(["tag_ids.0"]);
    }
    const links: Link[] = (await ws.call("GET", `${LINKS}?per_page=100`)).body.links;
    expect(links).toHaveLength(made);
    expect(links.flatMap((link) => link.tags)).toEqual([]);
  });
});
