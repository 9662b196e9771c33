import { env } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { applyQueued } from "../../../src/analytics/queue";
import { insertBatch } from "../../../src/analytics/queue-repository";
import { newId } from "../../../src/lib/ids";
import { recountWorkspaces } from "../../../src/operations/consistency/service";
import { getLinkDetails } from "../../../src/resources/links/details";
import { makeWorkspace, type TestWorkspace } from "../../harness";

const NOON = Date.UTC(2026, 10, 1, 12);
const MINUTE_MS = 60_000;
const QUARTER_BEFORE = "2026-11-01T11:45:00.000Z";

beforeEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare("delete from visit_queue").run();
});

const clicksOf = async (ws: TestWorkspace, link: string): Promise<number> =>
  (await getLinkDetails(ws.ctx, link)).visitTotals.clicks;

const queued = () => env.DB.prepare("select count(counts) as n from visit_queue").first<number>("n");

/** Queues clicks of a link in a batch that was made so many minutes before noon. */
async function queue(
  ws: TestWorkspace,
  link: string,
  minutes: number,
  clicks: number,
  dimension = "country",
) {
  const day = Date.UTC(2026, 10, 1);
  const counts = {
    hours: [{ link, asset: null, hour: NOON, clicks, scans: 0, bots: 0, after_end: 0, last: NOON }],
    days: [{ link, day, dimension: dimension as "country", value: "CH", visits: clicks }],
  };
  const at = NOON - minutes * MINUTE_MS;
  await ws.ctx.db.writeUnaudited(insertBatch(newId(at), at, counts));
}

async function makeLink() {
  const ws = await makeWorkspace();
  const { id } = await ws.link();
  const ctx = { ...ws.ctx, now: () => NOON };
  return { ws, id, ctx };
}

describe("the doctor", () => {
  it("adds up clicks that wait", async () => {
    const { ws, id, ctx } = await makeLink();
    await queue(ws, id, 15, 3);
    await queue(ws, id, 9, 4);
    expect(await recountWorkspaces(ctx)).toEqual({ workspaces: expect.any(Number), repaired: [] });
    expect([await clicksOf(ws, id), await queued()]).toEqual([7, 0]);
  });
});

describe("the log", () => {
  it("has a warning if the first clicks of the queue waited for more than ten minutes", async () => {
    const { ws, id, ctx } = await makeLink();
    const lines = vi.spyOn(console, "error").mockReturnValue();
    await queue(ws, id, 10, 1);
    await applyQueued(ctx);
    expect(lines).not.toHaveBeenCalled();
    await queue(ws, id, 15, 1);
    await applyQueued(ctx);
    expect(lines.mock.calls.flat()).toEqual([
      `{"level":"warning","error":"clicks_waiting","oldest_at":"${QUARTER_BEFORE}"}`,
    ]);
    expect(await clicksOf(ws, id)).toBe(2);
  });
});
