import { describe, expect, it } from "vitest";
import { reportTagVisits } from "../../../src/analytics/report";
import { sumVisitsOfTags } from "../../../src/analytics/visits-by-owner";
import type { Context } from "../../../src/context";
import { rangeOfDays } from "../../../src/lib/range";
import { DAY_MS, HOUR_MS } from "../../../src/lib/time";
import { backupLines } from "../../../src/operations/backup/back-up";
import { importLinks } from "../../../src/resources/links/import-links";
import { listSomeLinks } from "../../../src/resources/links/list-links";
import { deleteTag, mergeTags, takeOffRemovedTags } from "../../../src/resources/links/remove-tag";
import { MAX_LINKS_OF_CHUNK } from "../../../src/resources/links/write/remove-tag";
import { addVisits } from "../../console/clicks";
import { stateOf } from "../../console/import-state";
import { counted, makeWorkspace, serviceContext, type TestWorkspace } from "../../harness";
import { selectRows } from "../../sql";
import { usedTags } from "./used-tags";

const LINKS = "/api/v1/links";
const WAITING = 30;
const ALL = MAX_LINKS_OF_CHUNK + WAITING;
const HAS_BOTH = 4;

/** As after a crash: the batch of the request has its first chunk, and nothing comes after it. */
const stopped = (ctx: Context): Context => ({ ...ctx, db: { ...ctx.db, statementsLeft: () => 0 } });

/** A workspace with more links of the tag Sale than a chunk has. Some have the tag Offers too. */
async function manyTagged() {
  const ws = await makeWorkspace();
  const [sale, offers] = [await ws.tag({ name: "Sale" }), await ws.tag({ name: "Offers" })];
  const rows = Array.from({ length: ALL }, (_, index) => ({
    number: index + 1,
    input: {
      destination_url: "https://www.example.com/",
      slug: `${ws.slug}-${index}`,
      title: `Link ${index % 7}`,
      tag_ids: index % HAS_BOTH === 0 ? [sale.id, offers.id] : [sale.id],
    },
  }));
  expect(await importLinks(ws.ctx, "many", rows)).toMatchObject({ created: ALL, refused: [] });
  return { ws, sale, offers };
}

/** The ids of all pages of a list. */
async function idsOf(ws: TestWorkspace, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await ws.call("GET", `${LINKS}?per_page=100&page=${page}&${query}`);
    pages = Math.ceil(body.meta.total / 100);
    ids.push(...body.links.map(({ id }: { id: string }) => id));
  }
  return ids;
}

/** Links that have the marked tag still, by their row of it. */
async function waitingLinks(ws: TestWorkspace): Promise<string[]> {
  const results = await selectRows<{ id: string }>`select links.public_id as id
    from tags cross join link_tags on link_tags.tag_id = tags.id
      cross join links on links.id = link_tags.link_id
      where tags.workspace_id = ${ws} and tags.replaced_by is not null order by links.id`;
  return results.map(({ id }) => id);
}

async function merged() {
  const made = await manyTagged();
  await mergeTags(stopped(made.ws.ctx), made.sale.id, made.offers.id);
  const waiting = await waitingLinks(made.ws);
  expect(waiting).toHaveLength(WAITING);
  return { ...made, waiting };
}

async function expectDone(ws: TestWorkspace): Promise<void> {
  await takeOffRemovedTags(ws.ctx);
  expect(await waitingLinks(ws)).toEqual([]);
  expect(await stateOf(ws)).toEqual([]);
}

