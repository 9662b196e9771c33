import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { listTopLinks } from "../../src/clicks/top";
import { reportVisits } from "../../src/clicks/visits";
import { recountWorkspaces } from "../../src/doctor/service";
import { rangeOfDays } from "../../src/lib/range";
import { getLinkDetails } from "../../src/links/details";
import { click } from "../console/clicks";
import { makeWorkspace, type TestWorkspace } from "../harness";

const DAY_MS = 86_400_000;
const today = Math.floor(Date.now() / DAY_MS);
const RANGE = rangeOfDays("UTC", today - 6, today);

const repairedIn = async (ws: TestWorkspace) =>
  (await recountWorkspaces(ws.ctx)).repaired
    .filter(({ workspace }) => workspace === ws.slug)
    .map(({ kept, is }) => [kept, is]);

async function makeVisited() {
  const ws = await makeWorkspace();
  const links = [await ws.link(), await ws.link(), await ws.link()];
  for (const [index, { id }] of links.entries()) {
    await click(ws, id, (today - index) * DAY_MS, { people: 3 - index, scans: 1, bots: 2, late: 1 });
    await click(ws, id, (today - 3) * DAY_MS, { people: 1, referrer: "example.com" });
  }
  const state = async () => ({
    report: await reportVisits(ws.ctx, { workspace: true }, RANGE, { compare: false }),
    top: await listTopLinks(ws.ctx, RANGE, 5),
    lifetimes: await Promise.all(links.map(async ({ id }) => (await getLinkDetails(ws.ctx, id)).lifetime)),
  });
  return { ws, links, state };
}

describe("the doctor", () => {
  it("finds nothing wrong in counted visits, also of deleted links", async () => {
    const { ws, links, state } = await makeVisited();
    const before = (await state()).report;
    await ws.call("DELETE", `/api/v1/links/${links[0]?.id}`);
    expect(await repairedIn(ws)).toEqual([]);
    expect((await reportVisits(ws.ctx, { workspace: true }, RANGE, { compare: false })).totals).toEqual(
      before.totals,
    );
  });

  it("computes what links and workspaces keep of their visits again", async () => {
    const { ws, state } = await makeVisited();
    const before = await state();
    const own = ws.ctx.workspace.rowId;
    await env.DB.batch(
      [
        `update links set clicks = clicks + 5, scans = 0 where workspace_id = ${own}`,
        `delete from link_days where workspace_id = ${own} and day = ${(today - 3) * DAY_MS}`,
        `update link_days set visits = visits + 1 where workspace_id = ${own}`,
        `update workspace_hours set people = 0, bots = bots - 1 where workspace_id = ${own} and hour >= ${today * DAY_MS}`,
        `delete from workspace_days where workspace_id = ${own} and day = ${(today - 1) * DAY_MS}`,
      ].map((text) => env.DB.prepare(text)),
    );
    expect(await repairedIn(ws)).toEqual([
      ["links with other clicks or scans than their hours", 3],
      ["days of links with other visits than their hours", 6],
      ["hours of the workspace with fewer visits than its links", 1],
      ["days of the workspace with fewer people than its links", 1],
    ]);
    expect(await state()).toEqual(before);
    expect(await repairedIn(ws)).toEqual([]);
  });

  it("keeps what links that are gone left in the workspace", async () => {
    const { ws } = await makeVisited();
    const own = ws.ctx.workspace.rowId;
    await env.DB.batch(
      [
        `update workspace_hours set people = people + 100 where workspace_id = ${own}`,
        `update workspace_days set people = people + 100 where workspace_id = ${own}`,
      ].map((text) => env.DB.prepare(text)),
    );
    expect(await repairedIn(ws)).toEqual([]);
  });
});
