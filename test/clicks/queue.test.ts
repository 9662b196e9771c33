import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mergeQueue } from "../../src/clicks/queue";
import { gatheringOf } from "../../src/clicks/record";
import { insertQueued } from "../../src/clicks/repository";
import { createDatabase } from "../../src/db/client";
import { recountWorkspaces } from "../../src/doctor/service";
import { getLinkDetails } from "../../src/links/details";
import { runSchedule } from "../../src/schedule";
import { makeWorkspace, type TestWorkspace, testEnv } from "../harness";
import { type Batch, mergePacksNow, ownD1, requestWith, simulateInstance, textOf } from "./platform";

const SECOND_MS = 1_000;
const DAY = Date.UTC(2026, 10, 1);
const NOON = DAY + 12 * 3_600_000;

const instances: ReturnType<typeof simulateInstance>[] = [];
function instanceWith(db?: D1Database) {
  const instance = simulateInstance("5", db);
  instances.push(instance);
  return instance;
}

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("delete from job_positions where job = 'click_queue'"),
    env.DB.prepare("delete from click_queue"),
  ]);
});
afterEach(() => {
  for (const instance of instances.splice(0)) instance.restore();
  vi.restoreAllMocks();
});

const rowsIn = async (table: string): Promise<number> =>
  (await env.DB.prepare(`select count(*) as n from ${table}`).first<number>("n")) ?? 0;

const clicksOf = async (ws: TestWorkspace, link: string): Promise<number> =>
  (await getLinkDetails(ws.ctx, link)).lifetime.clicks;

const repairedIn = async (ws: TestWorkspace) =>
  (await recountWorkspaces(ws.ctx)).repaired.filter(({ workspace }) => workspace === ws.slug);

/** Clicks of a link at noon as a pack has them. */
const packOf = (link: string, people: number, dimension = "country") => ({
  hours: [{ link, hour: NOON, people, bots: 0, scans: 0, late: 0, last: NOON }],
  days: [{ link, day: DAY, dimension: dimension as "country", value: "CH", people }],
  scans: [],
});

/** Puts packs of one click each into the queue. */
async function queue(ws: TestWorkspace, links: readonly string[], dimension?: string): Promise<void> {
  for (const link of links)
    await ws.ctx.db.writeUnaudited(insertQueued(`pack of ${link}`, packOf(link, 1, dimension)));
}

async function makeLinks(number: number, fields = {}): Promise<{ ws: TestWorkspace; links: string[] }> {
  const ws = await makeWorkspace();
  const links: string[] = [];
  for (let made = 0; made < number; made++) links.push((await ws.link(fields)).id);
  return { ws, links };
}

/** The job with a D1 whose batches go through `batch`. */
const mergeThrough = (batch: Batch): Promise<void> =>
  mergeQueue({ db: createDatabase(ownD1(batch), undefined, [0, 0]), now: Date.now });