describe("a merged tag with more links than a chunk", () => {
  it("costs a request one chunk, and the job the others", async () => {
    const { ws, sale, offers } = await manyTagged();
    const { env: counting, trips } = counted();
    await mergeTags(stopped({ ...ws.ctx, ...serviceContext(counting) }), sale.id, offers.id);
    expect(trips.d1).toBe(2);
    expect(await waitingLinks(ws)).toHaveLength(WAITING);
    await expectDone(ws);
    const { body } = await ws.call("GET", `${LINKS}?per_page=1`);
    const results = await selectRows`select count(*) as n, count(distinct subject) as links
      from audit_log where workspace_id = ${ws} and action = 'link.merge_tag'`;
    expect(results).toEqual([{ n: body.meta.total, links: ALL }]);
  });

  it("goes on after the answer, without the job", async () => {
    const { ws, sale, offers } = await manyTagged();
    const work: Promise<unknown>[] = [];
    await mergeTags({ ...ws.ctx, waitUntil: (one) => work.push(one) }, sale.id, offers.id);
    await Promise.all(work);
    expect(await waitingLinks(ws)).toEqual([]);
    expect(await stateOf(ws)).toEqual([]);
  });

  it("shows the target at once on links, in totals, filters and searches, and is gone", async () => {
    const { ws, sale, offers, waiting } = await merged();
    expect(await usedTags(ws)).toEqual([["Offers", ALL, 0]]);
    const link = `${LINKS}/${waiting.at(-1)}`;
    const { body, headers } = await ws.call("GET", link);
    expect(body.tags).toEqual([offers]);
    const all = await idsOf(ws, "status=all");
    for (const query of [
      `tag=${offers.slug}`,
      `tag=${offers.id}&status=all`,
      `tag=${offers.slug}&tag=${offers.id}`,
      `tag=${offers.slug}&sort=title`,
      `tag=${offers.slug}&q=link`,
    ]) {
      const { body: page } = await ws.call("GET", `${LINKS}?${query}`);
      expect([query, page.meta.total]).toEqual([query, ALL]);
      expect((await idsOf(ws, query)).toSorted(), query).toEqual(all.toSorted());
    }
    for (const query of [`tag=${sale.id}`, `tag=${sale.slug}`, `tag=~${sale.id}`]) {
      expect((await ws.call("GET", `${LINKS}?${query}`)).body.meta.total, query).toBe(0);
    }
    const slug = `slug=${body.slug}&tag=${offers.slug}`;
    expect(await idsOf(ws, slug)).toEqual([waiting.at(-1)]);
    const listed = { status: "active", sort: "-created_at", page: 1, per_page: 25 } as const;
    const { items } = await listSomeLinks(ws.ctx, { ...listed, find: `offers ${body.slug}` });
    expect(items.map(({ id }) => id)).toEqual([waiting.at(-1)]);
    expect((await ws.call("PATCH", `/api/v1/tags/${sale.id}`, { body: { name: "X" } })).status).toBe(404);
    expect((await ws.call("GET", "/api/v1/tags")).body.tags).toEqual([offers]);
    await expectDone(ws);
    expect((await ws.call("GET", link)).headers.get("etag")).toBe(headers.get("etag"));
  });

  it("frees its name and slug, and a new tag with them has no links", async () => {
    const { ws, sale } = await merged();
    const again = await ws.tag({ name: sale.name, slug: sale.slug });
    expect((await ws.call("GET", `${LINKS}?tag=${sale.slug}`)).body.meta.total).toBe(0);
    await expectDone(ws);
    expect((await usedTags(ws)).find(([name]) => name === again.name)).toEqual(["Sale", 0, 0]);
  });

  it("lets links that wait be archived, detached, tagged, replaced and deleted", async () => {
    const { ws, offers, waiting } = await merged();
    const other = await ws.tag({ name: "Other" });
    const [archived, detached, tagged, replaced, cleared, deleted] = waiting.map((id) => `${LINKS}/${id}`);
    await ws.call("PATCH", archived ?? "", { body: { status: "archived" } });
    await ws.call("DELETE", `${detached}/tags/${offers.id}`);
    await ws.call("POST", `${tagged}/tags`, { body: { tag_ids: [offers.id, other.id] } });
    await ws.call("PATCH", replaced ?? "", { body: { tag_ids: [offers.id] } });
    await ws.call("PATCH", cleared ?? "", { body: { tag_ids: [] } });
    expect((await ws.call("DELETE", deleted ?? "")).status).toBe(204);
    const names = async (path: string | undefined) =>
      (await ws.call("GET", path ?? "")).body.tags.map(({ name }: { name: string }) => name);
    const expected = [["Offers"], [], ["Offers", "Other"], ["Offers"], []];
    const changed = [archived, detached, tagged, replaced, cleared];
    expect(await Promise.all(changed.map(names))).toEqual(expected);
    expect(await stateOf(ws)).toEqual([]);
    await expectDone(ws);
    expect(await Promise.all(changed.map(names))).toEqual(expected);
    expect(await usedTags(ws)).toEqual([
      ["Offers", ALL - 4, 1],
      ["Other", 1, 0],
    ]);
  });

  it("follows its target into another tag, or off the links", async () => {
    const { ws, offers, waiting } = await merged();
    const third = await ws.tag({ name: "Third" });
    await mergeTags(stopped(ws.ctx), offers.id, third.id);
    expect(await usedTags(ws)).toEqual([["Third", ALL, 0]]);
    expect((await ws.call("GET", `${LINKS}/${waiting.at(-1)}`)).body.tags).toEqual([third]);
    expect(await stateOf(ws)).toEqual([]);
    await deleteTag(stopped(ws.ctx), third.id);
    expect(await usedTags(ws)).toEqual([]);
    expect((await ws.call("GET", `${LINKS}/${waiting.at(-1)}`)).body.tags).toEqual([]);
    expect(await stateOf(ws)).toEqual([]);
    await expectDone(ws);
  });

  it("has the visits of links that wait, once", async () => {
    const { ws, offers, waiting } = await merged();
    const now = Date.now();
    for (const id of [waiting.at(-1) ?? "", waiting.at(-2) ?? ""])
      await addVisits(ws, id, now - (now % HOUR_MS), { clicks: 3 });
    const today = Math.floor(now / DAY_MS);
    const range = rangeOfDays("UTC", today, today);
    expect((await sumVisitsOfTags(ws.ctx, range))?.get(offers.id)).toBe(6);
    const report = await reportTagVisits(ws.ctx, offers.id, range, { compare: false });
    expect(report?.totals).toMatchObject({ clicks: 6 });
    await expectDone(ws);
    expect((await sumVisitsOfTags(ws.ctx, range))?.get(offers.id)).toBe(6);
  });

  it("is in no backup, whose links have the target", async () => {
    const { ws, sale, offers, waiting } = await merged();
    const lines: string[] = [];
    for await (const line of backupLines(ws.ctx, ws.slug)) lines.push(line);
    expect(lines).toContain(JSON.stringify([waiting.at(-1), offers.id]));
    expect(lines.some((line) => line.includes(`~${sale.id}`))).toBe(false);
  });

  it("is in a backup that began before it", async () => {
    const { ws, sale, offers } = await manyTagged();
    const lines: string[] = [];
    let isMerged = false;
    for await (const line of backupLines(ws.ctx, ws.slug)) {
      if (!isMerged && line.startsWith('{"table":"slugs"')) {
        isMerged = true;
        await mergeTags(stopped(ws.ctx), sale.id, offers.id);
      }
      lines.push(line);
    }
    const waiting = await waitingLinks(ws);
    const again = lines.slice(lines.findIndex((line) => line.startsWith('{"again"')));
    for (const id of waiting) expect(again).toContain(JSON.stringify([id, offers.id]));
  });
});

it("a deleted tag with more links than a chunk is gone at once, and its rows with the job", async () => {
  const { ws, sale, offers } = await manyTagged();
  await deleteTag(stopped(ws.ctx), sale.id);
  expect(await usedTags(ws)).toEqual([["Offers", Math.ceil(ALL / HAS_BOTH), 0]]);
  const [first] = await waitingLinks(ws);
  expect(JSON.stringify((await ws.call("GET", `${LINKS}/${first}`)).body.tags)).not.toContain("Sale");
  expect((await ws.call("GET", `${LINKS}?tag=${sale.id}`)).body.meta.total).toBe(0);
  expect(await stateOf(ws)).toEqual([]);
  expect((await ws.call("PATCH", `${LINKS}/${first}`, { body: { tag_ids: [offers.id] } })).status).toBe(200);
  await expectDone(ws);
});
