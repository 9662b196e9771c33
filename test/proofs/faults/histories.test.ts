import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/context";
import { releaseSlug } from "../../../src/redirect/slugs/release-slug";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { addDomain } from "../../../src/resources/domains/domain-service";
import { releaseDomain } from "../../../src/resources/domains/release-domain";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { resumeWorkspace, suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { gate } from "../../faulty";
import { makeWorkspace, type TestWorkspace } from "../../harness";
import { failuresOf } from "../../log";
import { places, settleEverything, TAKEN_DOWN, UNKNOWN } from "./bindings";
import {
  act,
  beginEdit,
  count,
  create,
  deployNewCache,
  edit,
  instanceIn,
  pass,
  remove,
  setStage,
  stopJobs,
  trouble,
  visited,
  waitsIn,
} from "./stage";

// Histories that the protocol was checked against before it was written down.

const OLD = "https://www.example.com/old";
const NEW = "https://www.example.com/new";
const OTHER = "https://other.example.com/";
const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A write of KV is seen everywhere by then. */
const SPREAD = 120;
const EVERYWHERE = [0, 1, 2, 3, 4];

let ws: TestWorkspace;
let office: Env;
beforeEach(async () => {
  await setStage();
  ws = await makeWorkspace();
  office = instanceIn(0);
});
afterEach(async () => {
  await settleEverything();
  vi.useRealTimers();
});

/** A link that KV shows everywhere. */
async function known(slug: string, fields: object = {}, own = ws): Promise<string> {
  const id = await create(office, own, { destination_url: OLD, slug, ...fields });
  await visited(instanceIn(0), slug);
  await pass(SPREAD);
  return id;
}

/** Inserts links with the slugs l1, l2 and so on past the service, which would take a minute. */
async function insertLinks(links: number, group: string | null): Promise<void> {
  const { rowId } = ws.ctx.workspace;
  await env.DB.batch([
    env.DB.prepare(
      `insert into links (public_id, workspace_id, slug, slug_key, destination_url, destination_key, destination_host,
          utm_campaign_origin, activity_group_id, created_at, created_by, updated_at)
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?3)
        select printf('01JZL%021d', n), ?1, 'l' || n, 'l' || n, '${OLD}', '${OLD}', 'www.example.com', 'inherited',
          (select id from activity_groups where public_id = ?2), 0, 'operator', 0 from numbers`,
    ).bind(rowId, group, links),
    env.DB.prepare(
      "insert into slugs (key, workspace_id, link_id, created_at) select slug_key, workspace_id, id, 0 from links where created_at = 0",
    ),
  ]);
}

const everywhere = (slug: string, host?: string): Promise<string[]> =>
  Promise.all(EVERYWHERE.map((place) => visited(instanceIn(place), slug, host)));
const each = (shown: string): string[] => EVERYWHERE.map(() => shown);

describe("the usual visit", () => {
  it("waits for D1 once: not after ten minutes, a day or a month, nor in another place", async () => {
    await create(office, ws, { destination_url: OLD, slug: "poster" });
    expect(await waitsIn(1, "poster")).toBe(true);
    for (const seconds of [10 * 60, DAY]) {
      await pass(seconds);
      for (const place of EVERYWHERE) expect(await waitsIn(place, "poster")).toBe(false);
    }
  });

  it("writes to KV once, and not again in a month", async () => {
    await known("poster");
    const { puts } = count;
    stopJobs();
    for (let days = 0; days < 20; days++) {
      await pass(DAY);
      await everywhere("poster");
    }
    expect(count.puts).toBe(puts);
  });

  it("keeps a link in KV for longer than the month in which it is visited, and shows it while D1 is out", async () => {
    stopJobs();
    await known("poster");
    await pass(26 * DAY);
    await everywhere("poster");
    await pass(26 * DAY);
    trouble.d1 = true;
    expect(await everywhere("poster")).toEqual(each(OLD));
  });

  it("is the same of an unknown slug, of which KV gets nothing, so that a link on it works at once everywhere", async () => {
    const { puts } = count;
    expect(await everywhere("soon")).toEqual(each(UNKNOWN));
    expect(count.puts).toBe(puts);
    await create(office, ws, { destination_url: OLD, slug: "soon" });
    expect(await everywhere("soon")).toEqual(each(OLD));
  });
});

describe("a change", () => {
  it("is seen at once on its instance, and everywhere in two minutes", async () => {
    const id = await known("sale");
    await edit(office, ws, id, { destination_url: NEW });
    expect(await visited(office, "sale")).toBe(NEW);
    await pass(SPREAD);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });

  it("and the next one in the same second, which KV refuses, are seen at once on their instance, and then everywhere", async () => {
    const id = await known("sale");
    await edit(office, ws, id, { destination_url: OTHER });
    trouble.puts = true;
    trouble.deletes = true;
    await edit(office, ws, id, { destination_url: NEW });
    trouble.puts = false;
    trouble.deletes = false;
    expect(await visited(office, "sale")).toBe(NEW);
    await pass(60 + SPREAD);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });

  it.each([
    ["a fill", "fill"],
    ["the write of an earlier change", "change"],
  ])("is not undone by %s that KV takes 40 s late", async (_, kind) => {
    const id = await known("sale");
    const serving = instanceIn(1);
    await visited(serving, "sale");
    trouble.late = [];
    if (kind === "fill") {
      for (const key of places.newest().keys()) places.lose(key);
      await visited(instanceIn(1), "sale");
    } else await edit(office, ws, id, { destination_url: OTHER });
    const late = trouble.late;
    trouble.late = undefined;
    expect(late.length).toBeGreaterThan(0);
    await pass(1);
    await edit(office, ws, id, { destination_url: NEW });
    await pass(39);
    for (const put of late) put();
    expect(await visited(office, "sale")).toBe(NEW);
    await pass(61, serving);
    expect(await visited(serving, "sale")).toBe(NEW);
    await pass(60 + SPREAD);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });

  it("is seen at once on its instance, although a visit there has read D1 before it and is answered after it", async () => {
    const id = await known("sale");
    // The instance has its list, and nothing in memory.
    await visited(office, "sale");
    await pass(6);
    for (const key of places.newest().keys()) places.lose(key);
    const d1 = gate();
    trouble.held = d1.passed;
    const { calls } = count;
    const early = visited(office, "sale");
    await vi.waitFor(() => expect(count.calls).toBeGreaterThan(calls));
    await new Promise((resolve) => setTimeout(resolve, 20));
    trouble.held = undefined;
    await edit(office, ws, id, { destination_url: NEW });
    d1.open();
    expect(await early).toBe(OLD);
    expect(await visited(office, "sale")).toBe(NEW);
  });

  it("stays on the list of the instance that made it when a list arrives that was asked for before", async () => {
    const id = await known("sale");
    const d1 = gate();
    trouble.held = d1.passed;
    const { calls } = count;
    const list = visited(office, "sale");
    await vi.waitFor(() => expect(count.calls).toBeGreaterThan(calls));
    trouble.held = undefined;
    trouble.puts = true;
    trouble.deletes = true;
    await edit(office, ws, id, { destination_url: NEW });
    d1.open();
    await list;
    expect(await visited(office, "sale")).toBe(NEW);
  });

  it("is right on instances in service after a late fill, as long as no job has written it a second time", async () => {
    const id = await known("sale");
    trouble.late = [];
    for (const key of places.newest().keys()) places.lose(key);
    await visited(instanceIn(1), "sale");
    const late = trouble.late;
    trouble.late = undefined;
    stopJobs();
    await edit(office, ws, id, { destination_url: NEW });
    await pass(25);
    for (const put of late) put();
    const serving = instanceIn(1);
    for (let minutes = 0; minutes < 10; minutes++) {
      await pass(60, serving);
      expect(await visited(serving, "sale")).toBe(NEW);
    }
  });

  it("is not undone by a late fill, although the first write of the change comes late too, after that of the job", async () => {
    const id = await known("sale");
    trouble.late = [];
    for (const key of places.newest().keys()) places.lose(key);
    await visited(instanceIn(1), "sale");
    const late = trouble.late;
    trouble.late = undefined;
    const puts = gate();
    trouble.heldPuts = puts.passed;
    const { answer, settled } = beginEdit(office, ws, id, { destination_url: NEW });
    await answer;
    trouble.heldPuts = undefined;
    await pass(5);
    puts.open();
    await settled;
    await pass(25);
    for (const put of late) put();
    await pass(2 * 60 + SPREAD);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });

  it("is not undone by a check that had read D1 before it", async () => {
    const id = await known("sale");
    await pass(2 * HOUR);
    const d1 = gate();
    trouble.held = d1.passed;
    const lines = await failuresOf(async () => {
      const check = visited(instanceIn(1), "sale");
      await new Promise((resolve) => setTimeout(resolve, 50));
      trouble.held = undefined;
      await edit(office, ws, id, { destination_url: NEW });
      d1.open();
      await check;
      // KV of most places is still old. The slug is in doubt, so that it is not outdated.
      await everywhere("sale");
      await pass(SPREAD);
    });
    expect(lines).toEqual([]);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });

  it("is found by a check where KV has lost it, and then seen everywhere", async () => {
    const id = await known("sale");
    const before = [...places.newest()].filter(([key]) => key.endsWith("sale"));
    await edit(office, ws, id, { destination_url: NEW });
    await pass(10 * 60);
    for (const [key, value] of before) places.write(3, key, value);
    await pass(2 * HOUR);
    const lines = await failuresOf(async () => {
      expect(await visited(instanceIn(3), "sale")).toBe(OLD);
    });
    expect(lines).toMatchObject([{ error: "kv_outdated" }]);
    await pass(60 + SPREAD);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });
});

describe("on a day on which KV takes no write", () => {
  const alter = async (id: string) => {
    trouble.puts = true;
    await edit(office, ws, id, { destination_url: NEW });
    expect(await visited(office, "sale")).toBe(NEW);
  };

  it("what has changed is deleted there, so that D1 answers for it everywhere", async () => {
    const id = await known("sale");
    await alter(id);
    await pass(SPREAD);
    expect(await everywhere("sale")).toEqual(each(NEW));
    trouble.puts = false;
    // The first visit writes it again.
    await visited(instanceIn(2), "sale");
    await pass(SPREAD);
    expect(await waitsIn(1, "sale")).toBe(false);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });

  it("nor a deletion, an instance that has served visitors for a minute asks D1, and a new one from its second visit on", async () => {
    const id = await known("sale");
    const serving = instanceIn(1);
    await visited(serving, "sale");
    trouble.deletes = true;
    await alter(id);
    for (let hours = 0; hours < 24; hours += 4) {
      await pass(61, serving);
      expect(await visited(serving, "sale")).toBe(NEW);
      const born = instanceIn(2);
      await visited(born, "sale");
      expect(await visited(born, "sale")).toBe(NEW);
      await pass(4 * HOUR - 61);
    }
    trouble.puts = false;
    trouble.deletes = false;
    await pass(60 + SPREAD);
    expect(await everywhere("sale")).toEqual(each(NEW));
  });

  it("and the jobs stand still, every instance in service still shows what has changed", async () => {
    const id = await known("sale");
    const serving = instanceIn(1);
    stopJobs();
    trouble.deletes = true;
    await alter(id);
    await pass(61, serving);
    expect(await visited(serving, "sale")).toBe(NEW);
  });
});

describe("a list of doubts that is full", () => {
  /** Changes so many links of a workspace while KV takes nothing. */
  async function changeMany(links: number) {
    const ids: string[] = [];
    for (let number = 0; number < links; number++) ids.push(await known(`many-${number}`));
    trouble.puts = true;
    trouble.deletes = true;
    for (const id of ids) await edit(office, ws, id, { destination_url: NEW });
  }

  it("has a workspace as a whole: all of its links are right, and those of others do not wait for D1", async () => {
    const other = await makeWorkspace();
    await known("others", {}, other);
    await changeMany(25);
    const serving = instanceIn(1);
    await pass(61, serving);
    for (let number = 0; number < 25; number++) expect(await visited(serving, `many-${number}`)).toBe(NEW);
    const { calls } = count;
    expect(await visited(serving, "others")).toBe(OLD);
    expect(count.calls).toBe(calls);
  });

  it("has everything where it would have too many entries", async () => {
    stopJobs();
    await env.DB.batch([
      env.DB.prepare(
        `insert into workspaces (public_id, name, slug, created_at, updated_at)
          with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 300)
          select printf('01JZW%021d', n), 'W', 'w' || n, 0, 0 from numbers`,
      ),
      env.DB.prepare(
        `insert into slugs (key, workspace_id, push_at, doubt_until, created_at)
          with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 20)
          select 'full-' || workspaces.id || '-' || n, workspaces.id, 0, 1e15, 0 from workspaces cross join numbers
          where slug glob 'w[0-9]*'`,
      ),
    ]);
    const newest = await makeWorkspace();
    const id = await known("sale", {}, newest);
    trouble.puts = true;
    trouble.deletes = true;
    await edit(office, newest, id, { destination_url: NEW });
    const serving = instanceIn(1);
    await pass(61, serving);
    expect(await visited(serving, "sale")).toBe(NEW);
  });
});

describe("while D1 is out", () => {
  it("every link that KV has works, a deleted one is 404, and an unknown one 503", async () => {
    await known("sale");
    const gone = await known("gone");
    await remove(office, ws, gone);
    await pass(3 * SPREAD);
    trouble.d1 = true;
    await pass(HOUR);
    expect(await everywhere("sale")).toEqual(each(OLD));
    expect(await everywhere("gone")).toEqual(each(UNKNOWN));
    expect(await everywhere("nobody-has-it")).toEqual(each("503"));
  });

  it("a workspace that was suspended stays so on instances that knew it, and a slug that has changed is 503", async () => {
    await known("bad");
    const other = await makeWorkspace();
    const id = await known("sale", {}, other);
    await known("fine", {}, other);
    const serving = instanceIn(1);
    await visited(serving, "bad");
    trouble.puts = true;
    trouble.deletes = true;
    await act(office, ws.ctx, (ctx) => suspendWorkspace(ctx, ws.slug));
    await edit(office, other, id, { destination_url: NEW });
    await pass(61, serving);
    trouble.d1 = true;
    await pass(10);
    for (const instance of [office, serving]) {
      expect(await visited(instance, "bad")).toBe(TAKEN_DOWN);
      expect(await visited(instance, "sale")).toBe("503");
      expect(await visited(instance, "fine")).toBe(OLD);
    }
  });
});

describe("what reaches many links", () => {
  it("a suspension is seen at once on its instance, everywhere in two minutes, and ends likewise", async () => {
    await known("bad");
    for (const [change, shown] of [
      [suspendWorkspace, TAKEN_DOWN],
      [resumeWorkspace, OLD],
    ] as const) {
      await act(office, ws.ctx, (ctx) => change(ctx, ws.slug));
      expect(await visited(office, "bad")).toBe(shown);
      await pass(60 + SPREAD);
      expect(await everywhere("bad")).toEqual(each(shown));
    }
  });

  it("a blocked host is seen at once on its instance, also of its subdomains and of rules, and ends likewise", async () => {
    await known("bad", { destination_url: "https://deep.bad.example.net/" });
    await known("ruled", {
      rules: [{ destination_url: "https://bad.example.net/", devices: ["ios"] }],
    });
    expect(await visited(office, "ruled")).toBe("https://bad.example.net/");
    for (const [change, bad, ruled] of [
      [blockHost, TAKEN_DOWN, OLD],
      [unblockHost, "https://deep.bad.example.net/", "https://bad.example.net/"],
    ] as const) {
      await act(office, ws.ctx, (ctx) => change(ctx, "bad.example.net"));
      expect([await visited(office, "bad"), await visited(office, "ruled")]).toEqual([bad, ruled]);
      await pass(60 + SPREAD);
      expect(await everywhere("bad")).toEqual(each(bad));
      expect(await everywhere("ruled")).toEqual(each(ruled));
    }
  });

  it("a suspension of 3,000 links, which the job writes, is seen by instances in service at once, and everywhere in the end", async () => {
    await known("bad");
    await insertLinks(3_000, null);
    for (const slug of ["l7", "l2999"]) await visited(instanceIn(0), slug);
    await pass(SPREAD);
    const serving = instanceIn(1);
    await visited(serving, "bad");
    await act(office, ws.ctx, (ctx) => suspendWorkspace(ctx, ws.slug));
    for (const slug of ["bad", "l7", "l2999"]) expect(await visited(office, slug)).toBe(TAKEN_DOWN);
    await pass(61, serving);
    for (const slug of ["bad", "l7", "l2999"]) expect(await visited(serving, slug)).toBe(TAKEN_DOWN);
    await pass(10 * 60 + SPREAD);
    for (const slug of ["bad", "l7", "l2999"]) expect(await everywhere(slug)).toEqual(each(TAKEN_DOWN));
  }, 120_000);

  it("the dates of a group with 10,000 links, and its address afterwards, are one value in KV", async () => {
    const group = await ws.group();
    const update = (fields: Parameters<typeof updateActivityGroup>[2]) =>
      act(office, ws.ctx, (ctx) => updateActivityGroup(ctx, group.id, fields));
    await update({ ends_at: Date.now() + DAY * 1000, ends_links: true, ended_url: OLD });
    await insertLinks(10_000, group.id);
    const slugs = ["l1", "l5000", "l10000"];
    for (const slug of slugs) expect(await everywhere(slug)).toEqual(each(OLD));
    await pass(5 * 60);
    for (const [fields, shown] of [
      [{ ends_at: Date.now() - 1 }, OLD],
      [{ ended_url: OTHER }, OTHER],
      [{ ends_at: Date.now() + DAY * 1000 }, OLD],
    ] as const) {
      const { puts } = count;
      await update(fields);
      for (const slug of slugs) expect(await visited(office, slug)).toBe(shown);
      await pass(60 + SPREAD);
      for (const slug of slugs) expect(await everywhere(slug)).toEqual(each(shown));
      expect(count.puts - puts).toBeLessThanOrEqual(2);
    }
  }, 120_000);
});

describe("who gets a slug that was another's", () => {
  it("sees nothing of the former link, also if the operator releases it while KV takes nothing", async () => {
    const next = await makeWorkspace();
    const id = await known("brand");
    trouble.puts = true;
    trouble.deletes = true;
    await remove(office, ws, id);
    expect(await visited(office, "brand")).toBe(UNKNOWN);
    const release = () => act(office, ws.ctx, (ctx) => releaseSlug(ctx, "brand", next.slug));
    // KV still leads to the link of the one workspace, so the other does not get it.
    expect(await release()).toBe(422);
    await pass(10 * 60);
    expect(await release()).toBe(422);
    trouble.puts = false;
    trouble.deletes = false;
    await pass(60 + 60 + SPREAD + 60);
    expect(await release()).toBe(200);
    await create(office, next, { destination_url: OTHER, slug: "brand" });
    expect(await visited(office, "brand")).toBe(OTHER);
    const shown = await everywhere("brand");
    expect(shown.filter((one) => one === OLD)).toEqual([]);
    await pass(SPREAD);
    expect(await everywhere("brand")).toEqual(each(OTHER));
  });

  it("on a domain that was released sees nothing of the former links", async () => {
    const next = await makeWorkspace();
    const host = "go.brand.example";
    await act(office, ws.ctx, (ctx) => addDomain(ctx, host, true));
    const id = await create(office, ws, { destination_url: OLD, slug: "brand", domain: host });
    expect(await everywhere("brand", host)).toEqual(each(OLD));
    await pass(SPREAD);
    trouble.puts = true;
    trouble.deletes = true;
    await remove(office, ws, id);
    await act(office, ws.ctx, (ctx) => removeDomain(ctx, host));
    expect(await visited(office, "brand", host)).toBe(UNKNOWN);
    const serving = instanceIn(1);
    await pass(61, serving);
    expect(await visited(serving, "brand", host)).toBe(UNKNOWN);
    await act(office, ws.ctx, (ctx) => releaseDomain(ctx, host));
    const add = () => act(office, next.ctx, (ctx) => addDomain(ctx, host, true));
    await pass(10 * 60);
    expect(await add()).not.toBe(200);
    trouble.puts = false;
    trouble.deletes = false;
    await pass(15 * 60);
    expect(await add()).toBe(200);
    await create(office, next, { destination_url: OTHER, slug: "brand", domain: host });
    const shown = await everywhere("brand", host);
    expect(shown.filter((one) => one === OLD)).toEqual([]);
    await pass(SPREAD);
    expect(await everywhere("brand", host)).toEqual(each(OTHER));
  });

  it("after a restore, with a new cache, is never led to what had it before", async () => {
    const next = await makeWorkspace();
    await known("made-since");
    // Time Travel to a moment before the link: its rows were never there, and their ids are given out again.
    await env.DB.batch([
      env.DB.prepare("delete from slugs where key = 'made-since'"),
      env.DB.prepare("update workspaces set active_links = active_links - 1 where id = ?1").bind(
        ws.ctx.workspace.rowId,
      ),
      env.DB.prepare("delete from link_totals"),
      env.DB.prepare("delete from link_search"),
      env.DB.prepare("delete from links where slug = 'made-since'"),
    ]);
    deployNewCache();
    office = instanceIn(0);
    await create(office, next, { destination_url: OTHER, slug: "made-since" });
    expect(await everywhere("made-since")).toEqual(each(OTHER));
    await pass(SPREAD);
    expect(await everywhere("made-since")).toEqual(each(OTHER));
  });
});
