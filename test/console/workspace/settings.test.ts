import { describe, expect, it } from "vitest";
import { updateLink } from "../../../src/resources/links/update-link";
import { listWorkspaces } from "../../../src/resources/workspaces/workspace-service";
import { makeWorkspace, serviceContext } from "../../harness";
import { fillSlugs } from "../../redirect/slugs/fill";
import { makeMember, signInAs } from "../browser";
import { wordsIn } from "../form-fields";

const pathOf = ({ slug }: { slug: string }): string => `/app/${slug}/workspace`;

describe("the workspace's page", () => {
  it("warns, as the list of links does, if more than 90 % of links or slugs are used", async () => {
    const workspace = await makeWorkspace({ linkLimit: 10 });
    const browser = await signInAs(workspace, "viewer");
    const list = `/app/${workspace.slug}/links`;
    for (let made = 0; made < 9; made++) await workspace.link();
    for (const path of [pathOf(workspace), list]) {
      expect((await browser.get(path)).text).not.toContain("that it may have");
    }
    await workspace.link();
    await fillSlugs(workspace, 901);
    for (const path of [pathOf(workspace), list]) {
      const { text } = await browser.get(path);
      expect(text).toContain("The workspace has 10 of the 10 links that it may have.");
      expect(text).toContain("The workspace has 901 of the 1,000 slugs that it may have.");
    }
    expect((await browser.get(pathOf(workspace))).text).toContain("<strong>901 of 1,000</strong>");
    const views = await listWorkspaces(serviceContext());
    expect(views.find(({ slug }) => slug === workspace.slug)).toMatchObject({
      links: 10,
      link_limit: 10,
      slugs: 901,
      slug_limit: 1_000,
      nearly_full: "links and slugs",
    });
  });

  it("says how many of its links are archived, which lists and the overview leave out", async () => {
    const { workspace, browser } = await makeMember();
    await workspace.link();
    const hint = async () => wordsIn((await browser.get(pathOf(workspace))).text);
    expect(await hint()).not.toContain("archived.");
    const archived = await workspace.link();
    await updateLink(workspace.ctx, archived.id, { status: "archived" });
    expect(await hint()).toContain("1 of the links is archived. Deleted links do not count");
    expect((await browser.get(pathOf(workspace))).text).toMatch(/>Links<\/span>\s*<strong>2</);
    expect(wordsIn((await browser.get(`/app/${workspace.slug}`)).text)).toContain(" 1 link now ");
  });

  it("lets an owner rename it, and the audit trail has both names", async () => {
    const { workspace, browser } = await makeMember();
    const name = `<i>"Été"</i> abc ${"😀".repeat(20)}`;
    const answer = await browser.post(pathOf(workspace), { name: ` ${name} ` });
    expect([answer.status, answer.location]).toEqual([303, pathOf(workspace)]);
    const { text } = await browser.get(pathOf(workspace));
    expect(text).toContain("&lt;i&gt;&quot;Été&quot;");
    expect(text).not.toContain("<i>");
    const trail = await browser.get(`/app/${workspace.slug}/audit?action=workspace.update`);
    expect(trail.text).toContain("changed the workspace");
    expect(trail.text).toContain(`<bdi>${workspace.ctx.workspace.name}</bdi></del>`);

    // The same name again is no change.
    await browser.post(pathOf(workspace), { name });
    const again = await browser.get(`/app/${workspace.slug}/audit?action=workspace.update`);
    expect(again.text.match(/changed the workspace/g)).toHaveLength(1);
  });
});
