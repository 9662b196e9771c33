import { env } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { countVisits, splitCounts } from "../../src/clicks/count";
import { insertWorkspaceVisits, keepVisits } from "../../src/clicks/keep";
import { gatheringOf } from "../../src/clicks/record";
import { addCounts } from "../../src/clicks/repository";
import { reportVisits } from "../../src/clicks/visits";
import { recountWorkspaces } from "../../src/doctor/service";
import { rangeOfDays } from "../../src/lib/range";
import { getLinkDetails } from "../../src/links/details";
import { makeWorkspace, type TestWorkspace } from "../harness";
import { mergePacksNow, ownD1, requestWith, simulateInstance, textOf } from "./platform";

const SECOND_MS = 1_000;
/** The day of the simulated instances. */
const DAY = Date.UTC(2026, 10, 1) / 86_400_000;
const BOT = { "user-agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" };

const instances: ReturnType<typeof simulateInstance>[] = [];
function instanceWith(db?: D1Database) {
  const instance = simulateInstance("5", db);
  instances.push(instance);
  return instance;
}
afterEach(() => {
  for (const instance of instances.splice(0)) instance.restore();
});

const report = (ws: TestWorkspace) =>
  reportVisits(ws.ctx, { workspace: true }, rangeOfDays("UTC", DAY, DAY), { compare: false });

const repairedIn = async (ws: TestWorkspace) =>
  (await recountWorkspaces(ws.ctx)).repaired.filter(({ workspace }) => workspace === ws.slug);

