import { describe, expect, it } from "vitest";
import { updateActivityGroup } from "../../../src/resources/activity-groups/manage-groups";
import { createAsset, createAssets } from "../../../src/resources/engagement/asset-service";
import { changeAssets } from "../../../src/resources/engagement/update-asset";
import { changeChosenLinks } from "../../../src/resources/links/change-many";
import { makeMember, type Page, signInAs } from "../browser";
import { undoOn, wordsIn } from "../form-fields";

/** The lines of "Last changes", each without its time. */
function changesIn({ text }: Page): string[] {
  const [, list = ""] = /<ol class="changes">(.*?)<\/ol>/s.exec(text) ?? [];
  return [...list.matchAll(/<li><span>(.*?)<\/span><span class="row/gs)].map(([, line = ""]) =>
    wordsIn(line).trim(),
  );
}

const posters = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Poster ${index}` }));

async function makeGroup() {
  const { workspace, browser } = await makeMember("editor");
  const group = await workspace.group({ name: "Summer" });
  const link = await workspace.link({ activity_group_id: group.id });
  const home = `/app/${workspace.slug}`;
  const settings = () => browser.get(`${home}/groups/${group.id}?tab=settings`);
  return { workspace, browser, group, link, home, settings };
}

describe("the last changes of an Activity Group", () => {
  it("are those of itself, its links and their assets, each change of many in one line", async () => {
    const { workspace, browser, group, link, home, settings } = await makeGroup();
    const { ctx } = workspace;
    const [one, two] = [await workspace.link({ title: "One" }), await workspace.link()];
    const ids = [one.id, two.id];
    await changeChosenLinks(ctx, { change: "move", activity_group_id: group.id, ids });
    const made = await createAssets(ctx, { link: link.id, kind: "poster", assets: posters(40) });
    await createAssets(ctx, { link: one.id, kind: "signage", assets: posters(2) });
    const single = await createAsset(ctx, { link: two.id, name: "Alone" });
    await changeAssets(ctx, { ids: made.map(({ id }) => id), status: "live" });
    await updateActivityGroup(ctx, group.id, { status: "completed" });
    const outside = await workspace.link();
    await createAssets(ctx, { link: outside.id, assets: posters(2) });
    const lines = [
      "The operator marked the group Summer as completed",
      "The operator set 40 posters live",
      `The operator created the poster ${single.name}`,
      "The operator created 2 posters",
      "The operator created 40 posters",
      "The operator moved 2 links to “Summer”",
    ];
    expect(changesIn(await settings()).slice(0, 6)).toEqual(lines);
    expect(changesIn(await settings())).toHaveLength(10);
    expect(changesIn(await browser.get(home))[0]).toBe("The operator created 2 posters");
    const trail = wordsIn((await browser.get(`${home}/audit?action=asset.create`)).text);
    expect(trail).toContain("created 40 posters");
    expect(trail).not.toContain("Poster 3");
  });

  it("find many assets among the entries of many earlier changes, and archived links", async () => {
    const { workspace, group, link, settings } = await makeGroup();
    for (let time = 0; time < 12; time++) {
      await workspace.call("PATCH", `/api/v1/links/${link.id}`, { body: { title: `Title ${time}` } });
    }
    const archived = await workspace.link({ activity_group_id: group.id });
    const { ctx } = workspace;
    await changeChosenLinks(ctx, { change: "archive", ids: [archived.id, link.id] });
    await createAssets(ctx, { link: archived.id, kind: "poster", assets: posters(2) });
    const lines = changesIn(await settings());
    expect(lines.slice(0, 3).map((line) => line.replace(/^.*?(created|archived)/, "$1"))).toEqual([
      "created 2 posters",
      "archived 2 links",
      `created the link /${archived.slug}`,
    ]);
    expect(lines).toHaveLength(10);
  });

  it("are undone from the tab, which is shown again; viewers see them without that", async () => {
    const { workspace, browser, group, link, home, settings } = await makeGroup();
    const { ctx } = workspace;
    const [asset] = await createAssets(ctx, { link: link.id, status: "live", assets: posters(2) });
    await changeAssets(ctx, { ids: [asset?.id ?? ""], status: "retired" });
    await updateActivityGroup(ctx, group.id, { name: "Summer sale" });
    const { text } = await settings();
    const back = `${home}/groups/${group.id}?tab=settings`;
    expect((await browser.post(undoOn({ text }), { back })).location).toBe(back);
    expect((await settings()).text).toContain("<h1>Summer</h1>");
    const viewer = await signInAs(workspace, "viewer");
    const seen = await viewer.get(back);
    expect(changesIn(seen)).toHaveLength(changesIn(await settings()).length);
    expect(seen.text).not.toContain("/undo");
  });
});
