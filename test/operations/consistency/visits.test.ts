import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { recountWorkspaces } from "../../../src/operations/consistency/doctor";
import { createAsset } from "../../../src/resources/engagement/asset-service";
import { click, scan } from "../../console/clicks";
import { makeWorkspace } from "../../harness";
import { brokenInvariants } from "../../invariants";

it("the doctor finds counts that name another workspace than their owner's, and mends them", async () => {
  const [ws, other] = [await makeWorkspace(), await makeWorkspace()];
  const group = await ws.group();
  const link = await ws.link({ activity_group_id: group.id });
  const asset = await createAsset(ws.ctx, { name: "A", link: link.id });
  await click(ws, link.id, "2026-05-01", { clicks: 1 });
  await scan(ws, asset.id, "2026-05-01T12:00:00Z", { scans: 1 });
  const { rowId } = ws.ctx.workspace;
  const foundIn = async () => (await recountWorkspaces(ws.ctx)).repaired.filter(({ of }) => of === ws.slug);
  expect(await foundIn()).toEqual([]);
  for (const table of ["visit_hours", "visit_days"])
    await env.DB.prepare(`update ${table} set workspace_id = ? where workspace_id = ?`)
      .bind(other.ctx.workspace.rowId, rowId)
      .run();
  expect(await brokenInvariants()).not.toEqual([]);
  expect((await foundIn()).map(({ kept, is }) => [kept, is])).toEqual([
    // Of the workspace, the group and the link in one hour, and of the asset.
    ["hours of visits that name another workspace", 4],
    ["days of visits that name another workspace", 4],
  ]);
  expect(await foundIn()).toEqual([]);
  expect(await brokenInvariants()).toEqual([]);
});