describe("what is kept of visits", () => {
  it("is right for the links and workspaces of one pack, and of the next ones", async () => {
    const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
    const [one, two, foreign] = [await ws.link(), await ws.link(), await other.link()];
    const instance = instanceWith();
    for (const { id } of [one, one, two, foreign]) instance.visit(id);
    instance.visit(two.id, requestWith(BOT));
    await instance.advance(5 * SECOND_MS);
    instance.visit(one.id);
    await instance.advance(5 * SECOND_MS);
    await mergePacksNow();
    const at = (ms: number) => new Date(DAY * 86_400_000 + 12 * 3_600_000 + ms).toISOString();
    const lifetimes = [];
    for (const [owner, link] of [
      [ws, one],
      [ws, two],
      [other, foreign],
    ] as const)
      lifetimes.push((await getLinkDetails(owner.ctx, link.id)).lifetime);
    expect(lifetimes).toEqual([
      { clicks: 3, scans: 0, last_visit_at: at(5 * SECOND_MS) },
      { clicks: 1, scans: 0, last_visit_at: at(0) },
      { clicks: 1, scans: 0, last_visit_at: at(0) },
    ]);
    expect((await report(ws)).totals).toEqual({ clicks: 4, scans: 0, late: 0, bots: 1 });
    expect((await report(ws)).origins.device).toEqual([{ value: "desktop", people: 4 }]);
    expect((await report(other)).totals.clicks).toBe(1);
    expect([...(await repairedIn(ws)), ...(await repairedIn(other))]).toEqual([]);
  });

  it("is right after each part of a pack that was split", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    const at = DAY * 86_400_000 + 12 * 3_600_000;
    const visit = { link: link.id, asset: null, isLate: false, follows: true, referrer: null, country: "CH" };
    const visits = [0, 1, 1, 2, 2, 2].map((hours) => ({
      ...{ ...visit, agent: "Mozilla/5.0 (Windows NT 10.0)", at: at - hours * 3_600_000 },
    }));
    const parts = splitCounts(countVisits(visits), 150);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) {
      await ws.ctx.db.writeUnaudited(...addCounts(part));
      expect(await repairedIn(ws)).toEqual([]);
    }
    expect((await getLinkDetails(ws.ctx, link.id)).lifetime).toEqual({
      ...{ clicks: 6, scans: 0, last_visit_at: new Date(at).toISOString() },
    });
  });

  it("counts once what is written again because its answer was lost", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    let lost = 0;
    const db = ownD1(async (statements) => {
      const results = await env.DB.batch(statements);
      if (!textOf(statements).includes("click_packs") || lost >= 2) return results;
      lost++;
      throw new Error("D1_ERROR: Network connection lost.");
    });
    const instance = instanceWith(db);
    for (let visit = 0; visit < 3; visit++) instance.visit(link.id);
    await instance.advance(5 * SECOND_MS);
    for (let visit = 0; visit < 4; visit++) {
      instance.visit(link.id);
      await instance.advance(40 * SECOND_MS);
    }
    expect([lost, gatheringOf(db).packs.size]).toEqual([2, 0]);
    await mergePacksNow();
    expect((await getLinkDetails(ws.ctx, link.id)).lifetime.clicks).toBe(7);
    expect((await report(ws)).totals.clicks).toBe(7);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("is complete if several instances write at once, with at most a hundred sources of a workspace", async () => {
    const ws = await makeWorkspace();
    const links = [await ws.link(), await ws.link(), await ws.link()];
    const running = [instanceWith(), instanceWith(), instanceWith()];
    for (const [number, instance] of running.entries()) {
      for (let visit = 0; visit < 60; visit++) {
        const referer = `https://site${number * 40 + visit}.example/`;
        instance.visit(links[visit % 3]?.id ?? "", requestWith({ referer }));
      }
    }
    // Each instance has the clock of the last one, so all write in the same moment.
    await Promise.all(running.map((instance) => instance.advance(5 * SECOND_MS)));
    await mergePacksNow();
    const { totals, origins } = await report(ws);
    expect(totals.clicks).toBe(180);
    expect(origins.referrer.length).toBe(101);
    expect(origins.referrer.reduce((sum, { people }) => sum + people, 0)).toBe(180);
    const lifetimes = [];
    for (const { id } of links) lifetimes.push((await getLinkDetails(ws.ctx, id)).lifetime.clicks);
    expect(lifetimes).toEqual([60, 60, 60]);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("is not moved back by a pack that is written late", async () => {
    const ws = await makeWorkspace();
    const link = await ws.link();
    let isOut = true;
    const late = ownD1((statements) =>
      isOut ? Promise.reject(new Error("D1_ERROR: D1 DB is overloaded.")) : env.DB.batch(statements),
    );
    const [first, second] = [instanceWith(late), instanceWith()];
    first.visit(link.id);
    await first.advance(5 * SECOND_MS);
    await second.advance(3_600 * SECOND_MS);
    second.visit(link.id);
    await second.advance(5 * SECOND_MS);
    await mergePacksNow();
    const { last_visit_at: last } = (await getLinkDetails(ws.ctx, link.id)).lifetime;
    isOut = false;
    await first.advance(3_700 * SECOND_MS);
    first.visit("none");
    await first.advance(5 * SECOND_MS);
    await mergePacksNow();
    const { lifetime } = await getLinkDetails(ws.ctx, link.id);
    expect(lifetime).toEqual({ clicks: 2, scans: 0, last_visit_at: last });
  });

  it("has at most a hundred sources a day also where it is summed from the links, after an update or a restore", async () => {
    const ws = await makeWorkspace();
    const links = [await ws.link(), await ws.link()];
    const { rowId } = ws.ctx.workspace;
    for (const [number, { id }] of links.entries()) {
      const referrers = Array.from({ length: 90 }, (_, site) => `site${number * 60 + site}.example`);
      await env.DB.prepare(`insert into click_days (workspace_id, link_id, day, dimension, value, people)
        select workspace_id, links.id, ?, 'referrer', value, 1 from links, json_each(?) where public_id = ?`)
        .bind(DAY * 86_400_000, JSON.stringify(["", "other", ...referrers]), id)
        .run();
    }
    const counted = async () => {
      const { results } = await env.DB.prepare(
        "select value, people from workspace_days where workspace_id = ? order by value",
      )
        .bind(rowId)
        .all<{ value: string; people: number }>();
      return results;
    };
    await env.DB.prepare("delete from job_positions where job = 'kept_visits'").run();
    await keepVisits(ws.ctx);
    const updated = await counted();
    expect(updated).toHaveLength(102);
    expect(updated.reduce((sum, { people }) => sum + people, 0)).toBe(184);
    expect(updated.filter(({ people }) => people === 2).length).toBeGreaterThanOrEqual(30);
    await env.DB.prepare("delete from workspace_days where workspace_id = ?").bind(rowId).run();
    await ws.ctx.db.writeUnaudited(...insertWorkspaceVisits(rowId));
    expect(await counted()).toEqual(updated);
    await env.DB.prepare("delete from click_days where workspace_id = ?").bind(rowId).run();
    await env.DB.prepare("delete from workspace_days where workspace_id = ?").bind(rowId).run();
  });
});
