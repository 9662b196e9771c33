import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { sweep } from "../../src/redirect/slugs/sync";
import { createAsset } from "../../src/resources/engagement/service";
import type { Link } from "../../src/resources/links/schema";
import { makeWorkspace, serviceContext, type TestWorkspace, testEnv, visit } from "../harness";
import { countedTotals, itemsOf, keptTotals } from "./links-rows";

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

async function expectTrueTotals(ws: TestWorkspace) {
  expect(await keptTotals(ws.slug)).toEqual(await countedTotals(ws.slug));
}

/** The group in the link's row. */
const groupOfRow = (linkId: string) =>
  env.DB.prepare(
    `select g.public_id as id from links l left join activity_groups g on g.id = l.activity_group_id where l.public_id = ?`,
  )
    .bind(linkId)
    .first<string>("id");

describe("concurrent requests", () => {
  it("many creations with one slug create one link, and the others get “taken”", async () => {
    const ws = await makeWorkspace();
    const slug = `c-${crypto.randomUUID()}`;
    const answers = await Promise.all(
      CROWD.map((index) => create(ws, { slug: index % 2 ? slug : slug.toUpperCase() })),
    );
    expect(tally(answers)).toEqual({ 201: 1, 422: CROWD.length - 1 });
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expect(answer.body).toEqual({
        message: "The slug has already been taken.",
        errors: { slug: ["The slug has already been taken."] },
      });
    }
    const made = answers.find(({ status }) => status === 201)?.body.link;
    expect((await ws.call("GET", LINKS)).body.links).toEqual([made]);
    expect((await visit(`/${slug}`)).status).toBe(302);
    await expectTrueTotals(ws);
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
      expect(answer.body).toEqual({ message, errors: { link_limit: [message] } });
    }
    expect((await ws.call("GET", `${LINKS}?per_page=100`)).body.links).toHaveLength(10);
    expect(await keptTotals(ws.slug)).toEqual({ active: 10, archived: 0 });
    await expectTrueTotals(ws);
  });

  it("many creations with generated slugs create as many links", async () => {
    const ws = await makeWorkspace();
    const answers = await Promise.all(CROWD.map(() => create(ws)));
    expect(tally(answers)).toEqual({ 201: CROWD.length });
    expect(new Set(answers.map((answer) => answer.body.link.slug.toLowerCase())).size).toBe(CROWD.length);
    await expectTrueTotals(ws);
  });

  it("many moves of one link between two groups all succeed and leave one open assignment", async () => {
    const ws = await makeWorkspace();
    const groups = [
      await ws.group({ default_utm_campaign: "spring" }),
      await ws.group({ default_utm_campaign: "autumn" }),
    ];
    const link = await ws.link({ channel: "radio" });
    const answers = await Promise.all(
      CROWD.map((index) => patch(ws, link.id, { activity_group_id: groups[index % 2]?.id })),
    );
    expect(tally(answers)).toEqual({ 200: CROWD.length });
    for (const [index, answer] of answers.entries()) {
      const group = groups[index % 2];
      expect(answer.body.link.activity_group.id).toBe(group?.id);
      expect(answer.body.link.utm_campaign).toBe(group?.default_utm_campaign);
    }
    const items = await itemsOf(link.id);
    const now = (await get(ws, link.id)).body;
    expect(items.filter((item) => item.open === 1)).toEqual([
      { group: now.activity_group.id, role: "primary", channel: "radio", open: 1 },
    ]);
    expect(await groupOfRow(link.id)).toBe(now.activity_group.id);
    expect(now.utm_campaign).toBe(now.activity_group.id === groups[0]?.id ? "spring" : "autumn");
    // Consecutive items have different groups, so none was opened twice.
    for (const [index, item] of items.entries()) expect(item.group).not.toBe(items[index - 1]?.group);
  });

  it("many first assignments to one group open one assignment", async () => {
    const ws = await makeWorkspace();
    const [group, link] = [await ws.group(), await ws.link()];
    const answers = await Promise.all(
      CROWD.map((index) => patch(ws, link.id, { activity_group_id: index % 2 ? group.id : group.slug })),
    );
    expect(tally(answers)).toEqual({ 200: CROWD.length });
    expect(await itemsOf(link.id)).toEqual([{ group: group.id, role: "primary", channel: null, open: 1 }]);
  });

  it("assigning, ending and changing the channel leave link and assignment in agreement", async () => {
    const ws = await makeWorkspace();
    const [group, link] = [await ws.group(), await ws.link()];
    const bodies = [
      { activity_group_id: group.id },
      { activity_group_id: null },
      { channel: "radio" },
      { channel: null, activity_group_id: group.id },
      { channel: "poster" },
    ];
    const answers = await Promise.all(CROWD.map((index) => patch(ws, link.id, bodies[index % 5] ?? {})));
    expect(tally(answers)).toEqual({ 200: CROWD.length });
    const now = (await get(ws, link.id)).body;
    const open = (await itemsOf(link.id)).filter((item) => item.open === 1);
    expect(await groupOfRow(link.id)).toBe(now.activity_group?.id ?? null);
    expect(open.map((item) => [item.group, item.channel])).toEqual(
      now.activity_group === undefined ? [] : [[now.activity_group.id, now.channel]],
    );
  });

  it("many updates of different fields all take effect", async () => {
    const ws = await makeWorkspace();
    const [group, link] = [await ws.group(), await ws.link()];
    const slug = `c-${crypto.randomUUID()}`;
    const fields: Record<string, string> = {
      destination_url: "https://new.example/",
      slug,
      title: "title",
      channel: "channel",
      status: "archived",
      activity_group_id: group.id,
      utm_source: "source",
      utm_medium: "medium",
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
      "https://new.example/?utm_source=source&utm_medium=medium&utm_campaign=campaign",
    );
    await expectTrueTotals(ws);
  });

  it("exactly one of many updates with one If-Match succeeds", async () => {
    const ws = await makeWorkspace();
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

  it("many updates with If-Match * all take effect, since * matches any version", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const answers = await Promise.all(
      CROWD.map((index) => patch(ws, link.id, { title: `title ${index}` }, { "if-match": "*" })),
    );
    expect(tally(answers)).toEqual({ 200: CROWD.length });
    expect((await get(ws, link.id)).body.title).toMatch(/^title \d+$/);
  });

  it("exactly one of an update, an attachment and a deletion with one If-Match succeeds", async () => {
    const ws = await makeWorkspace();
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
    await expectTrueTotals(ws);
  });

  it("archiving, restoring, creating and deleting keep the workspace's totals correct", async () => {
    const ws = await makeWorkspace();
    const links = await Promise.all(CROWD.slice(0, 6).map(() => ws.link()));
    const answers = await Promise.all(
      CROWD.flatMap((index) => {
        const id = links[index % 6]?.id ?? "";
        return [
          patch(ws, id, { status: index % 4 ? "archived" : "active" }),
          ...(index % 4 ? [] : [create(ws)]),
          ...(index % 6 < 2 ? [ws.call("DELETE", `${LINKS}/${id}`)] : []),
        ];
      }),
    );
    const counts = tally(answers);
    expect([counts[201], counts[204]]).toEqual([3, 2]);
    expect(Object.keys(counts).filter((status) => !["200", "201", "204", "404"].includes(status))).toEqual(
      [],
    );
    await expectTrueTotals(ws);
    expect((await ws.call("GET", `${LINKS}?status=all`)).body.meta.total).toBe(7);
  });

  it("one of many deletions of a link gets 204, and the others 404", async () => {
    const ws = await makeWorkspace();
    const [link] = [await ws.link(), await ws.link()];
    const answers = await Promise.all(CROWD.map(() => ws.call("DELETE", `${LINKS}/${link?.id}`)));
    expect(tally(answers)).toEqual({ 204: 1, 404: CROWD.length - 1 });
    expect(await keptTotals(ws.slug)).toEqual({ active: 1, archived: 0 });
    await expectTrueTotals(ws);
  });

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

  it("many renames of one link all take effect, and every slug redirects", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const slugs = CROWD.map(() => `c-${crypto.randomUUID()}`);
    expect(tally(await Promise.all(slugs.map((slug) => patch(ws, link.id, { slug }))))).toEqual({
      200: CROWD.length,
    });
    expect(slugs).toContain((await get(ws, link.id)).body.slug);
    const visits = await Promise.all([link.slug, ...slugs].map((slug) => visit(`/${slug}`)));
    expect(tally(visits)).toEqual({ 302: CROWD.length + 1 });
    expect((await ws.call("DELETE", `${LINKS}/${link.id}`)).status).toBe(204);
    const here = await Promise.all(slugs.map((slug) => visit(`/${slug}`, {}, testEnv)));
    expect(tally(here)).toEqual({ 404: CROWD.length });
    await sweep(serviceContext());
    expect(tally(await Promise.all(slugs.map((slug) => visit(`/${slug}`))))).toEqual({ 404: CROWD.length });
    expect(tally(await Promise.all(slugs.map((slug) => create(ws, { slug }))))).toEqual({
      201: CROWD.length,
    });
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
    await expectTrueTotals(ws);
  });

  it("either an asset goes live or its link is deleted, never both", async () => {
    const ws = await makeWorkspace();
    for (let round = 0; round < 6; round++) {
      const link = await ws.link();
      const goLive = () =>
        createAsset(ws.ctx, { name: "Poster", link: link.id, status: "live" }).then(
          () => true,
          () => false,
        );
      const remove = () => ws.call("DELETE", `${LINKS}/${link.id}`).then(({ status }) => status === 204);
      const outcomes = await Promise.all(round % 2 ? [goLive(), remove()] : [remove(), goLive()]);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    }
  });
});