describe("packs of clicks", () => {
  it("write three rows whatever the number of links, and merging them writes nine a link", async () => {
    const ws = await makeWorkspace();
    const group = (await ws.group()).id;
    const links: string[] = [];
    for (let made = 0; made < 10; made++) links.push((await ws.link({ activity_group_id: group })).id);
    const written: number[] = [];
    const db = ownD1(async (statements) => {
      const results = await env.DB.batch(statements);
      written.push(results.reduce((sum, { meta }) => sum + meta.rows_written, 0));
      return results;
    });
    const [one, other] = [instanceWith(db), instanceWith(ownD1())];
    one.visit(links[0] ?? "");
    await one.advance(5 * SECOND_MS);
    // The first visits of a day insert rows, later ones update them.
    for (const link of links) one.visit(link);
    await one.advance(5 * SECOND_MS);
    // After a merge of three packs the next ones wait.
    await queue(ws, links.slice(0, 3));
    await mergePacksNow();
    written.length = 0;
    for (const instance of [one, other]) {
      for (let visit = 0; visit < 3; visit++) for (const link of links) instance.visit(link);
      await instance.advance(5 * SECOND_MS);
    }
    expect(written).toEqual([3]);
    written.length = 0;
    await mergeQueue({ db: createDatabase(db), now: Date.now });
    // The hour and three origins of the workspace, the two packs, and the position.
    expect(written).toEqual([0, 10 * 9 + 4 + 2 + 1]);
    expect(await clicksOf(ws, links[9] ?? "")).toBe(7);
  });

  it("are counted at once while few arrive", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const instance = instanceWith();
    const counted: number[] = [];
    for (let packs = 0; packs < 3; packs++) {
      instance.visit(link);
      await instance.advance(5 * SECOND_MS);
      counted.push(await clicksOf(ws, link));
    }
    expect(counted).toEqual([1, 2, 3]);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("wait for the cron after a merge of three, and for 90 seconds at most", async () => {
    const { ws, links } = await makeLinks(3);
    const [link = ""] = links;
    const instance = instanceWith();
    await queue(ws, links);
    await mergePacksNow();
    const counted: number[] = [];
    for (const seconds of [5, 5, 90, 5]) {
      instance.visit(link);
      await instance.advance(seconds * SECOND_MS);
      counted.push(await clicksOf(ws, link));
    }
    // Nobody has merged for 90 seconds at the fourth.
    expect(counted).toEqual([1, 1, 1, 5]);
    await queue(ws, links);
    await runSchedule("* * * * *", testEnv);
    expect([await clicksOf(ws, link), await rowsIn("click_queue")]).toEqual([6, 0]);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("are merged also if the clock of an instance was far ahead", async () => {
    const { ws, links } = await makeLinks(1);
    const ahead = { merged_at: NOON + 9e9, merged: 1_000, packs: 20_000 };
    await env.DB.prepare("insert into job_positions (job, position) values ('click_queue', ?)")
      .bind(JSON.stringify(ahead))
      .run();
    const instance = instanceWith();
    instance.visit(links[0] ?? "");
    await instance.advance(5 * SECOND_MS);
    expect(await clicksOf(ws, links[0] ?? "")).toBe(1);
  });

  it("stay in the memory of their instance while the queue is full", async () => {
    const { ws, links } = await makeLinks(1);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const fill =
      "insert into click_queue (id, pack, visits, bytes, counts) values (1, 'a', 0, 0, '{}'), (50001, 'b', 0, 0, '{}')";
    await env.DB.prepare(fill).run();
    const db = ownD1();
    const instance = instanceWith(db);
    instance.visit(links[0] ?? "");
    await instance.advance(5 * SECOND_MS);
    expect([gatheringOf(db).packs.size, await rowsIn("click_queue")]).toEqual([1, 2]);
    await mergePacksNow();
    await instance.advance(60 * SECOND_MS);
    instance.visit(links[0] ?? "");
    await instance.advance(5 * SECOND_MS);
    await mergePacksNow();
    expect([gatheringOf(db).packs.size, await clicksOf(ws, links[0] ?? "")]).toEqual([0, 2]);
    expect(lines).not.toHaveBeenCalled();
  });

  it("of a link that is gone count for nobody, and hold no others back", async () => {
    const { ws, links } = await makeLinks(2);
    await queue(ws, ["01JZ8Q4V6T3K9M2N5P7R8S0W1Y", ...links]);
    await mergePacksNow();
    expect([await clicksOf(ws, links[1] ?? ""), await rowsIn("click_queue")]).toEqual([1, 0]);
  });
});

describe("the merge", () => {
  it("counts each pack once if runs overlap, and packs arrive meanwhile", async () => {
    const { ws, links } = await makeLinks(3);
    await queue(ws, links);
    let arrived = 0;
    const batch: Batch = async (statements) => {
      if (statements.length > 1 && arrived++ < 2) await queue(ws, links);
      return env.DB.batch(statements);
    };
    await Promise.all([mergeThrough(batch), mergeThrough(batch), mergeThrough(batch)]);
    await mergePacksNow();
    const counted = [];
    for (const link of links) counted.push(await clicksOf(ws, link));
    expect([arrived, counted]).toEqual([3, [3, 3, 3]]);
  });

  it.each(["before", "after"])(
    "counts each pack once if the connection is lost %s the commit",
    async (when) => {
      const { ws, links } = await makeLinks(2);
      await queue(ws, links);
      let lost = 0;
      const batch: Batch = async (statements) => {
        const isLost = statements.length > 1 && lost++ < 3;
        if (isLost && when === "before") throw new Error("D1_ERROR: Network connection lost.");
        const results = await env.DB.batch(statements);
        if (isLost) throw new Error("D1_ERROR: Network connection lost.");
        return results;
      };
      await expect(mergeThrough(batch)).rejects.toThrow();
      for (let runs = 0; runs < 4; runs++) await mergePacksNow();
      expect([await clicksOf(ws, links[0] ?? ""), await clicksOf(ws, links[1] ?? "")]).toEqual([1, 1]);
      expect(await rowsIn("click_queue")).toBe(0);
    },
  );

  it("drops and logs a pack that D1 refuses for good, and counts all others", async () => {
    const { ws, links } = await makeLinks(20);
    const lines = vi.spyOn(console, "error").mockReturnValue();
    const [refused = "", ...others] = links.toReversed();
    await queue(ws, others.slice(0, 12));
    await queue(ws, [refused], "colour");
    await queue(ws, others.slice(12));
    let failures = 0;
    for (let runs = 0; (await rowsIn("click_queue")) > 0; runs++) {
      expect(runs).toBeLessThan(20);
      await mergePacksNow().catch(() => failures++);
    }
    expect(failures).toBeGreaterThan(1);
    expect(lines.mock.calls.flat()).toEqual([
      '{"level":"error","error":"clicks_dropped","reason":"refused","clicks":1}',
    ]);
    const counted = [];
    for (const link of [refused, ...others]) counted.push(await clicksOf(ws, link));
    expect(counted).toEqual([0, ...others.map(() => 1)]);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("drops no other pack that has the row id of a refused one by now", async () => {
    const { ws, links } = await makeLinks(2);
    const [refused = "", other = ""] = links;
    const lines = vi.spyOn(console, "error").mockReturnValue();
    await queue(ws, [refused], "colour");
    // Another run drops the pack while this one learns of the refusal, and a new pack gets its row id.
    await expect(
      mergeThrough(async (statements) => {
        const isMerge = textOf(statements).includes("click_hours");
        return env.DB.batch(statements).catch(async (error) => {
          if (isMerge) {
            await env.DB.prepare("delete from click_queue").run();
            await queue(ws, [other]);
          }
          throw error;
        });
      }),
    ).rejects.toThrow();
    expect([await rowsIn("click_queue"), lines.mock.calls]).toEqual([1, []]);
    await mergePacksNow();
    expect([await clicksOf(ws, refused), await clicksOf(ws, other)]).toEqual([0, 1]);
  });

  it("leaves what is too much for one batch to the next visits and runs", async () => {
    const { ws, links } = await makeLinks(4);
    const [link = ""] = links;
    const many =
      "insert into click_queue (pack, visits, bytes, counts) select pack, visits, 5000000, counts from click_queue";
    await queue(ws, [link]);
    for (let doubled = 0; doubled < 3; doubled++) await env.DB.prepare(many).run();
    await mergePacksNow();
    // A portion ends with the pack that makes it 8 MB.
    expect([await clicksOf(ws, link), await rowsIn("click_queue")]).toEqual([3, 5]);
    const instance = instanceWith();
    instance.visit(link, requestWith());
    await instance.advance(5 * SECOND_MS);
    expect([await clicksOf(ws, link), await rowsIn("click_queue")]).toEqual([5, 4]);
    for (let runs = 0; runs < 3; runs++) await mergePacksNow();
    expect([await clicksOf(ws, link), await rowsIn("click_queue")]).toEqual([9, 0]);
  });

  it("adds nothing twice that the version before writes without a queue", async () => {
    const { ws, links } = await makeLinks(1);
    const [link = ""] = links;
    const before = [
      `insert into click_hours (workspace_id, link_id, hour, people, bots, scans, late)
        select workspace_id, id, ${NOON}, 2, 0, 0, 0 from links where public_id = ?
        on conflict (link_id, hour) do update set people = people + 2`,
      `insert into link_days (workspace_id, link_id, day, visits) select workspace_id, id, ${DAY}, 2 from links
        where public_id = ? on conflict (link_id, day) do update set visits = visits + 2`,
      `insert into workspace_hours (workspace_id, hour, people, bots, scans, late)
        select workspace_id, ${NOON}, 2, 0, 0, 0 from links where public_id = ?
        on conflict (workspace_id, hour) do update set people = people + 2`,
      "update links set clicks = clicks + 2 where public_id = ?",
    ].map((text) => env.DB.prepare(text).bind(link));
    await queue(ws, [link]);
    await env.DB.batch(before);
    await mergePacksNow();
    await env.DB.batch(before);
    await queue(ws, [link]);
    await mergePacksNow();
    expect(await clicksOf(ws, link)).toBe(6);
    const days =
      "select sum(link_days.visits) as n from link_days join links on links.id = link_id where public_id = ?";
    expect(await env.DB.prepare(days).bind(link).first("n")).toBe(6);
  });
});
