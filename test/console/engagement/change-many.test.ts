import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { takeDown } from "../../../src/operations/moderation/takedown";
import { MAX_ASSETS_OF_LINK } from "../../../src/resources/engagement/asset-schema";
import { createAssets, listAssets } from "../../../src/resources/engagement/asset-service";
import { undoAssets, updateAsset } from "../../../src/resources/engagement/update-asset";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { makeWorkspace, type TestWorkspace, visit } from "../../harness";
import { interrupted } from "../../interruption";
import { runSql, selectValue } from "../../sql";
import { makeMember } from "../browser";
import { undoOn, wordsAfter, wordsIn } from "../form-fields";

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Poster ${index}` }));

/** Each asset's link and status, by name. */
const stateOf = async ({ ctx }: TestWorkspace) =>
  Object.fromEntries((await listAssets(ctx)).map(({ name, link, status }) => [name, [link.slug, status]]));

async function makePosters(count = 3) {
  const { workspace, browser } = await makeMember("editor");
  const [from, to] = [await workspace.link(), await workspace.link()];
  const assets = await createAssets(workspace.ctx, { link: from.id, status: "live", assets: namesOf(count) });
  const home = `/app/${workspace.slug}`;
  const change = (fields: Record<string, string>, id: readonly string[] = assets.map((one) => one.id)) =>
    browser.post(`${home}/assets/change`, { id, ...fields });
  const move = (link: string) => change({ status: "move", to_link: link });
  return { workspace, browser, from, to, assets, home, change, move };
}

describe("many assets", () => {
  it("are moved to another link with their codes in one change, which is undone at once", async () => {
    const { workspace, browser, from, to, assets, home, move } = await makePosters();
    const moved = await move(to.short_url);
    expect([moved.status, moved.location]).toEqual([303, `${home}/assets`]);
    const page = await browser.get(moved.location ?? "");
    expect(wordsIn(page.text)).toContain(`3 posters are on /${to.slug} now. What is printed stays valid.`);
    expect((await stateOf(workspace))["Poster 1"]).toEqual([to.slug, "live"]);
    for (const { code } of assets)
      expect((await visit(`/${code}`)).headers.get("location")).toBe(to.destination_url);
    const trail = wordsIn((await browser.get(`${home}/audit`)).text);
    expect(trail).toContain("moved 3 posters to another link");
    expect(wordsIn((await browser.get(home)).text)).toContain("moved 3 posters to another link");
    await updateAsset(workspace.ctx, assets[2]?.id ?? "", { place: "Bern" });
    const undone = await browser.post(undoOn(page), { back: `${home}/assets` });
    expect(await wordsAfter(browser, undone)).toContain(
      "Undid the change of 2 posters. 1 poster stays as now.",
    );
    expect(await stateOf(workspace)).toEqual({
      "Poster 0": [from.slug, "live"],
      "Poster 1": [from.slug, "live"],
      "Poster 2": [to.slug, "live"],
    });
    const again = await browser.post(undoOn(page), { back: `${home}/assets` });
    expect(await wordsAfter(browser, again)).toContain("Nothing was undone. 3 posters stay as now.");
    expect(wordsIn((await browser.get(`${home}/audit`)).text)).toContain("undid a change of 2 posters");
  });

  it("get a change again by the undo of its undo, as the notice and the trail say", async () => {
    const { workspace, browser, to, home, move } = await makePosters();
    const page = await browser.get((await move(to.short_url)).location ?? "");
    await browser.post(undoOn(page), { back: `${home}/assets` });
    const again = await browser.post(undoOn(await browser.get(`${home}/audit`)), { back: `${home}/assets` });
    expect(await wordsAfter(browser, again)).toContain("Redid the change of 3 posters.");
    expect((await stateOf(workspace))["Poster 1"]).toEqual([to.slug, "live"]);
    expect(wordsIn((await browser.get(`${home}/audit`)).text)).toMatch(
      /redid a change of 3 posters.*undid a change of 3 posters.*moved 3 posters/,
    );
  });

  it("are drafts again after their start was undone, and live after their retirement was", async () => {
    const { workspace, browser, from, home, change } = await makePosters(1);
    const drafts = await createAssets(workspace.ctx, { link: from.id, assets: [{ name: "Draft" }] });
    const ids = drafts.map(({ id }) => id);
    await change({ status: "live" }, ids);
    await browser.post(undoOn(await browser.get(home)), {});
    expect((await listAssets(workspace.ctx))[1]).toMatchObject({ status: "draft", live_at: null });
    await change({ status: "retired" });
    await browser.post(undoOn(await browser.get(`${home}/assets`)), {});
    expect(await stateOf(workspace)).toEqual({
      "Poster 0": [from.slug, "live"],
      Draft: [from.slug, "draft"],
    });
  });

  it("are retired since they were, after it is undone that they are live again", async () => {
    const { workspace, browser, home, change } = await makePosters(1);
    const retiredAt = () =>
      selectValue<number | null>`select retired_at from offline_assets where workspace_id = ${workspace}`;
    await change({ status: "retired" });
    await runSql`update offline_assets set retired_at = 1 where workspace_id = ${workspace}`;
    await change({ status: "live" });
    expect(await retiredAt()).toBe(null);
    await browser.post(undoOn(await browser.get(`${home}/assets`)), {});
    expect([(await stateOf(workspace))["Poster 0"]?.[1], await retiredAt()]).toEqual(["retired", 1]);
  });

  it("are not undone over a change that somebody makes at the same time", async () => {
    const undo = async (at?: number) => {
      const { workspace, assets, move, to } = await makePosters(2);
      await move(to.short_url);
      const operation = await selectValue<string>`select max(batch) from audit_log
        where workspace_id = ${workspace} and action = 'asset.update'`;
      const meanwhile = () => updateAsset(workspace.ctx, assets[0]?.id ?? "", { status: "retired" });
      const { db, kv, seen } = interrupted(env.DB, env.KV, at === undefined ? undefined : { at, meanwhile });
      const { changed } = await undoAssets({ ...workspace.ctx, db, kv }, operation ?? "");
      return { calls: seen.calls, changed, isOn: (await stateOf(workspace))["Poster 0"]?.[0] === to.slug };
    };
    // The entries, the assets and the commit are three calls of D1. Writes to KV follow.
    const { calls, ...alone } = await undo();
    expect([alone, calls > 3]).toEqual([{ changed: 2, isOn: false }, true]);
    for (let at = 1; at <= 3; at++) {
      expect(await undo(at), `before call ${at}`).toMatchObject({ changed: 1, isOn: true });
    }
  });

  it("stay if their code is taken down, and if the link of an undo is deleted", async () => {
    const { workspace, browser, from, to, move } = await makePosters(2);
    await takeDown(workspace.ctx, from.id);
    expect(await wordsAfter(browser, await move(to.id))).toContain(
      "No poster was changed. 2 posters stay as before.",
    );
    const other = await makePosters(2);
    const moved = await other.move(other.to.slug);
    const page = await other.browser.get(moved.location ?? "");
    await deleteLink(other.workspace.ctx, other.from.id);
    const undone = await other.browser.post(undoOn(page), {});
    expect(await wordsAfter(other.browser, undone)).toContain("2 posters stay as now.");
  });

  it("are not moved to a link that is unknown, foreign, taken down or has too many", async () => {
    const { workspace, from, to, move } = await makePosters(2);
    const foreign = await (await makeWorkspace()).link();
    await createAssets(workspace.ctx, { link: to.id, assets: namesOf(MAX_ASSETS_OF_LINK - 1) });
    const down = await workspace.link();
    await takeDown(workspace.ctx, down.id);
    for (const [link, message] of [
      ["", "Enter the link."],
      [foreign.id, "No link of this workspace has this slug or ID."],
      ["<b>x</b>", "No link of this workspace has this slug or ID."],
      [down.id, "The link was taken down by the operator of this service. It cannot be used again."],
      [to.id, "The link may not have more than 200 posters."],
    ] as const) {
      const refused = await move(link);
      expect([refused.status, wordsIn(refused.text).includes(message)], link).toEqual([422, true]);
      expect(refused.text).toContain('id="to_link-refusal"');
      expect(refused.text).not.toContain("<b>x");
    }
    const unmoved = (await listAssets(workspace.ctx)).filter(({ link }) => link.id === from.id);
    expect(unmoved).toHaveLength(2);
  });
});
